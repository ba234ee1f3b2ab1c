package cachemodel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"zimoscope/backend/requestview/wire"
)

// script writes prompts by hand: each word is a piece, each byte a token. A word that starts with + is a message of a
// user or tool, one with = a message of the model; * behind a word is a mark.
type script struct {
	t      interface{ Fatal(...any) }
	pieces *Pieces
	cache  *Cache
}

func newScript(t interface{ Fatal(...any) }, classes ...Class) *script {
	p := NewPieces(byteCounter{})
	return &script{t, p, NewCache(p, classes)}
}

func (s *script) next(at time.Duration, head int, words string) []Reuse {
	p := Prompt{Head: head, At: at.Milliseconds()}
	for _, w := range strings.Fields(words) {
		w, mark := strings.CutSuffix(w, "*")
		piece := Piece{Text: []byte(w), Blocks: 1, Input: strings.HasPrefix(w, "+"), Output: strings.HasPrefix(w, "=")}
		p.Pieces = append(p.Pieces, s.pieces.Add(wire.Leaf("piece", piece.Text), piece))
		if mark {
			p.Marks = append(p.Marks, len(p.Pieces))
		}
	}
	if err := s.pieces.Count(context.Background(), nil); err != nil {
		s.t.Fatal(err)
	}
	reuse, _ := s.cache.Next(p)
	return reuse
}

func want(t *testing.T, what string, got Reuse, reused, written int) {
	t.Helper()
	if got.Reused != reused || got.Written != written {
		t.Errorf("%s: reused %d, written %d; want %d, %d", what, got.Reused, got.Written, reused, written)
	}
}

var (
	lookback = Class{Name: "lookback", Block: 1, Rule: RuleMarks, Writes: 4, Lookback: 3, Implicit: HeadAndLast, Idle: 5 * time.Minute}
	places   = Class{Name: "places", Block: 1, Rule: RuleMarks, Writes: 2, Places: 3, Implicit: LatestInput}
	units    = Class{Name: "units", Block: 1, Rule: RuleUnits}
)

const start = time.Hour // of a session; zero would mean that times are not known

func TestAPrefixIsSharedUpToTheFirstDifferenceInsideAPiece(t *testing.T) {
	s := newScript(t, Token(), Class{Name: "tens", Block: 10}, Class{Name: "one", Block: 1, Prompts: 1})
	s.next(start, 2, "m head +abcd")
	got := s.next(start, 2, "m head +abXX +more")
	want(t, "token", got[0], 1+4+3, 0)
	want(t, "tens", got[1], 0, 0)
	got = s.next(start, 2, "m head +abcd +more") // the first prompt is older than the latest one
	want(t, "token", got[0], 1+4+5, 0)
	want(t, "one prompt", got[2], 1+4+3, 0)
	if got[0].From != 0 || got[2].From != 1 {
		t.Errorf("taken from %d and %d", got[0].From, got[2].From)
	}
	want(t, "another model", s.next(start, 2, "n head +abcd")[0], 0, 0)
}

func TestWhatIsIdleTooLongIsForgotten(t *testing.T) {
	short := Class{Name: "short", Block: 1, Idle: time.Minute}
	s := newScript(t, short)
	s.next(start, 1, "m +old +tail")
	want(t, "in time", s.next(start+time.Minute, 1, "m +old +next")[0], 1+4+1, 0)
	// The start was used a minute ago, its first continuation two.
	want(t, "refreshed start alone", s.next(start+2*time.Minute, 1, "m +old +tail")[0], 1+4+1, 0)
	want(t, "all gone", s.next(start+time.Hour, 1, "m +old +tail")[0], 0, 0)
	if got := s.next(0, 1, "m +old +tail")[0]; got.Reused == 0 {
		t.Error("without a time nothing can be called idle")
	}
}

func TestAMarkIsReadOnlyWhereAnEarlierOneWrote(t *testing.T) {
	s := newScript(t, lookback)
	want(t, "first", s.next(start, 2, "m head +u* +frame1")[0], 0, 1+4+2)
	got := s.next(start, 2, "m head +u =a +r* +frame2")[0] // two blocks behind the mark
	want(t, "moved on", got, 7, 2+2)
	got = s.next(start, 2, "m head +u =a +r =b +s =c +t* +frame3")[0] // the write at r is four blocks back
	want(t, "too far", got, 0, 1+4+6*2+2)
	want(t, "in the carrier", s.next(start, 2, "m head +u =a +r =b +s =c +t =d +frame4*")[0], 19, 2+7)
	want(t, "idle", s.next(start+6*time.Minute, 2, "m head +u =a +r =b +s =c +t*")[0], 0, 19)
}

