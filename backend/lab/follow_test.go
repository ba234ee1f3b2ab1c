package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// bare is a request of another agent: nothing is known of it but its bytes.
func bare(t interface{ Fatal(...any) }, raw string) *verdict.Request {
	b, err := wire.Scan([]byte(raw))
	if err != nil {
		t.Fatal(err, raw)
	}
	return &verdict.Request{Body: b}
}

func followed(t interface{ Fatal(...any) }, in Input) (list []Forecast) {
	f := Follow(byteCounter{}, cachemodel.AllClasses())
	for i, about := range in.Requests {
		q, err := in.Body(i)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Next(context.Background(), q, about)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, got)
	}
	return list
}

func recorded(t interface{ Fatal(...any) }, in Input) []Row {
	r, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Strategies: []string{AsRecorded}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Requests
}

// agrees holds a follower's forecasts to the rows of a whole run.
func agrees(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, in Input) {
	rows, list := recorded(t, in), followed(t, in)
	for i, row := range rows {
		if row.Elsewhere != (list[i].Reused == nil) || row.Prompt != list[i].Total {
			t.Fatalf("request %d: %+v, followed %+v", row.N, row, list[i])
		}
		for c, class := range cachemodel.AllClasses() {
			if !row.Elsewhere && row.Predicted[class.Name] != list[i].Reused[c] {
				t.Fatalf("request %d, %s: %d in the whole, %d followed", row.N, class.Name, row.Predicted[class.Name], list[i].Reused[c])
			}
		}
	}
}

