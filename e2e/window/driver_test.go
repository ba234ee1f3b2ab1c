//go:build window

package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// commandTime bounds one command of the driver.
const commandTime = 20 * time.Second

// driver speaks the WebDriver protocol.
type driver struct {
	t       *testing.T
	base    string // up to the session
	client  http.Client
	session string
}

func newDriver(t *testing.T, port int) *driver {
	return &driver{t: t, base: fmt.Sprintf("http://127.0.0.1:%d", port), client: http.Client{Timeout: commandTime}}
}

// send runs one command and returns its value.
func (d *driver) send(method, path string, body any) (json.RawMessage, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodGet {
		data = nil
	}
	request, err := http.NewRequest(method, d.base+path, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	answer, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var out struct{ Value json.RawMessage }
	if err := json.Unmarshal(text, &out); err != nil || answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	return out.Value, nil
}

func (d *driver) ready() bool {
	_, err := d.send(http.MethodGet, "/status", nil)
	return err == nil
}

// open starts the program and a session in its window.
func (d *driver) open(binary string, args ...string) {
	d.t.Helper()
	options := map[string]any{"binary": binary, "args": args}
	value, err := d.send(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{
		"alwaysMatch": map[string]any{"webkitgtk:browserOptions": options}}})
	if err != nil {
		d.t.Fatalf("no session: %v", err)
	}
	var session struct{ SessionID string }
	if err := json.Unmarshal(value, &session); err != nil || session.SessionID == "" {
		d.t.Fatalf("no session: %s", value)
	}
	d.session = "/session/" + session.SessionID
}

// try runs the body of a function in the page; a promise is waited for.
func (d *driver) try(script string, into any, args ...any) error {
	if args == nil {
		args = []any{}
	}
	value, err := d.send(http.MethodPost, d.session+"/execute/sync", map[string]any{"script": script, "args": args})
	if err != nil {
		return err
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(value, into)
}

func (d *driver) run(script string, into any, args ...any) {
	d.t.Helper()
	if err := d.try(script, into, args...); err != nil {
		d.t.Fatalf("%s: %v", script, err)
	}
}

// text is what a person reads in the element with the test id; "" when it is not there.
func (d *driver) text(testid string) string {
	d.t.Helper()
	var text string
	d.run(`const e = document.querySelector('[data-testid="' + arguments[0] + '"]'); return e ? e.innerText : ''`, &text, testid)
	return text
}

// call asks the program itself, the way the page does.
func (d *driver) call(into any, method, args string) {
	d.t.Helper()
	var text string
	d.run(`return window.go.window.Facade.Call(arguments[0], arguments[1])`, &text, method, args)
	if err := json.Unmarshal([]byte(text), into); err != nil {
		d.t.Fatalf("%s: %v in %.200s", method, err, text)
	}
}
