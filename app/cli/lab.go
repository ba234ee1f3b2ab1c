package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"zimoscope/app/stored"
	"zimoscope/backend/engine"
	"zimoscope/backend/lab"
	"zimoscope/backend/record"
	"zimoscope/backend/store"
)

type labFlags struct {
	json           bool
	prices, engine string
	kind           string
	idle           time.Duration
}

func (p *program) labCommand() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use:   "lab SESSION",
		Short: "Ask what caches would reuse of a session, as it was sent and by other strategies, in tokens and money",
		Long: "SESSION is an id, a name or latest. Every request is put to every class of provider cache, as it was sent and as other\n" +
			"strategies would have sent it. What was reported stands beside what is predicted; requests where the two differ by\n" +
			"more than one unit are listed. Tokens are counted by o200k_base, exact for OpenAI's models alone (others carry ≈), or by\n" +
			"a running engine with --engine. Prices are those of --prices, a JSON file of the form\n" +
			`{"currency":"USD","prices":{"anthropic-5m":{"uncached":5,"read":0.5,"written":6.25}}}, else a built-in table.` + "\n\n" +
			`With --json each of "requests" is {"n":N,"predicted":{CLASS:TOKENS},"reported":TOKENS}. "reported" is null where the` + "\n" +
			`provider reported nothing. "predicted" is {} where "history_elsewhere" is true: the provider keeps the history, it is not in` + "\n" +
			`the bytes, and shares and costs leave the request out.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.lab(c.Context(), args[0], f) },
	}
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	c.Flags().StringVar(&f.prices, "prices", "", "JSON file of prices for a million tokens")
	c.Flags().DurationVar(&f.idle, "ttl", 0, "idle time after which a cache forgets, in place of each class's own, such as 5m")
	c.Flags().StringVar(&f.engine, "engine", "", "address of a running engine that gives exact tokens, such as http://127.0.0.1:8080/v1")
	c.Flags().StringVar(&f.kind, "engine-kind", string(engine.LlamaCPP), "which engine it is: llamacpp or vllm")
	return c
}

func (p *program) lab(ctx context.Context, name string, f labFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if !f.json {
		o.Progress = p.labProgress()
	}
	return p.onStored(name, func(sess *store.Session, recs []*record.Record) error {
		r, err := lab.Run(ctx, stored.Lab(sess, recs), o)
		switch {
		case errors.Is(err, engine.ErrUnreachable), errors.Is(err, engine.ErrRefused):
			return failed(fmt.Errorf("%w; without --engine the tokens are estimated", err))
		case err != nil:
			return err
		case f.json:
			return json.NewEncoder(p.out).Encode(r)
		}
		return printLab(p.out, r)
	})
}

func (f labFlags) options() (o lab.Options, err error) {
	if f.idle < 0 {
		return o, errors.New("--ttl is a time such as 5m, not below zero")
	}
	o.Idle = f.idle
	if f.prices != "" {
		if o.Prices, err = lab.LoadPrices(f.prices); err != nil {
			return o, err
		}
	}
	if f.engine != "" {
		if o.Engine, err = engine.New(engine.Kind(f.kind), f.engine, ""); err != nil {
			return o, err
		}
	}
	return o, nil
}

// labPause lies between two lines of progress: work that is over sooner shows none.
const labPause = 500 * time.Millisecond

func (p *program) labProgress() func(lab.Progress) {
	last := time.Now()
	return func(s lab.Progress) {
		if now := time.Now(); now.Sub(last) >= labPause {
			last = now
			fmt.Fprintf(p.err, "%s: %d of %d\n", s.Stage, s.Done, s.Of)
		}
	}
}

func printLab(out io.Writer, r *lab.Result) error {
	cells := map[[2]string]lab.Cell{}
	for _, c := range r.Cells {
		cells[[2]string{c.Strategy, c.Class}] = c
	}
	fmt.Fprintln(out, "Reused share of the prompt tokens. ≈ marks classes whose tokens are estimated.")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	header(w, r, cells, "STRATEGY\tTOKENS\t", false)
	for _, s := range r.Strategies {
		fmt.Fprintf(w, "%s\t%d\t", s, cells[[2]string{s, r.Classes[0]}].PromptTokens)
		for _, c := range r.Classes {
			if cell := cells[[2]string{s, c}]; cell.PromptTokens > 0 {
				fmt.Fprintf(w, "%.1f %%\t", 100*cell.Share())
			} else {
				fmt.Fprint(w, "–\t") // nothing is predicted for any request
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nCost of the prompts in %s.\n", r.Currency)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	header(w, r, cells, "STRATEGY\t", true)
	for _, s := range r.Strategies {
		fmt.Fprintf(w, "%s\t", s)
		for _, c := range r.Classes {
			switch cell := cells[[2]string{s, c}]; {
			case cell.Priced && cell.PromptTokens > 0:
				fmt.Fprintf(w, "%.4f\t", cell.Cost)
			case cell.Priced:
				fmt.Fprint(w, "–\t")
			}
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, s := range r.Strategies {
		fmt.Fprintf(out, "%s: %s\n", s, lab.About(s))
	}
	return printReported(out, r)
}

// header prints the names of the classes, of those with a price alone if so asked.
func header(w io.Writer, r *lab.Result, cells map[[2]string]lab.Cell, first string, priced bool) {
	fmt.Fprint(w, first)
	for _, c := range r.Classes {
		cell := cells[[2]string{r.Strategies[0], c}]
		if priced && !cell.Priced {
			continue
		}
		sign := ""
		if cell.Estimated {
			sign = "≈ "
		}
		fmt.Fprintf(w, "%s%s\t", sign, c)
	}
	fmt.Fprintln(w)
}

// printReported sets what was reported beside what the session's own class predicts.
func printReported(out io.Writer, r *lab.Result) error {
	fmt.Fprintln(out)
	if r.Untimed > 0 {
		fmt.Fprintf(out, "%d of %d requests have no time: no cache is taken to have forgotten anything before them.\n", r.Untimed, len(r.Requests))
	}
	if r.Elsewhere > 0 {
		fmt.Fprintf(out, "%d of %d requests go on from a response that their provider keeps: their history is not in the bytes, nothing is predicted for them, shares and costs leave them out.\n", r.Elsewhere, len(r.Requests))
	}
	if r.Reported == nil {
		fmt.Fprintln(out, "No request reported what its cache reused.")
		return nil
	}
	fmt.Fprintf(out, "Reported by %d of %d requests: %d of %d tokens reused.\n", r.Reported.Requests, len(r.Requests), r.Reported.ReusedTokens, r.Reported.PromptTokens)
	if r.Own == "" {
		return nil
	}
	fmt.Fprintf(out, "Predicted for the same by %s: %d. %d requests differ by more than a unit.\n", r.Own, r.Reported.Predicted, r.Reported.Marked)
	if r.Reported.Marked == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "REQUEST\tPREDICTED\tREPORTED\tPROMPT\t")
	for _, q := range r.Requests {
		if q.Marked {
			fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", q.N, *q.Expected, *q.Reported, *q.Total)
		}
	}
	return w.Flush()
}
