package heard

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"testing"
)

// Each text is made from the code or the value that stands for it: nothing is copied by hand for good.
func TestTheSystemsWordsAreThoseOfItsCodes(t *testing.T) {
	made := library()
	for code, errno := range errnos() {
		made[code] = errno.Error()
	}
	for code, text := range made {
		if system.Texts[code] != text {
			t.Errorf("system.%s is %q here, not %q", code, text, system.Texts[code])
		}
	}
	for code := range system.Texts {
		if _, ok := made[code]; !ok && ownWords(code) {
			t.Errorf("nothing stands for system.%s", code)
		}
	}
}

type place string

func (p place) Network() string { return "{net:w}" }
func (p place) String() string  { return string(p) }

// library are the texts of the standard library's errors, with places for their values.
func library() map[string]string {
	const why = "{why}"
	op := func(op, call string) string {
		return (&net.OpError{Op: op, Net: "{net:w}", Addr: place("{address:w}"), Err: os.NewSyscallError(call, errors.New(why))}).Error()
	}
	return map[string]string{
		"missing": fs.ErrNotExist.Error(), "late": os.ErrDeadlineExceeded.Error(), "deadline": context.DeadlineExceeded.Error(),
		"cancelled": context.Canceled.Error(), "ended": io.ErrUnexpectedEOF.Error(),
		"no-host":      (&net.DNSError{Err: "no such host", Name: "{host:w}", IsNotFound: true}).Error(),
		"no-host-said": (&net.DNSError{Err: "no such host", Name: "{host:w}", Server: "{server:w}", IsNotFound: true}).Error(),
		"dial":         op("dial", "connect"), "listen": op("listen", "bind"),
	}
}

// A real failure of each kind that a test can bring about says what the catalogue has.
func TestRealFailuresAreHeard(t *testing.T) {
	dir := t.TempDir()
	_, missing := os.ReadFile(dir + "/absent")
	folder := os.WriteFile(dir, nil, 0o600)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, used := net.Listen("tcp", l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, refused := net.Dial("tcp", l.Addr().String())
	for what, c := range map[string]struct {
		err   error
		codes []string
	}{
		"a missing file": {missing, words("not-found", "win-file")}, "a folder": {folder, words("directory", "")},
		"a port in use": {used, words("in-use", "win-in-use")}, "nobody there": {refused, words("refused", "win-refused")},
	} {
		heard := false
		for _, code := range c.codes {
			heard = heard || c.err != nil && strings.HasSuffix(c.err.Error(), system.Texts[code])
		}
		if !heard {
			t.Errorf("%s: %v", what, c.err)
		}
	}
}
