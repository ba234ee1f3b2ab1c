package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"zimoscope/backend/transcript"
)

const crashDir = "ZIMOSCOPE_TEST_CRASH_DIR"

// TestMain plays the child: it commits step after step and says on stdout what was acknowledged, until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		commitForever(dir)
	}
	os.Exit(m.Run())
}

type fatal struct{}

func (fatal) Fatal(args ...any) { fmt.Fprintln(os.Stderr, args...); os.Exit(1) }

func commitForever(dir string) {
	st, err := New(dir)
	must(fatal{}, err)
	p := begin(fatal{}, st, 3000)
	fmt.Println(p.sess.ID)
	must(fatal{}, p.tr.AppendUser("prompt", nil))
	for {
		must(fatal{}, p.sealPending())
		must(fatal{}, p.operate(20))
		must(fatal{}, p.request())
		fmt.Println(p.sess.Requests(), p.step)
	}
}

func TestWhatWasAcknowledgedSurvivesKill(t *testing.T) {
	for round := range 8 {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashDir+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		lines.Scan()
		id := lines.Text()
		acknowledged := 0
		for lines.Scan() {
			fmt.Sscan(lines.Text(), &acknowledged)
			if acknowledged == 5+7*round {
				must(t, cmd.Process.Kill())
			}
		}
		_ = cmd.Wait()
		reopenAfterCrash(t, dir, id, acknowledged)
	}
}

func reopenAfterCrash(t *testing.T, dir, id string, acknowledged int) {
	t.Helper()
	st, err := New(dir)
	must(t, err)
	sess, err := st.Open(id)
	must(t, err)
	defer func() { must(t, sess.Close()) }()
	if sess.Requests() < acknowledged || acknowledged == 0 {
		t.Fatalf("%d requests are there, %d were acknowledged", sess.Requests(), acknowledged)
	}
	events, err := sess.Events()
	must(t, err)
	tr, err := transcript.Replay(events)
	must(t, err)
	p := &play{tr: tr, sess: sess}
	for n := 1; n <= sess.Requests(); n++ {
		body, err := sess.Body(n)
		must(t, err)
		p.bodies = append(p.bodies, body)
	}
	must(t, p.sealPending())
	must(t, p.operate(3))
	must(t, p.request())
	must(t, p.verify())
}
