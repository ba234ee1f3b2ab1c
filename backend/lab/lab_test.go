package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zimoscope/backend/engine"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

func cellOf(t *testing.T, r *Result, class, strategy string) Cell {
	t.Helper()
	for _, c := range r.Cells {
		if c.Class == class && c.Strategy == strategy {
			return c
		}
	}
	t.Fatal("no cell", class, strategy)
	return Cell{}
}

// two requests whose every token is counted by hand: bytes of model, tools, system and messages.
func twoRequests(t *testing.T) []*verdict.Request {
	return []*verdict.Request{request(t, 1, []string{userMsg(0)}, "", true), request(t, 2, []string{userMsg(0), call(1), sealedMsg(1)}, "", true)}
}

func headBytes() int { return len(`"m"`) + len(tools) - 2 + len(sysMsg) }

func TestSumsAndMoneyOfATinySessionByHand(t *testing.T) {
	in := inputOf(twoRequests(t))
	in.Own = "token"
	first := headBytes() + len(userMsg(0))
	second := first + len(call(1)) + len(sealedMsg(1))
	in.Requests[1].Usage = cachemodel.Usage{Reported: true, PromptTotal: second, Cached: first - 10}
	marks := cachemodel.Class{Name: "marks", Block: 1, Rule: cachemodel.RuleMarks, Writes: 2, Lookback: 20, Implicit: cachemodel.HeadAndLast}
	o := Options{Counter: byteCounter{}, Classes: []cachemodel.Class{cachemodel.Token(), marks}, Strategies: []string{AsRecorded},
		Prices: &Prices{Currency: "EUR", Classes: map[string]Price{"marks": {Uncached: 1e6, Read: 1e5, Written: 2e6}}}}
	r, err := Run(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	c := cellOf(t, r, "token", AsRecorded)
	if c.PromptTokens != first+second || c.ReusedTokens != first || c.Priced || c.Cost != 0 {
		t.Errorf("%+v, want %d of %d", c, first, first+second)
	}
	c = cellOf(t, r, "marks", AsRecorded) // all of the first is written, then read; the rest of the second is written
	if want := 2*float64(first) + 0.1*float64(first) + 2*float64(second-first); c.ReusedTokens != first || c.Written != second || math.Abs(c.Cost-want) > 1e-6 {
		t.Errorf("%+v, want %v", c, want)
	}
	if r.Requests[0].Reported != nil || r.Requests[0].Marked || *r.Requests[1].Reported != first-10 || !r.Requests[1].Marked {
		t.Errorf("%+v", r.Requests)
	}
	if r.Reported.Requests != 1 || r.Reported.Marked != 1 || r.Currency != "EUR" || !r.Estimated {
		t.Errorf("%+v %+v", r, r.Reported)
	}
	in.Requests[1].Usage.Cached = first - 1 // within a unit and what rendering may add
	if r, err = Run(context.Background(), in, o); err != nil || r.Requests[1].Marked {
		t.Error(err, "marked though it agrees")
	}
}

func TestTheJSONHasTheAgreedNames(t *testing.T) {
	r, err := Run(context.Background(), inputOf(session(t, 2, 3)), Options{Counter: byteCounter{}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Classes, Strategies []string
		Cells               []map[string]any
		Requests            []struct {
			N         int
			Predicted map[string]int
			Reported  *int
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Cells) != len(got.Classes)*len(got.Strategies) || len(got.Requests) != 8 || len(got.Requests[0].Predicted) != len(got.Classes) {
		t.Fatalf("%s", raw)
	}
	for _, name := range []string{"class", "strategy", "prompt_tokens", "reused_tokens", "cost"} {
		if _, ok := got.Cells[0][name]; !ok {
			t.Errorf("a cell without %s", name)
		}
	}
	if !strings.Contains(string(raw), `"reported":null`) {
		t.Error("what was not reported is not null")
	}
}

// What the strategies are there to show: a request-only tail is free on prefixes, hostile to marks behind it, and a mark
// before it repairs that.
func TestStrategiesComeOutInTheOrderThatTheirCachesGive(t *testing.T) {
	in := inputOf(session(t, 2, 30))
	marks := cachemodel.Class{Name: "marks", Block: 1, Rule: cachemodel.RuleMarks, Writes: 4, Lookback: 20, Implicit: cachemodel.HeadAndLast}
	r, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Classes: []cachemodel.Class{cachemodel.Token(), marks}})
	if err != nil {
		t.Fatal(err)
	}
	share := func(class, strategy string) float64 { return cellOf(t, r, class, strategy).Share() }
	for _, worse := range []string{TailBeforeLast, Rewritten, Masked, ToolsReordered, DateInSystem, WindowSliding} {
		if share("token", worse) >= share("token", BlockAtEnd) {
			t.Errorf("%s is no worse than %s: %.3f, %.3f", worse, BlockAtEnd, share("token", worse), share("token", BlockAtEnd))
		}
	}
	if a, b := share("token", WindowBlocks), share("token", WindowSliding); a <= b {
		t.Errorf("a window in blocks reuses %.3f, a sliding one %.3f", a, b)
	}
	if a, b := share("marks", MarkLastSealed), share("marks", BlockAtEnd); a < 0.8 || b > 0.5 {
		t.Errorf("marks: last sealed %.3f, in the carrier %.3f", a, b)
	}
	for _, low := range []string{MarkOnPending, MarkInCarrier, MarkFixed} {
		if share("marks", low) >= share("marks", MarkLastSealed) {
			t.Errorf("%s reuses %.3f", low, share("marks", low))
		}
	}
	if a, b := share("token", MarkLastSealed), share("token", BlockAtEnd); a != b {
		t.Errorf("a mark is no content, but changed %.3f to %.3f", b, a)
	}
}

func TestMarksOfAnotherAgentAreReadFromItsBytes(t *testing.T) {
	body := func(marks ...int) *verdict.Request {
		raw := `{"model":"m","system":[{"type":"text","text":"be good"MARK}],"messages":[`
		texts := []string{"one", "two", "three"}
		for i := range max(marks[len(marks)-1], 1) {
			if i > 0 {
				raw += ","
			}
			raw += `{"role":"user","content":[{"type":"text","text":"` + texts[i] + `"` + "M" + fmt.Sprint(i+1) + `}]}`
		}
		raw += "]}"
		for i := range 4 {
			name, mark := "M"+fmt.Sprint(i), ""
			if i == 0 {
				name = "MARK"
			}
			if slices.Contains(marks, i) {
				mark = `,"cache_control":{"type":"ephemeral"}`
			}
			raw = strings.ReplaceAll(raw, name, mark)
		}
		b, err := wire.Scan([]byte(raw))
		if err != nil {
			t.Fatal(err, raw)
		}
		return &verdict.Request{Body: b}
	}
	class := cachemodel.Class{Name: "marks", Block: 1, Rule: cachemodel.RuleMarks, Writes: 4, Lookback: 1, Implicit: cachemodel.HeadAndLast}
	one := len(`{"role":"user","content":[{"type":"text","text":"one"}]}`)
	head := len(`"m"`) + len(`[{"type":"text","text":"be good"}]`)
	for _, c := range []struct {
		first, second []int
		want          int
	}{
		{[]int{0, 1}, []int{0, 2}, head}, // without looking back only the mark that stayed is found
		{[]int{1}, []int{1, 3}, head + one},
		{[]int{1}, []int{2}, 0},
	} {
		r, err := Run(context.Background(), inputOf([]*verdict.Request{body(c.first...), body(c.second...)}), Options{Counter: byteCounter{}, Classes: []cachemodel.Class{class, cachemodel.Token()}, Strategies: []string{AsRecorded}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Requests[1].Predicted["marks"]; got != c.want {
			t.Errorf("marks %v, then %v: %d reused, want %d", c.first, c.second, got, c.want)
		}
		if got := r.Requests[1].Predicted["token"]; got < head+one {
			t.Errorf("a moved mark counted as another text: %d", got)
		}
	}
}

func TestAnEnginesTokensTakeThePlaceOfCountedOnes(t *testing.T) {
	asked := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if strings.HasSuffix(r.URL.Path, "/apply-template") { // a rendering of its own: three bytes before each message
			b, _ := wire.Scan(raw)
			prompt := ""
			for _, m := range messagesOf(b) {
				prompt += "<m>" + m
			}
			_ = json.NewEncoder(w).Encode(map[string]string{"prompt": prompt})
			return
		}
		asked++
		var q struct{ Content string }
		_ = json.Unmarshal(raw, &q)
		ids := make([]int, 0, len(q.Content))
		for _, c := range []byte(q.Content) {
			ids = append(ids, int(c))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"tokens": ids})
	}))
	defer srv.Close()
	e, err := engine.New(engine.LlamaCPP, srv.URL+"/v1", "")
	if err != nil {
		t.Fatal(err)
	}
	in := inputOf(twoRequests(t))
	r, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Classes: []cachemodel.Class{cachemodel.Token(), cachemodel.Block()}, Strategies: []string{AsRecorded, BlockAtEnd}, Engine: e})
	if err != nil {
		t.Fatal(err)
	}
	first := 3 + len(sysMsg) + 3 + len(userMsg(0))
	if got := r.Requests[1].Predicted; got["token"] != first || got["block"] != first-first%16 {
		t.Errorf("%v, want %d", got, first)
	}
	if want := 2*first + 6 + len(call(1)) + len(sealedMsg(1)); r.Cells[0].PromptTokens != want || r.Estimated {
		t.Errorf("%+v, want %d tokens", r.Cells[0], want)
	}
	if asked != 2 {
		t.Errorf("%d questions for two different bodies", asked)
	}
	srv.Close()
	if _, err := Run(context.Background(), in, Options{Engine: e, Strategies: []string{AsRecorded}}); !errors.Is(err, engine.ErrUnreachable) {
		t.Error(err)
	}
}

