//go:build desktop || bindings

package window

import (
	"context"
	"encoding/json"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"zimoscope/app/bridge"
)

// dialogUser is a service that asks for files by the shell's dialogs.
type dialogUser interface {
	UseDialogs(open func(ctx context.Context) ([]string, error), save func(ctx context.Context, name string) (string, error))
}

// giveDialogs lets the service ask where to read and write, and imports what is dropped on the window.
func (s *shell) giveDialogs(window context.Context) {
	if u, ok := s.svc.(dialogUser); ok {
		u.UseDialogs(
			func(context.Context) ([]string, error) {
				return runtime.OpenMultipleFilesDialog(window, runtime.OpenDialogOptions{Title: s.options.Title})
			},
			func(_ context.Context, name string) (string, error) {
				return runtime.SaveFileDialog(window, runtime.SaveDialogOptions{Title: s.options.Title, DefaultFilename: name, CanCreateDirectories: true})
			})
	}
	runtime.OnFileDrop(window, func(_, _ int, paths []string) { go s.dropped(paths) })
}

// dropped imports files; what could not be read is told in the window's list of jobs or on standard error.
func (s *shell) dropped(paths []string) {
	if len(paths) == 0 {
		return
	}
	args, err := json.Marshal([]any{paths})
	if err == nil {
		_, err = bridge.Call(s.ctx, s.svc, "ImportFiles", args)
	}
	if err != nil && s.options.Log != nil {
		s.options.Log(err.Error())
	}
}
