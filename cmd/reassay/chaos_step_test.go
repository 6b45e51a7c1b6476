package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"

	"reassay/workers"
)

// The environment's word for what a daemon under test does to itself: "KILL verdict stored@3" is a SIGKILL when a worker
// reaches the step "verdict stored" for the third time, "STOP …" a SIGSTOP.
const chaosPlan = "REASSAY_TEST_CHAOS"

// plan is a signal that a daemon sends to itself at one step of its workers.
type plan struct {
	signal syscall.Signal
	step   workers.Step
	count  int64 // 1 is the first time that the step is reached
}

var planSignals = map[string]syscall.Signal{"KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP}

func (p plan) String() string {
	for name, signal := range planSignals {
		if signal == p.signal {
			return fmt.Sprintf("%s %s@%d", name, p.step, p.count)
		}
	}
	return ""
}

func parsePlan(text string) (p plan, err error) {
	name, rest, _ := strings.Cut(text, " ")
	step, count, _ := strings.Cut(rest, "@")
	p.signal, p.step = planSignals[name], workers.Step(step)
	if p.count, err = strconv.ParseInt(count, 10, 64); err != nil || p.signal == 0 {
		return p, fmt.Errorf("%s is %q, want a signal, a step and a count", chaosPlan, text)
	}
	return p, nil
}

// reassayUnderTest is the program, with the plan of its environment.
func reassayUnderTest() {
	e := surroundings()
	if text := os.Getenv(chaosPlan); text != "" {
		p, err := parsePlan(text)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitUnusable)
		}
		var left atomic.Int64
		left.Store(p.count)
		e.reached = func(s workers.Step) {
			if s == p.step && left.Add(-1) == 0 {
				_ = syscall.Kill(os.Getpid(), p.signal) // of itself it cannot fail
			}
		}
	}
	os.Exit(start(e))
}
