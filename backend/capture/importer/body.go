package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// dialectOf tells the shape of a body by its members, and by the path that it was sent to when that is known.
func dialectOf(body []byte, path string) exchange.Dialect {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return exchange.Chat
	case strings.HasSuffix(path, "/responses"):
		return exchange.Responses
	case strings.HasSuffix(path, "/messages"):
		return exchange.Messages
	}
	return shapeOf(membersOf(body))
}

// shapeOf tells it by the members alone.
func shapeOf(m fields) exchange.Dialect {
	switch {
	case m["input"] != nil:
		return exchange.Responses
	case m["messages"] == nil:
		return exchange.Other
	case m["system"] != nil || m["max_tokens"] != nil && hasInputSchema(m["tools"]):
		return exchange.Messages
	}
	return exchange.Chat
}

func hasInputSchema(tools []byte) (found bool) {
	_ = wire.Elements(tools, func(start, end int) error {
		found = found || wire.Get(tools[start:end], "input_schema") != nil
		return nil
	})
	return found
}

const (
	bodySuffix = ".body.json"
	metaSuffix = ".meta.json"
)

// readBody takes a file that is one request body, byte by byte as it is. What a capture keeps beside it is read too:
// what its sender told of it, and the response.
func readBody(r *reading) error {
	raw, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(r.buf[r.at:]), r.r), maxRecord+1))
	if err != nil {
		return plain(r.path, err)
	}
	r.read(len(raw))
	if len(raw) > maxRecord {
		r.note("%s is larger than any request and was left out", r.file)
		return nil
	}
	e := exchange.Exchange{Request: raw, Dialect: dialectOf(raw, "")}
	if e.Dialect == exchange.Other {
		e.Dialect = exchange.Chat // it was taken for a request: the recorder says why it is none
	}
	if base, ok := strings.CutSuffix(r.path, bodySuffix); ok {
		r.beside(base, &e)
	}
	return r.take(e)
}

// beside reads what a capture holds beside a body.
func (r *reading) beside(base string, e *exchange.Exchange) {
	if meta, err := os.ReadFile(base + metaSuffix); err == nil {
		m := &verdict.Meta{TailOffset: -1}
		if err := json.Unmarshal(meta, m); err != nil {
			r.note("%s can't be read: its body was taken as a foreign one", filepath.Base(base+metaSuffix))
		} else {
			e.Meta = m
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		r.note("%s can't be read: its body was taken as a foreign one", filepath.Base(base+metaSuffix))
	}
	dir, name := filepath.Split(base)
	for _, ext := range []string{".sse", ".json", ".txt"} {
		if resp, err := os.ReadFile(filepath.Join(dir, strings.Replace(name, "req-", "resp-", 1)+ext)); err == nil {
			e.Response, e.Status = resp, 200
			return
		}
	}
}
