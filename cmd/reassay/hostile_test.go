package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"reassay/check"
	"reassay/internal/hostile"
	"reassay/sdkemu"
	"reassay/wire"
)

var allStreams = flag.Bool("all", false, "judge the hostile streams that take long, too")

// What check may take for one hostile exchange: its own process and each process of an SDK.
const (
	hostileMemory = 1536 << 20 // bytes that a process holds at most
	hostileTime   = 5 * time.Minute
)

// checkKey is what stands beside a hostile stream for the program as a whole.
const checkKey = "check"

// callers are the dialects in which an API's caller is answered.
var callers = map[sdkemu.API]wire.Dialect{
	sdkemu.Chat: wire.OpenAIChat, sdkemu.Responses: wire.OpenAIResponses, sdkemu.AnthropicMessages: wire.AnthropicMessages,
}

// No hostile stream takes check down: it ends in bounded time and memory, with a verdict that says what stands beside
// the stream.
func TestCheckOnHostileStreams(t *testing.T) {
	all, err := hostile.Read("../../fixtures/hostile")
	if err != nil {
		t.Fatal(err)
	}
	largest := int64(0)
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			body := s.Bytes()
			// What is over the limit of a body's size takes no time, and what is small takes little.
			if size := len(body); size > 1<<20 && size < 16<<20 && !*allStreams {
				return
			}
			got, held := checkHostile(t, s, body)
			largest = max(largest, held)
			if held > hostileMemory {
				t.Errorf("a process held %d MiB, at most %d are its own", held>>20, hostileMemory>>20)
			}
			if want, told := s.Expect[checkKey]; *update {
				s.Expect[checkKey] = got
				if err := s.Write("../../fixtures/hostile"); err != nil {
					t.Fatal(err)
				}
			} else if !told || got != want {
				t.Errorf("check gives %q, want %q", got, want)
			}
		})
	}
	t.Logf("the largest process held %d MiB", largest>>20)
}

// checkHostile judges one stream in a process of its own. It returns the exit code and the verdict's word, and the most
// memory that the process or one that it started has held.
func checkHostile(t *testing.T, s hostile.Stream, body []byte) (got string, held int64) {
	t.Helper()
	x := map[string]any{
		"capture_version": 1, "id": s.Name, "gateway": map[string]string{"name": "hostile"},
		"stream": map[string]any{"dialect": callers[s.API], "status": 200, "content_type": "text/event-stream", "body_base64": body},
	}
	if s.Request.Exists() {
		x["request"] = map[string]any{"dialect": callers[s.API], "body": s.Request}
	}
	if s.Parsed {
		x["caller"] = map[string]string{"response_format": "parsed"}
	}
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hostile.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"check", "--format", "jsonl", "--fail-on", "never", "--workers", "1"}
	if s.Time > 0 {
		args = append(args, "--sdk-time", s.Time.String())
	} else {
		args = append(args, "--sdk-time", hostileTime.String())
	}
	ctx, cancel := context.WithTimeout(t.Context(), hostileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "reassay", append(args, file)...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	began := time.Now()
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("check has not ended after %s", time.Since(began))
	}
	if err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("check: %v\n%s", err, complaint.String())
	}
	// wait4(2) tells the largest of the process and those that it has waited for, in kilobytes.
	held = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d bytes of body: %d ms, %d MiB", len(body), time.Since(began).Milliseconds(), held>>20)
	if complaint.Len() > 0 {
		t.Errorf("check says %.500s", complaint.String())
	}
	v, err := check.DecodeVerdict(bytes.TrimSpace(out.Bytes()))
	if err != nil {
		t.Fatalf("read the verdict: %v\n%.500s", err, out.String())
	}
	var limits []string
	for _, r := range v.SDKs {
		if r.Outcome == check.Inconclusive {
			limits = append(limits, fmt.Sprintf("%s@%s %s: %s", r.SDK, r.Version, r.Mode, r.Reason))
		}
	}
	if len(limits) > 0 {
		t.Log(strings.Join(limits, "\n"))
	}
	return fmt.Sprintf("exit %d, %s", cmd.ProcessState.ExitCode(), v.WorstAny), held
}
