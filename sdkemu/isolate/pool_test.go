package isolate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reassay/internal/children"
	"reassay/sdkemu"
)

// testMemory is the variable that makes this test's binary a worker process of so many bytes.
const testMemory = "ISOLATE_TEST_MEMORY"

// testKernel is the variable that makes this test's binary a process that takes a GiB under the kernel's limit.
const testKernel = "ISOLATE_TEST_KERNEL"

func TestMain(m *testing.M) {
	if os.Getenv(testKernel) != "" {
		if err := kernelLimit(256 << 20); err != nil {
			panic(err)
		}
		sink = make([]byte, 1<<30)
		os.Exit(0)
	}
	if memory := os.Getenv(testMemory); memory != "" {
		n, err := strconv.ParseInt(memory, 10, 64)
		if err != nil {
			panic(err)
		}
		Worker{Emulators: []sdkemu.Emulator{odd{}}, Memory: n, Exit: os.Exit, Errors: os.Stderr}.Serve(os.Stdin, os.Stdout)
	}
	goleak.VerifyTestMain(m)
}

// target is the one thing that odd runs.
var target = sdkemu.Target{SDK: "odd", Version: "1", API: sdkemu.Chat, Mode: sdkemu.ModeStream}

// odd is an emulator that does what a hostile stream may make an engine do. The content type says what.
type odd struct{}

func (odd) Targets() []sdkemu.Target { return []sdkemu.Target{target} }

var sink any

func (odd) Run(_ context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	do, arg, _ := strings.Cut(in.ContentType, " ")
	switch do {
	case "spin":
		for { // nothing here can be interrupted from within
			sink = nil
		}
	case "sleep":
		d, err := time.ParseDuration(arg)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	case "grow":
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte("x"), 1<<20))
			sink = all
		}
	case "leap":
		sink = make([]byte, 64<<30) // at once, untouched
	case "recurse":
		sink = recurse(in.Body)
	case "panic":
		panic("odd: " + arg)
	case "once": // arg is a file that tells whether it was here before
		if err := os.Remove(arg); err == nil {
			os.Exit(3)
		}
	case "garbage":
		fmt.Println(strings.Repeat("no message ", 100))
	case "pid":
		return sdkemu.Result{Outcome: sdkemu.OK, Reason: fmt.Sprint(os.Getpid())}
	}
	return sdkemu.Result{Outcome: sdkemu.OK, Assembled: in.Body}
}

func recurse(b []byte) []byte {
	var frame [512]byte
	copy(frame[:], b)
	return append(recurse(frame[:]), frame[0])
}

// worker is this test's binary as a worker process.
func worker(memory int64) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", testMemory, memory))
		return cmd
	}
}

const smallMemory = 192 << 20

func newPool(t *testing.T, processes int, time time.Duration) *Pool {
	t.Helper()
	p := New([]sdkemu.Emulator{odd{}}, Config{Command: worker(smallMemory), Processes: processes, Memory: smallMemory, Time: time})
	t.Cleanup(p.Close)
	return p
}

func do(t *testing.T, p *Pool, what string) sdkemu.Result {
	t.Helper()
	return p.Run(t.Context(), target, sdkemu.Input{ContentType: what, Body: []byte("body")})
}

// What overruns is inconclusive and told by name, and the next run is none the worse.
func TestOverruns(t *testing.T) {
	p := newPool(t, 1, 500*time.Millisecond)
	for what, want := range map[string]string{
		"spin":      "limit time: the run took longer than 500ms",
		"sleep 1h":  "limit time: the run took longer than 500ms",
		"grow":      "limit memory: the run took more than 192 MiB",
		"leap":      "limit memory: the run took more than 192 MiB",
		"recurse":   "limit memory: the run took more than 192 MiB",
		"panic now": "the worker process ended twice in this run: exit status 2: panic: odd: now",
		"garbage":   "the worker process ended twice in this run: ",
	} {
		res := do(t, p, what)
		if res.Outcome != sdkemu.Inconclusive || !res.Retryable || !strings.HasPrefix(res.Reason, want) {
			t.Errorf("%s: %s (%s, retryable %v), want %s", what, res.Outcome, res.Reason, res.Retryable, want)
		}
		if res := do(t, p, ""); res.Outcome != sdkemu.OK || string(res.Assembled) != "body" {
			t.Errorf("the run after %s: %+v", what, res)
		}
	}
}

// A process that ends for no fault of the run's costs nothing.
func TestDeathIsRepeatedOnce(t *testing.T) {
	p := newPool(t, 1, time.Minute)
	mark := filepath.Join(t.TempDir(), "mark")
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if res := do(t, p, "once "+mark); res.Outcome != sdkemu.OK {
		t.Errorf("a process that died once: %+v", res)
	}
}

