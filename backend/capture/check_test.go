package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

const block = `\n\n<zimoos source=\"zimoos.currentFrame\" frame_cursor=\"c1\">\nframeCursor: c1\n</zimoos>`

// session writes a capture of our own: a question, then more steps, the block in a message of its own.
func session(t *testing.T, dir string, steps int, change func(n int, body string, m *verdict.Meta) string) {
	t.Helper()
	history := []string{`{"role":"system","content":"s"}`, `{"role":"user","content":"go"}`}
	for n := 1; n <= steps; n++ {
		head := `{"model":"m","stream":true,"messages":[` + strings.Join(history, ",") + `,`
		body := head + `{"role":"user","content":"The frame:` + block + `"}]}`
		m := verdict.Meta{Thread: "t", Kind: verdict.KindMain, Predecessor: n - 1, TailOffset: len(head)}
		if change != nil {
			body = change(n, body, &m)
		}
		if err := WriteCapture(dir, n, []byte(body), m); err != nil {
			t.Fatal(err)
		}
		history = append(history, fmt.Sprintf(`{"role":"assistant","content":"answer %d"}`, n), `{"role":"user","content":"more"}`)
	}
}

func check(t *testing.T, paths ...string) *Report {
	t.Helper()
	c, err := Load(paths)
	if err != nil {
		t.Fatal(err)
	}
	return Check(c)
}

func TestACleanSessionPasses(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, 12, nil)
	r := check(t, dir)
	if r.Exit(true) != 0 || len(r.Pairs) != 11 || len(r.Violations) != 0 {
		out, _ := json.MarshalIndent(r, "", " ")
		t.Fatalf("%s", out)
	}
	if filepath.Base(r.Requests[9].File) != "req-010.body.json" {
		t.Fatal("not in the order of the numbers")
	}
	for _, p := range r.Pairs {
		if p.Verdict.Verdict != verdict.Extended || p.Planned == nil || !*p.Planned || p.HistoryLost != 0 {
			t.Fatalf("%+v", p)
		}
	}
}

func TestJSONKeepsItsContract(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, 2, nil)
	out, err := json.Marshal(check(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string][]map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for list, names := range map[string]string{
		"requests": "file link rest parts",
		"pairs":    "from to verdict causes planned part path part_offset body_offset history_lost",
		"redlines": "id ok degraded request detail",
	} {
		for _, n := range strings.Fields(names) {
			if _, ok := got[list][0][n]; !ok {
				t.Errorf("%s has no %s: %v", list, n, got[list][0])
			}
		}
	}
	if part := got["requests"][0]["parts"].([]any)[1].(map[string]any); part["kind"] != "message" || part["index"] != 0.0 || part["bytes"] == nil || part["sha256"] == nil || part["link"] == nil {
		t.Error(part)
	}
	for i, l := range got["redlines"] {
		at := i / (len(got["redlines"]) / len(got["requests"]))
		if l["request"] != float64(at) || l["file"] != got["requests"][at]["file"] {
			t.Fatalf("redline %d is of request %v (%v), want %d", i, l["request"], l["file"], at)
		}
	}
}

func TestOneChangedByteIsAViolationAndIsNamed(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, 4, nil)
	file := filepath.Join(dir, "req-003.body.json")
	raw, _ := os.ReadFile(file)
	at := bytes.Index(raw, []byte("answer 1")) + len("answer ")
	raw[at] = '9'
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	r := check(t, dir)
	if r.Exit(false) != 1 || len(r.Violations) != 1 || r.Violations[0].Request != 2 {
		t.Fatalf("exit %d, %+v", r.Exit(false), r.Violations)
	}
	p := r.Pairs[1]
	if p.Verdict.Verdict != verdict.Rewritten || p.BodyOffset != at || p.Path != "$.messages[2].content" || raw[p.BodyOffset] != '9' {
		t.Fatalf("%+v", p)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), fmt.Sprint(at)) || !strings.Contains(text.String(), "rewritten") {
		t.Fatal(text.String())
	}
}

func TestAnImpossibleTailOffsetIsAViolation(t *testing.T) {
	for name, offset := range map[string]int{"outside": 3, "inside an escape": 0, "far out": 1 << 30, "negative": -7} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			session(t, dir, 2, func(n int, body string, m *verdict.Meta) string {
				if n == 2 {
					m.TailOffset = offset
					if offset == 0 {
						m.TailOffset = strings.Index(body, block) + 1
					}
				}
				return body
			})
			if r := check(t, dir); r.Exit(false) != 1 || len(r.Violations) != 1 {
				t.Fatalf("%+v", r.Violations)
			}
		})
	}
}

