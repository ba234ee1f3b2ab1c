package stored

import (
	"zimoscope/backend/agent/provider"
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
		if r.Meta.Kind == record.KindOther || r.Status == record.StatusStaged {
			continue
		}
		sent = append(sent, r)
		in.Requests = append(in.Requests, lab.Request{N: r.N, SentAt: r.SentAt, Usage: cachemodel.ParseUsage(r.Usage)})
	}
	in.Body = func(i int) (*verdict.Request, error) { return Request(sess, sent[i]) }
	in.Own = ownClass(sess.Info().Profile, in.Requests)
	return in
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
