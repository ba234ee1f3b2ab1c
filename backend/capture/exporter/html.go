package exporter

import (
	_ "embed" // the page
	"html/template"
	"io"
	"strings"
	"time"

	"zimoscope/backend/record"
	"zimoscope/backend/requestview/cachemodel"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

//go:embed report.html
var reportPage string

// excerpt bounds a text shown in the report, in bytes; the bundle holds all of it.
const excerpt = 4 << 10

type reportData struct {
	Info     store.Info
	Version  string
	Made     string
	Verdicts []verdictCount
	Rows     []reportRow
	Prefix   []reportPart
	History  []reportPart
	Carrier  string
	Of       int // the request whose panes are shown
	Reported string
}

type verdictCount struct {
	Verdict string
	Count   int
}

type reportRow struct {
	*record.Record
	Time     string
	Host     string
	Cached   string
	Failed   []verdict.Redline
	Width    [4]int // per cent of prefix, equal, new, tail
	Compared bool
}

type reportPart struct {
	Title string
	Link  string
	Text  string
	Bytes int
}

// html writes one page without scripts and without anything from elsewhere: it can be opened, mailed and kept.
func (s Source) html(w io.Writer) error {
	d := reportData{Info: s.Session.Info(), Version: s.Version, Made: time.Now().UTC().Format("2006-01-02 15:04 UTC")}
	counts, order := map[string]int{}, []string{}
	var usage []cachemodel.Usage
	var last *record.Record
	for _, r := range s.Records {
		v := string(r.Verdict.Verdict)
		if r.Meta.Kind == record.KindOther {
			v = record.KindOther
		} else {
			last = r
		}
		if counts[v] == 0 {
			order = append(order, v)
		}
		counts[v]++
		row := rowOf(r)
		if len(r.Usage) > 0 {
			usage = append(usage, cachemodel.ParseUsage(r.Usage))
		}
		d.Rows = append(d.Rows, row)
	}
	for _, v := range order {
		d.Verdicts = append(d.Verdicts, verdictCount{v, counts[v]})
	}
	if share, n, ok := cachemodel.Average(usage); ok {
		d.Reported = percent(share) + " over " + count(n, "request")
	}
	if last != nil {
		if err := s.panes(&d, last); err != nil {
			return err
		}
	}
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return err
	}
	return page.Execute(w, d)
}

func rowOf(r *record.Record) reportRow {
	row := reportRow{Record: r, Compared: r.Meta.Kind != record.KindOther, Cached: "not reported"}
	if r.SentAt > 0 {
		row.Time = time.UnixMilli(r.SentAt).UTC().Format("15:04:05")
	}
	if len(r.Usage) > 0 {
		if share, ok := cachemodel.ParseUsage(r.Usage).Share(); ok {
			row.Cached = percent(share)
		}
	}
	for _, l := range r.Redlines {
		if l.OK != nil && !*l.OK {
			row.Failed = append(row.Failed, l)
		}
	}
	if z := r.Sizes; z.Bytes > 0 {
		for i, n := range []int{z.Prefix, z.Equal, z.New, z.Tail} {
			row.Width[i] = 100 * n / z.Bytes
		}
	}
	return row
}

// panes fills the three parts of the last request.
func (s Source) panes(d *reportData, r *record.Record) error {
	b, err := s.body(r)
	if err != nil {
		return err
	}
	d.Of = r.N
	add := func(list *[]reportPart, k wire.Kind, i int, title, text string) {
		from, to := b.Range(k, i)
		p := b.Model
		if k != wire.KindModel {
			p = b.Region(k).Part(i)
		}
		*list = append(*list, reportPart{Title: title, Link: p.Link.String()[:12], Text: shorten(text), Bytes: to - from})
	}
	add(&d.Prefix, wire.KindModel, 0, "model", string(b.Bytes(wire.KindModel, 0)))
	for i := range b.Tools.Len() {
		add(&d.Prefix, wire.KindTool, i, "tool", string(b.Bytes(wire.KindTool, i)))
	}
	if b.System.Len() > 0 {
		add(&d.Prefix, wire.KindSystem, 0, "system", systemText(b.Bytes(wire.KindSystem, 0)))
	}
	n := b.Messages.Len()
	tail := n - verdict.TailMessages(b)
	for i := range n {
		msg := b.Bytes(wire.KindMessage, i)
		text := verdict.TextOf(msg)
		if text == "" {
			text = string(msg)
		}
		switch {
		case i == 0 && verdict.HasSystem(b):
			add(&d.Prefix, wire.KindMessage, 0, "system", text)
		case i >= tail:
			d.Carrier = shorten(text)
		default:
			role, _ := wire.String(wire.Get(msg, "role"))
			add(&d.History, wire.KindMessage, i, role, text)
		}
	}
	return nil
}

func shorten(s string) string {
	if len(s) <= excerpt {
		return s
	}
	return strings.ToValidUTF8(s[:excerpt], "") + " … " + count(len(s)-excerpt, "byte") + " more"
}
