package capture

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// The shapes of a JUnit report, as CI systems read it.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes one case for each request: it fails with the findings of that request.
func (r *Report) WriteJUnit(out io.Writer, findings []Finding) error {
	suite := junitSuite{Name: "zimoscope check", Tests: len(r.Requests)}
	by := map[int][]Finding{}
	for _, f := range findings {
		by[f.Request] = append(by[f.Request], f)
	}
	for i := range r.Requests {
		c := junitCase{Name: visible(filepath.Base(r.Requests[i].File)), Class: "zimoscope." + kindWord(r.Requests[i])}
		if list := by[i]; len(list) > 0 {
			var text strings.Builder
			for _, f := range list {
				fmt.Fprintf(&text, "%s: %s%s\n", f.Rule, visible(f.Detail), f.place())
			}
			c.Failure = &junitFailure{Message: visible(list[0].Rule + ": " + list[0].Detail), Text: text.String()}
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(out)
	enc.Indent("", "  ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func kindWord(i RequestInfo) string {
	if i.Thread != "" {
		return i.Kind + "." + visible(i.Thread)
	}
	return i.Kind
}

func (f Finding) place() string {
	if f.Offset < 0 {
		return ""
	}
	return fmt.Sprintf(" at %s, byte %d of the body", visible(f.Path), f.Offset)
}

// WriteGitHub writes one annotation for each finding, in the form of GitHub's workflow commands. An annotation can stand
// at a file of the repository alone: root is its folder, "" for the working directory. A finding in a file elsewhere, or
// in a request that is none, has no place but the run.
func (r *Report) WriteGitHub(out io.Writer, findings []Finding, root string) error {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	for _, f := range findings {
		at := ""
		if file := inRepository(root, f.File); r.files && file != "" {
			at = "file=" + property.Replace(file) + ","
		}
		if _, err := fmt.Fprintf(out, "::error %stitle=%s::%s\n", at, property.Replace(f.Title()), message.Replace(f.Detail+f.place())); err != nil {
			return err
		}
	}
	return nil
}

// inRepository gives a file as seen from the repository's folder, "" when it lies elsewhere or is not there.
func inRepository(root, file string) string {
	from, err := resolved(root)
	if err != nil {
		return ""
	}
	to, err := resolved(file)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// resolved is a path without links, so that two of them can be compared.
func resolved(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// visible makes characters that XML can't hold readable.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
