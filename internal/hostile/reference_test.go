package hostile

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"reassay/sdkemu"
	"reassay/wire"
)

// reference is the program that runs the real Node SDKs.
const reference = "../../sdkemu/node/js/reference.mjs"

// asked is one run for it.
type asked struct {
	stream Stream
	target sdkemu.Target
}

// What stands beside a hostile stream as an SDK's outcome is what the real SDK does in Node, and so is the object that
// it assembles. Where a limit's name stands, Node is not asked: what it would do then is to run out of memory or time.
func TestReferenceOnHostileStreams(t *testing.T) {
	pool := newPool(t, maxTime)
	var runs []asked
	var lines bytes.Buffer
	for _, s := range streams(t) {
		in, err := s.Input()
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range pool.Targets() {
			want, told := s.Want(target)
			if target.API != s.API || !strings.HasSuffix(target.SDK, "-node") || !told || strings.HasPrefix(want, "limit ") || len(in.Body) > large && !*whole {
				continue
			}
			runs = append(runs, asked{s, target})
			line := map[string]any{
				"id": s.Name, "sdk": target.SDK, "version": target.Version, "api": target.API, "mode": target.Mode,
				"body_base64": base64.StdEncoding.EncodeToString(in.Body), "cuts": append(append([]int{}, in.Cuts...), len(in.Body)),
				"content_type": in.ContentType,
			}
			if s.Request.Exists() {
				line["request"] = s.Request
			}
			if s.Parsed {
				line["caller"] = map[string]string{"response_format": "parsed"}
			}
			if err := json.NewEncoder(&lines).Encode(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(runs) < 100 {
		t.Fatalf("only %d runs are compared", len(runs))
	}
	node := exec.CommandContext(t.Context(), "node", "--no-opt", reference)
	node.Stdin = &lines
	var complaint bytes.Buffer
	node.Stderr = &complaint
	stdout, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatalf("the real SDKs run in Node 20 or later: %v", err)
	}
	answers := bufio.NewReaderSize(stdout, 1<<20)
	for _, r := range runs {
		began := time.Now()
		text, err := answers.ReadBytes('\n')
		if err != nil {
			t.Errorf("%s: the reference did not answer: %v", r.stream.Name, err)
			break
		}
		r.compare(t, pool, text)
		if d := time.Since(began); d > time.Second {
			t.Logf("%s, %s: %s", r.stream.Name, r.target.Name(), d)
		}
	}
	if err := node.Wait(); err != nil {
		t.Fatalf("node %s: %v\n%s", reference, err, complaint.String())
	}
}

// compare holds the real SDK's answer to what stands beside the stream, and ours to the answer.
func (r asked) compare(t *testing.T, pool sdkemu.Emulator, text []byte) {
	t.Helper()
	answer, err := wire.Parse(text)
	if err != nil {
		t.Errorf("%s: the reference answered %.200q: %v", r.stream.Name, text, err)
		return
	}
	real := sdkemu.Result{Outcome: sdkemu.Outcome(answer.Get("outcome").Str())}
	if x := answer.Get("exception"); x.Present() {
		real.Exception = &sdkemu.ExceptionDetail{Class: x.Get("class").Str(), Message: x.Get("message").Str()}
	}
	if want, _ := r.stream.Want(r.target); Outcome(real) != want {
		t.Errorf("%s: the real %s gives %q, and %q stands beside the stream", r.stream.Name, r.target.Name(), Outcome(real), want)
	}
	in, err := r.stream.Input()
	if err != nil {
		t.Fatal(err)
	}
	ours := pool.Run(t.Context(), r.target, in)
	got, err := wire.Parse(ours.Assembled)
	if want := answer.Get("assembled"); len(ours.Assembled) > 0 && err != nil || !wire.Equal(got, want) {
		t.Errorf("%s: the real %s assembled %.300s, ours %.300s", r.stream.Name, r.target.Name(), want.JSON(), ours.Assembled)
	}
}
