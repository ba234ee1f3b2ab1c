package gguf

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestTheSameSpecGivesTheSameBytesAndAnotherSeedOthers(t *testing.T) {
	file := func(seed uint64) []byte {
		var b bytes.Buffer
		if err := Write(&b, Spec{Seed: seed}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if a := file(1); !bytes.Equal(a, file(1)) || bytes.Equal(a, file(2)) {
		t.Error("the bytes do not follow from the seed")
	}
}

// reader goes through a file as the format says.
type reader struct {
	t  *testing.T
	b  []byte
	at int
}

func (r *reader) take(n int) []byte {
	r.t.Helper()
	if r.at+n > len(r.b) {
		r.t.Fatalf("the file ends at %d, before %d", len(r.b), r.at+n)
	}
	r.at += n
	return r.b[r.at-n : r.at]
}
func (r *reader) u32() uint32  { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) count() int   { return int(binary.LittleEndian.Uint64(r.take(8))) }
func (r *reader) text() string { return string(r.take(r.count())) }

func (r *reader) skip(kind uint32) {
	switch kind {
	case valueU32, valueI32, valueF32:
		r.take(4)
	case valueBool:
		r.take(1)
	case valueString:
		r.text()
	case valueArray:
		inner := r.u32()
		for range r.count() {
			r.skip(inner)
		}
	default:
		r.t.Fatalf("there is no kind %d", kind)
	}
}

func TestTheFileIsLaidOutAsTheFormatSays(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, Spec{}); err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, b: b.Bytes()}
	if string(r.take(4)) != "GGUF" || r.u32() != formatVersion {
		t.Fatal("no GGUF")
	}
	tensors, values := r.count(), r.count()
	for range values {
		r.text()
		r.skip(r.u32())
	}
	end := 0
	for range tensors {
		name, size := r.text(), 4
		for range r.u32() {
			size *= r.count()
		}
		if kind, at := r.u32(), r.count(); kind != tensorF32 || at != end || at%alignment != 0 {
			t.Errorf("%s of kind %d lies at %d, want %d", name, kind, at, end)
		}
		end += padded(size)
	}
	if want := padded(r.at) + end; len(r.b) != want {
		t.Errorf("the file has %d bytes, want %d", len(r.b), want)
	}
}

func TestEveryByteIsOneTokenOfItsOwn(t *testing.T) {
	seen := map[string]int{}
	v := newVocabulary()
	for id, token := range v.tokens {
		if other, twice := seen[token]; twice {
			t.Errorf("tokens %d and %d are both %q", other, id, token)
		}
		seen[token] = id
	}
	if len(v.tokens) != tokenCalled+1 || v.tokens['a'] != "a" || v.tokens[' '] != "Ġ" || v.tokens['\n'] != "Ċ" {
		t.Errorf("%d tokens; a is %q, the space %q, the line break %q", len(v.tokens), v.tokens['a'], v.tokens[' '], v.tokens['\n'])
	}
}
