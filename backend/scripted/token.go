package scripted

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxPiece is the most bytes of text in one token. Six bytes and their
	// number fit in 51 bits, so a token's id is its text: two tokens are equal
	// exactly when their texts are, and an id survives JSON numbers.
	maxPiece  = 6
	maxDigits = 3 // bytes of a number in one token
	idShift   = 48
	// markLength stands in an id where a text's length would, for marks.
	markLength = maxPiece + 1
)

// tokenize cuts text into tokens, from left to right: marks of the prompt,
// pieces of words with the space before them, up to three digits, runs of
// white space, single signs, single CJK characters.
func tokenize(text string) []uint64 {
	all := marks()
	out := make([]uint64, 0, len(text)/3+1)
	for len(text) > 0 {
		if text[0] == '<' {
			if i := markAt(all, text); i >= 0 {
				out = append(out, markLength<<idShift|uint64(i))
				text = text[len(all[i]):]
				continue
			}
		}
		n := pieceLength(text)
		out = append(out, pieceID(text[:n]))
		text = text[n:]
	}
	return out
}

func markAt(all []string, text string) int {
	if !strings.HasPrefix(text, "<|") {
		return -1
	}
	for i, m := range all {
		if strings.HasPrefix(text, m) {
			return i
		}
	}
	return -1
}

func pieceID(piece string) uint64 {
	id := uint64(len(piece)) << idShift
	for i := range len(piece) {
		id |= uint64(piece[i]) << (8 * i)
	}
	return id
}

func pieceLength(text string) int {
	c := text[0]
	switch {
	case isLetter(c):
		return runLength(text, 0, maxPiece, isLetter)
	case c == ' ' && len(text) > 1 && isLetter(text[1]):
		return runLength(text, 1, maxPiece, isLetter)
	case isDigit(c):
		return runLength(text, 0, maxDigits, isDigit)
	case isSpace(c):
		return runLength(text, 0, maxPiece, isSpace)
	case c < utf8.RuneSelf:
		return 1
	}
	return foreignLength(text)
}

// foreignLength takes one character of three or four bytes, or up to three
// characters of two bytes, such as Greek or Cyrillic letters.
func foreignLength(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	if n != 2 {
		return n
	}
	for n < maxPiece {
		if _, next := utf8.DecodeRuneInString(text[n:]); next != 2 {
			break
		}
		n += 2
	}
	return n
}

// runLength counts from start on the bytes that fit, up to limit in all.
func runLength(text string, start, limit int, fits func(byte) bool) int {
	n := start
	for n < len(text) && n < limit && fits(text[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isSpace(c byte) bool  { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
