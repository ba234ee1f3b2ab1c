//go:build desktop || bindings

package window

import (
	"fmt"
	"os"
)

// quiet is the logger given to wails: errors go to standard error, all else nowhere.
type quiet struct{}

func (quiet) Print(string)   {}
func (quiet) Trace(string)   {}
func (quiet) Debug(string)   {}
func (quiet) Info(string)    {}
func (quiet) Warning(string) {}

func (quiet) Error(text string) { fmt.Fprintln(os.Stderr, "window:", text) }
func (quiet) Fatal(text string) { fmt.Fprintln(os.Stderr, "window:", text) }
