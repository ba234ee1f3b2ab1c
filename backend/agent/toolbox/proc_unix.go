//go:build !windows

package toolbox

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the process into a group of its own, so that what it starts
// (npx starts node) can be ended with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

// askGroup asks the process and all it started to end.
func askGroup(p *os.Process) error { return signalGroup(p, syscall.SIGTERM) }

// killGroup ends the process and all it started.
func killGroup(p *os.Process) error { return signalGroup(p, syscall.SIGKILL) }

func signalGroup(p *os.Process, sig syscall.Signal) error {
	err := syscall.Kill(-p.Pid, sig)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// runnable reports whether a file can be started.
func runnable(info os.FileInfo) bool { return !info.IsDir() && info.Mode()&0o111 != 0 }

// suffixes are what may be added to a command's name.
func suffixes() []string { return []string{""} }
