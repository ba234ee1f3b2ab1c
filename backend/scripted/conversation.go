package scripted

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxConversations bounds the record of faults.
	maxConversations = 4096
	// instructionBytes is where a summary instruction is looked for when the
	// last message has no block: this many bytes at its end.
	instructionBytes = 1200
)

// ourID matches the ids that callID makes; the step is its first group.
var ourID = regexp.MustCompile(`^call_s([0-9]{1,9})_`)

// callID names call k of a step. The hash of the body keeps ids of different
// conversations and requests apart.
func callID(step, k int, bodyHash string) string {
	return fmt.Sprintf("call_s%d_%d_%.10s", step, k, bodyHash)
}

// stepOf says which step a request asks for; see the package comment.
func stepOf(messages []message) int {
	count := 0
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if m.Role != "assistant" {
			continue
		}
		count++
		for _, c := range m.ToolCalls {
			if found := ourID.FindStringSubmatch(c.ID); found != nil {
				step, err := strconv.Atoi(found[1])
				if err == nil {
					return step + count
				}
			}
		}
	}
	return count
}

// summaryAsked reports whether the last message ends in a summary instruction,
// and the word that the answer starts with.
func summaryAsked(messages []message, marker []string) (word string, asked bool) {
	last := messages[len(messages)-1]
	if last.Role != "user" && last.Role != "tool" {
		return "", false
	}
	instruction := last.text
	if i := strings.LastIndex(instruction, blockClose); i >= 0 {
		instruction = instruction[i:]
	} else if len(instruction) > instructionBytes {
		instruction = instruction[len(instruction)-instructionBytes:]
	}
	if len(marker) > 0 {
		return "Summary: ", containsAll(instruction, marker)
	}
	plain := strings.ToLower(strings.ReplaceAll(instruction, "-", " "))
	if containsAll(plain, []string{"one line", "summary:"}) {
		return "Summary: ", true
	}
	return "摘要：", containsAll(instruction, []string{"一行", "摘要"})
}

func containsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// faults counts how often each step of a conversation has failed on purpose.
type faults struct {
	mu    sync.Mutex
	known map[[32]byte]*failures
	order [][32]byte // oldest first
}

type failures struct {
	highest int // step
	count   map[int]int
}

func newFaults() *faults { return &faults{known: map[[32]byte]*failures{}} }

// conversationKey is what a conversation keeps for its whole life: its system
// message and the user's first words.
func conversationKey(messages []message) [32]byte {
	h := sha256.New()
	for _, role := range []string{"system", "user"} {
		for _, m := range messages {
			if m.Role == role {
				text, _, _ := strings.Cut(m.text, blockOpen)
				fmt.Fprintf(h, "%s\x00%s\x00", role, strings.TrimSpace(text))
				break
			}
		}
	}
	return [32]byte(h.Sum(nil))
}

// strike reports whether the step is to fail this time. A conversation that
// starts anew (step 0 after later ones) meets its faults again.
func (f *faults) strike(key [32]byte, step, times int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.known[key]
	if c == nil || step == 0 && c.highest > 0 {
		if c == nil {
			f.order = append(f.order, key)
		}
		c = &failures{count: map[int]int{}}
		f.known[key] = c
		f.forget()
	}
	c.highest = max(c.highest, step)
	if times >= 0 && c.count[step] >= times {
		return false
	}
	c.count[step]++
	return true
}

func (f *faults) forget() {
	for len(f.order) > maxConversations {
		delete(f.known, f.order[0])
		f.order = f.order[1:]
	}
}
