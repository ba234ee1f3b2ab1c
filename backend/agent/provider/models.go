package provider

import (
	"context"
	"io"
	"net/http"

	"github.com/openai/openai-go/v3/option"
)

// Models asks the provider which models it has, in its own order: the cheapest
// way to check an address and a key. It may be empty. Every error is an *Error.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	r := c.newRun(ctx, StreamOptions{})
	defer r.end()
	var answer *http.Response
	err := c.api.Get(r.ctx, "models", nil, &answer, option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: r, CheckRedirect: noRedirect}))
	if answer != nil {
		defer func() { _ = answer.Body.Close() }()
	}
	if stopped := r.stopped(); stopped != nil {
		return nil, stopped
	}
	if answer == nil {
		return nil, c.newError(KindUnreachable, reason(err))
	}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorBody))
	if stopped := r.stopped(); stopped != nil {
		return nil, stopped
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return nil, c.httpError(answer, body)
	}
	list, ok := find(membersOf(body), "data")
	if !ok {
		return nil, c.newError(KindProtocol, plainText(body))
	}
	var names []string
	for _, entry := range elementsOf(list) {
		if id, ok := find(split(entry), "id"); ok {
			names = append(names, looseString(id))
		}
	}
	return names, nil
}
