package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"zimoscope/app/api"
)

// longHistory is two requests of one agent with many messages; the second differs from the first at one of them.
func longHistory(t *testing.T, count, changed int) string {
	t.Helper()
	var lines strings.Builder
	for _, second := range []bool{false, true} {
		messages := []map[string]string{{"role": "system", "content": "Be brief."}}
		for i := range count {
			text := fmt.Sprintf("Message %d", i)
			if second && i == changed {
				text += " changed"
			}
			messages = append(messages, map[string]string{"role": []string{"user", "assistant"}[i%2], "content": text})
		}
		if second {
			messages = append(messages, map[string]string{"role": "user", "content": "And now?"})
		}
		raw, err := json.Marshal(map[string]any{"model": "m", "messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(raw, '\n'))
	}
	return lines.String()
}

// TestALongHistoryIsGivenInParts: a view carries what is seen of it; the parts together are all of it, in order.
func TestALongHistoryIsGivenInParts(t *testing.T) {
	const count = 2500
	d := newDesk(t)
	d.imported("long.jsonl", longHistory(t, count, -1))
	v := d.view(2)
	if h := v.History; len(v.Messages) != firstMessages || h.Total != count+1 || h.From != h.Total-firstMessages || h.Index != 1 {
		t.Fatalf("%d messages, %+v", len(v.Messages), h)
	}
	ref := api.RequestRef{N: 2}
	bytes, next := 0, 0
	for next < v.History.Total {
		part, err := d.s.Messages(ref, next, count)
		if err != nil || len(part) == 0 || len(part) > maxMessages {
			t.Fatalf("from %d: %d messages, %v", next, len(part), err)
		}
		for _, m := range part {
			if want := fmt.Sprintf("Message %d", next); next < count && m.Text != want || m.Index != next+1 {
				t.Fatalf("place %d holds messages[%d] %q", next, m.Index, m.Text)
			}
			bytes += m.Bytes
			next++
		}
	}
	if bytes != v.History.Bytes {
		t.Errorf("the parts hold %d bytes, the history %d", bytes, v.History.Bytes)
	}
	if part, err := d.s.Messages(ref, v.History.Total, 10); err != nil || len(part) != 0 {
		t.Errorf("behind the end: %d messages, %v", len(part), err)
	}
}

// TestAViewOpensWhereItsHistoryBroke, however long the history is.
func TestAViewOpensWhereItsHistoryBroke(t *testing.T) {
	const changed = 700
	d := newDesk(t)
	d.imported("long.jsonl", longHistory(t, 2500, changed))
	v := d.view(2)
	found := false
	for _, m := range v.Messages {
		found = found || m.Changed == "changed" && m.Index == changed+1
	}
	if !found || len(v.Messages) != firstMessages {
		t.Errorf("the changed message is not among the %d from %d", len(v.Messages), v.History.From)
	}
}
