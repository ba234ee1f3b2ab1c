package toolbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"zimoscope/backend/safely"
)

// unknownExit is the exit code of a process that ended in another way, or could not be asked.
const unknownExit = -1

// errWriteBroken: part of a message went out; the stream to the server is lost.
var errWriteBroken = errors.New("the server does not read its input")

// process is a server's process with its three pipes. The pipes are our own
// files: their reads and writes can be ended, and they outlive the process.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *os.File

	writing chan struct{} // holds one token; whoever has it may write
	exited  chan struct{} // closed when the process has ended
	code    int           // valid once exited is closed

	closing sync.Once
	drained sync.WaitGroup // the readers of stdout and stderr
}

// startProcess starts the command in its own group. path is its PATH.
func startProcess(cfg ServerConfig, path string) (*process, error) {
	file, ok := lookUp(cfg.Command, path)
	if !ok {
		return nil, fmt.Errorf("the command %q was not found on the PATH", cfg.Command)
	}
	cmd := exec.Command(file, cfg.Args...)
	cmd.Dir = cfg.Cwd
	cmd.Env = append(os.Environ(), "PATH="+path)
	for name, value := range cfg.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	ownGroup(cmd)
	pipes, err := openPipes(3)
	if err != nil {
		return nil, fmt.Errorf("no pipe for the server: %w", err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0].r, pipes[1].w, pipes[2].w
	err = cmd.Start()
	for _, f := range []*os.File{pipes[0].r, pipes[1].w, pipes[2].w} {
		_ = f.Close()
	}
	p := &process{
		cmd: cmd, stdin: pipes[0].w, stdout: pipes[1].r, stderr: pipes[2].r,
		writing: make(chan struct{}, 1), exited: make(chan struct{}),
	}
	if err != nil {
		p.closePipes()
		return nil, fmt.Errorf("the command %q could not be started: %w", cfg.Command, err)
	}
	p.writing <- struct{}{}
	safely.Go(func() error { p.wait(); return nil }, nil) // what is unknown then is the exit code alone, which says so
	return p, nil
}

type pipe struct{ r, w *os.File }

func openPipes(n int) ([]pipe, error) {
	var list []pipe
	for range n {
		r, w, err := os.Pipe()
		if err != nil {
			for _, p := range list {
				_ = p.r.Close()
				_ = p.w.Close()
			}
			return nil, err
		}
		list = append(list, pipe{r, w})
	}
	return list, nil
}

func (p *process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		_ = f.Close()
	}
}

// wait reaps the process, then ends what it left behind: a server whose leader
// is gone is gone, and its children would hold the pipes.
func (p *process) wait() {
	p.code = unknownExit
	defer close(p.exited)
	_ = p.cmd.Wait()
	p.code = p.cmd.ProcessState.ExitCode()
	_ = killGroup(p.cmd.Process)
}

// pid is the process's id.
func (p *process) pid() int { return p.cmd.Process.Pid }

// exitCode is nil while the process runs.
func (p *process) exitCode() *int {
	select {
	case <-p.exited:
		code := p.code
		return &code
	default:
		return nil
	}
}

// write sends one message. A server that does not read ends the wait with the
// context; errWriteBroken then says that the stream is lost.
func (p *process) write(ctx context.Context, line []byte) error {
	select {
	case <-p.writing:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.exited:
		return os.ErrClosed
	}
	defer func() { p.writing <- struct{}{} }()
	if err := p.stdin.SetWriteDeadline(time.Time{}); errors.Is(err, os.ErrClosed) {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = p.stdin.SetWriteDeadline(time.Now()) })
	n, err := p.stdin.Write(line)
	stop()
	if err != nil && n > 0 {
		return errWriteBroken
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// shut ends the process: stdin first, then TERM, then KILL, each to the whole
// group, each with its limit. Afterwards nothing of ours reads from it.
func (p *process) shut() error {
	var err error
	p.closing.Do(func() { err = p.shutOnce() })
	return err
}

func (p *process) shutOnce() error {
	_ = p.stdin.Close()
	ended := p.waitFor(stdinGrace)
	if !ended {
		_ = askGroup(p.cmd.Process)
		ended = p.waitFor(termGrace)
	}
	if !ended {
		_ = killGroup(p.cmd.Process)
		ended = p.waitFor(killGrace)
	}
	p.waitDrained(drainGrace)
	p.closePipes()
	p.drained.Wait()
	if !ended {
		return fmt.Errorf("the process %d did not end, even when killed", p.pid())
	}
	return nil
}

func (p *process) waitFor(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// waitDrained waits for the end of the output, within limit.
func (p *process) waitDrained(limit time.Duration) {
	done := make(chan struct{})
	safely.Go(func() error { p.drained.Wait(); return nil }, func(error) { close(done) })
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
