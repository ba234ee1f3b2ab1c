package importer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
)

// names are the file names by which formats are told apart where their content leaves it open.
func names() []string {
	return []string{"a.body.json", "a.har", "a.jsonl", "a.json", "a.log", "manifest.json"}
}

const debugEntry = "[2026-11-29T23:41:21.642Z] API REQUEST messages (1):\n[\n {\"role\":\"user\",\"content\":\"a\"}\n]\n\n"

const spanEntry = `{"traceId":"t","startTimeUnixNano":"1","attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"b\"}]}]"}}]}`

// counted takes exchanges and holds each to the bounds of a record.
type counted struct {
	t     *testing.T
	limit int
	n     int
}

func (c *counted) Take(_ context.Context, e exchange.Exchange) error {
	c.n++
	if len(e.Request)+len(e.Response) > c.limit {
		c.t.Errorf("a record of %d bytes out of a file that allows %d", len(e.Request)+len(e.Response), c.limit)
	}
	return nil
}

// take imports a file of some bytes.
func (c *counted) take(dir, name string, data []byte) (Result, error) {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return Import(context.Background(), []string{path}, c, Options{})
}

// FuzzAnyFileIsImported: no file ends the program, no record is larger than its file allows, and a refusal says why.
func FuzzAnyFileIsImported(f *testing.F) {
	entry := harEntry("https://api.example/v1/chat/completions?api_key=sk-in-the-url-99", body)
	for i, s := range []string{
		body, har(entry, entry), `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":` + body + "}\n" + body, `{"request":` + quoted(body) + `,"response":{"id":"r"}}`,
		debugEntry + debugEntry, `{"bundle":"zimoscope-bundle/1","requests":[{"n":1,"file":"../../etc/passwd"},{"n":2,"file":"bodies/x"}]}`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[` + spanEntry + `]}]}]}`, `{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}` + "\n" + `{"role":"tool","content":"c"}`,
		"\xef\xbb\xbf" + body, har(entry)[:500], `{"model":"m","messages":[{"role":"user"}],"response":{"id":"r"},"usage":{}}` + "\n\x00\x00\x00" + body,
	} {
		f.Add([]byte(s), byte(i))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, kind byte) {
		name := names()[int(kind)%len(names())]
		c := &counted{t: t, limit: 8*len(data) + 4<<10}
		res, err := c.take(dir, name, data)
		if err != nil && (err.Error() == "" || errors.Is(err, context.Canceled)) {
			t.Fatalf("%v", err)
		}
		if res.Requests != c.n {
			t.Fatalf("%d requests told, %d taken", res.Requests, c.n)
		}
		if res.Bytes > int64(len(data)) && name != "manifest.json" {
			t.Fatalf("%d bytes read of %d", res.Bytes, len(data))
		}
		again := &counted{t: t, limit: c.limit}
		if _, e := again.take(dir, name, data); again.n != c.n || (e == nil) != (err == nil) {
			t.Fatalf("the second time it gives %d requests (%v), the first %d (%v)", again.n, e, c.n, err)
		}
	})
}

// FuzzWholeRecordsOutlastAnyTail: what a crash, or anyone, leaves behind whole records takes none of them away.
func FuzzWholeRecordsOutlastAnyTail(f *testing.F) {
	for i, s := range []string{"", "\x00\x00\x00", "{\"a\":", body[:20], "]}}", "\n\n\xff", `,{"request":`, "[2026-11-29T23:41:22Z] other\n"} {
		f.Add([]byte(s), byte(i), byte(i))
	}
	entry := harEntry("https://x/v1/chat/completions", body)
	whole := []struct {
		name, head, record, between string
	}{
		{"a.jsonl", "", body, "\n"},
		{"a.jsonl", "", `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":` + body + "}", "\n"},
		{"a.har", `{"log":{"version":"1.2","entries":[`, entry, ","},
		{"a.log", "", debugEntry, ""},
		{"a.json", "", `{"resourceSpans":[{"scopeSpans":[{"spans":[` + spanEntry + `]}]}]}`, "\n"},
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, tail []byte, kind, count byte) {
		k := whole[int(kind)%len(whole)]
		n := 2 + int(count)%4
		if k.name == "a.har" {
			tail = bytes.ReplaceAll(tail, []byte("\n"), []byte(" ")) // a first line that is whole makes it lines
		}
		data := k.head + strings.Repeat(k.record+k.between, n) + string(tail)
		c := &counted{t: t, limit: 8*len(data) + 4<<10}
		res, err := c.take(dir, k.name, []byte(data))
		if err != nil || c.n < n {
			t.Fatalf("%s: %d of %d whole records are left before %q (%v, %+v)", k.name, c.n, n, tail, err, res)
		}
	})
}