func TestLookingBackEndsAtItsBlock(t *testing.T) {
	for words, reused := range map[string]int{"m head +u =a +r*": 7, "m head +u =a +r +s*": 0} { // the third block, and the fourth
		s := newScript(t, lookback)
		s.next(start, 2, "m head +u*")
		if got := s.next(start, 2, words)[0].Reused; got != reused {
			t.Errorf("%s: %d, want %d", words, got, reused)
		}
	}
}

func TestWithoutMarksTheHeadAndTheEndAreMarked(t *testing.T) {
	s := newScript(t, lookback)
	want(t, "first", s.next(start, 2, "m head +u +frame1")[0], 0, 14)
	want(t, "another end", s.next(start, 2, "m head +u =a +r +frame2")[0], 5, 6+7)
}

func TestBelowTheMinimumNothingIsWritten(t *testing.T) {
	c := lookback
	c.Minimum = 8
	s := newScript(t, c)
	want(t, "too small", s.next(start, 2, "m head +u*")[0], 0, 0)
	want(t, "still unwritten", s.next(start, 2, "m head +u* +more")[0], 0, 0)
}

func TestTheImplicitMarkOfTheLatestInputIsFoundByAppendsAndMissedByATail(t *testing.T) {
	s := newScript(t, places)
	want(t, "first", s.next(start, 2, "m head +u")[0], 0, 7)
	want(t, "append", s.next(start, 2, "m head +u =a +r")[0], 7, 4)
	tail := newScript(t, places)
	tail.next(start, 2, "m head +u +frame1")
	want(t, "tail", tail.next(start, 2, "m head +u =a +r +frame2")[0], 0, 5+6+7)
	marked := newScript(t, places)
	marked.next(start, 2, "m head +u* +frame1")
	want(t, "tail behind a mark", marked.next(start, 2, "m head +u =a +r* +frame2")[0], 7, 4+7)
	// Three places are looked at: frame3, t, s. The write at u is beyond them.
	want(t, "beyond the places", marked.next(start, 2, "m head +u =b +s +t +frame3")[0], 0, 7+2+2+2+7)
}

func TestAUnitIsReadWholeOrNotAtAll(t *testing.T) {
	s := newScript(t, units, Class{Name: "intervals", Block: 1, Rule: RuleUnits, Interval: 4})
	s.next(start, 1, "m +aaaa +frame1")
	got := s.next(start, 1, "m +aaaa =b +frame2") // the first prompt's end is not a start of this one
	want(t, "no unit yet", got[0], 0, 0)
	want(t, "intervals", got[1], 4, 0)
	want(t, "the start both shared", s.next(start, 1, "m +aaaa =c +frame3")[0], 6, 0)
	whole := newScript(t, units)
	whole.next(start, 1, "m +question")
	want(t, "end of input and of output", whole.next(start, 1, "m +question =answer +more")[0], 10+7, 0)
}

// Against a dumb model: of random prompts of few words, the longest start that any earlier prompt has, byte by byte
// within the first different word of the two latest continuations at least.
func TestThePrefixTreeFindsTheLongestEarlierStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScript(t, Token())
		var before [][]string
		for range rapid.IntRange(1, 8).Draw(t, "prompts") {
			ws := append([]string{"m"}, rapid.SliceOfN(rapid.SampledFrom([]string{"a", "ab", "abc", "b", "ba"}), 0, 5).Draw(t, "words")...)
			got := s.next(start, 1, strings.Join(ws, " "))[0].Reused
			low, high := 0, 0
			for _, p := range before {
				n, k := 0, 0
				for k < len(p) && k < len(ws) && p[k] == ws[k] {
					n, k = n+len(ws[k]), k+1
				}
				low = max(low, n)
				if k < len(p) && k < len(ws) {
					n += wire.CommonPrefix([]byte(p[k]), []byte(ws[k]))
				}
				high = max(high, n)
			}
			if got < low || got > high {
				t.Fatalf("%d, want %d to %d: %v after %v", got, low, high, ws, before)
			}
			before = append(before, ws)
		}
	})
}

func TestPiecesAreCountedOnceAndCountingCanBeStopped(t *testing.T) {
	p := NewPieces(byteCounter{})
	for i := range 10 {
		text := []byte(fmt.Sprint("piece ", i%3))
		p.Add(wire.Leaf("piece", text), Piece{Text: text})
	}
	done := 0
	if err := p.Count(context.Background(), func(n, _ int) { done = n }); err != nil || done != 21 {
		t.Fatal(done, err)
	}
	text := []byte("late")
	p.Add(wire.Leaf("piece", text), Piece{Text: text})
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := p.Count(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := p.Count(context.Background(), nil); err != nil || p.Tokens(3) != 4 {
		t.Fatal(err, p.Tokens(3))
	}
}

func TestEveryClassHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range AllClasses() {
		if c.Name == "" || seen[c.Name] || c.Block < 1 || c.Rule == RuleMarks && (c.Writes < 1 || c.Lookback+c.Places < 1) {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
	}
}
