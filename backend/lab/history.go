package lab

import "bytes"

// anchor is a carrier that a strategy left in history, behind a message of it.
type anchor struct {
	after   int // index in history; -1: before all of it
	carrier int32
}

// kept are the carriers that one thread left in its history.
type kept struct {
	history []int32
	anchors []anchor
}

// framesInHistory leaves each main request's carrier where it stood.
func framesInHistory(r *recording) func(int) draft {
	threads := map[string]*kept{}
	return func(i int) draft {
		s := &r.steps[i]
		k := threads[s.thread]
		if k == nil {
			k = &kept{}
			threads[s.thread] = k
		}
		anchors := k.at(r, s.history)
		d := s.draft(make([]int32, 0, len(s.history)+len(anchors)+1))
		next := 0
		for at := -1; at < len(s.history); at++ {
			if at >= 0 {
				d.messages = append(d.messages, s.history[at])
			}
			for next < len(anchors) && anchors[next].after == at {
				d.messages = append(d.messages, anchors[next].carrier)
				next++
			}
		}
		if s.carrier != none {
			d.messages = append(d.messages, s.carrier)
		}
		if !s.side {
			k.history, k.anchors = s.history, anchors
			if s.carrier != none {
				k.anchors = append(anchors[:len(anchors):len(anchors)], anchor{len(s.history) - 1, s.carrier})
			}
		}
		return d
	}
}

// at gives the anchors as they stand in another history: a message that grew keeps its place, one that left takes the
// carriers behind it along.
func (k *kept) at(r *recording, history []int32) []anchor {
	same := 0
	for same < len(history) && same < len(k.history) && history[same] == k.history[same] {
		same++
	}
	for same < len(k.history) && same < len(history) && r.grew(k.history[same], history[same]) {
		for same++; same < len(history) && same < len(k.history) && history[same] == k.history[same]; same++ {
		}
	}
	if same == len(k.history) {
		return k.anchors
	}
	where := map[int32]int{}
	for i, id := range history {
		where[id] = i
	}
	var out []anchor
	last := -1
	for _, a := range k.anchors {
		to := a.after
		if to >= same {
			at, ok := where[k.history[to]]
			if !ok {
				continue
			}
			to = at
		}
		if to >= last {
			out = append(out, anchor{to, a.carrier})
			last = to
		}
	}
	return out
}

// grew says that a message is an earlier one with more text at its end.
func (r *recording) grew(was, is int32) bool {
	a, b := r.text(was), r.text(is)
	for _, closer := range closers {
		if text, ok := bytes.CutSuffix(a, []byte(closer)); ok {
			return len(b) > len(a) && bytes.HasPrefix(b, text)
		}
	}
	return false
}

// rewritten shows records without their Summary until their turn is over. In a session without records the results of
// tools are left out then.
func rewritten(r *recording, _ int, s *step) draft {
	messages := make([]int32, len(s.history))
	current := len(messages)
	for current > 0 && r.list[s.history[current-1]].role != roleUser {
		current--
	}
	for i, id := range s.history {
		switch {
		case r.records && i >= current:
			id = r.unsealed(id)
		case !r.records && i < current && r.list[id].role == roleTool:
			id = r.masked(id)
		}
		messages[i] = id
	}
	return s.draft(s.withCarrier(messages))
}

// wholeResults is how many of the newest results stay whole when old ones are masked.
const wholeResults = 10

// masked leaves out all but the newest results of tools.
func masked(r *recording, _ int, s *step) draft {
	messages := make([]int32, len(s.history))
	whole := 0
	for i := len(s.history) - 1; i >= 0; i-- {
		id := s.history[i]
		if r.list[id].role == roleTool {
			if whole++; whole > wholeResults {
				id = r.parts.masked(id)
			}
		}
		messages[i] = id
	}
	return s.draft(s.withCarrier(messages))
}
