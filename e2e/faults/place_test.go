//go:build linux

package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zimoscope/app/stored"
	"zimoscope/backend/agent"
	"zimoscope/backend/capture"
	"zimoscope/backend/store"
)

// readOnly makes a folder one that can't be written: by a mount for root, whom permissions don't stop.
func readOnly(t *testing.T, dir string) (undo func()) {
	t.Helper()
	if os.Getuid() != 0 {
		must(t, os.Chmod(dir, 0o500))
		return func() { must(t, os.Chmod(dir, 0o700)) }
	}
	if err := syscall.Mount(dir, dir, "", syscall.MS_BIND, ""); err != nil {
		t.Skip("permissions don't stop root, and a mount that can't be written is not possible here: ", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		must(t, syscall.Unmount(dir, 0))
		t.Skip("permissions don't stop root, and a mount that can't be written is not possible here: ", err)
	}
	return func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) }
}

func TestAFolderThatCantBeWrittenIsToldAndNothingChanges(t *testing.T) {
	h := newHome(t)
	if out, errOut, exit := h.do(t, "run", "--demo", "--session", "kept"); exit != 0 {
		t.Fatalf("exit %d\n%s%s", exit, out, errOut)
	}
	before := contents(t, h.data)
	undo := readOnly(t, h.data)
	for _, args := range [][]string{
		{"run", "--demo"},
		{"run", "--resume", "kept", "--prompt", "Go on."},
	} {
		out, errOut, exit := h.do(t, args...)
		if exit == 0 || !strings.Contains(errOut, store.ErrReadOnly.Error()) || strings.Contains(out+errOut, "goroutine ") {
			t.Errorf("%v: exit %d, %q", args, exit, errOut)
		}
	}
	if out, errOut, exit := h.do(t, "sessions"); exit != 0 || !strings.Contains(out, "kept") {
		t.Errorf("sessions list: exit %d, %q %q", exit, out, errOut)
	}
	undo()
	if after := contents(t, h.data); after != before {
		t.Errorf("the folder was\n%s\nand is\n%s", before, after)
	}
	if out, errOut, exit := h.do(t, "run", "--resume", "kept", "--prompt", "Go on."); exit != 0 {
		t.Fatalf("exit %d\n%s%s", exit, out, errOut)
	}
}

// contents lists the files of a folder with their sizes.
func contents(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		fmt.Fprintln(&b, e.Name(), info.Size())
	}
	return b.String()
}

// TestAClockThatJumpsChangesNoByte: the same conversation under a clock that runs, stands, jumps a year and goes back
// is the same to the byte, proved, and goes on.
func TestAClockThatJumpsChangesNoByte(t *testing.T) {
	r := chance(t)
	var first [][]byte
	base := time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC)
	jumps := map[string]func(n int) time.Time{
		"runs":             func(n int) time.Time { return base.Add(time.Duration(n) * time.Second) },
		"stands":           func(int) time.Time { return base },
		"back":             func(n int) time.Time { return base.Add(-time.Duration(n) * time.Hour) },
		"before the epoch": func(n int) time.Time { return time.Unix(int64(-n), 0) },
		"zero":             func(int) time.Time { return time.Time{} },
		"wild": func(int) time.Time {
			return base.Add(time.Duration(r.Int64N(int64(20000*time.Hour))) - 10000*time.Hour)
		},
	}
	for name, at := range jumps {
		st, err := store.New(t.TempDir())
		must(t, err)
		sess, err := st.Create(store.Info{Name: name, CreatedAt: at(1).UnixMilli()})
		must(t, err)
		o, n := optionsOn(t, sess, "thread"), 0
		o.Now = func() time.Time { n++; return at(n) }
		s, err := agent.New(o)
		must(t, err)
		for range 3 {
			_, err = s.Prompt(context.Background(), "What is on the screen?", nil)
			must(t, err)
		}
		verified(t, sess)
		var bodies [][]byte
		for n := 1; n <= sess.Requests(); n++ {
			body, err := sess.Body(n)
			must(t, err)
			bodies = append(bodies, body)
		}
		if first == nil {
			first = bodies
		}
		if len(bodies) != len(first) {
			t.Fatalf("%s: %d requests, %d under another clock", name, len(bodies), len(first))
		}
		for i := range bodies {
			if !bytes.Equal(bodies[i], first[i]) {
				t.Errorf("%s: request %d depends on the clock", name, i+1)
			}
		}
		recs, err := stored.Records(sess)
		must(t, err)
		for _, rec := range recs {
			if rec.Millis < 0 {
				t.Errorf("%s: request %d took %d ms", name, rec.N, rec.Millis)
			}
		}
		id := sess.ID
		must(t, sess.Close())
		if list, err := st.List(); err != nil || len(list) != 1 || list[0].ID != id || list[0].Damaged != "" {
			t.Errorf("%s: %v %+v", name, err, list)
		}
		sess, err = st.Open(id)
		must(t, err)
		goesOn(t, sess)
		must(t, sess.Close())
	}
}

