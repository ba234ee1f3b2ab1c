package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/safely"
)

type sink struct{ list []exchange.Exchange }

func (s *sink) Take(_ context.Context, e exchange.Exchange) error {
	s.list = append(s.list, e)
	return nil
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

const body = `{"model":"m", "messages":[{"role":"user","content":"hi é \u0041"}]}`

func harEntry(url, body string) string {
	return fmt.Sprintf(`{"startedDateTime":"2026-11-30T10:00:00.000Z","time":12.5,"request":{"method":"POST","url":%q,"headers":[{"name":"Authorization","value":"Bearer sk-in-a-header-1"}],"postData":{"mimeType":"application/json","text":%s}},"response":{"status":200,"headers":[],"content":{"text":"eyJpZCI6InIifQ==","encoding":"base64"}}}`, url, quoted(body))
}

func har(entries ...string) string {
	return `{"log":{"version":"1.2","creator":{"name":"x"},"pages":[],"entries":[` + strings.Join(entries, ", ") + `],"comment":""}}`
}

func TestEachFormatGivesItsRequests(t *testing.T) {
	url := "https://api.example/v1/chat/completions?api_key=sk-in-the-url-99"
	for _, c := range []struct {
		file, text, format string
		bodies             []string
		notes              int
	}{
		{"one.json", body, FormatBody, []string{body}, 0},
		{"a.har", har(harEntry(url, body), `{"request":{"method":"GET","url":"https://x/y.js"},"response":{}}`, harEntry(url, body)), FormatHAR, []string{body, body}, 0},
		{"batch.jsonl", `{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":` + body + "}\n\n" + `{"custom_id":"2","method":"POST","url":"/v1/responses","body":{"model":"m","input":"x"}}`, FormatLines, []string{body, `{"model":"m","input":"x"}`}, 0},
		{"raw.jsonl", body + "\n" + body + "\n", FormatLines, []string{body, body}, 0},
		{"logged.jsonl", `{"request":` + quoted(body) + `,"response":{"id":"r"}}` + "\n", FormatLines, []string{body}, 0},
		{"envelope.jsonl", `{"request":{"url":"https://x/v1/messages","method":"POST","body":{"model":"m","messages":[]}},"response":null}` + "\n", FormatLines, []string{`{"model":"m","messages":[]}`}, 0},
		{"gateway.jsonl", `{"id":"x","model":"m","messages":[{"role":"user","content":"a"}],"optional_params":{"tools":[{"name":"t"}]},"response":{"id":"r"},"usage":{"prompt_tokens":3},"startTime":"2026-11-30 10:00:00.5"}` + "\n", FormatLines,
			[]string{`{"model":"m","tools":[{"name":"t"}],"messages":[{"role":"user","content":"a"}]}`}, 0},
		{"s.jsonl", `{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}` + "\n" + `{"role":"user","content":"c"}` + "\n", FormatLines,
			[]string{`{"model":null,"messages":[{"role":"user","content":"a"}]}`, `{"model":null,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`}, 0},
		{"debug.log", "[2026-11-29T23:41:21.642Z] API REQUEST messages (1):\n[\n {\"role\":\"user\"}\n]\n\n[2026-11-29T23:41:22Z] other\n[2026-11-29T23:41:21.642Z] API REQUEST messages (1):\n[{\"role\":\"user\"", FormatDebug,
			[]string{"{\"messages\":[\n {\"role\":\"user\"}\n]}"}, 1},
		{"spans.json", `{"resourceSpans":[{"scopeSpans":[{"spans":[
			{"traceId":"t","startTimeUnixNano":"2000000000","attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"b\"}]}]"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"7"}}]},
			{"traceId":"t","startTimeUnixNano":"1000000000","events":[{"attributes":[{"key":"gen_ai.input.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"assistant"}},{"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"tool_call"}},{"key":"id","value":{"stringValue":"c"}},{"key":"name","value":{"stringValue":"read"}},{"key":"arguments","value":{"stringValue":"{}"}}]}}]}}}]}}]}}}]}]},
			{"traceId":"u","attributes":[{"key":"http.method","value":{"stringValue":"GET"}}]}]}]}]}`, FormatOTLP,
			[]string{`{"model":null,"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{}"}}],"content":""}]}`, `{"model":"m","messages":[{"role":"user","content":"b"}]}`}, 0},
		{"torn.json", `{"resourceSpans":[{"scopeSpans":[{"spans":[` + otlpSpan + `,` + otlpSpan[:60], FormatOTLP, []string{`{"model":"m","messages":[{"role":"user","content":"b"}]}`}, 1},
		{"none.json", `{"model":"m","messages":"none"}`, FormatBody, []string{`{"model":"m","messages":"none"}`}, 1},
		{"torn.har", har(harEntry(url, body), harEntry(url, body))[:900], FormatHAR, []string{body}, 1},
		{"nul.jsonl", body + "\n" + strings.Repeat("\x00", 5000) + body + "\n" + body[:20], FormatLines, []string{body, body}, 1},
		{"noise.jsonl", "{\"a\":1}\n{\"a\":2}\nnot JSON\n" + body + "\n", FormatLines, []string{body}, 2},
	} {
		s := &sink{}
		res, err := Import(context.Background(), []string{write(t, c.file, c.text)}, s, Options{})
		if err != nil || res.Format != c.format || res.Requests != len(c.bodies) || len(res.Notes) != c.notes || res.Bytes != int64(len(c.text)) {
			t.Errorf("%s: %v, %+v (%d bytes)", c.file, err, res, len(c.text))
			continue
		}
		for i, e := range s.list {
			if string(e.Request) != c.bodies[i] {
				t.Errorf("%s: request %d is\n%s\nnot\n%s", c.file, i+1, e.Request, c.bodies[i])
			}
		}
	}
}

const otlpSpan = `{"traceId":"t","startTimeUnixNano":"2000000000","attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"b\"}]}]"}}]}`

// The requests that a cut manifest still names are taken.
func TestACutManifestGivesWhatItStillNames(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bodies"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, "bodies", name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	manifest := `{"bundle":"zimoscope-bundle/1","requests":[{"n":1,"file":"bodies/a","dialect":"chat"},{"n":2,"file":"bodies/b","dia`
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &sink{}
	if res, err := Import(context.Background(), []string{dir}, s, Options{}); err != nil || len(s.list) != 1 || len(res.Notes) != 1 || res.Source != filepath.Base(dir)+" (proof bundle)" {
		t.Fatalf("%v, %+v", err, res)
	}
}

// Whoever looks at a request reads which file it came from, and what that was taken for.
func TestEachRequestNamesItsFileAndItsKind(t *testing.T) {
	for file, c := range map[string]struct{ text, want string }{
		"one.json":      {body, "one.json (request body)"},
		"a.har":         {har(harEntry("https://x/v1/chat/completions", body)), "a.har (HAR)"},
		"batch.jsonl":   {`{"custom_id":"1","url":"/v1/chat/completions","body":` + body + "}\n", "batch.jsonl (batch file)"},
		"raw.jsonl":     {body + "\n" + body + "\n", "raw.jsonl (request body, a line each)"},
		"logged.jsonl":  {`{"request":` + quoted(body) + `,"response":{"id":"r"}}` + "\n", "logged.jsonl (log of requests and responses)"},
		"gateway.jsonl": {`{"id":"x","model":"m","messages":[{"role":"user","content":"a"}],"startTime":1}` + "\n", "gateway.jsonl (gateway's log)"},
		"s.jsonl":       {`{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}` + "\n", "s.jsonl (MA session)"},
	} {
		s := &sink{}
		res, err := Import(context.Background(), []string{write(t, file, c.text)}, s, Options{})
		if err != nil || len(s.list) == 0 || s.list[0].Source != c.want || res.Source != c.want {
			t.Errorf("%s: %v, %+v", file, err, res)
			continue
		}
		status := 0 // these say nothing of one, and none is made up
		if file == "a.har" {
			status = 200
		}
		if s.list[0].Status != status {
			t.Errorf("%s: status %d", file, s.list[0].Status)
		}
	}
	s := &sink{}
	if res, err := Import(context.Background(), []string{write(t, "a.json", body), write(t, "b.jsonl", body+"\n")}, s, Options{}); err != nil || res.Source != "2 files (request body, JSON lines)" {
		t.Errorf("two files: %v, %+v", err, res)
	}
}

func TestSecretsOfAnArchiveAreNamed(t *testing.T) {
	s := &sink{}
	if _, err := Import(context.Background(), []string{write(t, "a.har", har(harEntry("https://api.example/v1/chat/completions?api_key=sk-in-the-url-99", body)))}, s, Options{}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(s.list[0].Secrets, " ")
	if !strings.Contains(all, "sk-in-a-header-1") || !strings.Contains(all, "sk-in-the-url-99") || string(s.list[0].Response) != `{"id":"r"}` {
		t.Fatalf("secrets %q, response %q", all, s.list[0].Response)
	}
}

func TestWhatIsNoTrafficIsRefused(t *testing.T) {
	for name, text := range map[string]string{"a.txt": "hello", "empty.jsonl": "", "page.json": `{"a":1}`} {
		_, err := Import(context.Background(), []string{write(t, name, text)}, &sink{}, Options{})
		if !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Import(context.Background(), []string{filepath.Join(t.TempDir(), "missing.har")}, &sink{}, Options{}); err == nil {
		t.Error("a missing file was imported")
	}
}

func TestAnImportCanBeStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	stop := sinkFunc(func() {
		if n++; n == 2 {
			cancel()
		}
	})
	defer goleak.VerifyNone(t)
	res, err := Import(ctx, []string{write(t, "raw.jsonl", strings.Repeat(body+"\n", 100))}, stop, Options{})
	if !errors.Is(err, context.Canceled) || res.Requests != 2 {
		t.Fatalf("%v after %d requests", err, res.Requests)
	}
}

// check refuses bytes that are no UTF-8; what was recorded so is taken as it is, and says so.
func TestABodyThatIsNotUTF8IsTakenWholeWithANote(t *testing.T) {
	odd := strings.Replace(body, `"role"`, "\"odd\":\"a\xffb\",\"role\"", 1)
	if odd == body {
		t.Fatal("nothing was changed")
	}
	for _, file := range []string{write(t, "one.json", odd), write(t, "raw.jsonl", body+"\n"+odd+"\n")} {
		var s sink
		res, err := Import(context.Background(), []string{file}, &s, Options{})
		if err != nil || !strings.Contains(strings.Join(res.Notes, "\n"), "not valid UTF-8: it was taken as it is") {
			t.Errorf("%v %q", err, res.Notes)
		}
		for _, e := range s.list {
			strange := string(e.Request) == odd
			if !strange && string(e.Request) != body || e.Scanned == nil || strange != slices.Contains(e.Notes, exchange.NoteEncoding) {
				t.Errorf("%s: %q %q", file, e.Request, e.Notes)
			}
		}
	}
}

// A sink that panics ends its import in words; what was taken before stays taken.
func TestASinkThatPanicsIsTheErrorOfItsImport(t *testing.T) {
	n := 0
	stop := sinkFunc(func() {
		if n++; n == 3 {
			panic("sk-secret")
		}
	})
	defer goleak.VerifyNone(t)
	res, err := Import(context.Background(), []string{write(t, "raw.jsonl", strings.Repeat(body+"\n", 100))}, stop, Options{})
	var own *safely.Mistake
	if !errors.As(err, &own) || strings.Contains(err.Error(), "secret") || res.Requests != 2 {
		t.Fatalf("%v after %d requests", err, res.Requests)
	}
}

type sinkFunc func()

func (f sinkFunc) Take(context.Context, exchange.Exchange) error { f(); return nil }

func TestAFolderIsReadByNumber(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"10", "2", "1"} {
		text := strings.Replace(body, "hi", n, 1)
		if err := os.WriteFile(filepath.Join(dir, "req-"+n+".body.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "resp-2.sse"), []byte("data: x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "req-1.meta.json"), []byte(`{"thread":"t","kind":"main","tail_offset":-1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &sink{}
	if _, err := Import(context.Background(), []string{dir}, s, Options{}); err != nil {
		t.Fatal(err)
	}
	if len(s.list) != 3 || !strings.Contains(string(s.list[2].Request), `"10 `) || string(s.list[1].Response) != "data: x" || s.list[0].Meta == nil || s.list[1].Meta != nil {
		t.Fatalf("%+v", s.list)
	}
}

// A value that is larger than what is read at a time comes whole.
func TestALargeRecordComesWhole(t *testing.T) {
	large := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("x", 5<<20) + `"}]}`
	for name, text := range map[string]string{"a.har": har(harEntry("https://x/v1/chat/completions", large), harEntry("https://x/v1/chat/completions", body)), "a.jsonl": large + "\n" + body} {
		s := &sink{}
		if _, err := Import(context.Background(), []string{write(t, name, text)}, s, Options{}); err != nil || len(s.list) != 2 || string(s.list[0].Request) != large || string(s.list[1].Request) != body {
			t.Errorf("%s: %v, %d requests", name, err, len(s.list))
		}
	}
}
