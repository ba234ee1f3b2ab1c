package cli

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestTextOfOthersIsInertOnATerminal(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain 中文 é\n\t", "plain 中文 é\n\t"},
		{"\x1b[2Jgone\x07", `\u001b[2Jgone\u0007`},
		{"a\rb", `a\u000db`},
		{"\u009b31m", `\u009b31m`},
		{"safe\u202egnp.exe", `safe\u202egnp.exe`},
		{"\xff\xfe", "\uFFFD\uFFFD"},
	} {
		var out bytes.Buffer
		w := &terminal{w: &out}
		for i := range len(c.in) { // byte by byte: characters come in pieces
			if n, err := w.Write([]byte{c.in[i]}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != c.want {
			t.Errorf("%q became %q, not %q", c.in, out.String(), c.want)
		}
	}
}

func TestPrintedJSONKeepsItsCharacters(t *testing.T) {
	in := map[string]string{"a": "x\u202ey\u009bz"}
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := (&terminal{w: &out}).Write(raw); err != nil {
		t.Fatal(err)
	}
	var back map[string]string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["a"] != in["a"] {
		t.Fatalf("%s (%v)", out.Bytes(), err)
	}
}
