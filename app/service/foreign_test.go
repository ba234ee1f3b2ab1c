package service

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/backend/lab"
)

// Two requests of one conversation in each dialect, and something that is none.
const (
	chatTools  = `"tools":[{"type":"function","function":{"name":"read","parameters":{}}}]`
	chatFirst  = `{"model":"gpt-x",` + chatTools + `,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is in a.txt?"}]}`
	chatSecond = `{"model":"gpt-x",` + chatTools + `,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"What is in a.txt?"},{"role":"assistant","content":null,"reasoning_content":"I look.","tool_calls":[{"id":"k1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},{"role":"tool","tool_call_id":"k1","content":"Milk"}]}`

	responsesFirst  = `{"model":"gpt-y","instructions":"Be brief.","input":[{"role":"user","content":[{"type":"input_text","text":"List the files"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}]}`
	responsesSecond = `{"model":"gpt-y","instructions":"Be brief.","input":[{"role":"user","content":[{"type":"input_text","text":"List the files"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"I list them."}],"encrypted_content":"zzzz"},{"type":"function_call","call_id":"f1","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"f1","output":"a.txt"}]}`

	claudeFirst  = `{"model":"claude-z","max_tokens":9,"system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":"Weather?"}]}`
	claudeSecond = `{"model":"claude-z","max_tokens":9,"system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":"Weather?"},{"role":"assistant","content":[{"type":"thinking","thinking":"I ask."},{"type":"tool_use","id":"t1","name":"weather","input":{"at":"Rome"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"No answer"}]},{"type":"text","text":"Try again"}]}]}`
)

func harOf(t *testing.T) string {
	t.Helper()
	type post struct {
		MimeType string `json:"mimeType"`
		Text     string `json:"text"`
	}
	var entries []map[string]any
	add := func(method, url, body string, status int) {
		request := map[string]any{"method": method, "url": url, "headers": []map[string]string{{"name": "User-Agent", "value": "agent/1"}}}
		request["postData"] = post{"application/json", body}
		entries = append(entries, map[string]any{"startedDateTime": "2026-11-01T10:00:00.000Z", "time": 20, "request": request,
			"response": map[string]any{"status": status, "headers": []any{}, "content": map[string]any{"mimeType": "application/json", "text": `{"id":"r"}`}}})
	}
	for _, body := range []string{chatFirst, chatSecond} {
		add("POST", "https://api.openai.com/v1/chat/completions", body, 200)
	}
	for _, body := range []string{responsesFirst, responsesSecond} {
		add("POST", "https://api.openai.com/v1/responses", body, 200)
	}
	for _, body := range []string{claudeFirst, claudeSecond} {
		add("POST", "https://api.anthropic.com/v1/messages", body, 200)
	}
	raw, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "creator": map[string]string{"name": "t", "version": "1"}, "entries": entries}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// job waits until the newest job has ended.
func (d *desk) job() api.Job {
	d.t.Helper()
	var last api.Job
	d.until("the end of the job", func(api.Snapshot) bool {
		list, err := d.s.Jobs()
		if err != nil || len(list) == 0 {
			d.t.Fatal(err, list)
		}
		last = list[len(list)-1]
		return last.State != jobRunning
	})
	return last
}

// imported brings a file in as a browser does.
func (d *desk) imported(name, content string) api.Job {
	d.t.Helper()
	if err := d.s.Receive(context.Background(), "upload-1", name, strings.NewReader(content)); err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.s.ImportUpload("upload-1"); err != nil {
		d.t.Fatal(err)
	}
	return d.job()
}

