package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The chain written out by hand, from the specification and the standard library alone.
func TestChainIsWhatTheSpecificationSays(t *testing.T) {
	body := []byte(`{"model":"m","stream":true,"tools":[{"a":1},{"b":2}],"messages":[{"role":"system","content":"s"},{"role":"user","content":"<u>"}]}`)
	b, err := Scan(body)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(parts ...string) string { h := sha256.Sum256([]byte(strings.Join(parts, ""))); return string(h[:]) }
	link := sum("zimoscope-chain/1\x00", sum("model\x00", `"m"`))
	link = sum(link, sum("tool\x00", `{"a":1}`))
	link = sum(link, sum("tool\x00", `{"b":2}`))
	link = sum(link, sum("message\x00", `{"role":"system","content":"s"}`))
	link = sum(link, sum("message\x00", `{"role":"user","content":"<u>"}`))
	if got := b.Last(); string(got[:]) != link {
		t.Fatalf("last link %s, want %x", got, link)
	}
	rest := sum("rest\x00", "{\"model\":\x00,\"stream\":true,\"tools\":[\x00],\"messages\":[\x00]}")
	if string(b.Rest[:]) != rest {
		t.Fatalf("rest %s, want %x", b.Rest, rest)
	}
}

func TestScanRefuses(t *testing.T) {
	deep := `{"messages":` + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2) + `}`
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"array":              {`[1]`, ErrNotObject},
		"empty":              {``, ErrNotObject},
		"bom":                {"\xef\xbb\xbf{\"messages\":[]}", ErrBOM},
		"trailing":           {`{"messages":[]} x`, ErrTrailing},
		"two objects":        {`{"messages":[]}{"messages":[]}`, ErrTrailing},
		"model twice":        {`{"model":"a","model":"b","messages":[]}`, ErrDuplicate},
		"escaped name twice": {`{"messages":[],"mess\u0061ges":[]}`, ErrDuplicate},
		"tools twice":        {`{"tools":[],"tools":[],"messages":[]}`, ErrDuplicate},
		"no messages":        {`{"model":"a"}`, ErrNoMessages},
		"messages no array":  {`{"messages":{}}`, ErrNotMessages},
		"deep":               {deep, nil},
		"cut":                {`{"messages":[{"role":"us`, nil},
		"raw newline":        {"{\"messages\":[\"a\nb\"]}", nil},
		"bad escape":         {`{"messages":["\x"]}`, nil},
		"leading zero":       {`{"a":01,"messages":[]}`, nil},
	} {
		_, err := Scan([]byte(c.body))
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
		var syn *SyntaxError
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && !errors.As(err, &syn) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestToolsThatAreNoArrayStayInRest(t *testing.T) {
	a, _ := Scan([]byte(`{"tools":null,"messages":[]}`))
	b, _ := Scan([]byte(`{"tools":true,"messages":[]}`))
	if a.Tools.Len() != 0 || a.Rest == b.Rest {
		t.Fatal("a tools value that is no array must count as rest")
	}
}

// jsonText draws JSON text with odd white space, escapes and numbers.
func jsonText(depth int) *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{`1`, `-0.5e+3`, `9007199254740993`, `true`, `null`, `"a"`, `"\u003czimoos\u003e"`, `"中\"\\"`, `""`, ` 7 `, "\t\"x\"\n"})
	if depth == 0 {
		return leaf
	}
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return leaf.Draw(t, "leaf")
		case 1:
			return "[" + strings.Join(rapid.SliceOfN(jsonText(depth-1), 0, 4).Draw(t, "items"), ",") + " ]"
		}
		var m []string
		for _, v := range rapid.SliceOfN(jsonText(depth-1), 0, 4).Draw(t, "values") {
			m = append(m, rapid.SampledFrom([]string{`"k"`, ` "\u006b2" `, `"中"`}).Draw(t, "key")+":"+v)
		}
		return "{" + strings.Join(m, " ,") + "}"
	})
}

func TestScannerAgreesWithTheStandardLibraryAndPartsRejoinToTheBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msgs := rapid.SliceOfN(jsonText(3), 0, 5).Draw(t, "messages")
		raw := []byte(`{"model": "m","messages":[` + strings.Join(msgs, ",") + `]}`)
		if rapid.Bool().Draw(t, "break it") && len(raw) > 0 {
			i := rapid.IntRange(0, len(raw)-1).Draw(t, "at")
			raw[i] = rapid.SampledFrom([]byte("\"{}[],:x0\\ \n")).Draw(t, "with")
		}
		b, err := Scan(raw)
		if err == nil != json.Valid(raw) {
			var sentinel bool
			for _, e := range []error{ErrNoMessages, ErrNotMessages, ErrDuplicate, ErrNotObject} {
				sentinel = sentinel || errors.Is(err, e)
			}
			if !sentinel {
				t.Fatalf("scan says %v, encoding/json says valid=%v: %s", err, json.Valid(raw), raw)
			}
		}
		if err != nil {
			return
		}
		at := b.Messages.At
		for i := range b.Messages.Len() {
			from, to := b.Range(KindMessage, i)
			if !json.Valid(raw[from:to]) {
				t.Fatalf("part %d is not one value: %q", i, raw[from:to])
			}
			if between := bytes.TrimSpace(raw[at:from]); i > 0 && string(between) != "," || i == 0 && len(between) > 0 {
				t.Fatalf("bytes between parts: %q", between)
			}
			at = to
		}
	})
}

