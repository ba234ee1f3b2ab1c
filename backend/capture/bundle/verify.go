package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Problem is one thing in a bundle that is not as claimed.
type Problem struct {
	File   string `json:"file"`
	Part   string `json:"part,omitempty"` // such as message 3
	Detail string `json:"detail"`
}

// Report is what Verify found.
type Report struct {
	Requests int       `json:"requests"`
	Parts    int       `json:"parts"`
	Claimed  int       `json:"claimed"` // parts, parameters among them, that a secret was taken out of: their hashes can't be recomputed
	Problems []Problem `json:"problems"`
}

// ErrNoBundle means that a folder or a zip holds no manifest of a bundle.
var ErrNoBundle = errors.New("it is no proof bundle: manifest.json is missing or can't be read")

// maxFile bounds one file of a bundle, in bytes.
const maxFile = 1 << 30

// Verify recomputes everything that a bundle claims of its bytes. path is its folder, or a zip of it. An error means that it can't be read at all, or that
// the context ended before all of it was; what is altered is in the report.
func Verify(ctx context.Context, path string) (Report, error) {
	from, err := open(path)
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { _ = from.Close() }() // it was only read
	v := &verifier{from: from, listed: map[string]bool{ManifestFile: true}, known: map[int]*Request{}, report: Report{Problems: []Problem{}}}
	raw, err := from.read(ManifestFile)
	if errors.Is(err, errChecksum) {
		v.problem(ManifestFile, "", "%v", err)
	} else if err != nil {
		return Report{}, fmt.Errorf("%s: %w", path, ErrNoBundle)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields() // a byte changed in a name must not hide what it names
	if err := dec.Decode(&v.manifest); err != nil || v.manifest.Bundle != Version || v.manifest.Chain != wire.Version {
		return Report{}, fmt.Errorf("%s: %w", path, ErrNoBundle)
	}
	if again, err := json.MarshalIndent(v.manifest, "", " "); err != nil || !bytes.Equal(append(again, '\n'), raw) {
		v.problem(ManifestFile, "", "it is not as it was written")
	}
	for _, f := range v.manifest.Files {
		v.file(f)
	}
	for i := range v.manifest.Requests {
		if err := ctx.Err(); err != nil {
			return v.report, fmt.Errorf("it was stopped after %d of %d requests: %w", i, len(v.manifest.Requests), err)
		}
		v.request(&v.manifest.Requests[i], i)
	}
	if err := v.verdicts(ctx); err != nil {
		return v.report, err
	}
	v.sums(sha256.Sum256(raw))
	return v.report, v.unlisted()
}

type verifier struct {
	from     source
	manifest Manifest
	listed   map[string]bool
	known    map[int]*Request // whose hashes could all be recomputed
	last     [2]*verdict.Request
	report   Report
}

func (v *verifier) problem(file, part, format string, args ...any) {
	v.report.Problems = append(v.report.Problems, Problem{File: file, Part: part, Detail: fmt.Sprintf(format, args...)})
}

func (v *verifier) read(name string) ([]byte, bool) {
	v.listed[name] = true
	raw, err := v.from.read(name)
	switch {
	case err == nil:
	case errors.Is(err, errChecksum):
		v.problem(name, "", "%v", err)
	case errors.Is(err, errLarge):
		v.problem(name, "", "%v", err)
		return nil, false
	default:
		v.problem(name, "", "it is missing or can't be read")
		return nil, false
	}
	return raw, true
}

func (v *verifier) file(f File) {
	raw, ok := v.read(f.File)
	if !ok {
		return
	}
	if sum := wire.Hash(sha256.Sum256(raw)); sum != f.SHA256 {
		v.problem(f.File, "", "its sha256 is %s, the manifest says %s", sum, f.SHA256)
	}
	if f.File == ScriptFile && !bytes.Equal(raw, script) {
		v.problem(f.File, "", "it is not the verifier that this version writes")
	}
}

// request recomputes one body: its hash, every leaf from the bytes, the links, what lies beside the chain, and what
// the manifest copies from it for reading.
func (v *verifier) request(q *Request, i int) {
	if i > 0 && q.N <= v.manifest.Requests[i-1].N {
		v.problem(ManifestFile, fmt.Sprintf("request %d", q.N), "the requests are not in order")
	}
	raw, ok := v.read(q.File)
	if !ok {
		return
	}
	v.report.Requests++
	if sum := wire.Hash(sha256.Sum256(raw)); sum != q.SHA256 {
		v.problem(q.File, "", "its sha256 is %s, the manifest says %s", sum, q.SHA256)
	}
	if q.Meta != nil && q.Meta.BodySHA256 != q.SHA256 {
		v.problem(q.File, "", "what its sender told was told of another body")
	}
	if q.Kind == record.KindOther {
		return
	}
	body, err := wire.Scan(raw)
	if err != nil {
		v.problem(q.File, "", "it can't be read as a request: %v", err)
		return
	}
	v.parts(q, body)
}

func (v *verifier) parts(q *Request, body *wire.Body) {
	var claimed []record.ClaimedPart
	for _, p := range q.Parts {
		if p.Claimed {
			claimed = append(claimed, record.ClaimedPart{Kind: p.Kind, Index: p.Index, Leaf: p.SHA256})
		}
	}
	v.report.Claimed += len(claimed)
	if q.RestHeld {
		v.report.Claimed++
	}
	if len(claimed) == 0 && !q.RestHeld {
		v.known[q.N] = q
	}
	parts, last := describe(body, claimed)
	v.report.Parts += len(parts)
	if len(parts) != len(q.Parts) {
		v.problem(q.File, "", "it has %d parts, the manifest says %d", len(parts), len(q.Parts))
		return
	}
	for i, p := range parts {
		if p != q.Parts[i] {
			v.problem(q.File, fmt.Sprintf("%s %d", q.Parts[i].Kind, q.Parts[i].Index), "its leaf is %.16s at bytes %d to %d, the manifest says %.16s at %d to %d",
				p.SHA256, p.Start, p.End, q.Parts[i].SHA256, q.Parts[i].Start, q.Parts[i].End)
			break // every link behind it differs too
		}
	}
	if last != q.Link {
		v.problem(q.File, "", "its last link is %s, the manifest says %s", last, q.Link)
	}
	if body.Rest != q.Rest && !q.RestHeld {
		v.problem(q.File, "rest", "parameters or layout outside the chain are not as claimed")
	}
	model := body.Bytes(wire.KindModel, 0)
	if len(model) == 0 {
		model = []byte("null")
	}
	if !sameJSON(model, q.Model) || !sameJSON(paramsOf(body), q.Params) {
		v.problem(ManifestFile, fmt.Sprintf("request %d", q.N), "model or params are not those of the body")
	}
}

// sameJSON compares without the white space that indenting adds.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// sums compares the list of all files with what was found in them.
func (v *verifier) sums(manifest wire.Hash) {
	raw, ok := v.read(SumsFile)
	if !ok {
		return
	}
	list := []File{{File: ManifestFile, SHA256: manifest}}
	list = append(list, v.manifest.Files...)
	for _, q := range v.manifest.Requests {
		list = append(list, File{File: q.File, SHA256: q.SHA256})
	}
	if !bytes.Equal(sumsOf(list), raw) {
		v.problem(SumsFile, "", "it does not agree with %s", ManifestFile)
	}
}

// verdicts judges each pair anew, and compares with what is claimed. Pairs whose hashes can't be recomputed are left
// out.
func (v *verifier) verdicts(ctx context.Context) error {
	raw, ok := v.read(VerdictsFile)
	if !ok {
		return nil
	}
	var list []Verdict
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != len(v.manifest.Requests) {
		v.problem(VerdictsFile, "", "it can't be read, or is not of these requests")
		return nil
	}
	for i := range v.manifest.Requests {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("it was stopped while verdicts were compared: %w", err)
		}
		q := &v.manifest.Requests[i]
		if list[i].N != q.N || list[i].Follows != q.Follows || string(list[i].Verdict.Verdict) != q.Verdict {
			v.problem(VerdictsFile, fmt.Sprintf("request %d", q.N), "it does not agree with %s", ManifestFile)
		}
		prev, next := v.scanned(q.Follows), v.scanned(q.N)
		if prev == nil || next == nil {
			continue
		}
		if got := verdict.Compare(prev, next); string(got.Verdict) != q.Verdict {
			v.problem(VerdictsFile, fmt.Sprintf("request %d", q.N), "the bytes say %s, it says %s", got.Verdict, q.Verdict)
		}
	}
	return nil
}

// scanned reads a body once more: a long session's bodies don't fit into memory all at once.
func (v *verifier) scanned(n int) *verdict.Request {
	q := v.known[n]
	if q == nil {
		return nil
	}
	for _, r := range v.last {
		if r != nil && r.Number == n {
			return r
		}
	}
	raw, err := v.from.read(q.File) // what is wrong with it was said when it was hashed
	if err != nil && !errors.Is(err, errChecksum) {
		return nil
	}
	body, err := wire.Scan(raw)
	if err != nil {
		return nil
	}
	r := &verdict.Request{Body: body, Meta: q.Meta, Number: n}
	v.last[0], v.last[1] = v.last[1], r
	return r
}

// unlisted finds files that the manifest does not know.
func (v *verifier) unlisted() error {
	names, err := v.from.names()
	slices.Sort(names)
	for _, p := range names {
		if !v.listed[p] {
			v.problem(p, "", "the manifest does not list it")
		}
	}
	return err
}
