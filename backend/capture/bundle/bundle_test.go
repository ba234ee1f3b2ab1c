package bundle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/capture/bundle"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/importer"
	"zimoscope/backend/capture/recorder"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

// recorded is a session with what bundles must cope with: all shapes, a secret, what is no request, odd spacing.
func recorded(t testing.TB) (*store.Session, []*record.Record) {
	t.Helper()
	list := []exchange.Exchange{
		{Dialect: exchange.Chat, Request: []byte(`{"model" : "m", "temperature":1.0, "tools":[ {"name":"a"} ], "messages": [ {"role":"system","content":"s"} , {"role":"user","content":"hi"} ] }`), Response: []byte(`{"id":"r"}`), Status: 200},
		{Dialect: exchange.Chat, Request: []byte(`{"model" : "m", "temperature":1.0, "tools":[ {"name":"a"} ], "messages": [ {"role":"system","content":"s"} , {"role":"user","content":"hi"} , {"role":"assistant","content":"é\u0041\\"},{"role":"user","content":"key sk-known-secret"} ] }`)},
		{Dialect: exchange.Messages, Request: []byte(`{"messages":[],"system":[{"type":"text","text":"s"}],"model":"m"}`)},
		{Dialect: exchange.Responses, Request: []byte(`{"input":"one text","instructions":"i","tools":"none"}`)},
		{Dialect: exchange.Other, Request: []byte("\x00no JSON"), Method: "POST", URL: "http://x/other"},
	}
	return taken(t, []string{"sk-known-secret"}, list)
}

// taken is a session that recorded these exchanges.
func taken(t testing.TB, secrets []string, list []exchange.Exchange) (*store.Session, []*record.Record) {
	t.Helper()
	st, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Create(store.Info{Name: "s", Foreign: "proxy"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sess.Close() })
	r, err := recorder.New(recorder.Options{Session: sess, Source: "proxy", Secrets: secrets})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if err := r.Take(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return sess, records(t, sess)
}

func records(t testing.TB, sess *store.Session) (list []*record.Record) {
	t.Helper()
	facts, err := sess.AllFacts()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		rec, err := record.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rec)
	}
	return list
}

func written(t *testing.T) string {
	t.Helper()
	sess, recs := recorded(t)
	dir := filepath.Join(t.TempDir(), "proof")
	if err := bundle.Write(context.Background(), dir, sess, recs, bundle.Options{Program: "test"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestABundleVerifiesWithBothVerifiers(t *testing.T) {
	dir := written(t)
	r, err := bundle.Verify(context.Background(), dir)
	if err != nil || len(r.Problems) > 0 || r.Requests != 5 || r.Claimed != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	if status, out := python(t)(dir); status != 0 || !strings.Contains(out, "5 requests, 1 parts claimed") {
		t.Fatalf("verify.py says %d: %s", status, out)
	}
	raw, err := exec.Command(interpreter(t), "-B", filepath.Join(dir, bundle.ScriptFile)).CombinedOutput()
	if err != nil || !strings.Contains(string(raw), "0 problems") {
		t.Fatalf("verify.py run as VERIFY.md says: %v: %s", err, raw)
	}
	if err := bundle.Write(context.Background(), dir, nil, nil, bundle.Options{}); err == nil {
		t.Fatal("a bundle was written over another")
	}
}

// One byte changed anywhere, in any file, is found by both: every byte of the bodies, which are what is proved, and
// chosen ones of the other files. ZIMOSCOPE_SLOW changes every byte of every file.
func TestOneByteChangedAnywhereIsFound(t *testing.T) {
	dir := written(t)
	names := filesOf(t, dir)
	if len(names) < 11 {
		t.Fatalf("only %d files", len(names))
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	const chosen = 15 // bytes of a file that is no body
	slow := os.Getenv("ZIMOSCOPE_SLOW") != ""
	if !slow {
		t.Logf("every byte of the bodies and %d of each other file are changed; with ZIMOSCOPE_SLOW=1 every byte of all", chosen)
	}
	judge := python(t)
	for _, name := range names {
		file := filepath.Join(dir, name)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all := slow || strings.HasSuffix(name, ".body.json")
		tries := chosen
		if all {
			tries = len(raw)
		}
		for try := range tries {
			at := try
			if !all {
				at = random.IntN(len(raw))
			}
			bad := append([]byte(nil), raw...)
			bad[at] ^= 1 << random.IntN(8)
			put(t, file, bad)
			r, err := bundle.Verify(context.Background(), dir)
			if err == nil && len(r.Problems) == 0 {
				t.Errorf("seed %d: byte %d of %s was changed, and the bundle still verifies", seed, at, name)
			}
			if status, out := judge(dir); status == 0 {
				t.Errorf("seed %d: byte %d of %s was changed, and verify.py says %s", seed, at, name, out)
			}
		}
		put(t, file, raw)
	}
	put(t, filepath.Join(dir, "more.txt"), nil)
	if r, err := bundle.Verify(context.Background(), dir); err != nil || len(r.Problems) != 1 {
		t.Errorf("a file too many: %v, %+v", err, r)
	}
}

// What was exported and imported has the same links.
func TestABundleComesBackWithTheSameLinks(t *testing.T) {
	dir := written(t)
	st, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Create(store.Info{Name: "back", Foreign: "import"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sess.Close() }()
	r, err := recorder.New(recorder.Options{Session: sess, Source: "bundle"})
	if err != nil {
		t.Fatal(err)
	}
	if res, err := importer.Import(context.Background(), []string{dir}, r, importer.Options{}); err != nil || res.Requests != 5 {
		t.Fatalf("%v, %+v", err, res)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, rec := range records(t, sess) { // only the second held a secret
		if said := strings.Contains(strings.Join(rec.Foreign.Notes, " "), "claims their hashes"); said != (rec.N == 2) {
			t.Errorf("request %d: notes %q", rec.N, rec.Foreign.Notes)
		}
	}
	again := filepath.Join(t.TempDir(), "again")
	if err := bundle.Write(context.Background(), again, sess, records(t, sess), bundle.Options{Program: "test"}); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 5; n++ {
		name := filepath.Join(bundle.BodiesDir, fmt.Sprintf("req-%05d.body.json", n))
		a, _ := os.ReadFile(filepath.Join(dir, name))
		b, _ := os.ReadFile(filepath.Join(again, name))
		if string(a) != string(b) || len(a) == 0 {
			t.Errorf("request %d came back as %q", n, b)
		}
	}
}
