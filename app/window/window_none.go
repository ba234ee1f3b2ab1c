//go:build !desktop && !bindings

package window

import (
	"context"
	"io/fs"

	"zimoscope/app/api"
)

// Run returns ErrNoWindow: this build has no window.
func Run(context.Context, api.Service, Events, fs.FS, Options) error { return ErrNoWindow }

// CanOpen returns ErrNoWindow.
func CanOpen() error { return ErrNoWindow }
