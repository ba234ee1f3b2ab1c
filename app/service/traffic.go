package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"zimoscope/app/api"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/zimoos"
)

const (
	// keptTraffic is how many MCP messages are kept for the window.
	keptTraffic = 2000
	// keptMessage bounds one kept message, in bytes; its true size is shown.
	keptMessage = 256 << 10
	// trafficPreview is how much of a message a row carries, in bytes.
	trafficPreview = 300
)

// traffic keeps the newest MCP messages in memory; they are not stored.
type traffic struct {
	mu   sync.Mutex
	rows []api.TrafficRow
	text []string
	seq  int
}

func newTraffic() *traffic { return &traffic{} }

func (t *traffic) add(f toolbox.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	text := strings.ToValidUTF8(string(f.Raw[:min(len(f.Raw), keptMessage)]), "\uFFFD")
	row := api.TrafficRow{Seq: t.seq, Server: f.Server, Direction: f.Direction, At: f.Time.UnixMilli(), Method: f.Method, ID: f.ID, Note: f.Note,
		Bytes: len(f.Raw), Text: cutText(text, trafficPreview)}
	if f.Direction == toolbox.DirWarning {
		row.Direction = "noise"
	}
	if f.Late {
		row.Note = strings.TrimSpace("late " + row.Note)
	}
	t.rows, t.text = append(t.rows, row), append(t.text, text)
	if over := len(t.rows) - keptTraffic; over > 0 {
		t.rows, t.text = append(t.rows[:0:0], t.rows[over:]...), append(t.text[:0:0], t.text[over:]...)
	}
}

func (s *Service) heard(f toolbox.Frame) {
	s.traffic.add(f)
	s.publish(topicTraffic, f.Server)
}

// Traffic implements api.Service.
func (s *Service) Traffic(after int) ([]api.TrafficRow, error) {
	t := s.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []api.TrafficRow{}
	for _, r := range t.rows {
		if r.Seq > after {
			out = append(out, r)
		}
	}
	return out, nil
}

// TrafficText implements api.Service.
func (s *Service) TrafficText(seq int) (string, error) {
	t := s.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, r := range t.rows {
		if r.Seq == seq {
			return t.text[i], nil
		}
	}
	return "", fmt.Errorf("message %d is no longer kept: %w", seq, api.ErrNotFound)
}

// Tools implements api.Service. It starts the servers of a session that was only opened.
func (s *Service) Tools() ([]api.ToolInfo, error) {
	run, err := s.agentOf()
	if errors.Is(err, errForeign) {
		return []api.ToolInfo{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := []api.ToolInfo{}
	for _, t := range run.Box.Tools() {
		schema := t.InputSchema
		if len(schema) == 0 {
			schema = json.RawMessage("{}")
		}
		out = append(out, api.ToolInfo{Server: t.Server, Name: t.Name, Description: t.Description, Schema: schema, ZimoOS: isOperation(t.Name)})
	}
	return out, nil
}

// CallTool implements api.Service: a call by hand. It may move the slot; nothing of it enters history.
func (s *Service) CallTool(ctx context.Context, server, tool, arguments string) (api.ToolResult, error) {
	if !json.Valid([]byte(arguments)) {
		return api.ToolResult{}, fmt.Errorf("the arguments are not JSON; nothing was called")
	}
	run, err := s.agentOf()
	if err != nil {
		return api.ToolResult{}, err
	}
	s.mu.Lock()
	running := s.cancel != nil && s.paused == ""
	s.mu.Unlock()
	if running {
		return api.ToolResult{}, errBusy
	}
	start := time.Now()
	before := run.Agent.Slot()
	res := run.Agent.CallByHand(ctx, server, tool, arguments)
	out := api.ToolResult{State: res.State, Raw: run.Secrets.Text(string(res.Raw)), Text: run.Secrets.Text(strings.Join(zimoos.Recognise(run.Secrets.Bytes(res.Raw)).Texts, "\n")), Millis: time.Since(start).Milliseconds()}
	if res.Message != "" {
		out.Text = strings.TrimSpace(res.Message + "\n" + out.Text)
	}
	if after := run.Agent.Slot(); after.Frame != before.Frame {
		out.Frame = frameOf(after.Frame)
	}
	return out, nil
}
