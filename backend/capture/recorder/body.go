package recorder

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/conversation"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

// promptBytes is how much of a person's words a turn is named by.
const promptBytes = 300

// recordOf fills what is known before anything is compared.
func (r *Recorder) recordOf(e *exchange.Exchange, ans *answer.Answer) *record.Record {
	f := &record.Foreign{Source: r.hidden.text(firstOf(e.Source, r.o.Source)), Dialect: string(e.Dialect), Method: e.Method, URL: r.hidden.text(e.URL), HTTP: e.Status,
		RequestHeader: r.header(e.RequestHeader), ResponseHeader: r.header(e.ResponseHeader), FirstByte: e.FirstByte.Milliseconds(),
		Conversation: r.hidden.text(e.Conversation), Model: firstOf(ans.Model, e.ReportedModel)}
	for _, n := range e.Notes {
		f.Notes = append(f.Notes, r.hidden.text(n))
	}
	if e.RequestCut {
		f.Notes = append(f.Notes, "the body is not whole")
	}
	if e.ResponseCut {
		f.Notes = append(f.Notes, "the response is not whole")
	}
	rec := &record.Record{N: r.n, Status: record.StatusDone, Proof: record.ProofImported, Attempts: 1, Finish: ans.Finish, Tools: ans.Names(), Foreign: f,
		Meta: verdict.Meta{Kind: verdict.KindMain, TailOffset: -1}, Sizes: record.Sizes{Bytes: len(e.Request), Prefix: len(e.Request)}}
	if e.ReportedByProxy {
		rec.Proof = record.ProofHolds
	}
	if !e.Started.IsZero() {
		rec.SentAt = e.Started.UnixMilli()
		if !e.Ended.IsZero() {
			rec.Millis = e.Ended.Sub(e.Started).Milliseconds()
		}
	}
	if usage := ans.Usage; len(usage) > 0 {
		rec.Usage = r.hidden.r.Bytes(usage)
	} else if len(e.UsageRaw) > 0 {
		rec.Usage = r.hidden.r.Bytes(e.UsageRaw)
	}
	if rec.Error = r.hidden.text(firstOf(e.Error, ans.Error, statusText(e.Status))); rec.Error != "" {
		rec.Status = record.StatusError
	}
	return rec
}

