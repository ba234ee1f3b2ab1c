package cli

import (
	"context"
	"fmt"

	"zimoscope/app/predict"
	"zimoscope/app/stored"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/store"
)

// forecaster says of each request that the proxy recorded what a cache could reuse of it. It is asked behind the
// recording, which nothing that passes waits for.
type forecaster struct {
	sess   *store.Session
	reader *predict.Reader
	kinds  *predict.Kinds
	n      int // the request that was read last
}

func newForecaster(sess *store.Session) *forecaster {
	return &forecaster{sess: sess, reader: predict.NewReader(sess, predict.OneAtATime(cachemodel.O200k())), kinds: predict.NewKinds()}
}

// next gives the end of a request's line: predicted, and reported. What a session that goes on holds already is read
// first.
func (f *forecaster) next(r *record.Record) string {
	if !stored.Asks(r) || r.N <= f.n && f.n > 0 {
		return "" // not compared, or told once more
	}
	for f.n < r.N-1 {
		facts, err := f.sess.Facts(f.n + 1)
		if err != nil {
			return ""
		}
		before, err := record.Of(facts)
		if err != nil {
			return ""
		}
		if _, err := f.read(before); err != nil {
			return ""
		}
	}
	got, err := f.read(r)
	if err != nil {
		return ""
	}
	return "  " + cacheWords(r, got, f.kinds)
}

func (f *forecaster) read(r *record.Record) (predict.Forecast, error) {
	got, err := f.reader.Next(context.Background(), r)
	f.kinds.Hear(r)
	f.n = r.N
	return got, err
}

func cacheWords(r *record.Record, got predict.Forecast, kinds *predict.Kinds) string {
	reported := "cache not reported"
	if u := cachemodel.ParseUsage(r.Usage); u.Reported {
		reported = fmt.Sprintf("reported %d of %d", u.Cached, u.PromptTotal)
	}
	switch got.Why {
	case predict.Elsewhere:
		return "not predicted: its provider keeps the history  " + reported
	case predict.Unread:
		return "not predicted: its stored bytes can't be read  " + reported
	}
	class, exact := kinds.Of(r, got.Model)
	sign := "≈"
	if exact {
		sign = ""
	}
	for i, c := range cachemodel.AllClasses() {
		if c.Name == class {
			return fmt.Sprintf("predicted %s%d of %d (%s)  %s", sign, got.Reused[i], got.Total, class, reported)
		}
	}
	return reported
}
