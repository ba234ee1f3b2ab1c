//go:build window

package window

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zimoscope/app/api"
)

const (
	// dot is a whole PNG of one point.
	dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	// largeBytes is the size of a picture that a call of the page carries whole, as base64 inside JSON.
	largeBytes = 10 << 20
	// collections is how often that much is read back: enough for the engine to collect some times in the program itself.
	collections = 6
)

// point writes the small picture.
func point(t *testing.T, name string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(dot)
	if err != nil {
		t.Fatal(err)
	}
	return file(t, name, raw)
}

// noise writes a large file that starts as a PNG does; nothing of it can be left out or repeated unseen.
func noise(t *testing.T, name string) (path string, raw []byte) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{1})
	raw = make([]byte, largeBytes)
	_, _ = random.Read(raw)
	copy(raw, "\x89PNG\r\n\x1a\n")
	return file(t, name, raw), raw
}

func file(t *testing.T, name string, raw []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// there waits until the page shows an element: it may be behind the program.
func (s *stage) there(testid string) {
	s.t.Helper()
	until(s.t, startTime, testid+" is there", func() bool {
		var found bool
		s.run(`return document.querySelector('[data-testid="' + arguments[0] + '"]') !== null`, &found, testid)
		return found
	})
}

// give puts a file into the composer's input: a page that a driver holds opens no dialog of the desktop for it.
func (s *stage) give(path string) {
	s.t.Helper()
	s.there("attach-input")
	value, err := s.send(http.MethodPost, s.session+"/element", map[string]string{"using": "css selector", "value": `[data-testid=attach-input]`})
	if err != nil {
		s.t.Fatal(err)
	}
	var element map[string]string
	if err := json.Unmarshal(value, &element); err != nil || len(element) != 1 {
		s.t.Fatalf("no element: %s", value)
	}
	for _, id := range element {
		if _, err := s.send(http.MethodPost, s.session+"/element/"+id+"/value", map[string]string{"text": path}); err != nil {
			s.t.Fatal(err)
		}
	}
}

// ask writes a message, sends it and waits for the end of its turn. It gives the number of its first request.
func (s *stage) ask(text string) (session string, n int) {
	s.t.Helper()
	before := s.now()
	var line api.Timeline
	s.call(&line, "Timeline", fmt.Sprintf("[%q]", before.Current))
	s.run(`const e = document.querySelector('[data-testid=composer]');
		Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(e, arguments[0]);
		e.dispatchEvent(new Event('input', {bubbles: true}))`, nil, text)
	s.press("send")
	until(s.t, demoTime, "the message is answered", func() bool {
		now := s.now()
		var after api.Timeline
		s.call(&after, "Timeline", fmt.Sprintf("[%q]", now.Current))
		return now.State.Phase == "idle" && len(after.Rows) > len(line.Rows) && after.Rows[len(after.Rows)-1].Status == "done"
	})
	return before.Current, len(line.Rows) + 1
}

func (s *stage) now() (snapshot api.Snapshot) {
	s.t.Helper()
	s.call(&snapshot, "Snapshot", "[]")
	return snapshot
}

// body reads a request's bytes page by page.
func (s *stage) body(session string, n int) []byte {
	s.t.Helper()
	var all bytes.Buffer
	for {
		var page api.TextPage
		s.call(&page, "Body", fmt.Sprintf(`[{"session":%q,"n":%d},%d]`, session, n, all.Len()))
		all.WriteString(page.Text)
		if all.Len() >= page.Total || page.Text == "" {
			return all.Bytes()
		}
	}
}

// sentPictures are the addresses of the image parts of a body, in order.
func sentPictures(t *testing.T, body []byte) (list []string) {
	t.Helper()
	var b struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatal(err)
	}
	for _, m := range b.Messages {
		var parts []struct {
			Type     string
			ImageURL struct{ URL string } `json:"image_url"`
		}
		if json.Unmarshal(m.Content, &parts) != nil { // a text alone
			continue
		}
		for _, p := range parts {
			if p.Type == "image_url" {
				list = append(list, p.ImageURL.URL)
			}
		}
	}
	return list
}

func TestAPictureChosenOrDroppedGoesWithTheMessage(t *testing.T) {
	s := open(t)
	s.played()
	s.give(point(t, "chosen at noon.png"))
	s.reads("attached", "chosen at noon.png", "PNG", "70 B")
	s.resize(1000, 640)
	s.drop(point(t, "dropped.png"))
	s.reads("attached", "chosen at noon.png", "dropped.png")
	if jobs := s.jobs(); len(jobs) != 0 {
		t.Errorf("a picture was imported: %+v", jobs)
	}
	s.shoot(strings.Replace(picture, "window.png", "window-picture.png", 1))
	session, n := s.ask("What are these?")
	want := []string{"data:image/png;base64," + dot, "data:image/png;base64," + dot}
	if got := sentPictures(t, s.body(session, n)); !slices.Equal(got, want) {
		t.Errorf("the body holds %d pictures: %.100v", len(got), got)
	}
	s.there(fmt.Sprintf("row-%d", n))
	s.press(fmt.Sprintf("row-%d", n))
	s.reads("pictures", "Picture, PNG, 70 B")
	closeWindow(s)
}

func TestALargePictureReachesTheProgramWhole(t *testing.T) {
	s := open(t)
	s.played()
	path, raw := noise(t, "large.png")
	s.give(path)
	s.reads("attached", "large.png", "10.5 MB")
	session, n := s.ask("Keep this")
	want := []string{"data:image/png;base64," + base64.StdEncoding.EncodeToString(raw)}
	for range collections { // the engine collects what went by, and the window goes on
		if got := sentPictures(t, s.body(session, n)); !slices.Equal(got, want) {
			t.Fatalf("the body holds %d pictures, none or not whole", len(got))
		}
	}
	s.there(fmt.Sprintf("row-%d", n))
	s.press(fmt.Sprintf("row-%d", n))
	s.reads("pictures", "Picture, PNG, 10.5 MB")
	closeWindow(s)
}
