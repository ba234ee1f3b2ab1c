package serve

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/app/api"
)

// filer takes and gives files.
type filer struct {
	fake
	got  map[string]string
	path string
}

func (f *filer) Receive(_ context.Context, upload, name string, r io.Reader) error {
	raw, err := io.ReadAll(r)
	f.got[upload+"/"+name] = string(raw)
	return err
}

func (f *filer) Fetch(ticket string) (*os.File, func(), error) {
	if ticket != "once" || f.path == "" {
		return nil, nil, fmt.Errorf("gone: %w", api.ErrNotFound)
	}
	file, err := os.Open(f.path)
	f.path = ""
	return file, func() { _ = file.Close() }, err
}

func TestFilesAreTakenWithTheTokenAndGivenOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("exported"), 0o600); err != nil {
		t.Fatal(err)
	}
	svc := &filer{got: map[string]string{}, path: path}
	server, err := New(svc, nil, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	base, _, _ := strings.Cut(server.URL(), "/#")
	ask := func(method, path, token, body string) (int, string, http.Header) {
		req, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(TokenHeader, token)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(raw), res.Header
	}
	if code, _, _ := ask("PUT", "/api/upload/u1?name=a.har", "", "x"); code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", code)
	}
	if code, _, _ := ask("PUT", "/api/upload/u1?name=a%20b.har", server.token, "content"); code != http.StatusNoContent || svc.got["u1/a b.har"] != "content" {
		t.Errorf("%d %v", code, svc.got)
	}
	code, body, h := ask("GET", "/download/once/s%C3%A9ance.har", "", "")
	if code != http.StatusOK || body != "exported" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %q %v", code, body, h)
	}
	if code, _, _ := ask("GET", "/download/once/x", "", ""); code != http.StatusNotFound {
		t.Errorf("fetched twice: %d", code)
	}
}
