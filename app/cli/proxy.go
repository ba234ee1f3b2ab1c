package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"zimoscope/app/foreign"
	"zimoscope/backend/capture/answer"
	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/capture/proxy"
	"zimoscope/backend/record"
)

type proxyFlags struct {
	upstream, listen, session string
	origins                   []string
}

func (p *program) proxyCommand() *cobra.Command {
	var f proxyFlags
	c := &cobra.Command{
		Use:   "proxy --upstream URL",
		Short: "Record what another agent sends: a transparent reverse proxy before its provider",
		Long: "Prints its address as the first line; use that as the base URL of your agent. Everything passes unchanged and\n" +
			"at once, and is recorded afterwards. The path of the upstream is put before the agent's unless the agent's already\n" +
			"begins with it: with --upstream https://api.example.com/v1 both http://127.0.0.1:PORT and http://127.0.0.1:PORT/v1\n" +
			"work as a base URL. OpenAI chat completions, OpenAI Responses and Anthropic Messages are compared, other paths are\n" +
			"listed. Your agent's keys pass through and are never stored. Ends with Ctrl-C.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.proxy(c.Context(), f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.upstream, "upstream", "", "address of the provider, such as https://api.example.com/v1")
	fl.StringVar(&f.listen, "listen", proxy.DefaultListen, "loopback address; port 0 picks a free one")
	fl.StringVar(&f.session, "session", "", "name of the session that is recorded")
	fl.StringArrayVar(&f.origins, "allow-origin", nil, "let web pages of this origin use the proxy, such as http://localhost:3000; repeat it for several")
	return c
}

func (p *program) proxy(ctx context.Context, f proxyFlags) error {
	if f.upstream == "" {
		return fmt.Errorf("say where requests go: --upstream URL")
	}
	server, err := proxy.New(proxy.Options{
		Upstream: f.upstream, Listen: f.listen, AllowOrigins: f.origins,
		Log: func(sentence string) { fmt.Fprintln(p.err, sentence) },
	})
	if err != nil {
		return err
	}
	if err := server.Listen(); err != nil {
		return failed(err)
	}
	// The session is made last: what can't run leaves none behind.
	sink, closer, err := p.proxySink(f.session)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.out, server.URL())
	err = server.Serve(ctx, sink)
	if cerr := closer.Close(); cerr != nil {
		err = errors.Join(err, fmt.Errorf("closing the recording: %w", cerr))
	}
	if err != nil {
		return failed(err)
	}
	return nil
}

// proxySink records into a session, and prints a line for each exchange.
func (p *program) proxySink(name string) (exchange.Sink, io.Closer, error) {
	st, err := p.store()
	if err != nil {
		return nil, nil, failed(err)
	}
	var ahead *forecaster
	sess, err := foreign.Open(st, foreign.Options{Name: name, From: foreign.Proxy, Source: "proxy", OnRecord: func(r *record.Record, a *answer.Answer) { p.recorded(r, a, ahead.next(r)) }})
	if err != nil {
		return nil, nil, failed(err)
	}
	ahead = newForecaster(sess.Store)
	fmt.Fprintf(p.err, "recording into session %q (%s)\n", sess.Store.Info().Name, sess.Store.ID)
	return sess, sess, nil
}

// recorded prints what became of one exchange. cache is what is predicted and was reported of its cache.
func (p *program) recorded(r *record.Record, a *answer.Answer, cache string) {
	if r.Meta.Kind == record.KindOther {
		fmt.Fprintf(p.err, "request %d  %s %s  %d  not compared\n", r.N, r.Foreign.Method, r.Foreign.URL, r.Foreign.HTTP)
		p.notes(r)
		return
	}
	after := ""
	if r.Meta.Predecessor > 0 {
		after = fmt.Sprintf(" after %d", r.Meta.Predecessor)
	}
	fmt.Fprintf(p.err, "request %d  %s%s  %s  %s  %d bytes  %d ms%s\n", r.N, r.Meta.Thread, after, r.Meta.Kind, r.Verdict.Verdict, r.Sizes.Bytes, r.Millis, cache)
	for _, i := range r.Foreign.Inferred {
		fmt.Fprintf(p.err, "  %s: %s\n", i.Cause, oneLine(i.Evidence))
	}
	p.notes(r)
	if r.Error != "" {
		fmt.Fprintf(p.err, "  %s\n", oneLine(r.Error))
	}
}

func (p *program) notes(r *record.Record) {
	for _, n := range r.Foreign.Notes {
		fmt.Fprintf(p.err, "  note: %s\n", oneLine(n))
	}
}
