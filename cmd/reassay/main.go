// Command reassay judges what official SDKs make of the reply streams of LLM gateways.
package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strconv"
	"syscall"

	"reassay/workers"
)

// env is everything that the program has of the world outside. Only main fills it from the process.
type env struct {
	args     []string // without the program's name
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	getenv   func(string) string
	open     func(name string) (io.ReadCloser, error)
	tempDir  func() (name string, remove func() error, err error)
	self     func(args ...string) func() *exec.Cmd // starts this same program; nil where it cannot
	exit     func(code int)                        // ends the process at once
	reached  func(workers.Step)                    // told of each step of the daemon's workers; nil: nobody asks
	terminal struct{ stdout, stderr bool }         // which of the two a person is looking at
}

func main() { os.Exit(start(surroundings())) }

// start runs the program and returns its exit code.
func start(e env) int {
	tuneMemory(e.getenv)
	// The first interrupt ends the work in good order; stop restores the default, so that the second one ends the
	// process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, e)
}

// surroundings are the process's own.
func surroundings() env {
	e := env{
		args:   os.Args[1:],
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		getenv: os.Getenv,
		open:   func(name string) (io.ReadCloser, error) { return os.Open(name) },
		tempDir: func() (string, func() error, error) {
			dir, err := os.MkdirTemp("", "reassay-")
			return dir, func() error { return os.RemoveAll(dir) }, err
		},
		exit: os.Exit,
	}
	if program, err := executable(); err == nil {
		e.self = func(args ...string) func() *exec.Cmd {
			return func() *exec.Cmd {
				c := exec.Command(program, args...)
				c.Args[0] = os.Args[0]
				return c
			}
		}
	}
	e.terminal.stdout, e.terminal.stderr = isTerminal(os.Stdout), isTerminal(os.Stderr)
	return e
}

// executable is this program's file. Linux's name for it holds when another has taken the file's place since.
func executable() (string, error) {
	const running = "/proc/self/exe" // proc_pid_exe(5)
	if _, err := os.Stat(running); err == nil {
		return running, nil
	}
	return os.Executable()
}

// The garbage collector's settings, unless GOGC and GOMEMLIMIT say otherwise. Judging makes much short-lived garbage (a
// JavaScript runtime a stream): collecting later saves a quarter of the time, and the soft limit keeps the heap small
// where streams are large.
const (
	gcPercent   = 400
	memoryLimit = 1 << 30
)

func tuneMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// width is the terminal's width where the shell tells it, else 0.
func (e env) width() int {
	n, err := strconv.Atoi(e.getenv("COLUMNS"))
	if err != nil {
		return 0
	}
	return n
}

// color reports whether output to a terminal may be coloured. Source: no-color.org.
func (e env) color(terminal bool) bool {
	return terminal && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}
