package exporter

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/importer"
	"zimoscope/backend/capture/recorder"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

const hostile = `</pre><script>alert(1)</script><img src=x onerror=alert(1)>`

func bodies() []string {
	start := `{"model" : "m", "tools":[{"type":"function","function":{"name":"read","parameters":{"n":12345678901234567890}}}], "messages":[{"role":"system","content":"s"}, {"role":"user","content":"it's \"é\" \u0041 ` + hostile + `"}`
	return []string{start + ` ] }`, start + `, {"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{}"}}]}, {"role":"tool","tool_call_id":"c","content":"x"} ] }`}
}

// source is a recorded session of two requests.
func source(t *testing.T, take func(exchange.Sink) error) Source {
	t.Helper()
	st, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Create(store.Info{Name: hostile, Foreign: "proxy"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sess.Close() })
	r, err := recorder.New(recorder.Options{Session: sess, Source: "proxy"})
	if err != nil {
		t.Fatal(err)
	}
	if err := take(r); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	s := Source{Session: sess, Version: "test"}
	facts, err := sess.AllFacts()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		rec, err := record.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		s.Records = append(s.Records, rec)
	}
	return s
}

func played(t *testing.T) Source {
	return source(t, func(sink exchange.Sink) error {
		for _, b := range bodies() {
			e := exchange.Exchange{Dialect: exchange.Chat, Method: "POST", URL: "http://x.example/v1/chat/completions?a=b", Request: []byte(b), Status: 200, Response: []byte(`{"id":"r","choices":[{"message":{"content":"` + "ok" + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}`)}
			if err := sink.Take(context.Background(), e); err != nil {
				return err
			}
		}
		return nil
	})
}

func written(t *testing.T, s Source, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What was exported and imported again has the same bodies, so the same links, and the same usage.
func TestArchivesAndSpansComeBackWithTheSameBytes(t *testing.T) {
	s := played(t)
	for _, format := range []string{HAR, OTLP} {
		raw := written(t, s, format)
		if !json.Valid(raw) {
			t.Fatalf("%s is no JSON", format)
		}
		file := filepath.Join(t.TempDir(), "x."+format)
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		back := source(t, func(sink exchange.Sink) error {
			res, err := importer.Import(context.Background(), []string{file}, sink, importer.Options{})
			if len(res.Notes) > 0 {
				t.Errorf("%s: %v", format, res.Notes)
			}
			return err
		})
		for i, want := range bodies() {
			got, err := back.Session.Body(i + 1)
			if err != nil || string(got) != want {
				t.Errorf("%s: request %d came back as %q (%v)", format, i+1, got, err)
			}
		}
		if len(back.Records) != 2 || back.Records[1].Meta.Predecessor != 1 || !strings.Contains(string(back.Records[1].Usage), "9") {
			t.Errorf("%s: %+v", format, back.Records)
		}
	}
}

func TestThePageIsInert(t *testing.T) {
	page := string(written(t, played(t), HTML))
	if strings.Contains(page, "<script") || strings.Contains(page, "<img") || strings.Contains(page, "http-equiv=\"refresh\"") {
		t.Fatal("text of the session became markup")
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") || !strings.Contains(page, "default-src 'none'") || !strings.Contains(page, "extended") {
		t.Fatal("the page does not show the session")
	}
}

func TestJSONLHoldsTheConversationAlone(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(written(t, played(t), JSONL))), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"role":"user"`) || !strings.Contains(lines[2], `"tool_call_id"`) {
		t.Fatalf("%q", lines)
	}
}

// The command is run by a real shell against a real server: what arrives is the body, byte by byte.
func TestTheCommandSendsTheBodyAsItIs(t *testing.T) {
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: %s is not installed, so the command can't be run", tool)
		}
	}
	type sent struct{ body, auth string }
	arrived := make(chan sent, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		arrived <- sent{string(raw), r.Header.Get("Authorization")}
	}))
	defer server.Close()
	large := `{"model":"m","messages":[{"role":"user","content":"it's $HOME \\ ` + "`id`" + ` %s ` + strings.Repeat("x", 300<<10) + `"}]}` + "\n"
	for _, body := range append(bodies(), large) {
		run := exec.Command("sh", "-c", Command(server.URL+"/v1/chat/completions?q='a-b'", "chat", []byte(body)))
		run.Env = append(os.Environ(), "OPENAI_API_KEY=k1")
		if len(body) > 128<<10 { // beyond the limit of one argument: the script comes by a file
			script := filepath.Join(t.TempDir(), "c.sh")
			if err := os.WriteFile(script, []byte(Command(server.URL, "chat", []byte(body))), 0o600); err != nil {
				t.Fatal(err)
			}
			run.Args = []string{"sh", script}
		}
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := <-arrived; got.body != body || got.auth != "Bearer k1" {
			t.Fatalf("%d bytes arrived as %d, %q", len(body), len(got.body), got.auth)
		}
	}
}

func TestOneRequestIsAskedForACommand(t *testing.T) {
	if err := Write(io.Discard, Curl, played(t)); err == nil {
		t.Fatal("two requests became one command")
	}
	if err := Write(io.Discard, "xml", played(t)); err == nil || !strings.Contains(err.Error(), "jsonl") {
		t.Fatal(err)
	}
}

// A span says what is known: an address that nobody told is left out, and an error is named by its status.
func TestASpanTellsNoAddressThatNobodyTold(t *testing.T) {
	s := source(t, func(sink exchange.Sink) error {
		return sink.Take(context.Background(), exchange.Exchange{Dialect: exchange.Chat, Request: []byte(bodies()[0]), Status: http.StatusTooManyRequests})
	})
	text := string(written(t, s, OTLP))
	if strings.Contains(text, "unknown.invalid") || strings.Contains(text, "server.address") {
		t.Error("a span names an address that nobody told")
	}
	if !strings.Contains(text, `{"key":"error.type","value":{"stringValue":"429"}}`) {
		t.Error("the status of a refusal is not its error type")
	}
	if text := string(written(t, played(t), OTLP)); !strings.Contains(text, `{"key":"server.address","value":{"stringValue":"x.example"}}`) {
		t.Error("a known address is left out")
	}
}