func TestAFollowedSessionIsPredictedAsAWholeOne(t *testing.T) {
	agrees(t, inputOf(session(t, 3, 12)))
	rapid.Check(t, func(t *rapid.T) {
		var list []*verdict.Request
		in := Input{Body: func(i int) (*verdict.Request, error) { return list[i], nil }}
		histories := map[int][]string{}
		for n := range rapid.IntRange(1, 25).Draw(t, "requests") {
			c := rapid.IntRange(0, 2).Draw(t, "conversation")
			about := Request{N: n + 1, SentAt: int64(n) * rapid.Int64Range(0, 400_000).Draw(t, "pause")}
			if retry := rapid.IntRange(0, 4).Draw(t, "retry") == 0; retry && n > 0 {
				about.Retry = true
				list = append(list, list[n-1])
			} else {
				h := histories[c]
				h = h[:len(h)-min(len(h), rapid.IntRange(0, 3).Draw(t, "gone"))]
				for range rapid.IntRange(1, 3).Draw(t, "new") {
					mark := rapid.SampledFrom([]string{"", `,"cache_control":{"type":"ephemeral"}`}).Draw(t, "mark")
					h = append(h[:len(h):len(h)], fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%q%s}]}`, rapid.StringMatching(`[ab]{1,600}`).Draw(t, "text"), mark))
				}
				histories[c] = h
				more := rapid.SampledFrom([]string{"", "", `,"previous_response_id":"r"`}).Draw(t, "more")
				list = append(list, bare(t, fmt.Sprintf(`{"model":"m","messages":[{"role":"system","content":"agent %d %s"},%s]%s}`, c, strings.Repeat("x", 1200), strings.Join(h, ","), more)))
				about.Explicit = rapid.Bool().Draw(t, "explicit")
			}
			in.Requests = append(in.Requests, about)
		}
		agrees(t, in)
	})
}

func conversationOf(n int) string {
	var h []string
	for i := range n {
		h = append(h, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("word ", 200)))
	}
	return fmt.Sprintf(`{"model":"m","messages":[%s]}`, strings.Join(h, ","))
}

func TestARetryIsNotPredictedFromItself(t *testing.T) {
	list := []*verdict.Request{bare(t, conversationOf(2)), bare(t, conversationOf(3)), bare(t, conversationOf(3)), bare(t, conversationOf(4))}
	in := inputOf(list)
	again := followed(t, in)
	if again[2].Reused[0] != again[2].Total {
		t.Fatal("a request that was sent before is found whole", again[2])
	}
	in.Requests[2].Retry = true
	got := followed(t, in)
	if !slices.Equal(got[2].Reused, got[1].Reused) || got[2].Reused[0] >= got[2].Total || got[2].Total != got[1].Total {
		t.Errorf("a retry %+v, its first attempt %+v", got[2], got[1])
	}
	if got[3].Reused[0] < got[2].Total-len("]") || !slices.Equal(got[3].Reused[:3], again[3].Reused[:3]) {
		t.Errorf("behind the retry: %+v, %+v", got[3], again[3])
	}
	agrees(t, in)
}

func TestNothingIsSaidOfAHistoryThatTheProviderKeeps(t *testing.T) {
	input := `{"model":"m","input":[{"role":"user","content":"and now?"}]%s}`
	for more, want := range map[string]bool{"": false, `,"previous_response_id":null`: false, `,"previous_response_id":"r_1"`: true,
		`,"conversation":{"id":"c"}`: true, `,"metadata":{"previous_response_id":"r"}`: false} {
		in := inputOf([]*verdict.Request{bare(t, fmt.Sprintf(input, "")), bare(t, fmt.Sprintf(input, more))})
		rows := recorded(t, in)
		if rows[1].Elsewhere != want || (len(rows[1].Predicted) == 0) != want {
			t.Errorf("%q: %+v", more, rows[1])
		}
		agrees(t, in)
	}
}

// Where marks are the sender's to place, a request without one asks for no cache; a mark, or the wish for marks made by
// the provider, does.
func TestWithoutAMarkOfItsSenderNothingIsReusedByMarks(t *testing.T) {
	which := slices.IndexFunc(cachemodel.AllClasses(), func(c cachemodel.Class) bool { return c.Name == cachemodel.NameAnthropic })
	text := strings.Repeat("word ", 500)
	body := func(mark, more string) *verdict.Request {
		return bare(t, fmt.Sprintf(`{"model":"claude","system":[{"type":"text","text":"%s"%s}],"messages":[{"role":"user","content":"hi"}]%s}`, text, mark, more))
	}
	const mark = `,"cache_control":{"type":"ephemeral"}`
	for _, c := range []struct {
		mark, more string
		reused     bool
	}{{"", "", false}, {mark, "", true}, {"", mark, true}} {
		in := inputOf([]*verdict.Request{body(c.mark, c.more), body(c.mark, c.more)})
		in.Requests[0].Explicit, in.Requests[1].Explicit = true, true
		if got := followed(t, in)[1].Reused[which]; got > 0 != c.reused {
			t.Errorf("mark %q, %q: %d", c.mark, c.more, got)
		}
		agrees(t, in)
	}
}

// Texts of long ago are let go of; what goes on from the latest request is predicted as if they were there.
func TestAFollowerKeepsNoMoreTextThanItMay(t *testing.T) {
	const most = 20_000
	f, whole := Follow(byteCounter{}, cachemodel.Classes()), Follow(byteCounter{}, cachemodel.Classes())
	f.most = most
	for n := 1; n <= 120; n++ {
		q := bare(t, conversationOf(n))
		a, err := f.Next(context.Background(), q, Request{})
		b, err2 := whole.Next(context.Background(), q, Request{})
		if err != nil || err2 != nil || !slices.Equal(a.Reused, b.Reused) || a.Total != b.Total {
			t.Fatalf("request %d: %+v, with all texts %+v (%v %v)", n, a, b, err, err2)
		}
	}
	q := bare(t, `{"model":"m","messages":[{"role":"user","content":"a new conversation"}]}`)
	if _, err := f.Next(context.Background(), q, Request{}); err != nil {
		t.Fatal(err)
	}
	held := 0
	for id := range f.used {
		held += len(f.rec.pieces.Get(int32(id)).Text)
	}
	if held > most || held != f.bytes || whole.bytes < 100_000 {
		t.Errorf("%d bytes are kept, %d are counted, of %d", held, f.bytes, whole.bytes)
	}
}

func TestFollowingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := Follow(byteCounter{}, cachemodel.Classes())
	if _, err := f.Next(ctx, bare(t, conversationOf(2)), Request{}); err == nil {
		t.Fatal("it went on")
	}
	got, err := f.Next(context.Background(), bare(t, conversationOf(2)), Request{})
	if err != nil || got.Total == 0 {
		t.Error(got, err)
	}
}

func TestAnUnchangedPartIsCountedOnce(t *testing.T) {
	c := &countingCounter{}
	f := Follow(c, cachemodel.Classes())
	for n := 1; n <= 50; n++ {
		if _, err := f.Next(context.Background(), bare(t, conversationOf(n)), Request{}); err != nil {
			t.Fatal(err)
		}
	}
	if unique := len(conversationOf(50)); int(c.counted.Load()) > unique {
		t.Errorf("%d bytes were counted of %d different ones", c.counted.Load(), unique)
	}
}

// countingCounter counts bytes, and how many it was given.
type countingCounter struct{ counted atomic.Int64 }

func (c *countingCounter) Count(b []byte) int {
	c.counted.Add(int64(len(b)))
	return len(b)
}

// Against a dumb model: the longest start in common with any request before, and no less than with the latest two.
func TestPredictionIsTheLongestEqualPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Follow(byteCounter{}, []cachemodel.Class{cachemodel.Token()})
		var before []*wire.Body
		for range rapid.IntRange(2, 8).Draw(t, "requests") {
			var h []string
			for _, text := range rapid.SliceOfN(rapid.StringMatching(`[ab]{1,3}`), 0, 5).Draw(t, "texts") {
				h = append(h, fmt.Sprintf(`{"role":"tool","content":%q}`, text))
			}
			q := bare(t, fmt.Sprintf(`{"model":%q,"messages":[%s]}`, rapid.SampledFrom([]string{"m", "n"}).Draw(t, "model"), strings.Join(h, ",")))
			got, err := f.Next(context.Background(), q, Request{})
			if err != nil {
				t.Fatal(err)
			}
			low, high := 0, 0
			for i, a := range before {
				n := sameStart(a, q.Body)
				high = max(high, n)
				if i >= len(before)-2 {
					low = max(low, n)
				}
			}
			if got.Reused[0] < low || got.Reused[0] > high {
				t.Fatalf("%d, want %d to %d", got.Reused[0], low, high)
			}
			before = append(before, q.Body)
		}
	})
}

func sameStart(a, b *wire.Body) int {
	if a.Model.Leaf != b.Model.Leaf {
		return 0
	}
	n := len(a.Bytes(wire.KindModel, 0))
	for i := range min(a.Messages.Len(), b.Messages.Len()) {
		x, y := a.Bytes(wire.KindMessage, i), b.Bytes(wire.KindMessage, i)
		if string(x) != string(y) {
			return n + wire.CommonPrefix(x, y)
		}
		n += len(x)
	}
	return n
}