func TestRunTellsItsProgressAndEndsWithItsContext(t *testing.T) {
	in := inputOf(session(t, 1, 5))
	stages := map[string]int{}
	if _, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Progress: func(p Progress) { stages[p.Stage] = p.Of - p.Done }}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"read", "count", "compare"} {
		if left, ok := stages[s]; !ok || left != 0 {
			t.Errorf("%s: told %v, %d left", s, ok, left)
		}
	}
	for _, stage := range []string{"read", "count", "compare"} {
		ctx, stop := context.WithCancel(context.Background())
		_, err := Run(ctx, in, Options{Counter: byteCounter{}, Progress: func(p Progress) {
			if p.Stage == stage {
				stop()
			}
		}})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %s: %v", stage, err)
		}
	}
	if _, err := Run(context.Background(), Input{}, Options{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	in.Body = func(int) (*verdict.Request, error) { return nil, os.ErrInvalid }
	if _, err := Run(context.Background(), in, Options{}); !errors.Is(err, os.ErrInvalid) {
		t.Error(err)
	}
}

func TestTheIdleTimeGivenIsThatOfEveryClass(t *testing.T) {
	in := inputOf(twoRequests(t))
	in.Requests[1].SentAt = in.Requests[0].SentAt + time.Minute.Milliseconds()
	for idle, want := range map[time.Duration]bool{0: true, time.Second: false, time.Hour: true} {
		r, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Idle: idle, Classes: []cachemodel.Class{cachemodel.Token()}, Strategies: []string{AsRecorded}})
		if err != nil || r.Requests[1].Predicted["token"] > 0 != want {
			t.Errorf("%v: %v %v", idle, r.Requests, err)
		}
	}
	in.Requests[1].SentAt = 0
	r, err := Run(context.Background(), in, Options{Counter: byteCounter{}, Idle: time.Second})
	if err != nil || r.Untimed != 1 || r.Requests[1].Predicted["token"] == 0 {
		t.Error(err, r)
	}
}

