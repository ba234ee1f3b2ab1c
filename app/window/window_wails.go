//go:build desktop || bindings

package window

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
	"zimoscope/backend/safely"
)

const (
	width, height       = 1440, 900 // px, the size the design is drawn for
	minWidth, minHeight = 900, 600  // px, below which panes stop being readable

	eventName    = "zimoscope"
	closeTimeout = 3 * time.Second // for BeforeClose and for the event pump to end
)

//go:embed icon.png
var icon []byte // for task bars

// Run opens the window and blocks until the user closes it or ctx is done. It must be called from the main goroutine,
// once in the life of the program. assets is the built front end, index.html at its root. Errors: ErrNoDisplay, or why
// the window could not be made.
func Run(ctx context.Context, svc api.Service, events Events, assets fs.FS, o Options) error {
	if err := prepare(); err != nil {
		return err
	}
	if _, err := fs.Stat(assets, "index.html"); err != nil {
		return ErrNoFrontEnd
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &shell{ctx: ctx, cancel: cancel, svc: svc, events: events, options: o, gone: make(chan struct{})}
	if s.options.Title == "" {
		s.options.Title = "ZimoScope"
	}
	if err := run(s.app(assets)); err != nil {
		return fmt.Errorf("the window could not be opened: %w; zimoscope serve shows the same in a browser", err)
	}
	return nil
}

// CanOpen says whether there is a display to open a window on: ErrNoDisplay otherwise.
func CanOpen() error { return prepare() }

// run turns the panic of GTK without a usable display into an error.
func run(app *options.App) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return withRoom(func() error { return wails.Run(app) })
}

// prepare looks for a display, because GTK panics without one, and sets what WebKit reads when it starts.
func prepare() error {
	if goruntime.GOOS != "linux" {
		return nil
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return ErrNoDisplay
	}
	// With some drivers WebKit's DMA-BUF renderer shows an empty window.
	if _, set := os.LookupEnv("WEBKIT_DISABLE_DMABUF_RENDERER"); !set {
		return os.Setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
	}
	return nil
}

// shell ties one window to the service.
type shell struct {
	ctx     context.Context
	cancel  context.CancelFunc
	svc     api.Service
	events  Events
	options Options

	mu      sync.Mutex
	stopped chan struct{}      // closed when the running pump has ended; nil before the first
	stop    context.CancelFunc // ends the running pump
	closing sync.Once
	gone    chan struct{} // closed when the window is gone
}

func (s *shell) app(assets fs.FS) *options.App {
	return &options.App{
		Title: s.options.Title, Width: width, Height: height, MinWidth: minWidth, MinHeight: minHeight,
		AssetServer: &assetserver.Options{Assets: assets, Middleware: secure},
		// Wails prints with println otherwise, and ends the program on a "fatal" line.
		Logger: quiet{}, LogLevel: logger.ERROR, LogLevelProduction: logger.ERROR,
		Bind:          []any{&Facade{ctx: s.ctx, svc: s.svc, log: s.options.Log, ready: keepSignalStacks}},
		DragAndDrop:   &options.DragAndDrop{EnableFileDrop: true},
		OnStartup:     s.started,
		OnDomReady:    s.ready,
		OnBeforeClose: s.beforeClose,
		OnShutdown:    func(context.Context) { s.shutdown() },
		Linux: &linux.Options{
			Icon: icon, ProgramName: "zimoscope",
			WebviewGpuPolicy: linux.WebviewGpuPolicyNever, // white windows on some drivers otherwise
		},
	}
}

// secure adds the headers of serve to every file of the page.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bridge.SecureHeaders(w.Header())
		next.ServeHTTP(w, r)
	})
}

// started closes the window when the program's context ends, by a signal for example.
func (s *shell) started(window context.Context) {
	s.giveDialogs(window)
	safely.Go(func() error {
		select {
		case <-s.ctx.Done():
			runtime.Quit(window)
		case <-s.gone:
		}
		return nil
	}, s.told)
}

// ready starts a pump for the page; a reloaded page gets a fresh one.
func (s *shell) ready(window context.Context) {
	keepSignalStacks()
	s.endPump()
	ctx, stop := context.WithCancel(s.ctx)
	stopped := make(chan struct{})
	s.mu.Lock()
	s.stop, s.stopped = stop, stopped
	s.mu.Unlock()
	safely.Go(func() error {
		tick := time.NewTicker(time.Second / rate)
		defer tick.Stop()
		p := pump{events: s.events, seq: s.seq, tick: tick.C, emit: func(text string) {
			runtime.EventsEmit(window, eventName, text)
		}}
		p.run(ctx)
		return nil
	}, func(err error) { s.told(err); close(stopped) })
}

// told takes the mistake of a goroutine: the window stays, and a page that is loaded again gets a pump again.
func (s *shell) told(err error) {
	if err != nil && s.options.Log != nil {
		s.options.Log(err.Error())
	}
}

// seq is the number of the last event, or 0.
func (s *shell) seq() uint64 {
	data, err := bridge.Call(s.ctx, s.svc, "Snapshot", nil)
	var snapshot struct{ Seq uint64 }
	if err != nil || json.Unmarshal(data, &snapshot) != nil {
		return 0
	}
	return snapshot.Seq
}

func (s *shell) endPump() {
	s.mu.Lock()
	stop, stopped := s.stop, s.stopped
	s.mu.Unlock()
	if stop == nil {
		return
	}
	stop()
	select {
	case <-stopped:
	case <-time.After(closeTimeout):
	}
}

// beforeClose never keeps the user from closing; what has to be put away gets closeTimeout.
func (s *shell) beforeClose(context.Context) (prevent bool) {
	s.closing.Do(func() {
		if s.options.BeforeClose == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), closeTimeout)
		defer cancel()
		done := make(chan struct{})
		safely.Go(func() error { s.options.BeforeClose(ctx); return nil }, func(err error) { s.told(err); close(done) })
		select {
		case <-done:
		case <-ctx.Done():
		}
	})
	return false
}

func (s *shell) shutdown() {
	close(s.gone)
	s.cancel()
	s.endPump()
}
