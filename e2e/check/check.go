package check

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"zimoscope/backend/agent"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/zimoos"
)

const (
	// fewestFrames and fewestChanges make a run that says something about A7, A8 and A9.
	fewestFrames  = 2
	fewestChanges = 2
	// answerShown bounds the answer in the evidence, in bytes: it is asked for as one sentence.
	answerShown = 400
)

// Ids of the assertions beside the redlines A1 to A12.
const (
	Captured = "captured" // requests were captured, and every one was proved
	Verdicts = "verdicts" // every change from one request to the next was planned
	Tools    = "tools"    // the tools were called, under encoded names, and MCP saw the public ones
	Slot     = "slot"     // the slot changed
	Records  = "records"  // the conversation holds a sealed record of each tool
	Answer   = "answer"   // the answer holds title, cursor and count of the last block
)

// Prompt asks for the whole run, in Chinese, as the users of the real backend do.
func Prompt() string {
	return "请依次完成，每一步只调用一个工具，并在下一条消息里先写一行“摘要：”：" +
		"1. 调用 zimoos.current 查看当前界面。" +
		"2. 从 actions 里选一个安全的、不需要确认的命令，用当前的 frameCursor 调用 zimoos.act 执行。" +
		"3. 调用 zimoos.search 搜索当前界面标题里的一个词。" +
		"4. 最后用一句话回答，原样写出最新界面的标题、frameCursor 和 visibleContent 的条数（数字）。"
}

// MustCall lists the public names that a run calls.
func MustCall() []string { return []string{"zimoos.current", "zimoos.act", "zimoos.search"} }

// Failure is an assertion that does not hold.
type Failure struct {
	ID     string `json:"id"`
	Detail string `json:"detail"`
}

func (f Failure) String() string { return f.ID + ": " + f.Detail }

// Report is the outcome. A run passes when there are no failures; Notes are worth reading all the same.
type Report struct {
	Failures []Failure `json:"failures"`
	Notes    []string  `json:"notes"`
	Verdicts []string  `json:"verdicts"` // of each attempt
	// Evidence says by id what an assertion looked at, in one sentence. An assertion that was not reached has none.
	Evidence map[string]string `json:"evidence"`
}

func (r *Report) fail(id, format string, args ...any) {
	r.Failures = append(r.Failures, Failure{id, fmt.Sprintf(format, args...)})
}

func (r *Report) saw(id, format string, args ...any) { r.Evidence[id] = fmt.Sprintf(format, args...) }

// Check holds a run to every assertion and lists all that don't hold.
func Check(run Run) Report {
	r := Report{Evidence: map[string]string{}}
	if len(run.Requests) == 0 {
		r.fail(Captured, "no request was captured")
		return r
	}
	bodies := r.requests(run)
	r.transcript(run.JSONL)
	r.tools(run, bodies)
	r.slot(run)
	r.records(run.JSONL)
	if len(bodies) > 0 {
		last := bodies[len(bodies)-1]
		r.answer(run.Answer, last)
	}
	return r
}

// requests judges every captured request from its bytes and gives the main ones.
func (r *Report) requests(run Run) (main []*wire.Body) {
	checker := verdict.NewChecker()
	checker.Transcript = func(*verdict.Request) (bool, string) { return !holdsState(run.JSONL), "the exported conversation" }
	frames := map[string]bool{}
	details := map[string]string{}
	proved, judged := 0, 0
	for i, q := range run.Requests {
		name := fmt.Sprintf("request %d", q.N)
		body, err := wire.Scan(q.Body)
		if err != nil {
			r.fail(Captured, "%s is no request body: %v", name, err)
			continue
		}
		if q.Proof == agent.ProofHolds {
			proved++
		} else {
			r.fail(Captured, "%s is %q, not proved", name, q.Proof)
		}
		res := checker.Add(&verdict.Request{Body: body, Meta: &q.Meta, Name: name, Number: q.N})
		if res.Attempt {
			r.Verdicts = append(r.Verdicts, "attempt")
			continue
		}
		r.Verdicts = append(r.Verdicts, string(res.Verdict.Verdict))
		if res.Verdict.Violation() || res.Verdict.Planned == nil || !*res.Verdict.Planned {
			r.fail(Verdicts, "%s is %s, unplanned, at %s", name, res.Verdict.Verdict, res.Verdict.Path)
		}
		judged++
		r.redlines(name, i == 0, res.Redlines, details)
		if b := blockOf(body); b.cursor != "" {
			frames[b.cursor] = true
		}
		if q.Meta.Kind != verdict.KindSide {
			main = append(main, body)
		}
	}
	r.saw(Captured, "%d of %d attempts are proved: the bytes that left give the claimed chain", proved, len(run.Requests))
	r.saw(Verdicts, "%s", strings.Join(r.Verdicts, ", "))
	for _, id := range redlines() {
		r.saw(id, "held against %d requests, which show %d different frames; the last one: %s", judged, len(frames), cmp.Or(details[id], "it does not hold"))
	}
	if len(frames) < fewestFrames {
		r.fail(Slot, "the requests show %d frames; at least %d are needed", len(frames), fewestFrames)
	}
	return main
}