func TestRetriesAreAttemptsAndSidesAreLeaves(t *testing.T) {
	dir := t.TempDir()
	first := ""
	session(t, dir, 5, func(n int, body string, m *verdict.Meta) string {
		switch n {
		case 1:
			first = body
		case 2: // the same bytes once more
			m.Kind, m.Predecessor, m.TailOffset = verdict.KindRetry, 0, strings.Index(first, `{"role":"user","content":"The frame`)
			return first
		case 3:
			m.Kind, m.Predecessor = verdict.KindSide, 2
		case 4:
			m.Predecessor = 2
		}
		return body
	})
	r := check(t, dir)
	if len(r.Pairs) != 3 || r.Requests[1].AttemptOf == nil || *r.Requests[1].AttemptOf != 0 {
		t.Fatalf("%+v", r.Pairs)
	}
	for i, want := range [][2]int{{0, 2}, {0, 3}, {3, 4}} {
		if p := r.Pairs[i]; p.From != want[0] || p.To != want[1] || p.Verdict.Verdict != verdict.Extended {
			t.Fatalf("%+v, want %v", r.Pairs[i], want)
		}
	}
	if r.Exit(false) != 0 {
		t.Fatal("retries and sides are no violation")
	}
}

func TestParametersAreReportedAndFailOnlyWhenStrict(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, 2, func(n int, body string, m *verdict.Meta) string {
		if n == 2 {
			m.TailOffset++
			return strings.Replace(body, `"stream":true`, `"stream":false`, 1)
		}
		return body
	})
	r := check(t, dir)
	if p := r.Pairs[0]; p.Verdict.Verdict != verdict.RestChanged || p.Path != "$.stream" || p.Part.Kind != wire.KindRest {
		t.Fatalf("%+v", p)
	}
	if r.Exit(false) != 0 || r.Exit(true) != 1 {
		t.Fatal(r.Exit(false), r.Exit(true))
	}
}

func TestInputThatCannotBeReadNamesFileAndByte(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		f := filepath.Join(dir, name)
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return f
	}
	bad := write("bad.json", `{"model":"m","messages":[{"role":]}`)
	if _, err := Load([]string{bad}); err == nil || !strings.Contains(err.Error(), bad) || !strings.Contains(err.Error(), "byte 33") {
		t.Fatal(err)
	}
	if _, err := Load([]string{filepath.Join(dir, "absent")}); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if _, err := Load([]string{t.TempDir()}); !errors.Is(err, ErrNoBodies) {
		t.Fatal(err)
	}
	write("req-001.body.json", `{"messages":[]}`)
	write("req-001.meta.json", `{`)
	if _, err := Load([]string{dir}); !errors.Is(err, ErrMeta) {
		t.Fatal(err)
	}
}

func TestRecordedTrafficFailsAsItShould(t *testing.T) {
	folders, _ := filepath.Glob("../../../shared/captures/s*")
	if len(folders) == 0 {
		t.Skip("no recorded traffic beside this tree: nothing to check")
	}
	for _, f := range folders {
		r := check(t, f)
		if r.Exit(false) != 1 {
			t.Errorf("%s passes", f)
		}
		for _, p := range r.Pairs {
			if p.Verdict.Verdict != verdict.Rewritten {
				t.Errorf("%s %d→%d: %s", f, p.From, p.To, p.Verdict.Verdict)
			}
		}
		for _, l := range r.Redlines {
			if l.ID == "A2" && (l.OK == nil || *l.OK) {
				t.Errorf("%s: A2 holds", f)
			}
		}
		if testing.Verbose() {
			var b bytes.Buffer
			_ = r.WriteText(&b)
			t.Logf("%s\n%s", f, b.String())
		}
	}
}

