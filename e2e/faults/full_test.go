//go:build linux

package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"zimoscope/backend/agent"
	"zimoscope/backend/store"
)

const (
	// limitedDir makes this test binary a program that may not write files larger than fileLimit.
	limitedDir = "ZIMOSCOPE_TEST_LIMITED"
	// fileLimit is where its file stops growing, in bytes: above a fresh session, below a long one.
	fileLimit = 600 << 10
	// smallDisk is the size of a whole disk, in bytes. A session's file grows by half a megabyte at a time.
	smallDisk = 900 << 10
	// manyTurns is more than fits.
	manyTurns = 400
)

// full says whether an error is that of a disk, or a file, that takes no more.
func full(err error) bool { return errors.Is(err, agent.ErrStore) && errors.Is(err, store.ErrFull) }

// untilFull runs turns until the store takes no more, and prints the number of requests after each. The error is nil
// when everything fitted.
func untilFull(dir string) (id string, err error) {
	st, err := store.New(dir)
	if err != nil {
		return "", err
	}
	sess, err := st.Create(store.Info{Name: "full"})
	if err != nil {
		return "", err
	}
	var t noTest
	s, err := agent.New(optionsOn(&t, sess, sess.ID))
	for turn := 0; turn < manyTurns && err == nil; turn++ {
		if _, err = s.Prompt(context.Background(), question(turn), nil); err == nil {
			fmt.Println(sess.ID, sess.Requests())
		}
	}
	_ = sess.Close() // its summary may not fit either
	return sess.ID, err
}

// question is a text that hardly compresses.
func question(seed int) string {
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	b := make([]byte, 8000)
	for i := range b {
		b[i] = byte('!' + r.IntN(90))
	}
	return string(b)
}

// noTest lets helpers of tests run in a child process.
type noTest struct{ testing.TB }

func (*noTest) Helper()           {}
func (*noTest) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// fillUp is the child's main function. Exit 0: the store filled up, and said so.
func fillUp(dir string) int {
	signal.Ignore(syscall.SIGXFSZ) // without it the kernel ends the process before the write fails
	limit := syscall.Rlimit{Cur: fileLimit, Max: fileLimit}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if _, err := untilFull(dir); !full(err) {
		fmt.Fprintln(os.Stderr, "want a store that is full, got:", err)
		return 1
	}
	return 0
}

// TestAFileThatMayNotGrowLosesNothing needs no rights: the limit is the process's own.
func TestAFileThatMayNotGrowLosesNothing(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), limitedDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	must(t, err)
	afterFull(t, dir, string(out))
}

// TestAFullDiskIsToldAndNothingIsLost fills a disk of its own.
func TestAFullDiskIsToldAndNothingIsLost(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprint("size=", smallDisk)); err != nil {
		t.Skip("a small disk can't be mounted here, which takes root: ", err)
	}
	defer func() { must(t, syscall.Unmount(dir, 0)) }()
	id, err := untilFull(dir)
	if !full(err) {
		t.Fatalf("a full disk is told as: %v", err)
	}
	t.Log(err)
	st, err := store.New(dir)
	must(t, err)
	sess, err := st.Open(id) // while it is still full
	must(t, err)
	verified(t, sess)
	_ = sess.Close() // its summary may not fit
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprint("size=", 8*smallDisk)))
	sess, err = st.Open(id)
	must(t, err)
	goesOn(t, sess)
	must(t, sess.Close())
}

// TestTheProgramTellsOfAFullDiskAndGoesOnWhenThereIsRoom does the same to the built program.
func TestTheProgramTellsOfAFullDiskAndGoesOnWhenThereIsRoom(t *testing.T) {
	h := newHome(t)
	must(t, os.Mkdir(h.data, 0o700))
	if err := syscall.Mount("tmpfs", h.data, "tmpfs", 0, fmt.Sprint("size=", smallDisk)); err != nil {
		t.Skip("a small disk can't be mounted here, which takes root: ", err)
	}
	defer func() { must(t, syscall.Unmount(h.data, syscall.MNT_DETACH)) }()
	if out, errOut, exit := h.do(t, "run", "--demo", "--json", "--session", "killed"); exit != 0 {
		t.Fatalf("the demo itself does not fit: exit %d\n%s%s", exit, out, errOut)
	}
	ballast := filepath.Join(h.data, "ballast")
	must(t, fill(ballast))
	var list []told
	args := []string{"run", "--resume", "killed", "--json"}
	for turn := range 40 {
		args = append(args, "--prompt", question(turn))
	}
	out, errOut, exit := h.do(t, args...)
	if exit != 1 && exit != 2 || !strings.Contains(errOut, "the disk is full") || strings.Contains(errOut, "goroutine ") {
		t.Fatalf("exit %d, %q", exit, errOut)
	}
	t.Log(strings.TrimSpace(errOut))
	list = read(strings.NewReader(out))
	must(t, os.Remove(ballast))
	st, err := store.New(h.data)
	must(t, err)
	id, err := st.Find("killed")
	must(t, err)
	requestsThere(t, st, id, list)
	if out, errOut, exit := h.do(t, "run", "--resume", id, "--prompt", "Go on."); exit != 0 {
		t.Fatalf("with room it does not go on: exit %d\n%s%s", exit, out, errOut)
	}
	if out, errOut, exit := h.do(t, "check", id); exit != 0 {
		t.Fatalf("exit %d\n%s%s", exit, out, errOut)
	}
}

// fill writes a file until its disk is full.
func fill(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}

func afterFull(t *testing.T, dir, printed string) {
	t.Helper()
	lines := strings.Fields(printed)
	if len(lines) < 4 {
		t.Fatalf("nothing fitted: %q", printed)
	}
	id, acknowledged := lines[len(lines)-2], 0
	_, err := fmt.Sscan(lines[len(lines)-1], &acknowledged)
	must(t, err)
	st, err := store.New(dir)
	must(t, err)
	sess, err := st.Open(id)
	must(t, err)
	defer func() { must(t, sess.Close()) }()
	if sess.Requests() < acknowledged {
		t.Errorf("%d requests are there, %d were acknowledged", sess.Requests(), acknowledged)
	}
	goesOn(t, sess)
}
