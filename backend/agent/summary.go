package agent

import (
	"regexp"
	"strings"

	"zimoscope/backend/zimoos"
)

// maxSummaryRunes bounds a Summary; a summary step's stream is stopped there.
const maxSummaryRunes = 400

var (
	thinkBlock   = regexp.MustCompile(`(?is)<think(?:ing)?>.*?(?:</think(?:ing)?>|$)`)
	summaryLine  = regexp.MustCompile(`(?im)^[\s>*_#-]*(?:summary|摘要)\s*(?:\([^)\n]*\)|（[^）\n]*）)?\s*[*_]*\s*[:：]\s*[*_]*\s*(\S.*)$`)
	sentenceStop = regexp.MustCompile(`[.!?](?:\s|$)|[。！？]`)
)

// visible is the text of a response that a person would read: trimmed, reasoning removed.
func visible(text string) string {
	return strings.TrimSpace(thinkBlock.ReplaceAllString(text, ""))
}

// narration takes a Summary out of a response's visible text: the line that system[0] asks for, else the first
// sentence or two. needsLine accepts the line alone. "" means that the text holds none.
func narration(text string, needsLine bool) string {
	text = visible(text)
	if m := summaryLine.FindStringSubmatch(text); m != nil {
		return shorten(strings.Trim(strings.TrimSpace(m[1]), "*_ "))
	}
	if needsLine {
		return ""
	}
	return shorten(firstSentences(text))
}

// firstSentences gives one sentence, or two when the first is short, on one line.
func firstSentences(text string) string {
	const short = 60 // bytes: a first sentence like "Done." tells nothing by itself
	text = strings.Join(strings.Fields(text), " ")
	stops := sentenceStop.FindAllStringIndex(text, 2)
	if len(stops) == 0 {
		return text
	}
	end := stops[0][1]
	if end < short && len(stops) == 2 {
		end = stops[1][1]
	}
	return strings.TrimSpace(text[:end])
}

func shorten(s string) string {
	if n := len([]rune(s)); n <= maxSummaryRunes {
		return s
	}
	cut := string([]rune(s)[:maxSummaryRunes])
	return zimoos.Cut(cut+"…", len(cut))
}

// oneLineDone says that a summary step has what it needs: one whole line, or enough characters.
func oneLineDone(text string) bool {
	text = strings.TrimLeft(text, " \r\n\t")
	return strings.ContainsAny(text, "\n") || len(text) >= maxSummaryRunes && len([]rune(text)) >= maxSummaryRunes
}

// stepSummary reads the line that a summary step gave.
func stepSummary(text string) string {
	text = visible(text)
	if i := strings.IndexByte(text, '\n'); i >= 0 && !summaryLine.MatchString(text) {
		text = text[:i]
	}
	if m := summaryLine.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return shorten(strings.TrimSpace(text))
}