func (d *desk) view(n int) api.RequestView {
	d.t.Helper()
	v, err := d.s.Request(api.RequestRef{N: n})
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

// spokenIn writes blocks as "kind name: text".
func spokenIn(v api.RequestView) string {
	var b strings.Builder
	for _, m := range v.Messages {
		for _, x := range m.Blocks {
			b.WriteString(m.Role + " " + strings.TrimSpace(x.Kind+" "+x.Name) + ": " + x.Text)
			if x.Failed {
				b.WriteString(" (failed)")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func TestAnotherAgentsTrafficIsReadInAllDialects(t *testing.T) {
	d := newDesk(t)
	j := d.imported("trace.har", harOf(t))
	if j.State != jobDone || j.Requests != 6 || !j.Opened || j.Session == "" {
		t.Fatalf("%+v", j)
	}
	left, err := os.ReadDir(filepath.Join(d.s.o.Store.Dir(), "tmp"))
	if err != nil || len(left) != 0 {
		t.Errorf("what was sent is still there: %v %v", left, err)
	}
	snap, _ := d.s.Snapshot()
	if snap.Current != j.Session || snap.Sessions[0].Foreign != "import" || snap.Sessions[0].Name != "trace.har" {
		t.Fatalf("%+v", snap.Sessions)
	}
	tl, err := d.s.Timeline("")
	if err != nil || len(tl.Rows) != 6 || len(tl.Turns) < 3 || tl.Figures.Imported != 6 || tl.Figures.Pairs != 3 {
		t.Fatalf("%v %+v %+v", err, tl.Figures, tl.Turns)
	}
	if a, b, c := tl.Rows[1].Thread, tl.Rows[3].Thread, tl.Rows[5].Thread; a == b || b == c || a == "" || tl.Turns[1].Prompt != "List the files" {
		t.Errorf("threads %s %s %s, turns %+v", a, b, c, tl.Turns)
	}
	for n, want := range map[int]string{
		2: "user text: What is in a.txt?\nassistant reasoning: I look.\nassistant call read: {\"path\":\"a.txt\"}\ntool result read: Milk\n",
		4: "user text: List the files\nuser image: \nassistant reasoning: I list them.\nassistant call ls: {}\ntool result ls: a.txt\n",
		6: "user text: Weather?\nassistant reasoning: I ask.\nassistant call weather: {\"at\":\"Rome\"}\nuser result weather: No answer (failed)\nuser text: Try again\n",
	} {
		v := d.view(n)
		if got := spokenIn(v); got != want {
			t.Errorf("request %d says\n%swant\n%s", n, got, want)
		}
		if v.System.Text != "Be brief." || v.Row.Base != n-1 || v.Row.Verdict != "extended" || v.Row.Proof != "imported" || v.Foreign == nil || v.Foreign.Source != "trace.har (HAR)" || v.Row.Tail != 0 {
			t.Errorf("request %d: system %q, base %d, %+v", n, v.System.Text, v.Row.Base, v.Row)
		}
		if v.Model.Claimed || v.Messages[0].Changed != "" || v.Messages[len(v.Messages)-1].Changed != "new" {
			t.Errorf("request %d: %+v", n, v.Messages)
		}
		diff, err := d.s.Diff(api.RequestRef{N: n - 1}, api.RequestRef{N: n})
		if err != nil || len(diff.Hunks) == 0 || diff.Hunks[0].Role == "" {
			t.Errorf("diff %d: %v %+v", n, err, diff.Hunks)
		}
	}
	d.refusals(j.Session)
}

// refusals are what such a session can't do, each with a sentence or nothing to show.
func (d *desk) refusals(session string) {
	d.t.Helper()
	if err := d.s.Prompt("hello", nil); err == nil {
		d.t.Error("another agent's session took a prompt")
	}
	if list, err := d.s.Tools(); err != nil || len(list) != 0 {
		d.t.Error(list, err)
	}
	if _, err := d.s.ImportFiles([]string{"/etc/hostname"}); err == nil {
		d.t.Error("a browser may name files of this machine")
	}
	page, err := d.s.Search(api.SearchQuery{Text: "Rome"})
	if err != nil || len(page.Hits) != 1 || page.Hits[0].Session != session || page.Hits[0].Request != 6 {
		d.t.Errorf("%v %+v", err, page)
	}
}

func TestAnImportWithoutARequestLeavesNoSession(t *testing.T) {
	d := newDesk(t)
	j := d.imported("notes.txt", "nothing of interest")
	list, err := d.s.sessions()
	if j.State != jobFailed || !strings.HasPrefix(j.Error, "notes.txt: ") || len(list) != 0 || err != nil {
		t.Fatalf("%+v %v %v", j, list, err)
	}
	if err := d.s.Receive(context.Background(), "../../x", "a", strings.NewReader("")); err == nil {
		t.Error("an upload named a folder")
	}
	if err := d.s.Receive(context.Background(), "upload-2", "../../a", strings.NewReader("x")); err != nil {
		t.Error(err)
	}
	if err := d.s.DropUpload("upload-2"); err != nil {
		t.Error(err)
	}
	if _, err := d.s.ImportUpload("upload-2"); err == nil {
		t.Error("what was given up was imported")
	}
}

func TestExportsAreOfferedOnceAndHoldWhatTheyShould(t *testing.T) {
	d := newDesk(t)
	id := d.imported("trace.har", harOf(t)).Session
	for _, format := range []string{"jsonl", "har", "otlp", "html", "proof"} {
		if _, err := d.s.Export(context.Background(), api.ExportOrder{Session: id, Format: format}); err != nil {
			t.Fatal(format, err)
		}
		j := d.job()
		if j.State != jobDone || j.Bytes == 0 || !strings.HasPrefix(j.Download, "/download/") {
			t.Fatalf("%s: %+v", format, j)
		}
		ticket := strings.Split(j.Download, "/")[2]
		file, done, err := d.s.Fetch(ticket)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(file)
		done()
		if err != nil || int64(len(raw)) != j.Bytes {
			t.Errorf("%s: %d of %d bytes, %v", format, len(raw), j.Bytes, err)
		}
		if format == "proof" {
			z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
			if err != nil || len(z.File) < 7 {
				t.Errorf("%v", err)
			}
		}
		if _, _, err := d.s.Fetch(ticket); err == nil {
			t.Error("an export was fetched twice")
		}
	}
	cmd, err := d.s.Curl(api.RequestRef{Session: id, N: 6})
	if err != nil || !strings.Contains(cmd, "https://api.anthropic.com/v1/messages") || !strings.Contains(cmd, "$ANTHROPIC_API_KEY") {
		t.Error(cmd, err)
	}
}

func TestAProxyRecordsIntoTheOpenSessionUntilItIsStopped(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"id":"x","choices":[{"message":{"role":"assistant","content":"Hi"}}],"usage":{"prompt_tokens":9}}`)
	}))
	defer provider.Close()
	d := newDesk(t)
	if _, err := d.s.StartProxy(api.NewProxy{Upstream: "nonsense"}); err == nil {
		t.Fatal("a proxy before nothing started")
	}
	info, err := d.s.StartProxy(api.NewProxy{Upstream: provider.URL + "/v1", Name: "watched"})
	if err != nil {
		t.Fatal(err)
	}
	snap, _ := d.s.Snapshot()
	if !snap.State.Proxy.Running || snap.Current != info.ID || snap.State.Proxy.Address == "" {
		t.Fatalf("%+v", snap.State.Proxy)
	}
	send := func(path, body string) { d.post(snap.State.Proxy.Address+path, body) }
	var tl api.Timeline
	for i, x := range [][2]string{{"/v1/chat/completions", chatFirst}, {"/v1/chat/completions", chatSecond}, {"/v1/embeddings?x=y", `{"input":"x"}`}} {
		send(x[0], x[1])
		d.until("its row", func(api.Snapshot) bool { // what passes side by side may be recorded in any order
			tl, err = d.s.Timeline("")
			return err == nil && len(tl.Rows) == i+1
		})
	}
	if r := tl.Rows[2]; r.Kind != "other" || r.Method != "POST" || r.Path != "/v1/embeddings" || r.HTTP != 200 || tl.Figures.Others != 1 {
		t.Errorf("%+v", r)
	}
	if v := d.view(3); v.Foreign == nil || v.Foreign.URL == "" || len(v.Messages) != 0 {
		t.Errorf("%+v", v)
	}
	if page, err := d.s.Body(api.RequestRef{N: 3}, 0); err != nil || page.Text != `{"input":"x"}` {
		t.Error(page, err)
	}
	if _, err := d.s.Diff(api.RequestRef{N: 2}, api.RequestRef{N: 3}); err == nil {
		t.Error("what is not compared was compared")
	}
	v := d.view(2)
	if v.Row.Proof != "proved" || v.Row.Verdict != "extended" || !v.Row.Usage.Reported || v.Row.Base != 1 {
		t.Errorf("%+v", v.Row)
	}
	if err := d.s.StopProxy(); err != nil {
		t.Fatal(err)
	}
	snap, _ = d.s.Snapshot()
	if snap.State.Proxy.Running || snap.Current != info.ID {
		t.Errorf("%+v", snap.State.Proxy)
	}
	again, err := d.s.StartProxy(api.NewProxy{Upstream: provider.URL, Name: "watched"})
	if err != nil || again.ID != info.ID || again.Requests != 3 {
		t.Fatalf("%+v %v", again, err)
	}
	if _, err := d.s.Create(api.NewSession{Demo: true, Lang: "en"}); err != nil {
		t.Fatal(err)
	}
	if snap = d.until("the demo's end", idle); snap.State.Proxy.Running {
		t.Error("the proxy went on in another session")
	}
}

func TestTwoSessionsStandSideBySide(t *testing.T) {
	d := newDesk(t)
	first := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	second := d.imported("a.jsonl", chatFirst+"\n"+strings.Replace(chatSecond, "Milk", "Bread", 1)+"\n").Session
	if first == second {
		t.Fatal("the second import went on in the first one's session")
	}
	got, err := d.s.CompareSessions(first, second)
	if err != nil || len(got.Pairs) != 2 || got.Same != 1 || got.First != 1 || got.Pairs[1].State != pairDiffers || got.Where.Path == "" {
		t.Fatalf("%v %+v", err, got)
	}
	if got.Next.Figures.Requests != 2 {
		t.Errorf("%+v", got.Next)
	}
	diff, err := d.s.Diff(api.RequestRef{Session: first, N: 2}, api.RequestRef{Session: second, N: 2})
	if err != nil || diff.Base.Session != first || diff.Next.Session != second || len(diff.Hunks) == 0 {
		t.Fatalf("%v %+v", err, diff)
	}
	if text := fmt.Sprintf("%+v", diff.Hunks); !strings.Contains(text, "Milk") || !strings.Contains(text, "Bread") {
		t.Errorf("requests of two sessions: %s", text)
	}
	if _, err := d.s.CompareSessions(first, first); err == nil {
		t.Error("a session was compared with itself")
	}
	if err := d.s.SetBaseline(first, "good"); err != nil {
		t.Fatal(err)
	}
	if err := d.s.SetBaseline(second, "good"); err != nil {
		t.Fatal(err)
	}
	list, _ := d.s.sessions()
	for _, x := range list {
		if want := map[string]string{second: "good"}[x.ID]; x.Baseline != want {
			t.Errorf("%s is %q, want %q", x.ID, x.Baseline, want)
		}
	}
}

func TestTheEndToEndRunIsToldStepByStepAndProbedOnDemand(t *testing.T) {
	t.Setenv("MTEAM_HUB_URL", "http://127.0.0.1:1")
	t.Setenv("MTEAM_BACKEND_DIR", "")
	d := newDesk(t)
	if err := d.s.ProbeBackend(); err != nil {
		t.Fatal(err)
	}
	if err := d.s.RunEndToEnd(); err != nil {
		t.Fatal(err)
	}
	var got api.EndToEnd
	d.until("the end of the run", func(api.Snapshot) bool {
		var err error
		got, err = d.s.EndToEnd()
		return err == nil && !got.Running && !got.Backend.Probing
	})
	if got.Outcome != "skipped" || len(got.Steps) < 8 || got.Backend.At == 0 || got.Backend.Ready || len(got.Backend.Attempts) == 0 {
		t.Fatalf("%+v", got)
	}
	if _, err := os.Stat(got.Report); err != nil {
		t.Error(err)
	}
}

func TestTheCacheLabAnswersForASession(t *testing.T) {
	d := newDesk(t)
	id := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	before, err := d.s.Lab()
	if err != nil || len(before.Prices.Classes) == 0 || before.Result != nil {
		t.Fatalf("%v %+v", err, before)
	}
	if err := d.s.StartLab(api.LabOrder{Session: id, Idle: -1}); err == nil {
		t.Error("a time below zero was taken")
	}
	if err := d.s.StartLab(api.LabOrder{Session: id, Prices: before.Prices}); err != nil {
		t.Fatal(err)
	}
	var got api.LabState
	d.until("the lab's end", func(api.Snapshot) bool { got, err = d.s.Lab(); return err == nil && !got.Running })
	if got.Error != "" || got.Result == nil {
		t.Fatalf("%+v", got)
	}
	r := got.Result
	if len(r.Rows) != 2 || len(r.Cells) != len(r.Classes)*len(r.Strategies) || len(r.Rows[1].Reuse) != len(r.Classes) || r.Rows[1].Prompt == 0 {
		t.Fatalf("%+v", r)
	}
}

// A request whose history is not in its bytes has no prediction: not one of 0 tokens.
func TestTheCacheLabShowsNoZeroWhereNothingIsPredicted(t *testing.T) {
	d := newDesk(t)
	const known = `{"model":"m","input":[{"role":"user","content":"one"}]}`
	const kept = `{"model":"m","previous_response_id":"r_1","input":[{"role":"user","content":"two"}]}`
	r := d.asked(api.LabOrder{Session: d.imported("a.jsonl", known+"\n"+kept+"\n").Session, Prices: shownPrices(lab.BuiltInPrices())}).Result
	if r == nil || len(r.Rows) != 2 || r.Elsewhere != 1 || r.Rows[0].Elsewhere || len(r.Rows[0].Reuse) != len(r.Classes) {
		t.Fatalf("%+v", r)
	}
	if row := r.Rows[1]; !row.Elsewhere || row.Reuse == nil || len(row.Reuse) != 0 || row.Prompt != 0 || r.Cells[0].Prompt != r.Rows[0].Prompt {
		t.Errorf("%+v, in all %+v", row, r.Cells[0])
	}
}

func TestFilesNamedAtTheStartAreOpenedOrRefusedAtOnce(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := d.s.OpenFiles([]string{path}); err == nil {
		t.Error("a file that is not there was taken")
	}
	if err := os.WriteFile(path, []byte(chatFirst+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.s.OpenFiles([]string{path}); err != nil {
		t.Fatal(err)
	}
	if j := d.job(); j.State != jobDone || !j.Opened {
		t.Errorf("%+v", j)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("a file of the user's was removed after its import")
	}
}

// post sends a request over a connection of its own and reads the answer to its end.
func (d *desk) post(address, body string) {
	d.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
}
