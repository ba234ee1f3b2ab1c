package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// maxDepth bounds nesting, so that a hostile body can't exhaust the stack. No provider accepts a tenth of it.
const maxDepth = 2000

// SyntaxError says where a body stops being JSON. Offset counts bytes from 0 in the raw body.
type SyntaxError struct {
	Offset int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// ErrTooDeep is the reason of a SyntaxError for nesting beyond any real request.
var ErrTooDeep = errors.New("nested more than 2000 levels deep")

// Skip returns the offset just behind the JSON value that starts at or after i, and the offset of its first byte.
func Skip(b []byte, i int) (start, end int, err error) {
	start = skipSpace(b, i)
	end, err = skipValue(b, start, 0)
	return start, end, err
}

// IsValue says that b is exactly one JSON value with nothing around it.
func IsValue(b []byte) bool {
	start, end, err := Skip(b, 0)
	return err == nil && start == 0 && end == len(b)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

func fail(i int, format string, args ...any) error {
	return &SyntaxError{Offset: i, Reason: fmt.Sprintf(format, args...)}
}

func unexpected(b []byte, i int, want string) error {
	if i >= len(b) {
		return fail(i, "the body ends where %s should stand", want)
	}
	return fail(i, "%q where %s should stand", rune(b[i]), want)
}

func skipValue(b []byte, i, depth int) (int, error) {
	if depth > maxDepth {
		return i, fail(i, "%v", ErrTooDeep)
	}
	if i >= len(b) {
		return i, unexpected(b, i, "a value")
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i)
	case c == '{':
		return skipObject(b, i, depth, nil)
	case c == '[':
		return skipArray(b, i, depth, nil)
	case c == '-' || c >= '0' && c <= '9':
		return skipNumber(b, i)
	case c == 't':
		return skipWord(b, i, "true")
	case c == 'f':
		return skipWord(b, i, "false")
	case c == 'n':
		return skipWord(b, i, "null")
	}
	return i, unexpected(b, i, "a value")
}

func skipWord(b []byte, i int, w string) (int, error) {
	if i+len(w) > len(b) || string(b[i:i+len(w)]) != w {
		return i, fail(i, "not a JSON value (expected %s)", w)
	}
	return i + len(w), nil
}

const (
	low7  = 0x0101010101010101
	high8 = 0x8080808080808080
)

// special marks, by the high bit of its byte, the first `"`, `\` or control character of eight bytes.
func special(v uint64) uint64 {
	q := v ^ (low7 * '"')
	s := v ^ (low7 * '\\')
	ctl := (v - low7*0x20) & ^v
	return (((q - low7) & ^q) | ((s - low7) & ^s) | ctl) & high8
}

func skipString(b []byte, i int) (int, error) {
	open := i
	i++
	for {
		for i+8 <= len(b) {
			m := special(binary.LittleEndian.Uint64(b[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
			i += 8
		}
		if i >= len(b) {
			return open, fail(open, "a string that never ends")
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\':
			n, err := skipEscape(b, i)
			if err != nil {
				return i, err
			}
			i = n
		case c < 0x20:
			return i, fail(i, "a raw control character (0x%02x) inside a string", c)
		default:
			i++
		}
	}
}

func skipEscape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return i, fail(i, "an escape that never ends")
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
		if i+6 > len(b) {
			return i, fail(i, "an escape that never ends")
		}
		for _, c := range b[i+2 : i+6] {
			if !isHex(c) {
				return i, fail(i, "\\u needs four hexadecimal digits")
			}
		}
		return i + 6, nil
	}
	return i, fail(i, "unknown escape \\%c", b[i+1])
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func skipNumber(b []byte, i int) (int, error) {
	start := i
	if b[i] == '-' {
		i++
	}
	d := skipDigits(b, i)
	if d == i || b[i] == '0' && d > i+1 {
		return start, fail(start, "not a JSON number")
	}
	i = d
	if i < len(b) && b[i] == '.' {
		if d = skipDigits(b, i+1); d == i+1 {
			return start, fail(start, "not a JSON number")
		}
		i = d
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if d = skipDigits(b, i); d == i {
			return start, fail(start, "not a JSON number")
		}
		i = d
	}
	return i, nil
}

// Member is one name and value of an object; the offsets count in the scanned bytes.
type Member struct {
	Name             string // decoded
	KeyStart, KeyEnd int
	Start, End       int
}

// skipObject walks an object. visit, when not nil, sees each member once its end is known. inner, when not nil, may
// take over the scan of a value, so that what lies inside is read in the same pass.
func skipObject(b []byte, i, depth int, visit func(Member) error) (int, error) {
	return walkObject(b, i, depth, visit, nil)
}

func walkObject(b []byte, i, depth int, visit func(Member) error, inner func(Member) (end int, took bool, err error)) (int, error) {
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		m, err := skipKey(b, i, visit != nil || inner != nil)
		if err != nil {
			return m.KeyEnd, err
		}
		took := false
		if inner != nil {
			m.End, took, err = inner(m)
		}
		if !took {
			m.End, err = skipValue(b, m.Start, depth+1)
		}
		if err != nil {
			return m.End, err
		}
		if visit != nil {
			if err := visit(m); err != nil {
				return m.End, err
			}
		}
		i = skipSpace(b, m.End)
		if i < len(b) && b[i] == '}' {
			return i + 1, nil
		}
		if i >= len(b) || b[i] != ',' {
			return i, unexpected(b, i, "a comma or }")
		}
		i = skipSpace(b, i+1)
	}
}

// skipKey reads a member's name and finds where its value starts.
func skipKey(b []byte, i int, decode bool) (m Member, err error) {
	m.KeyStart, m.KeyEnd = i, i
	if i >= len(b) || b[i] != '"' {
		return m, unexpected(b, i, "a member name")
	}
	if m.KeyEnd, err = skipString(b, i); err != nil {
		return m, err
	}
	if i = skipSpace(b, m.KeyEnd); i >= len(b) || b[i] != ':' {
		return m, unexpected(b, i, "a colon")
	}
	m.Start = skipSpace(b, i+1)
	if decode {
		m.Name = name(b[m.KeyStart:m.KeyEnd])
	}
	return m, nil
}

func skipArray(b []byte, i, depth int, visit func(start, end int) error) (int, error) {
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		end, err := skipValue(b, i, depth+1)
		if err != nil {
			return end, err
		}
		if visit != nil {
			if err := visit(i, end); err != nil {
				return end, err
			}
		}
		i = skipSpace(b, end)
		if i < len(b) && b[i] == ']' {
			return i + 1, nil
		}
		if i >= len(b) || b[i] != ',' {
			return i, unexpected(b, i, "a comma or ]")
		}
		i = skipSpace(b, i+1)
	}
}

// Members calls visit for each member of the object that b holds, in order, duplicates included.
func Members(b []byte, visit func(Member) error) error {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return unexpected(b, i, "an object")
	}
	_, err := skipObject(b, i, 0, visit)
	return err
}

// Elements calls visit with the offsets of each element of the array that b holds, in order.
func Elements(b []byte, visit func(start, end int) error) error {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return unexpected(b, i, "an array")
	}
	_, err := skipArray(b, i, 0, visit)
	return err
}

// Get returns the raw value of the first member with that decoded name, or nil.
func Get(object []byte, key string) []byte {
	var found []byte
	_ = Members(object, func(m Member) error {
		if found == nil && m.Name == key {
			found = object[m.Start:m.End]
		}
		return nil
	})
	return found
}

// String decodes a raw JSON string; ok is false for any other value.
func String(raw []byte) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	return name(raw), true
}

// name decodes a JSON string that was already checked by skipString.
func name(raw []byte) string {
	plain := raw[1 : len(raw)-1]
	if i := bytes.IndexByte(plain, '\\'); i >= 0 {
		return unescape(plain, i)
	}
	return valid(plain)
}
