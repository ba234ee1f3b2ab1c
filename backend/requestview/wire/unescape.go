package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the inside of a JSON string whose first backslash stands at i. Lone surrogates and bytes that are not
// UTF-8 become U+FFFD, as encoding/json has it. A piece of a string that ends inside an escape comes back as it is.
func unescape(whole []byte, i int) string {
	s, out := whole, make([]byte, 0, len(whole))
	for {
		out = append(out, s[:i]...)
		s = s[i:]
		if len(s) == 0 {
			return valid(out)
		}
		if len(s) < 2 || s[1] == 'u' && len(s) < 6 {
			return valid(whole)
		}
		if s[1] == 'u' {
			r, n := unescapeRune(s)
			out, s = utf8.AppendRune(out, r), s[n:]
		} else {
			out, s = append(out, plainEscape(s[1])), s[2:]
		}
		if i = bytes.IndexByte(s, '\\'); i < 0 {
			i = len(s)
		}
	}
}

// valid makes each byte that is not UTF-8 one U+FFFD.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // a quote, a backslash or a slash
}

// unescapeRune reads \uXXXX, or a pair of them that is one character, and how many bytes that took.
func unescapeRune(s []byte) (r rune, n int) {
	r = hex4(s[2:6])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if both := utf16.DecodeRune(r, hex4(s[8:12])); both != utf8.RuneError {
			return both, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) (r rune) {
	for _, c := range b {
		r <<= 4
		switch {
		case c <= '9':
			r |= rune(c - '0')
		default:
			r |= rune(c|0x20-'a') + 10
		}
	}
	return r
}
