package servers

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
)

// listening starts a server that waits for clients, and returns when it says that it listens. It reads on, so that the
// server is never blocked.
func listening(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	said, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	ready := make(chan bool, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		told := false
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if !told && strings.Contains(lines.Text(), "listening") {
				told = true
				ready <- true
			}
		}
		if !told {
			ready <- false
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended // before Wait, which closes the pipe
		_ = cmd.Wait()
	})
	if !<-ready {
		t.Fatal("the server ended before it listened")
	}
}
