package toolbox

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

func TestAServerWithoutAHandshakeIsSpokenTo(t *testing.T) {
	rec := newTraffic()
	b := ready(t, rec, child("newest"))
	if got := b.Status()[0]; got.Protocol != "2026-07-28" || len(b.Tools()) != 2 {
		t.Fatalf("%+v", got)
	}
	const args = `{"b": 1.0,"a":9007199254740993}`
	r := b.Call(context.Background(), "newest", "echo", json.RawMessage(args))
	if r.State != StateOK || string(r.Raw) != `{"echo":`+args+`}` {
		t.Fatalf("%+v", r)
	}
	if !strings.Contains(rec.all(), `"arguments":`+args+`,"_meta":{`) {
		t.Fatal("the arguments did not leave as they are, with _meta behind them")
	}
	if r := do(b, "newest", "ask"); r.State != StateToolError || !strings.Contains(r.Message, "asks for more") {
		t.Fatalf("%+v", r)
	}
}

// mcp-go's own server over HTTP insists on the headers when it is spoken to in that version.
func TestTheHeadersOfTheNewestVersionGoAlong(t *testing.T) {
	inner := mcpserver.NewStreamableHTTPServer(goodServer())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") == "" { // a server that speaks no version with a handshake
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`))
			return
		}
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := ready(t, nil, ServerConfig{Name: "h", URL: server.URL + "/mcp"})
	if got := b.Status()[0].Protocol; got != "2026-07-28" {
		t.Fatal(got)
	}
	if r := b.Call(context.Background(), "h", "zimoos.current", json.RawMessage(`{"a":1}`)); r.State != StateOK || !strings.Contains(string(r.Raw), `"1"`) {
		t.Fatalf("%+v", r)
	}
}

func TestMetaGoesBehindTheParams(t *testing.T) {
	m := &modern{meta: []byte(`{"v":1}`)}
	for in, want := range map[string]string{`{}`: `{"_meta":{"v":1}}`, `{"a":1.0}`: `{"a":1.0,"_meta":{"v":1}}`, `{ }`: `{ "_meta":{"v":1}}`, ``: ``} {
		if got := string(m.params([]byte(in))); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}
