package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"zimoscope/backend/store"
)

func (p *program) sessionsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List what the store holds",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return p.sessions(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return c
}

func (p *program) sessions(asJSON bool) error {
	st, err := p.store()
	if err != nil {
		return err
	}
	list, err := st.List()
	if err != nil {
		return err
	}
	if asJSON {
		if list == nil {
			list = []store.Summary{}
		}
		return json.NewEncoder(p.out).Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintf(p.out, "No sessions in %s yet. Try: zimoscope run --demo\n", st.Dir())
		return nil
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tREQUESTS\tVERDICTS\tBYTES\tCREATED\t")
	for _, m := range list {
		note := ""
		switch {
		case m.Damaged != "":
			note = m.Damaged
		case m.HeldBy != "":
			note = "open in " + m.HeldBy
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%s\t%s\n", m.ID, m.Name, m.Requests, counts(m.Verdicts), m.Bytes, time.UnixMilli(m.CreatedAt).Format(time.DateTime), note)
	}
	return w.Flush()
}

func counts(verdicts map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(verdicts)) {
		parts = append(parts, fmt.Sprintf("%d %s", verdicts[k], k))
	}
	return strings.Join(parts, ", ")
}