// redlines: each holds on each request. A10 is about the program, A13 about who ran it; a first request has nothing to
// be compared with.
// details takes what the latest request that holds one says of it.
func (r *Report) redlines(name string, first bool, list []verdict.Redline, details map[string]string) {
	for _, l := range list {
		switch {
		case l.ID == "A10" || l.ID == "A13":
		case l.OK == nil && first && (l.ID == "A8" || l.ID == "A9"):
		case l.OK == nil:
			r.fail(l.ID, "%s: not checkable: %s", name, l.Detail)
		case !*l.OK:
			r.fail(l.ID, "%s: %s", name, l.Detail)
		case l.Degraded:
			details[l.ID] = l.Detail
			if note := l.ID + " is degraded: " + l.Detail; !slices.Contains(r.Notes, note) {
				r.Notes = append(r.Notes, note)
			}
		default:
			details[l.ID] = l.Detail
		}
	}
}

func holdsState(jsonl []byte) bool {
	for line := range bytes.Lines(jsonl) {
		if _, _, found := zimoos.StateIn(string(line)); found {
			return true
		}
	}
	return false
}

func (r *Report) transcript(jsonl []byte) {
	if len(bytes.TrimSpace(jsonl)) == 0 {
		r.fail("A4", "the conversation was not exported")
	}
}

var legalName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (r *Report) tools(run Run, bodies []*wire.Body) {
	encoded := map[string]bool{}
	for _, b := range bodies {
		for _, name := range calledIn(b) {
			encoded[name] = true
		}
	}
	r.saw(Tools, "MCP was called with %s; the requests name %s", list(run.Called), list(slices.Sorted(maps.Keys(encoded))))
	for _, public := range MustCall() {
		if !slices.Contains(run.Offered, public) {
			r.fail(Tools, "%s is not offered", public)
		}
		if !slices.Contains(run.Called, public) {
			r.fail(Tools, "MCP was not called with %s", public)
		}
		want := "__" + strings.ReplaceAll(public, ".", "_x2e_")
		found := false
		for name := range encoded {
			found = found || strings.HasSuffix(name, want) && legalName.MatchString(name)
		}
		if !found {
			r.fail(Tools, "no request holds a call of %s under its encoded name (…%s)", public, want)
		}
	}
}

func (r *Report) slot(run Run) {
	changes, now := 0, ""
	for _, c := range run.Cursors {
		if c != now {
			changes++
		}
		now = c
	}
	r.saw(Slot, "the slot changed %d times: %s", changes, list(run.Cursors))
	if changes < fewestChanges {
		r.fail(Slot, "the slot changed %d times; at least %d are needed", changes, fewestChanges)
	}
}

// records: the conversation holds a record of each tool, sealed. The answer seals the last one, after the last request.
func (r *Report) records(jsonl []byte) {
	texts := toolTexts(jsonl)
	r.saw(Records, "the conversation holds %d tool messages", len(texts))
	for _, public := range MustCall() {
		if !slices.ContainsFunc(texts, func(text string) bool {
			return strings.HasPrefix(text, "Action: "+public+" ") && strings.Contains(text, "\nFrame audit: ") &&
				strings.Contains(text, "\nSummary")
		}) {
			r.fail(Records, "the conversation holds no sealed record of %s", public)
		}
	}
}

func (r *Report) answer(answer string, last *wire.Body) {
	b := blockOf(last)
	if b.cursor == "" {
		r.fail(Answer, "the last request holds no block")
		return
	}
	r.saw(Answer, "the last block shows %q, %s, %s items; the answer is %q", b.title, b.cursor, b.count, zimoos.Cut(answer, answerShown))
	for _, want := range []struct{ what, text string }{{"title", b.title}, {"cursor", b.cursor}} {
		if want.text == "" || !strings.Contains(answer, want.text) {
			r.fail(Answer, "the answer does not hold the %s %q of the last block", want.what, want.text)
		}
	}
	number := regexp.MustCompile(`(?:^|[^0-9])` + regexp.QuoteMeta(b.count) + `(?:[^0-9]|$)`)
	// The cursor may hold digits of its own.
	if b.count == "" || !number.MatchString(strings.ReplaceAll(strings.ReplaceAll(answer, b.cursor, ""), b.title, "")) {
		r.fail(Answer, "the answer does not hold the count %q of the last block", b.count)
	}
}