// One process does many runs; one that was killed while idle is replaced without a word, and never a zombie.
func TestProcessesAreReused(t *testing.T) {
	p := newPool(t, 3, time.Minute)
	first := do(t, p, "pid").Reason
	for range 20 {
		if again := do(t, p, "pid").Reason; again != first {
			t.Fatalf("run in process %s, then in %s", first, again)
		}
	}
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, pid)
	if res := do(t, p, "pid"); res.Outcome != sdkemu.OK || res.Reason == first {
		t.Errorf("after the process was killed: %+v", res)
	}
}

// awaitGone waits until no process has the id, not even one that is dead and not reaped.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for range 200 {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// A context that ends ends the run at once, and the process with it.
func TestCancel(t *testing.T) {
	p := newPool(t, 1, time.Hour)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(errors.New("shutting down")) })
	began := time.Now()
	res := p.Run(ctx, target, sdkemu.Input{ContentType: "spin"})
	if res.Reason != "the run was cut off: shutting down" || !res.Retryable || time.Since(began) > 10*time.Second {
		t.Errorf("after %s: %+v", time.Since(began), res)
	}
	if res := p.Run(ctx, target, sdkemu.Input{}); res.Reason != "the run was cut off: shutting down" {
		t.Errorf("a run that was called off before it began: %+v", res)
	}
}

// Close ends runs too, and nothing runs after it.
func TestClose(t *testing.T) {
	p := newPool(t, 2, time.Hour)
	do(t, p, "")
	var runs sync.WaitGroup
	for range 4 { // two of them wait
		runs.Go(func() {
			if res := p.Run(context.Background(), target, sdkemu.Input{ContentType: "spin"}); res.Reason != "the run was cut off: "+errClosed.Error() {
				t.Errorf("a run when the pool was closed: %+v", res)
			}
		})
	}
	time.Sleep(200 * time.Millisecond)
	p.Close()
	runs.Wait()
	if res := do(t, p, ""); res.Outcome != sdkemu.Inconclusive || !strings.Contains(res.Reason, errClosed.Error()) {
		t.Errorf("a run after the pool was closed: %+v", res)
	}
	p.Close()
}

// Processes are killed at random under many runs at once: each run still has its own outcome.
func TestKilledAtRandom(t *testing.T) {
	p := newPool(t, 4, time.Minute)
	done := make(chan struct{})
	var killing, runs sync.WaitGroup
	killing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(60 * time.Millisecond):
			}
			pids, err := children.Of(os.Getpid())
			if err != nil {
				t.Error(err)
				return
			}
			if len(pids) > 0 {
				_ = syscall.Kill(pids[i%len(pids)], syscall.SIGKILL) // it may have ended since
			}
		}
	})
	for i := range 4 {
		runs.Go(func() {
			for j := range 15 {
				body := fmt.Sprint(i, " ", j)
				in := sdkemu.Input{ContentType: "sleep 20ms", Body: []byte(body)}
				res := p.Run(t.Context(), target, in)
				for n := 0; res.Retryable && n < 20; n++ {
					res = p.Run(t.Context(), target, in)
				}
				if string(res.Assembled) != body {
					t.Errorf("run %s: %+v", body, res)
				}
			}
		})
	}
	runs.Wait()
	close(done)
	killing.Wait()
}

// A worker process ends when its parent does, in the middle of a run too: it sees the end of its pipe.
func TestWorkerEndsWithItsParent(t *testing.T) {
	for _, what := range []string{"", "spin"} {
		in, requests, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := worker(smallMemory)()
		cmd.Stdin = in
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		m, err := encodeRequest(target, sdkemu.Input{ContentType: what})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(in.Close(), m.write(requests)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		if err := requests.Close(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%q: the worker ended with %v", what, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%q: the worker lives on", what)
			_ = cmd.Process.Kill()
			<-ended
		}
	}
}

// What one call asks for at once the system itself refuses, before anybody has looked at the memory.
func TestKernelLimit(t *testing.T) {
	if kernelLimit == nil {
		t.Logf("there is no such limit on %s", runtime.GOOS)
		return
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), testKernel+"=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() == 0 {
		t.Errorf("a GiB was given under a limit of 256 MiB (%v)", err)
	}
	var said lastWords
	if _, err := said.Write(out); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(outOfMemory, func(words string) bool { return strings.Contains(said.String(), words) }) {
		t.Errorf("the process said %q, which is not known for a want of memory", said.String())
	}
}

func TestRefusals(t *testing.T) {
	p := newPool(t, 1, time.Minute)
	if res := p.Run(t.Context(), sdkemu.Target{SDK: "even"}, sdkemu.Input{}); res.Outcome != sdkemu.Failed {
		t.Errorf("a target that no worker has: %+v", res)
	}
	none := New([]sdkemu.Emulator{odd{}}, Config{Command: func() *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "none")) }})
	defer none.Close()
	if res := none.Run(t.Context(), target, sdkemu.Input{}); res.Outcome != sdkemu.Inconclusive || !res.Retryable || !strings.HasPrefix(res.Reason, "start a worker process: ") {
		t.Errorf("a program that is not there: %+v", res)
	}
	if got := p.Targets(); !reflect.DeepEqual(got, odd{}.Targets()) {
		t.Errorf("targets %v", got)
	}
}
