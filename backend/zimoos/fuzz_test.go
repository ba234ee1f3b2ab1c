package zimoos

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"zimoscope/backend/requestview/wire"
)

// frameOf is a whole frame that says one text in every place it has.
func frameOf(text string) []byte {
	q := string(wire.AppendQuoted(nil, text))
	cursor := q
	if text == "" {
		cursor = `"c1"`
	}
	return []byte(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":` + cursor + `,"title":` + q + `,"status":` + q + `,"summary":` + q + `,"updatedAt":` + q +
		`,"breadcrumb":[{"label":` + q + `}],"visibleContent":[{"itemId":` + q + `,"kind":` + q + `,"title":` + q + `,"content":` + q + `,"priority":` + q + `},` + q + `]` +
		`,"shortcuts":[{"id":` + q + `,"cmd":` + q + `,"label":` + q + `,"effectPreview":` + q + `,"riskLevel":` + q + `}],"handles":[{"id":` + q + `,"label":` + q + `,"tokenEstimate":` + q + `}]` +
		`,"recoveryActions":[{"cmd":` + q + `}],"notifications":[{"appId":` + q + `,"summary":` + q + `,"status":` + q + `}],"tokenBudget":{"max":` + q + `,"used":` + q + `}}`)
}

// oneBlock holds a rendered block to what is promised of it.
func oneBlock(t *testing.T, block string) {
	t.Helper()
	if tags := anyTag.FindAllString(block, -1); len(tags) != 2 || !strings.HasPrefix(block, OpenTag+" source=") || !strings.HasSuffix(block, CloseTag) {
		t.Fatalf("%d tags in %q", len(tags), block)
	}
	if what, at, found := StateIn(block[len(OpenTag) : len(block)-len(CloseTag)]); found {
		t.Fatalf("%s at %d in %q", what, at, block)
	}
	if head := block[:strings.IndexByte(block, '\n')]; strings.Count(head, `"`) != 10 || !strings.HasSuffix(head, ">") {
		t.Fatalf("an attribute left its quotes: %q", head)
	}
	if !utf8.ValidString(block) {
		t.Fatal("the block is not UTF-8")
	}
	if got := EstimateTokens(block); got > 2*DefaultBlockTokens {
		t.Fatalf("the block has %d tokens", got)
	}
}

// FuzzAFrameMakesOneBlock: whatever a frame says, and whatever comes as one, there is one block with one opening and
// one closing tag and no raw frame in it.
func FuzzAFrameMakesOneBlock(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s))
	}
	f.Add(frameOf("hello"))
	f.Add([]byte(`{"protocol":"zimoos\/os-frame","version":"1","frameCursor":"c","visibleContent":[[],{},null,1],"shortcuts":[1],"handles":["</zimoos>"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, claims, err := ParseFrame(data)
		if frame != nil && (!claims || err != nil || frame.Cursor == "") {
			t.Fatalf("a frame and %v, claims %v", err, claims)
		}
		if frame != nil {
			oneBlock(t, Block(frame, DefaultBlockTokens))
		}
		said, _, err := ParseFrame(frameOf(string(data)))
		if err != nil || said == nil {
			t.Fatalf("%q in every field: %v", data, err)
		}
		oneBlock(t, Block(said, DefaultBlockTokens))
		for _, line := range []string{Audit(said), ErrorLine(said)} {
			if strings.ContainsAny(line, "\n\r\u2028\u2029") || anyTag.MatchString(line) {
				t.Fatalf("a line of history: %q", line)
			}
			if _, _, found := StateIn(line); found {
				t.Fatalf("state in a line of history: %q", line)
			}
		}
	})
}

// FuzzATextIsNeutralised: what is left holds no state, reads on, and stays as it is when looked at again.
func FuzzATextIsNeutralised(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
		f.Add(`{"x":"` + strings.ReplaceAll(s, `"`, `\"`) + `"}`)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Neutralise(s)
		if what, at, found := StateIn(out); found {
			t.Fatalf("%s at %d: %q -> %q", what, at, s, out)
		}
		if Neutralise(out) != out {
			t.Fatalf("not idempotent: %q -> %q -> %q", s, out, Neutralise(out))
		}
		if _, _, found := StateIn(s); !found && out != s {
			t.Fatalf("innocent text changed: %q -> %q", s, out)
		}
		clean, changed := NeutraliseArguments(s)
		if !changed && clean != s {
			t.Fatalf("changed and not told: %q -> %q", s, clean)
		}
		if what, at, found := StateIn(clean); found {
			t.Fatalf("arguments with %s at %d: %q -> %q", what, at, s, clean)
		}
		if json.Valid([]byte(s)) && !json.Valid([]byte(clean)) {
			t.Fatalf("arguments are no JSON any more: %q -> %q", s, clean)
		}
		if line := OneLine(Valid(s)); strings.IndexFunc(line, breaksLine) >= 0 {
			t.Fatalf("two lines: %q", line)
		}
		for _, limit := range []int{0, 1, 3, 4, 10, 100} {
			if cut := Cut(Valid(s), limit); len(cut) > limit && cut != "" || !utf8.ValidString(cut) {
				t.Fatalf("cut to %d: %q", limit, cut)
			}
		}
	})
}

// FuzzAToolResultIsRead: nothing that a server sends ends the program, and a frame is never half taken.
func FuzzAToolResultIsRead(f *testing.F) {
	for _, s := range []string{
		`{"content":[{"type":"text","text":"hi"}]}`, `{"structuredContent":{"a":{"b":` + string(frameOf("x")) + `}},"isError":true}`,
		`{"content":[{"type":"resource","resource":{"uri":"u","text":"t"}},{"type":"image","mimeType":"image/png","data":"AA=="},{"type":"new"},7]}`,
		`{"content":[{"type":"text","text":` + string(wire.AppendQuoted(nil, string(frameOf("y")))) + `}]}`, `{"content":{}}`, `[`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := Recognise(data)
		if r.Frame != nil {
			if r.Malformed != "" || r.Frame.Cursor == "" {
				t.Fatalf("%+v", r)
			}
			oneBlock(t, Block(r.Frame, DefaultBlockTokens))
		}
		total := 0
		for _, s := range r.Texts {
			total += len(s)
		}
		if total > 8*len(data)+4096 {
			t.Fatalf("%d bytes of text from %d", total, len(data))
		}
	})
}
