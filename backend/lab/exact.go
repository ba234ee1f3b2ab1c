package lab

import (
	"context"

	"zimoscope/backend/engine"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/wire"
)

// heldTokens bounds the prompts whose tokens are kept for comparing: 128 MB. What fell out is asked for again.
const heldTokens = 16 << 20

// tokenStore asks an engine for the tokens of bodies, each body once while it is held. It is for one goroutine.
type tokenStore struct {
	engine Engine
	held   map[wire.Hash][]int
	order  []wire.Hash
	size   int
	drafts []draft // of the strategy that runs, to ask again
}

// begin starts another strategy; a nil store does nothing.
func (t *tokenStore) begin() {
	if t != nil {
		t.drafts = t.drafts[:0]
	}
}

func (t *tokenStore) tokens(ctx context.Context, body *wire.Body) ([]int, error) {
	key := wire.Leaf("body", body.Raw)
	if ids, ok := t.held[key]; ok {
		return ids, nil
	}
	ids, err := t.engine.Tokens(ctx, body.Raw)
	if err != nil {
		return nil, err
	}
	t.held[key], t.order, t.size = ids, append(t.order, key), t.size+len(ids)
	for t.size > heldTokens && len(t.order) > 1 {
		t.size -= len(t.held[t.order[0]])
		delete(t.held, t.order[0])
		t.order = t.order[1:]
	}
	return ids, nil
}

// draft notes what the next request is; a nil store does nothing.
func (t *tokenStore) draft(d draft) {
	if t != nil {
		t.drafts = append(t.drafts, d)
	}
}

// exact puts the engine's own tokens in place of counted ones: for prefix rules all of them, for the others the size of
// the prompt, to which the counted places are scaled. places are the requests that the cache was shown.
func (l *run) exact(ctx context.Context, i int, places []int, reuse []cachemodel.Reuse, counted int) (total int, err error) {
	ids, err := l.idsOf(ctx, i)
	if err != nil {
		return 0, err
	}
	for c := range reuse {
		r := &reuse[c]
		switch {
		case l.classes[c].Rule != cachemodel.RulePrefix:
			r.Reused, r.Written = scaled(r.Reused, len(ids), counted), scaled(r.Written, len(ids), counted)
		case r.From >= 0:
			held, err := l.idsOf(ctx, places[r.From])
			if err != nil {
				return 0, err
			}
			r.Reused = l.classes[c].Reuse(engine.Reuse(held, ids))
		}
	}
	return len(ids), nil
}

// idsOf gives the tokens of a request under the strategy that runs.
func (l *run) idsOf(ctx context.Context, i int) ([]int, error) {
	body, err := l.rec.body(&l.ids.drafts[i], &l.rec.steps[i])
	if err != nil {
		return nil, err
	}
	return l.ids.tokens(ctx, body)
}

func scaled(n, total, counted int) int {
	if counted == 0 {
		return 0
	}
	return int(int64(n) * int64(total) / int64(counted))
}
