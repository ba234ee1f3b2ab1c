package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// FuzzTheScannerAcceptsWhatJSONIs: it accepts exactly what encoding/json accepts, but for nesting beyond its bound.
func FuzzTheScannerAcceptsWhatJSONIs(f *testing.F) {
	for _, s := range []string{`1`, ` {"a" : [1,2.5e-3,"\u00e9\ud83d\ude00\\\""], "b":null}`, `-0`, `01`, `"\x"`, "\"a\nb\"", `{"a":1,}`, `[1 2]`, `tru`, "\"\xff\"", `{"a":{"a":[[[]]]}}`, `1e`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		start, end, err := Skip(raw, 0)
		accepted := err == nil && len(bytes.Trim(raw[end:], " \t\r\n")) == 0
		var syn *SyntaxError
		if err != nil && (!errors.As(err, &syn) || syn.Offset < 0 || syn.Offset > len(raw)) {
			t.Fatalf("refused without a place: %v", err)
		}
		tooDeep := err != nil && strings.Contains(err.Error(), ErrTooDeep.Error())
		if accepted != json.Valid(raw) && !tooDeep {
			t.Fatalf("scanner: %v (%v), encoding/json: %v: %q", accepted, err, json.Valid(raw), raw)
		}
		if !accepted {
			return
		}
		value := raw[start:end]
		if !IsValue(value) {
			t.Fatalf("%q is a value and is not", value)
		}
		sameValues(t, value)
	})
}

// sameValues compares what the scanner reads of a value with what encoding/json reads.
func sameValues(t *testing.T, value []byte) {
	t.Helper()
	switch value[0] {
	case '"':
		var want string
		if err := json.Unmarshal(value, &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := String(value); !ok || got != want {
			t.Fatalf("%q is %q, encoding/json says %q", value, got, want)
		}
	case '[':
		var want []json.RawMessage
		if err := json.Unmarshal(value, &want); err != nil {
			return // deeper than encoding/json goes
		}
		n := 0
		if err := Elements(value, func(start, end int) error {
			if n >= len(want) || !bytes.Equal(value[start:end], want[n]) {
				t.Fatalf("element %d is %q", n, value[start:end])
			}
			n++
			return nil
		}); err != nil || n != len(want) {
			t.Fatalf("%d elements (%v), encoding/json says %d", n, err, len(want))
		}
	case '{':
		var want map[string]json.RawMessage
		if err := json.Unmarshal(value, &want); err != nil {
			return
		}
		last := map[string][]byte{}
		if err := Members(value, func(m Member) error {
			last[m.Name] = value[m.Start:m.End]
			return nil
		}); err != nil || len(last) != len(want) {
			t.Fatalf("%d members (%v), encoding/json says %d: %q", len(last), err, len(want), value)
		}
		for k, v := range want {
			if !bytes.Equal(last[k], v) {
				t.Fatalf("%q is %q, encoding/json says %q", k, last[k], v)
			}
		}
	}
}

// FuzzPartsRejoinToTheBody: the parts and what stands beside them are the body, and their chain is that of the
// specification.
func FuzzPartsRejoinToTheBody(f *testing.F) {
	for _, s := range []string{
		`{"model":"m","stream":true,"tools":[{"a":1},{"b":2}],"messages":[{"role":"system","content":"s"},{"role":"user","content":"<u>"}]}`,
		` {"messages" : [ ] , "tools":null}`, `{"mess\u0061ges":[1 , 2],"model":null}`, `{"system":"s","messages":[],"model":"c"}`,
		`{"model":"m","instructions":"i","input":[{"role":"user"}]}`, `{"input":"text","model":"m"}`, `{"messages":[],"tools":[],"tools":[]}`, `{"model":"m","system":[{"type":"text"}],"messages":[{}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Scan(raw)
		if err != nil {
			if json.Valid(raw) && err.Error() == "" {
				t.Fatal("refused without a reason")
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("a body that is no JSON passes: %q", raw)
		}
		if !bytes.Equal(b.Raw, raw) {
			t.Fatal("the bytes were changed")
		}
		link := sha256.Sum256(append([]byte("zimoscope-chain/1\x00"), leaf("model", orNull(b.Bytes(KindModel, 0)))...))
		at := map[Kind]int{}
		for _, k := range []Kind{KindTool, KindSystem, KindMessage} {
			for i := range b.Region(k).Len() {
				from, to := b.Range(k, i)
				if from < at[k] || to > len(raw) || from >= to || !IsValue(raw[from:to]) {
					t.Fatalf("%s %d is [%d:%d) of %d bytes", k, i, from, to, len(raw))
				}
				at[k] = to
				own := leaf(string(k), raw[from:to])
				if got := b.Region(k).Part(i).Leaf; !bytes.Equal(got[:], own) {
					t.Fatalf("the leaf of %s %d is not that of its bytes", k, i)
				}
				link = sha256.Sum256(append(link[:], own...))
				if got := b.Region(k).Part(i).Link; got != link {
					t.Fatalf("the link of %s %d is not that of the specification", k, i)
				}
			}
		}
		if b.Last() != link {
			t.Fatal("the last link is another one")
		}
		again, err := Scan(bytes.Clone(raw))
		if err != nil || again.Last() != b.Last() || again.Rest != b.Rest {
			t.Fatal("a second scan says something else")
		}
	})
}

func orNull(b []byte) []byte {
	if len(b) == 0 {
		return []byte("null")
	}
	return b
}

// leaf is the specification's, by the standard library alone.
func leaf(kind string, value []byte) []byte {
	sum := sha256.Sum256(append([]byte(kind+"\x00"), value...))
	return sum[:]
}

// FuzzAnyBrokenPieceIsSeen: a stream that differs from an assembled body is never taken for it, however it is cut.
func FuzzAnyBrokenPieceIsSeen(f *testing.F) {
	f.Add([]byte(`{"role":"user","content":"a"}`), []byte(`"b"`), 3, 7)
	f.Add([]byte(`1`), []byte(` `), 1, 1)
	f.Fuzz(func(t *testing.T, frozen, loose []byte, piece, at int) {
		if !IsValue(frozen) || !IsValue(loose) {
			t.Skip("no messages")
		}
		h, err := NewHead("m", []Param{{"stream", []byte("true")}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		log := NewLog(h.Link())
		log.Append(frozen)
		b := Assemble(h, log, 1, [][]byte{loose})
		piece = 1 + (piece&0xffff)%len(b.Raw)
		feed := func(stream []byte) (bool, int) {
			m := b.Matcher()
			for len(stream) > 0 {
				k := min(piece, len(stream))
				m.Write(stream[:k])
				stream = stream[k:]
			}
			return m.Result()
		}
		if same, where := feed(b.Raw); !same {
			t.Fatalf("equal bytes differ at %d", where)
		}
		changed := bytes.Clone(b.Raw)
		i := (at & 0xffffff) % len(changed)
		changed[i] ^= 0x10
		if same, where := feed(changed); same || where != i {
			t.Fatalf("changed at %d, found at %d (%v)", i, where, same)
		}
		if same, _ := feed(b.Raw[:i]); same {
			t.Fatal("a cut stream passes")
		}
		if same, _ := feed(append(bytes.Clone(b.Raw), ' ')); same {
			t.Fatal("a longer stream passes")
		}
	})
}
