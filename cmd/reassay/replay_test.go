package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/workers"
)

// program is reassay as a process of its own; TestMain puts it on the PATH.
func program(args ...string) *exec.Cmd { return exec.Command("reassay", args...) }

// replayed is what the process test judges: recorded exchanges of every gateway, and streams that are split, cut,
// empty and encoded.
func replayed(t *testing.T) []byte {
	t.Helper()
	var all bytes.Buffer
	captures, err := filepath.Glob("../../fixtures/captures/*.jsonl")
	if err != nil || len(captures) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, name := range captures {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		for i := 0; i < len(lines); i += 4 {
			all.Write(lines[i])
		}
	}
	own, err := filepath.Glob("../../fixtures/transport/*.json")
	if err != nil || len(own) == 0 {
		t.Fatalf("no exchanges of our own: %v", err)
	}
	for _, name := range own {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Compact(&all, text); err != nil {
			t.Fatalf("read %s: %v", name, err)
		}
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// checked are the exchanges that replay is tried with, in a file and by themselves, and check's lines on them, sorted.
func checked(t *testing.T) (file string, input []byte, lines []string) {
	t.Helper()
	input = replayed(t)
	file = filepath.Join(t.TempDir(), "captures.jsonl")
	if err := os.WriteFile(file, input, 0o600); err != nil {
		t.Fatal(err)
	}
	var want, errs bytes.Buffer
	check := program("check", "--format", "jsonl", "--fail-on", "never", file)
	check.Stdout, check.Stderr = &want, &errs
	if err := check.Run(); err != nil && check.ProcessState.ExitCode() != exitUnsure {
		t.Fatalf("check: %v\n%s", err, errs.String())
	}
	lines = strings.Split(strings.TrimSpace(want.String()), "\n")
	slices.Sort(lines)
	return file, input, lines
}

// The verdicts that workers reach from the mirror alone equal those of check, byte for byte: the workers are a process
// of their own, the server takes no message over 16 KiB, and the file and its publisher are gone before judging begins.
func TestWorkersJudgeFromTheMirrorAlone(t *testing.T) {
	_, input, wantLines := checked(t)
	if n := bytes.Count(input, []byte("\n")); len(wantLines) != n {
		t.Fatalf("check gave %d verdicts on %d exchanges", len(wantLines), n)
	}

	for _, n := range []int{1, 4} {
		t.Run(fmt.Sprint(n, " workers"), func(t *testing.T) {
			server, err := workers.StartServer(workers.ServerConfig{Store: t.TempDir(), Addr: "127.0.0.1:0", MaxPayload: 16 << 10})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Stop()
			once := filepath.Join(t.TempDir(), "captures.jsonl")
			if err := os.WriteFile(once, input, 0o600); err != nil {
				t.Fatal(err)
			}
			publisher := program("replay", "--nats", server.URL(), "--detach", once)
			if out, err := publisher.CombinedOutput(); err != nil {
				t.Fatalf("publish: %v\n%s", err, out)
			}
			if err := os.Remove(once); err != nil {
				t.Fatal(err)
			}

			var log bytes.Buffer
			judge := program("serve", "--nats", server.URL(), "--workers", fmt.Sprint(n))
			judge.Stderr = &log
			if err := judge.Start(); err != nil {
				t.Fatal(err)
			}
			got, gatherErr := gather(t.Context(), server.URL(), len(wantLines))
			if err := judge.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			if err := judge.Wait(); err != nil {
				t.Errorf("serve: %v\n%s", err, log.String())
			}
			if gatherErr != nil {
				t.Fatalf("%d of %d verdicts: %v\n%s", len(got), len(wantLines), gatherErr, log.String())
			}
			slices.Sort(got)
			for i := range wantLines {
				if got[i] != wantLines[i] {
					t.Fatalf("over NATS\n%s\ncheck\n%s", got[i], wantLines[i])
				}
			}
		})
	}
}

// gather reads n verdicts as any program outside would, over NATS.
func gather(ctx context.Context, url string, n int) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	nc, err := nats.Connect(url)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	bucket, err := js.ObjectStore(ctx, "REASSAY_EVIDENCE")
	if err != nil {
		return nil, err
	}
	consumer, err := js.OrderedConsumer(ctx, "REASSAY_VERDICTS", jetstream.OrderedConsumerConfig{})
	if err != nil {
		return nil, err
	}
	var got []string
	for len(got) < n {
		if err := ctx.Err(); err != nil {
			return got, err
		}
		batch, err := consumer.Fetch(64, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			return got, err
		}
		for msg := range batch.Messages() {
			text := msg.Data()
			if name := msg.Headers().Get("Reassay-Verdict-Object"); name != "" {
				if text, err = bucket.GetBytes(ctx, name); err != nil {
					return got, err
				}
			}
			got = append(got, string(text))
		}
	}
	return got, nil
}
