package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/internal/children"
	"reassay/workers"
)

// A daemon that is killed again and again while it judges, and started again on its store, gives each exchange one
// verdict: none is lost, none comes twice, and each is what check says.
func TestKilledDaemonLosesNothing(t *testing.T) {
	const kills = 5
	file, _, wantLines := checked(t)

	store := t.TempDir()
	server, err := workers.StartServer(workers.ServerConfig{Store: store, Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := program("replay", "--nats", server.URL(), "--detach", file).CombinedOutput()
	server.Stop()
	if err != nil {
		t.Fatalf("publish: %v\n%s", err, out)
	}

	for i := range kills {
		d := startDaemon(t, store)
		d.awaitVerdicts(t, uint64((i+1)*len(wantLines)/(kills+1)))
		orphans, err := children.Of(d.cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = d.cmd.Wait() // it was killed
		if len(orphans) == 0 {
			t.Error("the daemon had no process that runs SDKs")
		}
		for _, pid := range orphans {
			awaitEnd(t, pid)
		}
	}
	d := startDaemon(t, store)
	d.awaitVerdicts(t, uint64(len(wantLines)))
	// Whatever is still on its way comes now: no message of the mirror may be left that brings another verdict.
	d.awaitSettled(t)
	if n := d.verdicts(t); n != uint64(len(wantLines)) {
		t.Errorf("%d verdicts on %d exchanges", n, len(wantLines))
	}
	got, err := gather(t.Context(), d.url, len(wantLines))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("serve: %v", err)
	}
	slices.Sort(got)
	for i := range wantLines {
		if got[i] != wantLines[i] {
			t.Fatalf("the daemon says\n%s\ncheck\n%s", got[i], wantLines[i])
		}
	}
}

// daemon is reassay serve as a process, with a server of its own.
type daemon struct {
	cmd *exec.Cmd
	url string
	nc  *nats.Conn
	js  jetstream.JetStream
}

// startDaemon starts a daemon on a store and waits until it judges. Two workers and an ack wait of 2 s unless flags say
// otherwise.
func startDaemon(t *testing.T, store string, flags ...string) *daemon {
	t.Helper()
	cmd := program(append([]string{"serve", "--store", store, "--listen", "127.0.0.1:0", "--workers", "2", "--ack-wait", "2s"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	log := bufio.NewScanner(stderr)
	var said []string
	for log.Scan() {
		var line struct{ Msg, NATS string }
		if err := json.Unmarshal(log.Bytes(), &line); err == nil && line.Msg == "judging" {
			go io.Copy(io.Discard, stderr) // what it says later does not hold it up; it ends with the process
			nc, err := nats.Connect(line.NATS)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(nc.Close)
			js, err := jetstream.New(nc)
			if err != nil {
				t.Fatal(err)
			}
			return &daemon{cmd, line.NATS, nc, js}
		}
		said = append(said, log.Text())
	}
	t.Fatalf("serve did not begin to judge (%v):\n%s", log.Err(), strings.Join(said, "\n"))
	return nil
}

// verdicts is how many there are.
func (d *daemon) verdicts(t *testing.T) uint64 { return d.messages(t, "REASSAY_VERDICTS") }

// dead is how many dead letters there are.
func (d *daemon) dead(t *testing.T) uint64 { return d.messages(t, "REASSAY_DEAD") }

func (d *daemon) messages(t *testing.T, stream string) uint64 {
	t.Helper()
	s, err := d.js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

const patience = 2 * time.Minute

func (d *daemon) awaitVerdicts(t *testing.T, n uint64) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if d.verdicts(t) >= n {
			return
		}
	}
	t.Fatalf("%d verdicts, want %d", d.verdicts(t), n)
}

// awaitSettled waits until every message of the mirror is settled.
func (d *daemon) awaitSettled(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c, err := d.js.Consumer(t.Context(), "REASSAY_MIRROR", "reassay-judge")
		if err != nil {
			t.Fatal(err)
		}
		if info := c.CachedInfo(); info.NumPending == 0 && info.NumAckPending == 0 {
			return
		}
	}
	t.Error("messages of the mirror stay unsettled")
}

// awaitEnd waits until a process that nobody of ours reaps has ended.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on without its parent", pid)
}