// JSON is UTF-8: what a provider makes of another byte nobody can tell, so nothing is proved of such a body.
func TestABodyThatIsNotUTF8IsRefusedWithItsByte(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		at   int
	}{
		"alone":       {"{\"model\":\"m\",\"messages\":[\"a\xffb\"]}", 27},
		"cut":         {"{\"model\":\"m\",\"messages\":[\"\xe4\xbd\"]}", 26},
		"a surrogate": {"{\"model\":\"m\",\"messages\":[\"\xed\xa0\x80\"]}", 26},
		"in a name":   {"{\"model\":\"m\",\"messages\":[],\"\xfe\":1}", 28},
		"behind text": {"{\"model\":\"你好\",\"messages\":[\"é\x80\"]}", 33},
	} {
		f := filepath.Join(dir, "b.json")
		if err := os.WriteFile(f, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load([]string{f})
		var place *wire.SyntaxError
		if !errors.As(err, &place) || place.Offset != c.at || place.Offset != strings.IndexFunc(c.text, func(r rune) bool { return r == '\uFFFD' }) ||
			!strings.Contains(err.Error(), "is not UTF-8") || !strings.Contains(err.Error(), f) {
			t.Errorf("%s: %v, want byte %d", name, err, c.at)
		}
	}
	f := filepath.Join(dir, "good.json")
	if err := os.WriteFile(f, []byte("{\"model\":\"m\",\"messages\":[\"\uFFFD 你好 \U0001F600\"]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load([]string{f}); err != nil {
		t.Error(err)
	}
}

// A sidecar that names what can't have been sent before its request doesn't belong to it.
func TestASidecarThatNamesAnImpossiblePredecessorIsAViolation(t *testing.T) {
	with := func(t *testing.T, number, predecessor int) (dir string) {
		dir = t.TempDir()
		session(t, dir, 5, func(n int, body string, m *verdict.Meta) string {
			if n == 2 {
				m.Kind = verdict.KindSide
			}
			if n == 3 {
				m.Predecessor = 1
			}
			if n == number {
				m.Predecessor = predecessor
			}
			return body
		})
		return dir
	}
	for name, c := range map[string]struct {
		n, predecessor int
		want           string
	}{
		"a later one":  {3, 5, "request 5 as its predecessor, which was sent later"},
		"itself":       {4, 4, "its own request"},
		"the first":    {1, 3, "request 3 as its predecessor, which was sent later"},
		"none":         {3, -1, "no such number"},
		"a side":       {4, 2, "a side request"},
		"nothing more": {4, 0, "names no predecessor"},
	} {
		r := check(t, with(t, c.n, c.predecessor))
		if r.Exit(false) != 1 || len(r.Violations) != 1 || r.Violations[0].Request != c.n-1 || !strings.Contains(r.Violations[0].Detail, c.want) ||
			filepath.Base(r.Violations[0].File) != fmt.Sprintf("req-%03d.meta.json", c.n) {
			t.Errorf("%s: %+v", name, r.Violations)
		}
	}
	if r := check(t, with(t, 0, 0)); r.Exit(false) != 0 {
		t.Errorf("as it was written: %+v", r.Violations)
	}
}

func TestASidecarThatNamesARequestOfAnotherThreadIsAViolation(t *testing.T) {
	for predecessor, want := range map[int]int{1: 0, 2: 1} {
		dir := t.TempDir()
		session(t, dir, 4, func(n int, body string, m *verdict.Meta) string {
			switch n {
			case 2:
				m.Thread, m.Predecessor = "another", 0
			case 3:
				m.Predecessor = predecessor
			}
			return body
		})
		r := check(t, dir)
		if r.Exit(false) != want || len(r.Violations) != want || want > 0 && !strings.Contains(r.Violations[0].Detail, "request 2 as its predecessor, which belongs to another thread") {
			t.Errorf("3 names %d: %+v", predecessor, r.Violations)
		}
	}
}

// A hole in a folder could hide a change; the files that a person picked, and the start of a capture, are theirs to choose.
func TestARequestThatIsMissingFromAFolderIsAViolation(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, 5, nil)
	body := func(n int) string { return filepath.Join(dir, fmt.Sprintf("req-%03d.body.json", n)) }
	if r := check(t, body(1), body(2), body(4)); r.Exit(false) != 0 {
		t.Errorf("picked: %+v", r.Violations)
	}
	for n, want := range map[int]int{1: 0, 3: 1} { // what came before a resumed session is not captured
		if err := os.Remove(body(n)); err != nil {
			t.Fatal(err)
		}
		if r := check(t, dir); r.Exit(false) != want || len(r.Violations) != want {
			t.Errorf("without %d: %+v", n, r.Violations)
		}
		session(t, dir, 5, nil)
	}
}
