package stored

import (
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/store"
)

// Lab gives the requests of a session that were sent and are understood, for the cache lab.
func Lab(sess *store.Session, recs []*record.Record) lab.Input {
	var sent []*record.Record
	var in lab.Input
	for _, r := range recs {
		if !Asks(r) {
			continue
		}
		sent = append(sent, r)
		in.Requests = append(in.Requests, LabRequest(r))
	}
	in.Body = func(i int) (*verdict.Request, error) { return Request(sess, sent[i]) }
	in.Own = ownClass(sess.Info().Profile, in.Requests)
	return in
}

// Asks says that a record is of a request that was sent and is understood.
func Asks(r *record.Record) bool {
	return r.Meta.Kind != record.KindOther && r.Status != record.StatusStaged
}

// LabRequest is what the lab wants to know of a request beside its bytes. Who speaks Messages places marks, or asks for
// no cache.
func LabRequest(r *record.Record) lab.Request {
	return lab.Request{N: r.N, SentAt: r.SentAt, Usage: cachemodel.ParseUsage(r.Usage), Retry: r.Meta.Kind == verdict.KindRetry,
		Explicit: r.Foreign != nil && r.Foreign.Dialect == string(exchange.Messages)}
}

// ownClass is the class of the session's profile, else the one that its reports look like.
func ownClass(profile string, list []lab.Request) string {
	if p, err := provider.ProfileFor(profile, "", ""); profile != "" && err == nil {
		switch p.CacheClass {
		case provider.CacheToken:
			return cachemodel.Token().Name
		case provider.CacheBlock:
			return cachemodel.Block().Name
		case provider.CacheMinimumStep:
			return cachemodel.MinimumStep().Name
		case provider.CacheUnits:
			return cachemodel.NameDeepSeek
		}
	}
	return lab.OwnClass(list)
}
