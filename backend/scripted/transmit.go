package scripted

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// transmission is one answer on its way. After the first write that fails, or
// when the client has gone, nothing more is sent.
type transmission struct {
	player  *player
	request *request
	reply   *reply
	usage   usage
	w       http.ResponseWriter
	ctx     context.Context
}

// whole sends the answer in one piece.
func (t *transmission) whole() {
	if t.reply.fail && t.reply.step.Error != nil {
		t.reply.step.Error.send(t.w)
		return
	}
	c := t.head("chat.completion")
	c.Choices = []choice{{Message: t.reply.whole(), FinishReason: t.finish()}}
	if t.reportsUsage() {
		c.Usage = &t.usage
	}
	if !t.reply.fail {
		send(t.w, http.StatusOK, c)
		return
	}
	raw, err := marshal(c)
	if err != nil {
		return
	}
	t.w.Header().Set("Content-Type", "application/json")
	t.w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	if _, err := t.w.Write(raw[:len(raw)/2]); err == nil {
		t.cut()
	}
}

// stream sends the answer as server-sent events.
func (t *transmission) stream() {
	t.w.Header().Set("Content-Type", "text/event-stream")
	t.w.Header().Set("Cache-Control", "no-cache")
	t.w.WriteHeader(http.StatusOK)
	if http.NewResponseController(t.w).Flush() != nil { // the status must not wait for the first delay
		return
	}
	step := t.reply.step
	if t.reply.fail && step.Error != nil {
		t.event(step.Error.body())
		return
	}
	for i, d := range t.reply.deltas(t.chunk()) {
		if t.cutAt(i) || !t.pause() || !t.deliver(d, nil) {
			return
		}
	}
	if t.cutAt(-1) {
		return
	}
	if !step.has(QuirkNoFinish) && !t.deliver(delta{}, t.finish()) {
		return
	}
	if t.request.StreamOptions != nil && t.request.StreamOptions.IncludeUsage && t.reportsUsage() {
		last := t.head("chat.completion.chunk")
		last.Usage = &t.usage
		if !t.event(last) {
			return
		}
	}
	if !step.has(QuirkNoDone) {
		t.line("data: [DONE]")
	}
}

// cutAt closes the connection when the script wants that before delta i; -1
// stands for the end, which is where a cut behind the last delta comes.
func (t *transmission) cutAt(i int) bool {
	if !t.reply.fail || t.reply.step.CutAfter == nil || (i >= 0 && i != *t.reply.step.CutAfter) {
		return false
	}
	t.cut()
	return true
}

// cut closes the connection in the middle of the answer.
func (t *transmission) cut() {
	control := http.NewResponseController(t.w)
	_ = control.Flush()
	if conn, _, err := control.Hijack(); err == nil {
		_ = conn.Close()
	}
}

func (t *transmission) deliver(d delta, finish *string) bool {
	if t.reply.step.has(QuirkKeepAlive) && !(t.line(": keep-alive") && t.line("event: ping") && t.line("retry: 3000")) {
		return false
	}
	c := t.head("chat.completion.chunk")
	c.Choices = []choice{{Delta: &d, FinishReason: finish}}
	return t.event(c)
}

func (t *transmission) event(v any) bool {
	raw, err := marshal(v)
	return err == nil && t.line("data: "+string(raw))
}

// line sends one event of one line.
func (t *transmission) line(text string) bool {
	end := "\n\n"
	if t.reply.step.has(QuirkCRLF) {
		end = "\r\n\r\n"
	}
	if _, err := t.w.Write([]byte(text + end)); err != nil {
		return false
	}
	return http.NewResponseController(t.w).Flush() == nil
}

// pause waits for the delay of the step; false when the client has gone.
func (t *transmission) pause() bool {
	ms := t.player.script.DelayMS
	if t.reply.step.DelayMS != nil {
		ms = *t.reply.step.DelayMS
	}
	wait := time.Duration(float64(ms) * t.player.speed * float64(time.Millisecond))
	if wait <= 0 {
		return t.ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.ctx.Done():
		return false
	}
}

func (t *transmission) chunk() int {
	if t.reply.step.Chunk != nil {
		return *t.reply.step.Chunk
	}
	return orDefault(t.player.script.Chunk, defaultChunk)
}

func (t *transmission) head(object string) completion {
	return completion{
		ID: "chatcmpl-" + t.request.hash[:16], Object: object, Created: t.player.now().Unix(),
		Model: t.request.Model, Choices: []choice{},
	}
}

func (t *transmission) finish() *string { return &t.reply.finish }

func (t *transmission) reportsUsage() bool {
	return t.reply.step.Usage == nil || *t.reply.step.Usage
}