func TestPricesOfAFileStandOverTheBuiltInOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prices.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"prices":{"token":{"uncached":1}}}`)
	p, err := LoadPrices(path)
	if err != nil || p.Currency != "USD" || p.Classes["token"].Uncached != 1 || p.Classes[cachemodel.NameAnthropic].Written != 6.25 {
		t.Error(p, err)
	}
	write(`{"currency":"CNY","prices":{"token":{"uncached":1}}}`)
	if p, err = LoadPrices(path); err != nil || len(p.Classes) != 1 {
		t.Error("prices in another currency were mixed", p, err)
	}
	for _, bad := range []string{`{`, `{"prices":{"token":{"read":-1}}}`} {
		write(bad)
		if _, err := LoadPrices(path); !errors.Is(err, ErrPrices) {
			t.Error(bad, err)
		}
	}
	if _, err := LoadPrices(path + ".none"); !errors.Is(err, ErrPrices) {
		t.Error(err)
	}
	names := map[string]bool{}
	for _, c := range cachemodel.AllClasses() {
		names[c.Name] = true
	}
	for class := range BuiltInPrices().Classes {
		if !names[class] {
			t.Errorf("a price for no class: %s", class)
		}
	}
}

func TestExpectationsFollowHowPromptsGrow(t *testing.T) {
	list := []Request{
		{Usage: cachemodel.Usage{Reported: true, PromptTotal: 1500}}, {},
		{Usage: cachemodel.Usage{Reported: true, PromptTotal: 1620}},
	}
	f := factorOf(list, []int{1000, 5000, 1100})
	if f < 1.19 || f > 1.21 {
		t.Fatal(f)
	}
	if n := expected(cachemodel.Token(), f, 1000, 1100, list[2].Usage); n != 1500 {
		t.Fatal(n)
	}
	if n := expected(cachemodel.Token(), f, 0, 1100, list[2].Usage); n != 0 {
		t.Fatal("nothing reused became something", n)
	}
}

func TestTheClassIsToldByTheShapeOfReports(t *testing.T) {
	for shape, want := range map[string]string{
		`{"input_tokens":10,"cache_read_input_tokens":80}`:                                           cachemodel.NameAnthropic,
		`{"prompt_tokens":100,"prompt_cache_hit_tokens":80,"prompt_cache_miss_tokens":20}`:           cachemodel.NameDeepSeek,
		`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":64}}`:                         "minimum+step",
		`{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":64,"cache_write_tokens":30}}`: cachemodel.NameOpenAIMarks,
		`{"timings":{"cache_n":90,"prompt_n":10}}`:                                                   "token",
		`{"prompt_tokens":100}`: "",
	} {
		if got := OwnClass([]Request{{}, {Usage: cachemodel.ParseUsage([]byte(shape))}}); got != want {
			t.Errorf("%s: %q", shape, got)
		}
	}
}
