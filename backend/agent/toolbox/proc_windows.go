//go:build windows

package toolbox

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup puts the process into a group of its own and shows no console.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// askGroup does nothing: there is no signal that asks. Closing stdin did.
func askGroup(*os.Process) error { return nil }

// killGroup ends the process and all it started.
func killGroup(p *os.Process) error {
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run(); err == nil {
		return nil
	}
	return p.Kill()
}

// runnable reports whether a file can be started; its name's ending said so.
func runnable(info os.FileInfo) bool { return !info.IsDir() }

// suffixes are what may be added to a command's name: npx is npx.cmd.
func suffixes() []string {
	list := strings.Split(os.Getenv("PATHEXT"), ";")
	if os.Getenv("PATHEXT") == "" {
		list = []string{".COM", ".EXE", ".BAT", ".CMD"}
	}
	return append(list, "")
}
