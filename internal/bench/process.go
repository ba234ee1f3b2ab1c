package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"zimoscope/backend/capture/proxy"
)

// Roles of this program as a process of its own: in use, client, proxy and model are three programs, and in one they
// would wait for each other's turns.
const (
	roleModel = "serve-model"
	roleProxy = "serve-proxy"
)

// serveRole plays a part until its standard input ends. The first line it prints is its address; each line that comes
// in is answered with the heap in use, in bytes.
func serveRole(role, upstream string) error {
	address, stop, err := startRole(role, upstream)
	if err != nil {
		return err
	}
	fmt.Println(address)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		fmt.Println(heapInUse())
	}
	return stop()
}

func startRole(role, upstream string) (address string, stop func() error, err error) {
	if role == roleModel {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		server := &http.Server{Handler: &model{newPacer()}}
		go func() { _ = server.Serve(listener) }()
		return "http://" + listener.Addr().String(), server.Close, nil
	}
	p, err := proxy.New(proxy.Options{Upstream: upstream})
	if err != nil {
		return "", nil, err
	}
	if err := p.Listen(); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, nowhere{}) }()
	return p.URL(), func() error { cancel(); return <-served }, nil
}

// process is a role that runs beside.
type process struct {
	url string
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startProcess(role, upstream string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self, role, upstream)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if !p.out.Scan() {
		return nil, errors.Join(fmt.Errorf("%s gave no address", role), p.stop())
	}
	p.url = p.out.Text()
	return p, nil
}

// heap asks for the heap that the process has in use, in bytes.
func (p *process) heap() (uint64, error) {
	if _, err := io.WriteString(p.in, "\n"); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, errors.New("the process tells no heap")
	}
	return strconv.ParseUint(strings.TrimSpace(p.out.Text()), 10, 64)
}

func (p *process) stop() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }
