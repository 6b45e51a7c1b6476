package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"reassay/workers"
)

// natsUnderTest is a NATS server as a program of its own: its arguments are the store and the address. It ends with
// SIGTERM, and with the process that started it.
func natsUnderTest() {
	server, err := workers.StartServer(workers.ServerConfig{Store: os.Args[1], Addr: os.Args[2], SyncAlways: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitUnusable)
	}
	fmt.Println(server.URL())
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // it ends when the starter does
		stop()
	}()
	<-ctx.Done()
	server.Stop()
	os.Exit(exitOK)
}

// natsProcess is a NATS server that can be killed and started again on its store and address.
type natsProcess struct {
	store string
	addr  string // host:port, the same after every start
	limit int    // blocks of 1024 bytes that a file may grow to; 0: without limit
	cmd   *exec.Cmd
	stdin io.WriteCloser
}

func startNATS(t *testing.T, store string, limit int) *natsProcess {
	t.Helper()
	s := &natsProcess{store: store, addr: "127.0.0.1:0", limit: limit}
	s.start(t)
	t.Cleanup(func() { s.end(t, syscall.SIGKILL) })
	return s
}

func (s *natsProcess) start(t *testing.T) {
	t.Helper()
	s.cmd = exec.Command("nats-under-test", s.store, s.addr)
	if s.limit > 0 {
		s.cmd = exec.Command("bash", "-c", fmt.Sprintf(`ulimit -f %d; exec nats-under-test "$0" "$1"`, s.limit), s.store, s.addr)
	}
	s.cmd.Stderr = os.Stderr
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the NATS server did not come up: %v", err)
	}
	s.addr = strings.TrimPrefix(strings.TrimSpace(url), "nats://")
}

func (s *natsProcess) url() string { return "nats://" + s.addr }

// end stops the server by a signal and waits until it is gone.
func (s *natsProcess) end(t *testing.T, signal syscall.Signal) {
	t.Helper()
	_ = s.cmd.Process.Signal(signal) // it may have ended
	_ = s.cmd.Wait()                 // by the signal
	_ = s.stdin.Close()
}

// link carries connections to a server and can cut them all.
type link struct {
	listener net.Listener
	target   func() string

	mu    sync.Mutex
	conns map[net.Conn]bool
	cuts  int
}

func newLink(t *testing.T, target func() string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, target: target, conns: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { l.carry(near) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		l.cut()
		running.Wait()
	})
	return l
}

func (l *link) url() string { return "nats://" + l.listener.Addr().String() }

// carry joins one connection to the server, until either side ends or the link is cut.
func (l *link) carry(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", l.target())
	if err != nil {
		return // the client tries again
	}
	defer far.Close()
	l.mu.Lock()
	l.conns[near], l.conns[far] = true, true
	l.mu.Unlock()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // it ends with a cut, or with either side
			near.Close()
			far.Close()
		})
	}
	both.Wait()
	l.mu.Lock()
	delete(l.conns, near)
	delete(l.conns, far)
	l.mu.Unlock()
}

// cut breaks every connection that is open.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cuts++
	for c := range l.conns {
		c.Close()
	}
}
