package transcript

import (
	"fmt"
	"slices"
)

// Shares of the window budget, in per cent: a move starts at full and goes down to about target; the newest groups
// up to protected are never hidden, so that a single endless turn can be windowed too.
const (
	windowTarget    = 60
	windowProtected = 40
)

// NeedsWindow says that the visible history outgrew its budget by the integer estimate.
func (t *Transcript) NeedsWindow() bool {
	b := t.header.Rules.ContextTokens
	return b > 0 && t.cost > b
}

// MoveWindow hides whole groups from the old end, in one block, and gives the cuts it made, in the order in which
// they apply; none when nothing may go. force moves below the budget too: the provider said that the context is
// too long, whatever the estimate says.
func (t *Transcript) MoveWindow(force bool) ([]Cut, error) {
	budget := t.header.Rules.ContextTokens
	if force || budget <= 0 {
		budget = min(max(1, t.cost-1), orMax(budget))
	}
	if t.cost <= budget {
		return nil, nil
	}
	cuts := t.plan(budget)
	if len(cuts) == 0 {
		return nil, nil
	}
	return cuts, t.emit(Event{Type: EventWindow, Cuts: cuts})
}

func orMax(budget int) int {
	if budget <= 0 {
		return int(^uint(0) >> 1)
	}
	return budget
}

// plan walks the groups from the old end. A protected user message splits the cut in two.
func (t *Transcript) plan(budget int) []Cut {
	limit := t.protectedFrom(budget * windowProtected / 100)
	firstUser, lastUser := t.users()
	left, target := t.cost, budget*windowTarget/100
	var cuts []Cut
	hidden := 0
	for i := 1; i < limit && left > target; {
		end := t.groupEnd(i)
		if end > limit {
			break
		}
		if i == firstUser || i == lastUser {
			i = end
			continue
		}
		for _, m := range t.visible[i:end] {
			left -= m.cost
		}
		if n := len(cuts); n > 0 && cuts[n-1].From == i-hidden {
			cuts[n-1].To += end - i
		} else {
			cuts = append(cuts, Cut{From: i - hidden, To: end - hidden})
		}
		i = end
		hidden = hiddenBy(cuts)
	}
	return cuts
}

// hiddenBy counts the messages that the cuts before the last one hide; a cut's indexes count in what is visible
// when it applies, and the last one is still growing.
func hiddenBy(cuts []Cut) int {
	n := 0
	for _, c := range cuts {
		n += c.To - c.From
	}
	return n
}

// protectedFrom is the index of the first visible message that belongs to the protected newest groups: at least
// the last group, and as many as fit the share.
func (t *Transcript) protectedFrom(share int) int {
	from, sum := len(t.visible), 0
	for i := len(t.visible) - 1; i > 0; i-- {
		sum += t.visible[i].cost
		if !t.visible[i].opens {
			continue
		}
		if sum > share && from < len(t.visible) {
			break
		}
		from = i
	}
	return from
}

// groupEnd is the index behind the group that starts at i: an assistant message goes with all its results.
func (t *Transcript) groupEnd(i int) int {
	for i++; i < len(t.visible) && !t.visible[i].opens; i++ {
	}
	return i
}

// users gives the first and the last visible user message; -1 when there is none.
func (t *Transcript) users() (first, last int) {
	first, last = -1, -1
	for i, m := range t.visible {
		if m.role == User {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

func (t *Transcript) applyWindow(cuts []Cut) error {
	kept := t.visible
	for _, c := range cuts {
		if c.From < 1 || c.To > len(kept) || c.From >= c.To {
			return fmt.Errorf("%w: a window move outside the history", ErrBadEvent)
		}
		for _, m := range kept[c.From:c.To] {
			m.wire = slices.Clone(t.bytes(m))
		}
		kept = slices.Concat(kept[:c.From], kept[c.To:])
	}
	t.visible = kept
	t.rebuild()
	return nil
}
