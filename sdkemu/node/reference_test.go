package node

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// question is a line for js/reference.mjs: a line of `reassay sdk run` with the cuts spelt out.
type question struct {
	ID          string              `json:"id"`
	SDK         string              `json:"sdk"`
	Version     string              `json:"version"`
	API         sdkemu.API          `json:"api"`
	Mode        sdkemu.Mode         `json:"mode"`
	BodyBase64  string              `json:"body_base64"`
	Cuts        []int               `json:"cuts"`
	Status      int                 `json:"status,omitempty"`
	ContentType string              `json:"content_type"`
	Headers     map[string][]string `json:"headers,omitempty"`
	Error       *sdkemu.Break       `json:"error,omitempty"`
	Request     *wire.Value         `json:"request,omitempty"`
	Caller      struct {
		ResponseFormat string `json:"response_format,omitempty"`
	} `json:"caller"`
}

func questionOf(id string, t sdkemu.Target, in sdkemu.Input) question {
	q := question{
		ID: id, SDK: t.SDK, Version: t.Version, API: t.API, Mode: t.Mode,
		BodyBase64: base64.StdEncoding.EncodeToString(in.Body), Cuts: append(append([]int{}, in.Cuts...), len(in.Body)),
		Status: in.Status, ContentType: in.ContentType, Headers: in.Headers, Error: in.Break,
	}
	if in.Request.Exists() {
		q.Request = &in.Request
	}
	if in.Parsed {
		q.Caller.ResponseFormat = "parsed"
	}
	return q
}

// answer is a line that js/reference.mjs gives back.
type answer struct {
	ID        string          `json:"id"`
	Outcome   sdkemu.Outcome  `json:"outcome"`
	Exception wire.Value      `json:"exception"`
	Reason    string          `json:"reason"`
	Assembled json.RawMessage `json:"assembled"`
}

// result is the answer as the emulator would give it.
func (a answer) result() sdkemu.Result {
	return sdkemu.Result{Outcome: a.Outcome, Reason: a.Reason, Exception: exceptionOf(a.Exception, true), Assembled: a.Assembled}
}

func exceptionOf(v wire.Value, outer bool) *sdkemu.ExceptionDetail {
	if !v.Present() {
		return nil
	}
	d := &sdkemu.ExceptionDetail{
		Class: v.Get("class").Str(), Message: v.Get("message").Str(), Thrown: v.Get("thrown").Str(), Cause: exceptionOf(v.Get("cause"), false),
	}
	if outer {
		d.AtEvent = v.Get("at_event").JSON()
	}
	return d
}

// nodeMajor is the major version of the Node on the path, 0 when there is none.
var nodeMajor = sync.OnceValue(func() int {
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		return 0
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	n, err := strconv.Atoi(major)
	if err != nil {
		return 0
	}
	return n
})

// needSDKs fails the test with what to do when the real packages or Node are not there.
func needSDKs(t testing.TB) {
	t.Helper()
	switch n := nodeMajor(); n {
	case 0:
		t.Fatal("the real SDKs run in Node, which is not on the path: install Node 20 with npm")
	case emulatedNode:
	default:
		t.Logf("Node %d words the faults of JSON otherwise than Node %d: those words are not compared", n, emulatedNode)
	}
	releases, err := Releases()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range releases {
		if _, err := os.Stat("js/node_modules/" + r.Alias() + "/package.json"); err != nil {
			t.Fatalf("the real %s@%s is not installed: run `make node-modules`", r.SDK, r.Version)
		}
	}
}

// ask runs the real SDKs over the questions, in order.
func ask(t testing.TB, questions []question, args ...string) []answer {
	t.Helper()
	return askIn(t, nil, questions, args...)
}

// askIn is ask with variables of the environment besides the test's own.
func askIn(t testing.TB, env []string, questions []question, args ...string) []answer {
	t.Helper()
	needSDKs(t)
	// Optimised code words some TypeErrors otherwise ("undefined is not a function" for "… is not iterable"): what a
	// caller sees depends on how often his process ran the function before. The emulator has a first run's words.
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"--no-opt", "js/reference.mjs"}, args...)...)
	cmd.Env = append(cmd.Environ(), env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wrote := make(chan error, 1)
	go func() { wrote <- write(stdin, questions) }()
	var answers []answer
	lines := bufio.NewReaderSize(stdout, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("js/reference.mjs answered %.200q: %v", line, err)
		}
		answers = append(answers, a)
	}
	if err := <-wrote; err != nil {
		t.Errorf("write to js/reference.mjs: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("js/reference.mjs: %v\n%s", err, stderr.Bytes())
	}
	if len(answers) != len(questions) {
		t.Fatalf("js/reference.mjs answered %d of %d questions\n%s", len(answers), len(questions), stderr.Bytes())
	}
	return answers
}

func write(w io.WriteCloser, questions []question) error {
	buffered := bufio.NewWriterSize(w, 1<<20)
	enc := json.NewEncoder(buffered)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return w.Close()
}
