package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
	"zimoscope/app/serve"
	"zimoscope/app/service"
	"zimoscope/app/window"
)

func (p *program) serveCommand() *cobra.Command {
	var addr, lang string
	var remote, demo bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Offer the window to a browser on this machine",
		Long:  "Prints the whole address with its token as the first line. Listens on loopback only, unless --allow-remote.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.serve(c.Context(), serve.Options{Listen: addr, AllowRemote: remote}, demo, lang)
		},
	}
	c.Flags().StringVar(&addr, "listen", "127.0.0.1:0", "address to listen on; port 0 picks a free one")
	c.Flags().BoolVar(&remote, "allow-remote", false, "allow an address that other machines reach: anyone with the token can read all traffic")
	c.Flags().BoolVar(&demo, "demo", false, "start the demo session at once")
	c.Flags().StringVar(&lang, "lang", "en", "language of the demo session: en or zh")
	return c
}

// parts are what both shells run on.
type parts struct {
	svc    *service.Service
	hub    *bridge.Hub
	assets fs.FS
}

func (p *program) parts(shell string) (*parts, error) {
	st, err := p.store()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program can't find itself to start the simulator: %w", err)
	}
	hub := bridge.NewHub()
	svc := service.New(service.Options{Store: st, Events: hub, Shell: shell, Program: self, Languages: service.SystemLanguages()})
	return &parts{svc: svc, hub: hub, assets: p.assets}, nil
}

// startDemo opens the demo session and plays it.
func (s *parts) startDemo(lang string) error {
	_, err := s.svc.Create(api.NewSession{Demo: true, Lang: lang})
	return err
}

func (s *parts) close(err error) error {
	s.hub.Close()
	return errors.Join(err, s.svc.Close())
}

func (p *program) serve(ctx context.Context, o serve.Options, demo bool, lang string) error {
	s, err := p.parts("serve")
	if err != nil {
		return err
	}
	o.Log = p.log
	o.Warn = func(sentence string) { fmt.Fprintln(p.err, sentence) }
	server, err := serve.New(s.svc, s.hub, s.assets, o)
	if err != nil {
		return s.close(err)
	}
	if err := server.Listen(); err != nil {
		return s.close(err)
	}
	fmt.Fprintln(p.out, server.URL())
	if demo {
		if err := s.startDemo(lang); err != nil {
			return s.close(err)
		}
	}
	return s.close(server.Serve(ctx))
}

// window opens the desktop window; where it can't, it says what to do instead.
func (p *program) window(ctx context.Context, demo bool, files []string) error {
	s, err := p.parts("window")
	if err != nil {
		return err
	}
	if demo && window.CanOpen() == nil {
		if err := s.startDemo(systemLanguage()); err != nil {
			return s.close(err)
		}
	}
	if len(files) > 0 && window.CanOpen() == nil {
		if err := s.svc.OpenFiles(files); err != nil {
			return s.close(err)
		}
	}
	err = s.close(window.Run(ctx, s.svc, s.hub, s.assets, window.Options{Log: p.log}))
	if errors.Is(err, window.ErrNoWindow) || errors.Is(err, window.ErrNoDisplay) {
		return fmt.Errorf("%w; use `zimoscope serve`, which shows the same in a browser", err)
	}
	if err != nil {
		return failed(err)
	}
	return nil
}

// log takes what a maintainer needs of a mistake of the program itself.
func (p *program) log(text string) { fmt.Fprintln(p.err, text) }

// systemLanguage is the language of the demo in the window: Chinese where the system prefers it.
func systemLanguage() string {
	for _, l := range service.SystemLanguages() {
		if strings.HasPrefix(l, "zh") {
			return "zh"
		}
	}
	return "en"
}
