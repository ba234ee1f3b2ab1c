package lab

// Shares of the window strategies' budget, in per cent. The budget is half of the session's longest history, so that
// every session that grows is windowed.
const (
	budgetShare = 50
	lowWater    = 60 // where a move in blocks ends
)

// cutter says from which message on history is kept. from is where it was cut before, 0 for nowhere.
type cutter func(w *window, s *step, from int) int

// window knows a recording's sizes.
type window struct {
	*recording
	budget int
}

// windowed cuts history from the old end. The first user message stays, and so does the
// newest group.
func windowed(cut cutter) func(*recording) func(int) draft {
	return func(r *recording) func(int) draft {
		w := &window{recording: r}
		for i := range r.steps {
			w.budget = max(w.budget, w.size(r.steps[i].history)*budgetShare/100)
		}
		first := map[string]int32{} // by thread: the first message that is kept
		return func(i int) draft {
			s := &r.steps[i]
			from := 0
			if id, ok := first[s.thread]; ok {
				for from < len(s.history) && s.history[from] != id {
					from++
				}
				if from == len(s.history) {
					from = 0
				}
			}
			from = cut(w, s, from)
			if from > 0 && !s.side {
				first[s.thread] = s.history[from]
			}
			return s.draft(s.withCarrier(w.keep(s.history, from)))
		}
	}
}

func (r *recording) size(history []int32) (n int) {
	for _, id := range history {
		n += r.tokens(id)
	}
	return n
}

// keep gives the history from a message on, behind the first user message.
func (w *window) keep(history []int32, from int) []int32 {
	if from <= 1 {
		return history
	}
	var out []int32
	if w.list[history[0]].role == roleUser {
		out = append(out, history[0])
	}
	return append(out, history[from:]...)
}

// nextGroup is the start of the group behind the one at from: a message of the model goes with its results.
func (w *window) nextGroup(history []int32, from int) int {
	for from++; from < len(history) && w.list[history[from]].role == roleTool; from++ {
	}
	return from
}

// down moves from on, group by group, until what is kept has at most that many tokens or only the last group is left.
func (w *window) down(s *step, from, tokens int) int {
	if from == 0 && len(s.history) > 1 && w.list[s.history[0]].role == roleUser {
		from = 1
	}
	left := w.size(w.keep(s.history, from))
	for left > tokens {
		next := w.nextGroup(s.history, from)
		if next >= len(s.history) {
			break
		}
		left -= w.size(s.history[from:next])
		from = next
	}
	return from
}

// slide keeps as much as fits, each time anew.
func slide(w *window, s *step, _ int) int {
	if w.size(s.history) <= w.budget {
		return 0
	}
	return w.down(s, 0, w.budget)
}

// moveInBlocks stays where it is until the budget is full.
func moveInBlocks(w *window, s *step, from int) int {
	if w.size(w.keep(s.history, from)) <= w.budget {
		return from
	}
	return w.down(s, from, w.budget*lowWater/100)
}
