package provider

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// repeated joins what make gives for 0 to n-1.
func repeated(n int, make func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(make(i))
	}
	return b.String()
}

func TestAnAnswerMadeToCostTimeIsRefusedInWords(t *testing.T) {
	const hi = `{"content":"hi"}`
	open := calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"` + strings.Repeat("y", 1<<20) + `"}}`)
	for _, c := range []struct{ name, body, says string }{
		{"calls", repeated(maxCalls+1, func(i int) string {
			return calls(fmt.Sprintf(`{"id":"c%d","function":{"name":"f","arguments":"{}"}}`, i))
		}), "more than 1024 tool calls"},
		{"calls in one event", calls(strings.TrimPrefix(repeated(maxCalls+1, func(i int) string {
			return fmt.Sprintf(`,{"id":"c%d","function":{"name":"f","arguments":"{}"}}`, i)
		}), ",")), "more than 1024 tool calls"},
		{"a name without an end", calls(`{"index":0,"id":"a","function":{"name":"f"}}`) + repeated(maxName, func(int) string {
			return calls(`{"index":0,"function":{"name":"-g"}}`) + calls(`{"index":0,"function":{"name":"h"}}`)
		}), "more than 4096 bytes of a function's name"},
		{"fields", calls(`{"index":0,"id":"a","function":{"name":"f"}` + repeated(maxFields+1, func(i int) string { return fmt.Sprintf(`,"k%d":1`, i) }) + `}`),
			"more than 256 unknown fields"},
		{"arguments that are never whole", open + repeated(2*maxScan>>20, func(int) string {
			return calls(`{"index":0,"function":{"name":"f","arguments":"}"}}`)
		}), "read again and again"},
		{"white space as arguments", calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"`+strings.Repeat(" ", 1<<20)+`"}}`) + repeated(2*maxScan>>20, func(int) string {
			return calls(`{"index":0,"function":{"name":"f","arguments":" }"}}`)
		}), "read again and again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := ask(connect(t, serve(t, sse(chunk(hi)+c.body+finish+done)).URL, nil))
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindProtocol || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("%v, want %q", err, c.says)
			}
			if res.Text != "hi" || len(res.Calls) > maxCalls+1 {
				t.Errorf("what came before: %q, %d calls", res.Text, len(res.Calls))
			}
		})
	}
}

func TestManyCallsWithinTheLimitsArrive(t *testing.T) {
	body := repeated(maxCalls, func(i int) string {
		return calls(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"f","arguments":"{\"n\":%d}"}}`, i, i, i))
	})
	res, err := ask(connect(t, serve(t, sse(body+finish+done)).URL, nil))
	if err != nil || len(res.Calls) != maxCalls || !res.Calls[maxCalls-1].ArgumentsValid {
		t.Fatalf("%d calls, %v", len(res.Calls), err)
	}
}
