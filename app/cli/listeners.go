package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"zimoscope/backend/scripted"
	"zimoscope/backend/zimoos/sim"
)

func (p *program) simCommand() *cobra.Command {
	var o sim.Options
	var addr string
	c := &cobra.Command{
		Use:   "sim",
		Short: "Run the ZimoOS simulator as an MCP server, on stdio or HTTP",
		Long:  "A small invented virtual OS for demos and tests; nothing it answers counts as the real ZimoOS. On stdio unless --http.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if addr == "" {
				return sim.ServeStdio(c.Context(), o, os.Stdin, p.out)
			}
			return p.listen(c.Context(), func(ctx context.Context, ready func(string)) error { return sim.ListenHTTP(ctx, addr, o, ready) })
		},
	}
	c.Flags().StringVar(&addr, "http", "", "listen for streamable HTTP on this loopback address, such as 127.0.0.1:0")
	c.Flags().Int64Var(&o.Seed, "seed", 1, "the same seed and the same calls give the same screens")
	c.Flags().StringVar(&o.Server, "server", sim.ServerZimoOS, "which server: zimoos, or files with ordinary tools")
	return c
}

func (p *program) providerCommand() *cobra.Command {
	var script, addr, model string
	var demo bool
	var speed float64
	c := &cobra.Command{
		Use:   "provider --script FILE",
		Short: "Run the scripted provider: an OpenAI-compatible server that plays a script, with a true prefix cache",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			s := scripted.Demo()
			if !demo {
				if script == "" {
					return fmt.Errorf("say what to play: --script FILE, or --demo")
				}
				var err error
				if s, err = scripted.Load(script); err != nil {
					return err
				}
			}
			return p.listen(c.Context(), func(ctx context.Context, ready func(string)) error {
				return scripted.Listen(ctx, addr, s, scripted.Options{Model: model, Speed: speed}, ready)
			})
		},
	}
	c.Flags().StringVar(&script, "script", "", "the script to play (JSON)")
	c.Flags().BoolVar(&demo, "demo", false, "play the built-in demo script")
	c.Flags().StringVar(&addr, "listen", "127.0.0.1:0", "loopback address")
	c.Flags().StringVar(&model, "model", "", "model name to answer under")
	c.Flags().Float64Var(&speed, "speed", 1, "1 plays the script's delays as written, 0 leaves them out")
	return c
}

// listen prints the address as the first line on stdout and serves until the context ends.
func (p *program) listen(ctx context.Context, serve func(context.Context, func(string)) error) error {
	err := serve(ctx, func(url string) { fmt.Fprintln(p.out, url) })
	if ctx.Err() != nil {
		return nil
	}
	return err
}
