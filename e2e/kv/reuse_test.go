package kv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/zimoos/sim"
)

// childVariable makes this test binary the simulator's process.
const childVariable = "ZIMOSCOPE_KV_SIMULATOR"

const (
	// stepsOfATurn bounds one turn: the model is random and may go on for long.
	stepsOfATurn = 12
	// turnsAtMost bounds a session: chance needs far fewer.
	turnsAtMost = 60
	// windowTokens is a budget, by estimate, that a session outgrows within a few turns.
	windowTokens = 4000
)

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err := sim.ServeStdio(ctx, sim.Options{Server: name}, os.Stdin, os.Stdout)
		stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestPredictedReuseIsWhatATrueCacheMeasures: on every request of sessions with all three carriers, with seals by
// narration and by summary steps, a window move and a changed tool, the predicted number of tokens is the engine's own,
// to the token.
func TestPredictedReuseIsWhatATrueCacheMeasures(t *testing.T) {
	if os.Getenv("ZIMOSCOPE_SLOW") == "" {
		t.Skip("slow: it fetches and compiles an inference engine; set ZIMOSCOPE_SLOW=1, or run make proof-kv")
	}
	table := newTable()
	for _, placement := range []string{provider.PlaceAttach, provider.PlaceSeparate, provider.PlaceTool} {
		t.Run(placement, func(t *testing.T) {
			p := newPlayer(t, startServer(t), placement, windowTokens)
			p.play()
			p.judge()
			must(t, os.WriteFile(filepath.Join(t.ArtifactDir(), "requests.tsv"), lines(p.list), 0o600))
			table.add(placement, p.list)
		})
	}
	t.Log("\n" + table.text())
}

// play goes on until the session has met everything that it is for.
func (p *player) play() {
	p.t.Helper()
	p.until("seals by both ways, a window move", func() bool {
		return p.count(is(verdict.Sealed)) >= 5 && p.count(isSide) >= 3 && p.count(is(verdict.Windowed)) >= 1
	})
	p.step = "changed tool"
	p.changeTool()
	p.until("the changed tool and a seal after it", func() bool {
		return p.count(is(verdict.ToolsChanged)) >= 1 && p.count(func(s seen) bool { return s.inStep == p.step && is(verdict.Sealed)(s) }) >= 1
	})
}

func is(k verdict.Kind) func(seen) bool { return func(s seen) bool { return s.verdict == string(k) } }
func isSide(s seen) bool                { return s.kind == verdict.KindSide }

func (p *player) until(what string, done func() bool) {
	p.t.Helper()
	for turn := range turnsAtMost {
		if done() {
			return
		}
		_, err := p.session.Prompt(context.Background(), fmt.Sprintf("Go on, part %d.", turn), nil)
		if err != nil && !errors.Is(err, agent.ErrLoopLimit) {
			p.t.Fatal(err)
		}
	}
	p.t.Fatalf("after %d turns the session has not met %s: %s", turnsAtMost, what, kinds(p.list))
}

// changeTool announces another description of the last tool, as a person may between two turns.
func (p *player) changeTool() {
	h := p.session.Transcript().Header()
	h.Tools = slices.Clone(h.Tools)
	last := &h.Tools[len(h.Tools)-1]
	last.Raw = bytes.Replace(last.Raw, []byte(`"description":"`), []byte(`"description":"Another text. `), 1)
	must(p.t, p.session.Rehead(h))
}

func (p *player) judge() {
	p.t.Helper()
	for _, s := range p.list {
		if s.predicted != s.measured {
			p.t.Errorf("request %d (%s, %s): predicted %d of %d, measured %d", s.n, s.kind, s.verdict, s.predicted, s.total, s.measured)
		}
		if s.reported >= 0 && (s.reported != s.measured || s.reportedTotal != s.total) {
			p.t.Errorf("request %d: reported %d of %d, measured %d of %d", s.n, s.reported, s.reportedTotal, s.measured, s.total)
		}
	}
}

// lines is each request of a session on a line, for a person who looks closer.
func lines(list []seen) []byte {
	b := []byte("request\tkind\tverdict\tprompt\tpredicted\tmeasured\n")
	for _, s := range list {
		b = fmt.Appendf(b, "%d\t%s\t%s\t%d\t%d\t%d\n", s.n, s.kind, s.verdict, s.total, s.predicted, s.measured)
	}
	return b
}

func kinds(list []seen) string {
	count := map[string]int{}
	for _, s := range list {
		count[s.kind+" "+s.verdict]++
	}
	return fmt.Sprint(count)
}

// table sums up by carrier and verdict.
type table struct{ rows []row }

type row struct {
	placement, what                             string
	requests, equal, total, predicted, measured int
}

func newTable() *table { return &table{} }

func (b *table) add(placement string, list []seen) {
	for _, s := range list {
		what := s.verdict
		if isSide(s) {
			what = "summary step"
		}
		at := slices.IndexFunc(b.rows, func(r row) bool { return r.placement == placement && r.what == what })
		if at < 0 {
			b.rows, at = append(b.rows, row{placement: placement, what: what}), len(b.rows)
		}
		r := &b.rows[at]
		r.requests, r.total, r.predicted, r.measured = r.requests+1, r.total+s.total, r.predicted+s.predicted, r.measured+s.measured
		if s.predicted == s.measured {
			r.equal++
		}
	}
}

func (b *table) text() string {
	var out strings.Builder
	out.WriteString("| carrier | request | requests | equal | prompt tokens | predicted | measured | of the prompt |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range b.rows {
		fmt.Fprintf(&out, "| %s | %s | %d | %d | %d | %d | %d | %.1f %% |\n", r.placement, r.what, r.requests, r.equal, r.total, r.predicted, r.measured,
			100*float64(r.measured)/float64(max(1, r.total)))
	}
	return out.String()
}
