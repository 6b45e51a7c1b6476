package hostile

import (
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reassay/check"
	"reassay/sdkemu"
	"reassay/sdkemu/isolate"
	"reassay/sdkemu/node"
)

const folder = "../../fixtures/hostile"

var (
	whole  = flag.Bool("all", false, "run large streams, too, and through every version in both modes")
	update = flag.Bool("update", false, "write what the SDKs that are emulated in Go make of the streams, and which limits the others meet, as expected")
)

// workerTime is the variable that makes this test's binary a worker process, with the limit of a run's time.
const workerTime = "HOSTILE_TEST_TIME"

func TestMain(m *testing.M) {
	flag.Parse()
	if limit := os.Getenv(workerTime); limit != "" {
		serve(limit)
	}
	goleak.VerifyTestMain(m)
}

// serve makes this process a worker that runs every SDK.
func serve(limit string) {
	d, err := time.ParseDuration(limit)
	if err != nil {
		panic(err)
	}
	all, err := check.Emulators()
	if err != nil {
		panic(err)
	}
	for _, e := range all {
		if n, ok := e.(*node.Emulator); ok {
			n.Limits.Time = d
		}
	}
	isolate.Worker{Emulators: all, Memory: isolate.DefaultMemory, Exit: os.Exit, Errors: os.Stderr}.Serve(os.Stdin, os.Stdout)
}

// maxTime is the longest that one run may take where the stream names no time, far above what it takes on an idle
// machine: what is told must not depend on what else the machine does. maxResident is the most memory that a process may ever have
// held: the limit of a worker, and a quarter for what its runtime holds besides.
const (
	maxTime     = 10 * time.Minute
	maxResident = isolate.DefaultMemory + isolate.DefaultMemory/4
)

// newPool runs every SDK in one process, with a limit of time for a run.
func newPool(t *testing.T, limit time.Duration) *isolate.Pool {
	t.Helper()
	all, err := check.Emulators()
	if err != nil {
		t.Fatal(err)
	}
	p := isolate.New(all, isolate.Config{
		Command: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), workerTime+"="+limit.String())
			return cmd
		},
		Processes: 1,
		Memory:    isolate.DefaultMemory,
		Time:      limit + 5*time.Second,
	})
	t.Cleanup(p.Close)
	return p
}

func streams(t *testing.T) []Stream {
	t.Helper()
	all, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every SDK makes of every hostile stream what stands beside it, in bounded time and memory.
func TestHostileStreams(t *testing.T) {
	plain := newPool(t, maxTime)
	for _, s := range streams(t) {
		t.Run(s.Name, func(t *testing.T) {
			pool := plain
			if s.Time > 0 {
				pool = newPool(t, s.Time)
			}
			in, err := s.Input()
			if err != nil {
				t.Fatal(err)
			}
			if size := len(in.Body); size > large && size <= 16<<20 && !*whole {
				return // what is larger is over a limit, and takes no time
			}
			got := map[string]string{}
			for _, target := range pool.Targets() {
				if target.API != s.API || len(in.Body) > large && !*whole && !byDefault(target) {
					continue
				}
				began := time.Now()
				res := pool.Run(t.Context(), target, in)
				t.Logf("%-45s %6d ms %s", target.Name(), time.Since(began).Milliseconds(), Outcome(res))
				got[target.Name()] = Outcome(res)
				if want, told := s.Want(target); !*update && (!told || Outcome(res) != want) {
					t.Errorf("%s: %q (%s), want %q", target.Name(), Outcome(res), res.Reason, want)
				}
			}
			if len(got) == 0 {
				t.Errorf("no SDK has the API %q", s.API)
			}
			if *update {
				s.expect(t, got)
			}
		})
	}
	plain.Close() // its process is reaped now
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		t.Fatal(err)
	}
	resident := usage.Maxrss << 10 // getrusage(2): in kilobytes
	t.Logf("the largest process held %d MiB", resident>>20)
	if resident > maxResident {
		t.Errorf("a process held %d MiB, at most %d are its own", resident>>20, maxResident>>20)
	}
}

// large is the size of a body from which on a run takes so long that not every version is run every time, in bytes.
const large = 1 << 20

// byDefault reports whether a target is one that judges where nobody chose.
func byDefault(t sdkemu.Target) bool {
	return t.Mode == sdkemu.ModeStream && slices.Contains(check.DefaultSDKs, t.SDK+"@"+t.Version)
}

// expect writes what was got into the stream's file, under the shortest names that tell it: an SDK's name for what
// most of its targets give.
func (s Stream) expect(t *testing.T, got map[string]string) {
	t.Helper()
	expect := map[string]string{}
	if c, told := s.Expect["check"]; told {
		expect["check"] = c
	}
	bySDK := map[string]map[string]int{}
	for name, outcome := range got {
		sdk, _, _ := strings.Cut(name, "@")
		if bySDK[sdk] == nil {
			bySDK[sdk] = map[string]int{}
		}
		bySDK[sdk][outcome]++
	}
	for sdk, outcomes := range bySDK {
		for outcome, n := range outcomes {
			if was, told := expect[sdk]; !told || n > outcomes[was] || n == outcomes[was] && outcome < was {
				expect[sdk] = outcome
			}
		}
	}
	for name, outcome := range got {
		if sdk, _, _ := strings.Cut(name, "@"); outcome != expect[sdk] {
			expect[name] = outcome
		}
	}
	for name, outcome := range s.Expect { // of a target that was not run
		if _, run := got[name]; !run && strings.Contains(name, "/") {
			expect[name] = outcome
		}
	}
	s.Expect = expect
	if err := s.Write(folder); err != nil {
		t.Fatal(err)
	}
}
