package verdict

import (
	"bytes"
	"fmt"
	"strings"

	"zimoscope/backend/requestview/wire"
)

// nowhere is the place of no difference.
var nowhere = Place{PartOffset: -1, BodyOffset: -1}

// at makes the place of a byte of a part of b.
func at(b *wire.Body, k wire.Kind, i, offset int) Place {
	from, to := b.Range(k, i)
	return Place{
		Part:       &PartRef{k, i},
		Path:       rootPath(b, k, i) + pathAt(b.Raw[from:to], offset),
		PartOffset: offset,
		BodyOffset: from + offset,
	}
}

// gone makes the place of a part that the later request no longer has: where it would stand.
func gone(next *wire.Body, k wire.Kind, i int) Place {
	p := Place{Part: &PartRef{k, i}, Path: rootPath(next, k, i)}
	r := next.Region(k)
	switch {
	case i < r.Len():
		p.BodyOffset, _ = next.Range(k, i)
	case r.Len() > 0:
		_, p.BodyOffset = next.Range(k, r.Len()-1)
	case r.At > 0:
		p.BodyOffset = r.At
	default:
		p.BodyOffset = len(next.Raw)
	}
	return p
}

// rootPath is the JSON path of a part; the member name is read from the body, as shapes differ in it.
func rootPath(b *wire.Body, k wire.Kind, i int) string {
	switch k {
	case wire.KindModel:
		return "$.model"
	case wire.KindTool:
		return fmt.Sprintf("$.tools[%d]", i)
	case wire.KindSystem:
		return "$." + memberBefore(b.Raw, b.System.At, "system", "instructions")
	}
	if r := &b.Messages; r.At > 0 && r.At <= len(b.Raw) && b.Raw[r.At-1] != '[' {
		return "$.input" // one string in the place of a list
	}
	return fmt.Sprintf("$.%s[%d]", memberBefore(b.Raw, b.Messages.At-1, "messages", "input"), i)
}

// memberBefore says which of the names stands before the value at i; the first one when neither does.
func memberBefore(raw []byte, i int, names ...string) string {
	if i <= 0 || i > len(raw) {
		return names[0]
	}
	head := bytes.TrimRight(raw[:i], " \t\r\n")
	head = bytes.TrimRight(bytes.TrimSuffix(head, []byte(":")), " \t\r\n")
	for _, n := range names {
		if bytes.HasSuffix(head, []byte(`"`+n+`"`)) {
			return n
		}
	}
	return names[0]
}

// pathAt names the innermost member or element of a JSON value that the byte at offset lies in.
func pathAt(raw []byte, offset int) string {
	var path strings.Builder
	for {
		step, start, end := stepAt(raw, offset)
		if step == "" {
			return path.String()
		}
		path.WriteString(step)
		raw, offset = raw[start:end], offset-start
	}
}

// stepAt goes one level down. A byte of a member's name counts as that member's.
func stepAt(raw []byte, offset int) (step string, start, end int) {
	if len(raw) == 0 || offset >= len(raw) {
		return "", 0, 0
	}
	switch raw[0] {
	case '{':
		_ = wire.Members(raw, func(m wire.Member) error {
			if step == "" && offset >= m.KeyStart && offset < m.End {
				step, start, end = "."+m.Name, m.Start, m.End
				if strings.ContainsAny(m.Name, `. []"'`) || m.Name == "" {
					step = string(wire.AppendQuoted([]byte("["), m.Name)) + "]"
				}
				if offset < m.Start {
					end = start // the name itself: nothing below it
				}
			}
			return nil
		})
	case '[':
		i := 0
		_ = wire.Elements(raw, func(s, e int) error {
			if step == "" && offset >= s && offset < e {
				step, start, end = fmt.Sprintf("[%d]", i), s, e
			}
			i++
			return nil
		})
	}
	return step, start, end
}

// contextBytes is how much raw text is shown on each side of a place.
const contextBytes = 60

// contextOf decodes the text around an offset of both values; -1 leaves a side empty.
func contextOf(prev []byte, prevAt int, next []byte, nextAt int) *Context {
	return &Context{Before: around(prev, prevAt), After: around(next, nextAt)}
}

func around(raw []byte, i int) string {
	if i < 0 || len(raw) == 0 {
		return ""
	}
	from, to := max(0, min(i, len(raw))-contextBytes), min(len(raw), i+contextBytes)
	from = escapeStart(raw, from)
	return decodeLoose(raw[from:to])
}

// escapeStart moves back to the backslash when i lies inside an escape sequence.
func escapeStart(raw []byte, i int) int {
	const longest = 6 // \u and four digits
	for j := i; j >= 0 && j > i-longest && j < len(raw); j-- {
		if raw[j] != '\\' {
			continue
		}
		n := 0
		for j-n >= 0 && raw[j-n] == '\\' {
			n++
		}
		if n%2 == 1 {
			if size, _ := escapeLen(raw, j); j+size > i {
				return j
			}
		}
		return i
	}
	return i
}

// decodeLoose decodes the escapes of a cut-out piece of JSON for a person to read.
func decodeLoose(raw []byte) string {
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			i++
			continue
		}
		size, _ := escapeLen(raw, i)
		size = min(size, len(raw)-i)
		piece := append(append([]byte{'"'}, raw[i:i+size]...), '"')
		if s, ok := wire.String(piece); ok {
			b.WriteString(s)
		}
		i += max(size, 1)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