func statusText(status int) string {
	if status < http.StatusBadRequest {
		return ""
	}
	return fmt.Sprintf("the provider answered %d %s", status, http.StatusText(status))
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

func (r *Recorder) header(h http.Header) map[string][]string {
	if len(h) == 0 {
		return nil
	}
	out := make(map[string][]string, len(h))
	for name, values := range h {
		for _, v := range values {
			out[name] = append(out[name], r.hidden.text(v))
		}
	}
	return out
}

// keep takes the secrets out of body and response and adds them to what is stored next.
func (r *Recorder) keep(rec *record.Record, req *verdict.Request, e *exchange.Exchange) error {
	raw := r.hidden.r.Bytes(e.Request)
	put := &store.Request{N: rec.N, Raw: raw}
	if put.Raw == nil {
		put.Raw = []byte{}
	}
	if req != nil {
		body := r.withoutSecrets(rec, req.Body, raw)
		put.Body = body
		put.Base, put.BaseBody = r.threads.base(rec.Meta.Thread)
		if body != nil {
			r.threads.keep(rec.Meta.Thread, req, body, rec.Meta.Kind == verdict.KindRetry)
		}
	}
	r.pending.Requests = append(r.pending.Requests, put)
	if len(e.Response) > 0 {
		r.pending.Responses = append(r.pending.Responses, &store.Response{N: rec.N, Raw: r.hidden.r.Bytes(e.Response)})
	}
	r.pending.Facts = append(r.pending.Facts, rec.Facts())
	if r.info.Model == "" && req != nil {
		r.info.Model, _ = wire.String(req.Body.Bytes(wire.KindModel, 0))
		r.info.Host = hostOf(e.URL)
		r.pending.Info = &r.info
	}
	return nil
}

// withoutSecrets notes the parts that held a secret, and gives the body as it is stored. nil when it can't be read any
// more: it is stored as it is then.
func (r *Recorder) withoutSecrets(rec *record.Record, sent *wire.Body, raw []byte) *wire.Body {
	if len(raw) == len(sent.Raw) && string(raw) == string(sent.Raw) {
		return sent
	}
	body, err := wire.Scan(raw)
	if err != nil || body.Tools.Len() != sent.Tools.Len() || body.System.Len() != sent.System.Len() || body.Messages.Len() != sent.Messages.Len() {
		rec.Foreign.Notes = append(rec.Foreign.Notes, "it held a secret in a place that shapes it: the stored body can't be compared")
		return nil
	}
	for _, k := range []wire.Kind{wire.KindTool, wire.KindSystem, wire.KindMessage} {
		for i := range sent.Region(k).Len() {
			if leaf := sent.Region(k).Part(i).Leaf; leaf != body.Region(k).Part(i).Leaf {
				rec.Foreign.Claimed = append(rec.Foreign.Claimed, record.ClaimedPart{Kind: k, Index: i, Leaf: leaf})
			}
		}
	}
	if sent.Model.Leaf != body.Model.Leaf {
		rec.Foreign.Claimed = append(rec.Foreign.Claimed, record.ClaimedPart{Kind: wire.KindModel, Leaf: sent.Model.Leaf})
	}
	if sent.Rest != body.Rest {
		rec.Foreign.Claimed = append(rec.Foreign.Claimed, record.ClaimedPart{Kind: wire.KindRest, Leaf: sent.Rest})
	}
	rec.Proof = record.ProofClaimed
	rec.ProofNote = "secrets were replaced before it was stored: the hashes of the parts that held them were taken before, and can't be recomputed"
	return body
}

// claimsOf reads what a body says of where it belongs.
func claimsOf(b *wire.Body, named string) conversation.Claims {
	c := conversation.Claims{Session: named}
	rest := besides(b)
	c.Previous, _ = wire.String(wire.Get(rest, "previous_response_id"))
	if c.Session != "" {
		return c
	}
	if c.Session, _ = wire.String(wire.Get(rest, "prompt_cache_key")); c.Session == "" {
		c.Session, _ = wire.String(wire.Get(wire.Get(rest, "metadata"), "user_id"))
	}
	return c
}

// besides gives the body with a null for all its tools and one for all its messages: an object that is read in a
// moment, however long the history.
func besides(b *wire.Body) []byte {
	type span struct{ from, to int }
	var cut []span
	for _, k := range []wire.Kind{wire.KindTool, wire.KindMessage} {
		if n := b.Region(k).Len(); n > 0 {
			from, _ := b.Range(k, 0)
			_, to := b.Range(k, n-1)
			cut = append(cut, span{from, to})
		}
	}
	slices.SortFunc(cut, func(a, b span) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, s := range cut {
		out = append(append(out, b.Raw[at:s.from]...), "null"...)
		at = s.to
	}
	return append(out, b.Raw[at:]...)
}

// promptOf gives the words of a person when they are the last message. tail is where its sender says that the
// request-only part starts, -1 when nobody said: words may stand before it in the same message.
func promptOf(b *wire.Body, tail int) (string, bool) {
	n := b.Messages.Len() - verdict.TailMessages(b)
	if last := b.Messages.Len() - 1; n == last && last >= 0 {
		if from, to := b.Range(wire.KindMessage, last); tail > from && tail < to {
			return wordsBefore(b.Bytes(wire.KindMessage, last))
		}
	}
	if n == 0 {
		return "", false
	}
	last := b.Bytes(wire.KindMessage, n-1)
	if s, ok := wire.String(last); ok { // an input that is one text
		return cut(s), true
	}
	if role, _ := wire.String(wire.Get(last, "role")); role != "user" {
		return "", false
	}
	text := verdict.TextOf(last)
	return cut(text), strings.TrimSpace(text) != ""
}

// wordsBefore gives what a person wrote in a message that carries the live block behind it.
func wordsBefore(msg []byte) (string, bool) {
	if role, _ := wire.String(wire.Get(msg, "role")); role != "user" {
		return "", false
	}
	words, _, _ := strings.Cut(verdict.TextOf(msg), "\n\n<zimoos")
	return cut(words), strings.TrimSpace(words) != ""
}

func cut(s string) string {
	if s = strings.TrimSpace(s); len(s) <= promptBytes {
		return s
	}
	return strings.ToValidUTF8(s[:promptBytes], "") + "…"
}