// TestTwoProcessesMeetOnOneSession: the second hears who holds it, and neither harms the other; after the first was
// killed the lock is free.
func TestTwoProcessesMeetOnOneSession(t *testing.T) {
	h := newHome(t)
	cmd, cancel := h.command("run", "--demo", "--json", "--session", "killed")
	defer cancel()
	for i, v := range cmd.Env {
		if strings.HasPrefix(v, "ZIMOSCOPE_DEMO_FAST") {
			cmd.Env[i] = "ZIMOSCOPE_DEMO_FAST=" // at its own pace, so that it is still running
		}
	}
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	one := make([]byte, 1)
	_, err = out.Read(one) // it has the session now
	must(t, err)
	st, err := store.New(h.data)
	must(t, err)
	list, err := st.List()
	must(t, err)
	if len(list) != 1 || list[0].HeldBy == "" {
		t.Fatalf("the list says %+v", list)
	}
	id := list[0].ID
	if _, err := st.Open(id); !errors.Is(err, store.ErrHeld) || !strings.Contains(err.Error(), fmt.Sprint("process ", cmd.Process.Pid)) {
		t.Errorf("the second is told: %v", err)
	}
	if o, e, exit := h.do(t, "run", "--resume", id, "--prompt", "Me too."); exit == 0 {
		t.Errorf("the second went through: %s%s", o, e)
	}
	if err := st.Discard(id); err == nil {
		t.Error("a session that is open was deleted")
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if o, e, exit := h.do(t, "run", "--resume", id, "--prompt", "Go on."); exit != 0 {
		t.Fatalf("the lock outlives its holder: exit %d\n%s%s", exit, o, e)
	}
	sess, err := st.Open(id)
	must(t, err)
	verified(t, sess)
	must(t, sess.Close())
}

// TestATornFileIsToldAndNeverTakenForWhole changes pages of a stored session at random: what is read is what was
// stored, or an error that says so. Whatever happens, the program lives and the file it could not open is as it was.
func TestATornFileIsToldAndNeverTakenForWhole(t *testing.T) {
	r := chance(t)
	shots := film(t)
	whole := shots[len(shots)-1]
	opened, refused := 0, 0
	for round := range times(100, 1000) {
		file := bytes.Clone(whole.file)
		used := bytes.LastIndexFunc(file, func(r rune) bool { return r != 0 }) + 1
		how := ""
		switch at := r.IntN(used); r.IntN(4) {
		case 0:
			file, how = file[:at], fmt.Sprint("cut at ", at)
		case 1:
			n := min(1+r.IntN(3*4096), len(file)-at)
			clear(file[at : at+n])
			how = fmt.Sprintf("%d bytes of zero at %d", n, at)
		case 2:
			file[at] ^= byte(1 + r.IntN(255))
			how = fmt.Sprint("a changed byte at ", at)
		case 3:
			from := r.IntN(used/4096) * 4096
			to := at / 4096 * 4096
			copy(file[to:min(to+4096, len(file))], file[from:])
			how = fmt.Sprintf("the page at %d over that at %d", from, to)
		}
		if torn(t, file, whole) {
			opened++
		} else {
			refused++
		}
		if t.Failed() {
			t.Fatalf("round %d: %s", round, how)
		}
	}
	t.Logf("%d torn files opened, %d were refused", opened, refused)
}

func torn(t *testing.T, file []byte, whole snapshot) (opened bool) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	must(t, err)
	defer func() { must(t, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "torn.zimo")
	must(t, os.WriteFile(path, file, 0o600))
	st, err := store.New(dir)
	must(t, err)
	sess, err := st.Open("torn")
	if err != nil {
		if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNewer) {
			t.Errorf("it is told as: %v", err)
		}
		if now, e := os.ReadFile(path); e != nil || !bytes.Equal(now, file) {
			t.Errorf("the file was changed (%v)", e)
		}
		return false
	}
	defer func() { _ = sess.Close() }() // a torn file may not take a summary
	c, err := stored.Capture(sess)
	if err != nil {
		return true
	}
	changed := len(c.Requests) < len(whole.bodies)
	for i, q := range c.Requests {
		changed = changed || !bytes.Equal(q.Body.Raw, whole.bodies[i])
	}
	if changed && capture.Check(c).Exit(false) == 0 {
		t.Error("a changed request passes the check")
	}
	return true
}
