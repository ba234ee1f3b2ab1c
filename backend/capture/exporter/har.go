package exporter

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"zimoscope/backend/record"
)

// The shapes of HAR 1.2. Members that begin with an underscore are our own, as the format allows.
type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`
	Zimo     harZimo     `json:"_zimoscope"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Version     string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	Post        harPost   `json:"postData"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harPost struct {
	Type   string    `json:"mimeType"`
	Params []harPair `json:"params"`
	Text   string    `json:"text"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	Version     string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	Redirect    string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harContent struct {
	Size int    `json:"size"`
	Type string `json:"mimeType"`
	Text string `json:"text"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harZimo struct {
	Request int    `json:"request"`
	Thread  string `json:"thread"`
	Follows int    `json:"follows"`
	Kind    string `json:"kind"`
	Verdict string `json:"verdict"`
	SHA256  string `json:"sha256"`
}

func (s Source) har(w io.Writer) error {
	out := &stream{w: w}
	out.text(`{"log":{"version":"1.2","creator":{"name":"ZimoScope","version":`)
	out.value(s.Version)
	out.text(`},"pages":[],"entries":[`)
	for i, r := range s.Records {
		e, err := s.harEntry(r)
		if err != nil {
			return err
		}
		if i > 0 {
			out.text(",")
		}
		out.text("\n")
		out.value(e)
	}
	out.text("\n]}}\n")
	return out.err
}

func (s Source) harEntry(r *record.Record) (e harEntry, err error) {
	body, err := s.Session.Body(r.N)
	if err != nil {
		return e, err
	}
	resp, err := s.response(r.N)
	if err != nil {
		return e, err
	}
	const version = "HTTP/1.1"
	first := int64(0)
	method, status := http.MethodPost, http.StatusOK
	var sent, came []harPair
	if f := r.Foreign; f != nil {
		method, status, first = cmp.Or(f.Method, method), f.HTTP, f.FirstByte
		sent, came = pairs(f.RequestHeader), pairs(f.ResponseHeader)
	} else if r.Status != record.StatusDone {
		status = 0
	}
	first = min(max(0, first), r.Millis)
	e = harEntry{Started: time.UnixMilli(r.SentAt).UTC().Format("2006-01-02T15:04:05.000Z"), Time: float64(r.Millis),
		Timings: harTimings{Wait: float64(first), Receive: float64(r.Millis - first)}, Comment: r.Error,
		Zimo: harZimo{r.N, r.Meta.Thread, r.Meta.Predecessor, r.Meta.Kind, string(r.Verdict.Verdict), r.Meta.BodySHA256.String()}}
	e.Request = harRequest{Method: method, URL: s.address(r), Version: version, Cookies: []harPair{}, Headers: sent, Query: query(s.address(r)),
		Post: harPost{Type: "application/json", Params: []harPair{}, Text: string(body)}, HeadersSize: -1, BodySize: len(body)}
	e.Response = harResponse{Status: status, StatusText: http.StatusText(status), Version: version, Cookies: []harPair{}, Headers: came,
		Content: harContent{Size: len(resp), Type: contentType(resp), Text: resp}, HeadersSize: -1, BodySize: len(resp)}
	if e.Request.Headers == nil {
		e.Request.Headers = []harPair{{"Content-Type", "application/json"}}
	}
	if e.Response.Headers == nil {
		e.Response.Headers = []harPair{}
	}
	return e, nil
}

func contentType(resp string) string {
	if strings.HasPrefix(strings.TrimSpace(resp), "{") {
		return "application/json"
	}
	return "text/event-stream"
}

func pairs(h map[string][]string) (list []harPair) {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			list = append(list, harPair{name, v})
		}
	}
	return list
}

func query(address string) []harPair {
	list := []harPair{}
	if u, err := url.Parse(address); err == nil {
		list = append(list, pairs(u.Query())...)
	}
	return list
}
