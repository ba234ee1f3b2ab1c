package mteam

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"zimoscope/backend/zimoos"
)

const (
	// probeTimeout bounds one request: a hub on this machine answers in milliseconds, a busy one within seconds.
	probeTimeout = 4 * time.Second
	// maxAnswerBytes bounds what is read of an answer: a frame is far smaller.
	maxAnswerBytes = 16 << 20
)

// Report is what is known of the backend.
type Report struct {
	// Ready: the hub answered with its current frame. A run needs Missing to be empty as well.
	Ready    bool
	Missing  []string // NoAnswer, NoFolder, NoBun
	Attempts []Attempt
}

// Complete says that a run can be made.
func (r Report) Complete() bool { return r.Ready && len(r.Missing) == 0 }

// Attempt is one question to the hub.
type Attempt struct {
	URL      string // without a password
	Status   int    // of HTTP, 0 when there was no answer
	Sentence string // what came of it
}

// Probe asks the hub for the current frame of instance, in the two ways it may know, and looks for what a run needs.
func Probe(ctx context.Context, s Settings, instance string) Report {
	var r Report
	// The transport lives for this call: nothing stays open.
	client := &http.Client{
		Timeout:   probeTimeout,
		Transport: &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	for _, q := range []struct {
		path string
		body map[string]string
	}{
		{"/api/panel/zimoos/current", map[string]string{"teamId": "local", "agentId": instance, "instanceId": instance}},
		{"/api/zimoos/current", map[string]string{"instanceId": instance}},
	} {
		ready, attempt := ask(ctx, client, s.HubURL, q.path, q.body)
		r.Attempts = append(r.Attempts, attempt)
		if ready {
			r.Ready = true
			break
		}
	}
	if !r.Ready {
		r.Missing = append(r.Missing, NoAnswer)
	}
	if !s.hasFolder() {
		r.Missing = append(r.Missing, NoFolder)
	}
	if !s.hasBun() {
		r.Missing = append(r.Missing, NoBun)
	}
	return r
}

func ask(ctx context.Context, client *http.Client, hub, path string, question map[string]string) (bool, Attempt) {
	base, err := url.Parse(hub)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return false, Attempt{URL: "", Sentence: "the hub address is not an http address; correct " + hubVariable}
	}
	target := base.JoinPath(path)
	a := Attempt{URL: target.Redacted()}
	body, err := json.Marshal(question)
	if err != nil {
		a.Sentence = "the question could not be written"
		return false, a
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		a.Sentence = "the hub address can't be used"
		return false, a
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		a.Sentence = noAnswer(err)
		return false, a
	}
	defer resp.Body.Close()
	a.Status = resp.StatusCode
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		a.Sentence = "the answer broke off: " + noAnswer(err)
	case len(answer) > maxAnswerBytes:
		a.Sentence = fmt.Sprintf("the answer is larger than %d MiB", maxAnswerBytes>>20)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		a.Sentence = fmt.Sprintf("answered with HTTP status %d", resp.StatusCode)
	default:
		var ready bool
		ready, a.Sentence = judge(answer)
		return ready, a
	}
	return false, a
}

func judge(answer []byte) (bool, string) {
	frame, claims, err := zimoos.ParseFrame(bytes.TrimSpace(answer))
	switch {
	case err != nil:
		return false, "answered with a frame that is none: " + err.Error()
	case !claims || frame == nil:
		return false, "answered, but not with a ZimoOS frame"
	}
	return true, "answered with a ZimoOS frame"
}

// noAnswer says why nothing came, without the address, which stands beside it.
func noAnswer(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return fmt.Sprintf("no answer within %s", probeTimeout)
		}
		err = wrapped.Err
	}
	return "no answer: " + strings.TrimSpace(err.Error())
}
