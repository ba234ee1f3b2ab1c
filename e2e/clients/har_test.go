package clients

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zimoscope/app/foreign"
	"zimoscope/app/stored"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/exporter"
	"zimoscope/backend/store"
)

func TestAnArchiveHoldsToTheSchema(t *testing.T) {
	mods := modules(t, "har", "har-validator@5.1.5")
	script, err := os.ReadFile(filepath.Join("testdata", "har.mjs"))
	must(t, err)
	path := filepath.Join(filepath.Dir(mods), "har.mjs")
	must(t, os.WriteFile(path, script, 0o600))
	st, err := store.New(t.TempDir())
	must(t, err)
	sess, err := foreign.Open(st, foreign.Options{Name: "x", From: foreign.Proxy, Source: "proxy"})
	must(t, err)
	now := time.Now()
	for _, e := range []exchange.Exchange{
		{Dialect: exchange.Chat, Method: "POST", URL: "https://api.example/v1/chat/completions?a=b", Request: []byte(`{"model":"m","messages":[]}`), Status: 200, Response: []byte("data: {}\n\n"), Started: now, Ended: now.Add(time.Second), FirstByte: 100 * time.Millisecond,
			RequestHeader: http.Header{"Content-Type": {"application/json"}}, ResponseHeader: http.Header{"X-A": {"1", "2"}}},
		{Dialect: exchange.Other, Method: "GET", URL: "https://api.example/v1/models", Status: 0, Error: "no answer", Started: now},
	} {
		must(t, sess.Take(context.Background(), e))
	}
	recs, err := stored.Records(sess.Store)
	must(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "x.har"))
	must(t, err)
	must(t, exporter.Write(file, exporter.HAR, exporter.Source{Session: sess.Store, Records: recs, Version: "test"}))
	must(t, file.Close())
	must(t, sess.Close())
	home, work := place(t)
	r := &recording{t: t}
	if out := r.run(home, work, []string{"HAR=" + file.Name()}, "node", path); !strings.Contains(out, "valid") {
		t.Error(out)
	}
}
