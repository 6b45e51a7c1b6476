package workers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"reassay/capture"
	"reassay/check"
	"reassay/internal/children"
	"reassay/sdkemu"
	"reassay/sdkemu/isolate"
	"reassay/sdkemu/node"
)

// testWorker is the variable that makes this test's binary a process that runs Node SDKs.
const testWorker = "WORKERS_TEST_WORKER"

// testMemory is what such a process may take: half a million JavaScript objects are too much for it.
const testMemory = 128 << 20

func serveRuns() {
	n, err := node.New()
	if err != nil {
		panic(err)
	}
	isolate.Worker{Emulators: []sdkemu.Emulator{n}, Memory: testMemory, Exit: os.Exit, Errors: os.Stderr}.Serve(os.Stdin, os.Stdout)
}

// isolated makes the bench's workers judge with Node SDKs in processes of their own, and returns a checker that has the
// same SDKs in this process. begun, if not nil, is called when a run begins.
func (b *bench) isolated(processes int, begun func()) (inProcess *check.Checker) {
	b.t.Helper()
	n, err := node.New()
	if err != nil {
		b.t.Fatal(err)
	}
	pool := isolate.New([]sdkemu.Emulator{n}, isolate.Config{
		Command: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), testWorker+"=1")
			return cmd
		},
		Processes: processes, Memory: testMemory, Time: time.Minute,
	})
	b.t.Cleanup(pool.Close)
	sdks := []string{"openai-node@5.23.2"}
	if b.checker, err = check.New(check.Config{SDKs: sdks, Emulators: []sdkemu.Emulator{observed{pool, begun}}}); err != nil {
		b.t.Fatal(err)
	}
	if inProcess, err = check.New(check.Config{SDKs: sdks, Emulators: []sdkemu.Emulator{n}}); err != nil {
		b.t.Fatal(err)
	}
	return inProcess
}

// observed is an emulator that tells when a run begins.
type observed struct {
	sdkemu.Emulator
	begun func()
}

func (o observed) Run(ctx context.Context, t sdkemu.Target, in sdkemu.Input) sdkemu.Result {
	if o.begun != nil {
		o.begun()
	}
	return o.Emulator.Run(ctx, t, in)
}

func good(n int) []*capture.Exchange {
	var all []*capture.Exchange
	for i := range n {
		all = append(all, chatExchange(fmt.Sprint("good ", i), fmt.Sprint("text ", i)))
	}
	return all
}

// verdicts replays the exchanges and demands for each the verdict that the checker gives, byte for byte.
func (b *bench) verdicts(all []*capture.Exchange, want *check.Checker, hostile string) (odd check.Verdict) {
	b.t.Helper()
	judged, err := Replay{Conn: b.nc, Checker: b.checker, Judge: true, Config: Config{Workers: 4}}.Verdicts(b.t.Context(), slices.Values(all))
	if err != nil {
		b.t.Fatal(err)
	}
	if len(judged) != len(all) {
		b.t.Fatalf("%d verdicts, want %d", len(judged), len(all))
	}
	for i, j := range judged {
		if j.Err != nil {
			b.t.Errorf("%s: %v", j.ID, j.Err)
			continue
		}
		if j.ID == hostile {
			odd = j.Verdict
			continue
		}
		v, err := want.Exchange(b.t.Context(), all[i])
		if err != nil {
			b.t.Fatal(err)
		}
		if g, w := string(j.Verdict.JSON()), string(v.JSON()); g != w {
			b.t.Errorf("%s: the workers say\n%s\nin process it is\n%s", j.ID, g, w)
		}
	}
	return odd
}

// An exchange that ends the process in which it is run costs its own verdict, which says so, and no other.
func TestHostileExchangeCostsItsOwnVerdict(t *testing.T) {
	b := newBench(t, 0)
	inProcess := b.isolated(4, nil)
	hostile := chatExchange("hostile", "x")
	hostile.Stream.Chunks = nil
	hostile.Stream.Body = append([]byte(`data: {"id":"c1","choices":[],"x":[`+strings.Repeat("{},", 600_000)+"0]}\n\n"), hostile.Stream.Body...)
	all := slices.Insert(good(50), 25, hostile)
	v := b.verdicts(all, inProcess, hostile.ID)
	if len(v.SDKs) != 2 {
		t.Fatalf("%d runs in the hostile exchange's verdict, want 2", len(v.SDKs))
	}
	for _, s := range v.SDKs {
		if s.Outcome != check.Inconclusive || !s.Retryable || s.Reason != "limit memory: the run took more than 128 MiB" {
			t.Errorf("%s: %s (%s, retryable %v)", s.Mode, s.Outcome, s.Reason, s.Retryable)
		}
	}
}

// Processes that are killed in the middle of their runs, whoever does it, change no verdict.
func TestKilledProcessesChangeNoVerdict(t *testing.T) {
	b := newBench(t, 0)
	var begun, killed atomic.Int64
	var killing sync.WaitGroup
	defer killing.Wait()
	inProcess := b.isolated(4, func() {
		if begun.Add(1)%4 != 0 {
			return
		}
		killing.Go(func() {
			time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
			pids, err := children.Of(os.Getpid())
			if err != nil {
				t.Error(err)
			}
			if len(pids) > 0 && syscall.Kill(pids[rand.IntN(len(pids))], syscall.SIGKILL) == nil {
				killed.Add(1)
			}
		})
	})
	b.verdicts(good(50), inProcess, "")
	if n := killed.Load(); n < 10 {
		t.Errorf("%d processes were killed: that shows nothing", n)
	} else {
		t.Logf("%d processes were killed", n)
	}
}
