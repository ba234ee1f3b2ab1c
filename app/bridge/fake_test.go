package bridge_test

import (
	"context"
	"errors"

	"zimoscope/app/api"
)

// fake answers the methods that the tests call; the others would panic on the nil interface inside.
type fake struct {
	api.Service
	timeline api.Timeline
	renamed  [2]string
	ctx      context.Context
}

var errRefused = errors.New("The session is read-only; nothing was changed.")

func (f *fake) Timeline(string) (api.Timeline, error) { return f.timeline, nil }

func (f *fake) Request(ref api.RequestRef) (api.RequestView, error) {
	return api.RequestView{Row: api.RequestRow{Base: ref.N}}, nil
}

func (f *fake) Tools() ([]api.ToolInfo, error) { return nil, nil }

func (f *fake) Rename(session, name string) error {
	f.renamed = [2]string{session, name}
	return nil
}

func (f *fake) Prompt(string, []api.Picture) error { return errRefused }

func (f *fake) Snapshot() (api.Snapshot, error) { panic("a key: sk-secret") }

func (f *fake) CallTool(ctx context.Context, _, _, _ string) (api.ToolResult, error) {
	f.ctx = ctx
	return api.ToolResult{State: "ok"}, nil
}
