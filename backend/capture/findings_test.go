package capture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

func reportOf(t *testing.T, bodies ...string) *Report {
	t.Helper()
	c := &Capture{}
	for i, raw := range bodies {
		b, err := wire.Scan([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		c.Requests = append(c.Requests, &verdict.Request{Body: b, Name: "dir/req-" + string(rune('1'+i)) + ".body.json"})
	}
	return Check(c)
}

const (
	step1 = `{"model":"m","messages":[{"role":"user","content":"a"}]}`
	step2 = `{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`
	other = `{"model":"m","messages":[{"role":"user","content":"X\u0007"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`
)

func TestABaselineLeavesOutWhatIsKnown(t *testing.T) {
	good, bad := reportOf(t, step1, step2), reportOf(t, step1, other)
	if f := good.Findings(false); len(f) != 0 {
		t.Fatalf("%+v", f)
	}
	found := bad.Findings(false)
	if len(found) == 0 || found[0].Rule != "rewritten" || found[0].Request != 1 || found[0].Offset < 0 {
		t.Fatalf("%+v", found)
	}
	if list, _ := bad.Since(bad, false); len(list) != 0 {
		t.Fatalf("what the baseline shows is new: %+v", list)
	}
	list, notes := bad.Since(good, false)
	if len(list) <= len(found) || list[len(list)-1].Rule != RuleBaseline || len(notes) != 0 {
		t.Fatalf("%+v, %q", list, notes)
	}
	if _, notes := reportOf(t, strings.Replace(step1, `"m"`, `"n"`, 1)).Since(good, false); len(notes) != 1 || !strings.Contains(notes[0], "model 0") {
		t.Fatalf("%q", notes)
	}
}

// A report that was printed and read again is the baseline that it was.
func TestAPrintedReportIsABaseline(t *testing.T) {
	bad := reportOf(t, step1, other)
	raw, err := json.Marshal(bad)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if list, _ := bad.Since(&back, true); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
}

func TestReportsForCI(t *testing.T) {
	bad := reportOf(t, step1, other)
	findings := bad.Findings(false)
	findings[0].Detail = "a, b: c%\n::error::forged \x07</failure>"
	var out bytes.Buffer
	if err := bad.WriteJUnit(&out, findings); err != nil {
		t.Fatal(err)
	}
	var suite junitSuite
	if err := xml.Unmarshal(out.Bytes(), &suite); err != nil || suite.Tests != 2 || suite.Failures != 1 || suite.Cases[0].Failure != nil || !strings.Contains(suite.Cases[1].Failure.Text, "</failure>") {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	out.Reset()
	if err := bad.WriteGitHub(&out, findings[:1], ""); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "::error title=rewritten in req-2.body.json::a, b: c%25%0A::error") {
		t.Fatal(got)
	}
}

// GitHub shows an annotation at a file of the repository, and can't at any other place.
func TestAnAnnotationNamesAFileOfTheRepositoryOrNone(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put := func(dir, name string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, c := range []struct {
		file  string
		files bool
		want  string
	}{
		{put(root, "run 1/a,b:c%.body.json"), true, "::error file=run 1/a%2Cb%3Ac%25.body.json,title=rewritten in a%2Cb%3Ac%25.body.json::x\n"},
		{put(elsewhere, "a.body.json"), true, "::error title=rewritten in a.body.json::x\n"},
		{filepath.Join(root, "gone.body.json"), true, "::error title=rewritten in gone.body.json::x\n"},
		{"request 3", false, "::error title=rewritten in request 3::x\n"},
	} {
		var out bytes.Buffer
		r := &Report{files: c.files}
		if err := r.WriteGitHub(&out, []Finding{{"rewritten", 0, c.file, "x", "", -1}}, root); err != nil || out.String() != c.want {
			t.Errorf("%q, want %q: %v", out.String(), c.want, err)
		}
	}
	put(root, "request 3") // a namesake is not the request
	t.Chdir(root)
	var out bytes.Buffer
	if err := (&Report{}).WriteGitHub(&out, []Finding{{"rewritten", 0, "request 3", "x", "", -1}}, ""); err != nil || strings.Contains(out.String(), "file=") {
		t.Errorf("%q: %v", out.String(), err)
	}
}
