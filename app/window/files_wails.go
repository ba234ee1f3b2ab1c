//go:build desktop || bindings

package window

import (
	"context"
	"encoding/json"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"zimoscope/app/bridge"
	"zimoscope/backend/safely"
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
	runtime.OnFileDrop(window, func(_, _ int, paths []string) {
		safely.Go(func() error { s.dropped(window, paths); return nil }, s.told)
	})
}

// picturesEvent carries pictures to the page, as a JSON list of api.Picture.
const picturesEvent = "zimoscope:pictures"

// dropped imports files; what could not be read is told in the window's list of jobs or on standard error. Pictures go to
// the message that is being written: there is nothing in one to import.
func (s *shell) dropped(window context.Context, paths []string) {
	pictures, others := parted(paths)
	var err error
	if len(pictures) > 0 {
		var text []byte
		if text, err = json.Marshal(pictures); err == nil {
			runtime.EventsEmit(window, picturesEvent, string(text))
		}
	}
	if len(others) > 0 && err == nil {
		var args []byte
		if args, err = json.Marshal([]any{others}); err == nil {
			_, err = bridge.Call(s.ctx, s.svc, "ImportFiles", args)
		}
	}
	if err != nil && s.options.Log != nil {
		s.options.Log(err.Error())
	}
}
