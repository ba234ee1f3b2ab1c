package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"zimoscope/app/foreign"
	"zimoscope/backend/capture/importer"
	"zimoscope/backend/store"
)

// importBatch is how many requests the command stores in one commit.
const importBatch = 64

// imports measures reading other agents' traffic from files: conversations of sixty steps, each line a whole body.
func imports(s sizes) error {
	fmt.Printf("\nImport of other agents' traffic into a session\n")
	fmt.Printf("%9s %10s %10s %10s %12s %14s %14s\n", "format", "file", "requests", "time", "speed", "heap in use", "most resident")
	for _, format := range []string{"jsonl", "har"} {
		if err := importOnce(format, s.imported); err != nil {
			return err
		}
	}
	return nil
}

func importOnce(format string, size int64) error {
	dir, err := os.MkdirTemp("", "zimoscope-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "traffic."+format)
	if err := writeTraffic(file, format, size); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	st, err := store.New(filepath.Join(dir, "store"))
	if err != nil {
		return err
	}
	peak := uint64(0)
	start := time.Now()
	sess, err := foreign.Open(st, foreign.Options{Name: "bench", From: foreign.Import, Source: "file", Batch: importBatch})
	if err != nil {
		return err
	}
	res, err := importer.Import(context.Background(), []string{file}, sess, importer.Options{OnProgress: func(importer.Progress) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapInuse)
	}})
	if err := errors.Join(err, sess.Close()); err != nil {
		return err
	}
	took := time.Since(start)
	const mega = 1 << 20
	fmt.Printf("%9s %7d MB %10d %10v %7.0f MB/s %11d MB %14s\n", format, info.Size()/mega, res.Requests, took.Round(time.Millisecond), float64(info.Size())/mega/took.Seconds(), peak/mega, resident())
	return nil
}

// resident is the most memory that this process has held so far, as the system counts it; "-" where it doesn't say.
func resident() string {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "-"
	}
	for line := range strings.Lines(string(raw)) {
		var kilo int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilo); n == 1 {
			return fmt.Sprintf("%d MB", kilo>>10)
		}
	}
	return "-"
}

// writeTraffic writes conversations until the file is large enough. Texts differ, so that nothing is cheaper than it is
// in real traffic but for the words they are made of.
func writeTraffic(file, format string, size int64) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	if format == "har" {
		_, _ = w.WriteString(`{"log":{"version":"1.2","creator":{"name":"bench"},"entries":[`)
		defer func() { _, _ = w.WriteString(`]}}`) }()
	}
	t := &traffic{seed: 1}
	for written, n := int64(0), 0; written < size; {
		t.begin()
		for range 60 {
			line, err := t.line(format)
			if err != nil {
				return err
			}
			if format == "har" && n > 0 {
				line = append([]byte(","), line...)
			}
			n++
			k, err := w.Write(line)
			if err != nil {
				return err
			}
			written += int64(k)
			t.step()
		}
	}
	return nil
}

// traffic makes one conversation after the other.
type traffic struct {
	seed     uint64
	tools    []map[string]any
	messages []map[string]any
}

func (t *traffic) word() string {
	t.seed = t.seed*6364136223846793005 + 1442695040888963407
	return fmt.Sprintf("w%x", t.seed>>52)
}

func (t *traffic) text(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		b.WriteString(t.word())
		b.WriteByte(' ')
	}
	return b.String()
}

func (t *traffic) begin() {
	if t.tools == nil {
		for i := range 20 {
			t.tools = append(t.tools, map[string]any{"type": "function", "function": map[string]any{"name": fmt.Sprint("tool_", i), "description": t.text(300), "parameters": map[string]any{"type": "object"}}})
		}
	}
	t.messages = []map[string]any{{"role": "system", "content": t.text(4000)}, {"role": "user", "content": t.text(300)}}
}

func (t *traffic) step() {
	id := t.word() + t.word()
	t.messages = append(t.messages,
		map[string]any{"role": "assistant", "content": t.text(400), "tool_calls": []map[string]any{{"id": id, "type": "function", "function": map[string]any{"name": "tool_1", "arguments": "{}"}}}},
		map[string]any{"role": "tool", "tool_call_id": id, "content": t.text(1500)})
}

func (t *traffic) line(format string) ([]byte, error) {
	body := map[string]any{"model": "m", "tools": t.tools, "messages": t.messages}
	if format == "jsonl" {
		raw, err := json.Marshal(map[string]any{"custom_id": "x", "method": "POST", "url": "/v1/chat/completions", "body": body})
		return append(raw, '\n'), err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"startedDateTime": "2026-11-30T10:00:00.000Z", "time": 1, "request": map[string]any{"method": "POST", "url": "https://api.example/v1/chat/completions", "headers": []any{}, "postData": map[string]any{"text": string(text)}},
		"response": map[string]any{"status": 200, "headers": []any{}, "content": map[string]any{"text": "{}"}}})
}