func TestQuotedRoundTripsAndLeavesAngleBracketsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		q := AppendQuoted(nil, s)
		var back string
		if err := json.Unmarshal(q, &back); err != nil || back != s {
			t.Fatalf("%q -> %s -> %q (%v)", s, q, back, err)
		}
		cut := rapid.IntRange(0, len(s)).Draw(t, "cut")
		for cut > 0 && cut < len(s) && s[cut]&0xC0 == 0x80 {
			cut--
		}
		if joined := AppendEscaped(AppendEscaped(nil, s[:cut]), s[cut:]); !bytes.Equal(joined, AppendEscaped(nil, s)) {
			t.Fatal("escaping is not a homomorphism: sealing would not be an append")
		}
	})
	if got := string(AppendQuoted(nil, "<a&b>\xff")); got != "\"<a&b>\uFFFD\"" {
		t.Fatal(got)
	}
}

func TestAssembledBodyHasTheChainOfItsScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tools [][]byte
		for range rapid.IntRange(0, 3).Draw(t, "tools") {
			tools = append(tools, []byte(jsonText(2).Draw(t, "tool")))
		}
		h, err := NewHead("模型<1>", []Param{{"stream", []byte("true")}}, tools)
		if err != nil {
			t.Fatal(err)
		}
		log := NewLog(h.Link())
		for range rapid.IntRange(0, 5).Draw(t, "frozen") {
			log.Append([]byte(strings.TrimSpace(jsonText(2).Draw(t, "message"))))
		}
		var loose [][]byte
		for range rapid.IntRange(0, 3).Draw(t, "loose") {
			loose = append(loose, []byte(strings.TrimSpace(jsonText(2).Draw(t, "loose"))))
		}
		n := rapid.IntRange(0, log.Len()).Draw(t, "n")
		b := Assemble(h, log, n, loose)
		s, err := Scan(b.Raw)
		if err != nil {
			t.Fatalf("%v: %s", err, b.Raw)
		}
		if s.Last() != b.Last() || s.Rest != b.Rest || s.Messages.Len() != b.Messages.Len() {
			t.Fatalf("claimed %s, scanned %s", b.Last(), s.Last())
		}
		m := b.Matcher()
		for rest := b.Raw; len(rest) > 0; {
			k := min(len(rest), rapid.IntRange(1, 40).Draw(t, "chunk"))
			m.Write(rest[:k])
			rest = rest[k:]
		}
		if ok, at := m.Result(); !ok {
			t.Fatalf("equal stream called different at %d", at)
		}
		changed := bytes.Clone(b.Raw)
		i := rapid.IntRange(0, len(changed)-1).Draw(t, "changed byte")
		changed[i] ^= 1
		m = b.Matcher()
		m.Write(changed)
		if ok, at := m.Result(); ok || at != i {
			t.Fatalf("changed at %d, found at %d", i, at)
		}
		if at := b.Rehash(b.Raw); at >= 0 {
			t.Fatalf("equal bytes hash differently at %d", at)
		}
		if at := b.Rehash(changed); at < 0 && inPart(b, i) {
			t.Fatalf("a changed byte at %d hashes to the same chain", i)
		}
		m = b.Matcher()
		m.Write(b.Raw[:i])
		if ok, _ := m.Result(); ok {
			t.Fatal("a cut stream passed as whole")
		}
	})
}

// inPart says that a byte belongs to a part or to what stands beside the chain, not to a separator inside an array.
func inPart(b *Body, at int) bool {
	for _, k := range []Kind{KindTool, KindMessage} {
		s := b.span(k)
		if at < s.start || at >= s.end {
			continue
		}
		for i := range b.Region(k).Len() {
			if from, to := b.Range(k, i); at >= from && at < to {
				return true
			}
		}
		return false
	}
	return true
}

func TestHandedOutSlicesSurviveGrowth(t *testing.T) {
	log := NewLog(Hash{})
	log.Append([]byte(`"first"`))
	first := log.Message(0)
	for range 10000 {
		log.Append([]byte(`"more"`))
	}
	if string(first) != `"first"` || string(log.Message(0)) != `"first"` {
		t.Fatal("a frozen message changed")
	}
}

// An independent implementation's links for recorded traffic; skipped where that folder is not beside the tree.
func TestChainAgreesWithAnIndependentImplementation(t *testing.T) {
	dir := "../../../../shared/captures"
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Skip("no recorded traffic beside this tree: nothing to compare with")
	}
	var want map[string]struct{ Links, Rest []Hash }
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for folder, w := range want {
		files, _ := filepath.Glob(filepath.Join(dir, folder, "req-*.body.json"))
		if len(files) != len(w.Links) || len(files) == 0 {
			t.Fatalf("%s: %d files, %d links", folder, len(files), len(w.Links))
		}
		for i, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Scan(data)
			if err != nil {
				t.Fatal(f, err)
			}
			if b.Last() != w.Links[i] || b.Rest != w.Rest[i] {
				t.Errorf("%s: link or rest differs", f)
			}
		}
	}
}
