package service

import (
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/picture"
)

// dot is a PNG of one pixel, 70 bytes.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func dotPicture() []api.Picture { return []api.Picture{{Name: "dot.png", Data: dot}} }

// holdsPicture says how often the body of a request holds the dot, and how the view tells of it.
func (d *desk) holdsPicture(ref api.RequestRef) (int, []api.PictureView) {
	d.t.Helper()
	page, err := d.s.Body(ref, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	v, err := d.s.Request(ref)
	if err != nil {
		d.t.Fatal(err)
	}
	var seen []api.PictureView
	for _, m := range v.Messages {
		if seen = append(seen, m.Pictures...); m.Images != len(m.Pictures) {
			d.t.Errorf("messages[%d]: %d images, %d pictures", m.Index, m.Images, len(m.Pictures))
		}
	}
	return strings.Count(page.Text, `{"type":"image_url","image_url":{"url":"data:image/png;base64,`+dot+`"}}`), seen
}

func TestAPictureStaysAPartOfEveryLaterRequestAndTheViewSaysWhatItIs(t *testing.T) {
	d, id, _ := withFile(t)
	if err := d.s.Prompt("What is this? hide-key-123456", dotPicture()); err != nil {
		t.Fatal(err)
	}
	d.until("the end of the turn", idle)
	d.says("And now?")
	tl, err := d.s.Timeline(id)
	if err != nil || len(tl.Rows) < 2 || tl.Figures.Violations != 0 {
		t.Fatalf("%v %+v", err, tl.Figures)
	}
	for _, row := range tl.Rows {
		n, seen := d.holdsPicture(api.RequestRef{Session: id, N: row.N})
		if n != 1 || len(seen) != 1 || seen[0] != (api.PictureView{Type: "image/png", Bytes: 70}) {
			t.Errorf("request %d holds it %d times: %+v", row.N, n, seen)
		}
		if page, _ := d.s.Body(api.RequestRef{Session: id, N: row.N}, 0); strings.Contains(page.Text, "hide-key") {
			t.Errorf("request %d holds the key that was written beside the picture", row.N)
		}
	}
}

// deaf is a session whose provider is not there.
func deaf(t *testing.T) (*desk, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "config.json")
	text := fmt.Sprintf(`{"model": {"baseURL": "http://%s/v1", "model": "m", "profile": "llamacpp"}, "mcpServers": {}}`, address)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := d.s.Create(api.NewSession{Name: "Deaf", Config: path})
	if err != nil {
		t.Fatal(err)
	}
	return d, info.ID
}

func TestARetryAlsoAfterReopeningKeepsThePicture(t *testing.T) {
	d, id := deaf(t)
	failed := func(s api.Snapshot) bool { return idle(s) && s.State.Error != "" }
	if err := d.s.Prompt("What is this?", dotPicture()); err != nil {
		t.Fatal(err)
	}
	d.until("the failure", failed)
	if err := d.s.Retry(); err != nil {
		t.Fatal(err)
	}
	d.until("the second failure", failed)
	if _, err := d.s.Create(api.NewSession{Demo: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the end of the demo", idle)
	if _, err := d.s.Open(id); err != nil {
		t.Fatal(err)
	}
	if err := d.s.Retry(); err != nil {
		t.Fatal(err)
	}
	d.until("the third failure", failed)
	tl, err := d.s.Timeline(id)
	if err != nil || len(tl.Rows) < 3 {
		t.Fatalf("%v, %d requests", err, len(tl.Rows))
	}
	for _, row := range tl.Rows {
		if n, _ := d.holdsPicture(api.RequestRef{Session: id, N: row.N}); n != 1 {
			t.Errorf("request %d holds it %d times", row.N, n)
		}
	}
}

func TestWhatCanNotBeSentBeginsNoTurn(t *testing.T) {
	d, id := deaf(t)
	words := base64.StdEncoding.EncodeToString([]byte("words"))
	for says, c := range map[string]struct {
		text string
		list []api.Picture
	}{
		"write a text":              {" ", dotPicture()},
		"note.txt: it is no PNG":    {"x", []api.Picture{{Name: "note.txt", Data: words}}},
		"torn.png: its bytes did":   {"x", []api.Picture{{Name: "torn.png", Data: dot[:21]}}},
		"more than 8 pictures":      {"x", make([]api.Picture, picture.MaxCount+1)},
		"larger than 20 MB; give a": {"x", []api.Picture{{Name: "big", Data: base64.StdEncoding.EncodeToString(make([]byte, picture.MaxBytes+1))}}},
	} {
		if err := d.s.Prompt(c.text, c.list); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if tl, err := d.s.Timeline(id); err != nil || len(tl.Rows) != 0 {
		t.Errorf("%v: %d requests", err, len(tl.Rows))
	}
}
