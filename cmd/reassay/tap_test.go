package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"reassay/capture"
	"reassay/wire"
)

// tapProcess is reassay tap as a process.
type tapProcess struct {
	cmd  *exec.Cmd
	urls []string // where it takes requests, in the order of --listen
	log  <-chan string
}

// startTap starts a tap before upstreams and waits until it passes.
func startTap(t *testing.T, upstreams []string, args ...string) *tapProcess {
	t.Helper()
	args = append([]string{"tap"}, args...)
	for _, u := range upstreams {
		args = append(args, "--listen", "127.0.0.1:0", "--upstream", u)
	}
	cmd := program(args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	log := make(chan string, 1)
	p := &tapProcess{cmd: cmd, log: log}
	passing := make(chan []string, 1)
	go func() {
		var said strings.Builder
		var urls []string
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			said.WriteString(lines.Text() + "\n")
			var line struct{ Msg, Listen string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "passing" {
				if urls = append(urls, "http://"+line.Listen); len(urls) == len(upstreams) {
					passing <- urls
				}
			}
		}
		close(passing)
		log <- said.String()
	}()
	if p.urls = <-passing; p.urls == nil {
		t.Fatalf("the tap does not pass:\n%s", <-log)
	}
	return p
}

// stop ends the tap in good order and returns what it logged.
func (p *tapProcess) stop(t *testing.T) string {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	said := <-p.log
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("tap: %v\n%s", err, said)
	}
	return said
}

// tapped are recorded exchanges of one gateway, streamed: sound, cut, failing midway and with tools, from two vendors.
func tapped(t *testing.T) []*capture.Exchange {
	t.Helper()
	want := []string{"portkey/anthropic/text-plain", "portkey/anthropic/tool-parallel-2", "portkey/anthropic/stream-cut",
		"portkey/anthropic/error-midstream", "portkey/anthropic/text-64k", "portkey/gemini/thought-tool", "portkey/gemini/stream-cut"}
	file, err := os.Open("../../fixtures/captures/portkey.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []*capture.Exchange
	for x, err := range capture.Decode(file, "portkey.jsonl") {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(want, x.ID) {
			out = append(out, x)
		}
	}
	if len(out) != len(want) {
		t.Fatalf("%d of %d exchanges are in the file", len(out), len(want))
	}
	return out
}

// answer sends a recorded leg, cut off where it was.
func answer(w http.ResponseWriter, l *capture.Leg) {
	w.Header().Set("Content-Type", l.ContentType)
	w.WriteHeader(l.Status)
	for rest := l.Body; len(rest) > 0; {
		n := min(len(rest), 1000)
		_, _ = w.Write(rest[:n])
		_ = http.NewResponseController(w).Flush()
		rest = rest[n:]
	}
	if l.Error != nil {
		panic(http.ErrAbortHandler)
	}
}

const shapeHeader = "X-Shape"

// recordedGateway is a gateway and its model API that say what was recorded. The API fails the first time. The gateway
// hands on the exchange's header, and the shape's to both.
func recordedGateway(t *testing.T, xs []*capture.Exchange, api func() string) (gateway, model *httptest.Server) {
	shape := func(r *http.Request) *capture.Exchange {
		for _, x := range xs {
			if x.ID == r.Header.Get(shapeHeader) {
				return x
			}
		}
		return xs[0]
	}
	failed := map[string]bool{}
	model = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Reassay-Exchange") != "" {
			t.Error("the model's API is sent the exchange's header")
		}
		x := shape(r)
		if !failed[x.ID] {
			failed[x.ID] = true
			answer(w, overloaded(x))
			return
		}
		answer(w, x.Served())
	}))
	gateway = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := shape(r)
		_, _ = io.Copy(io.Discard, r.Body)
		path := "/v1/messages"
		if x.Served().Dialect == wire.GeminiGenerate {
			path = "/v1beta/models/m:streamGenerateContent"
		}
		for range 2 {
			ask, err := http.NewRequestWithContext(r.Context(), http.MethodPost, api()+path, strings.NewReader(`{"model":"m","stream":true}`))
			if err != nil {
				t.Error(err)
				return
			}
			for _, name := range []string{"X-Reassay-Exchange", shapeHeader} {
				ask.Header.Set(name, r.Header.Get(name))
			}
			res, err := http.DefaultClient.Do(ask)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body) // it may be cut off
			res.Body.Close()
		}
		answer(w, x.Stream)
	}))
	t.Cleanup(gateway.Close)
	t.Cleanup(model.Close)
	return gateway, model
}

// overloaded is a first attempt's reply.
func overloaded(x *capture.Exchange) *capture.Leg {
	return &capture.Leg{Dialect: x.Served().Dialect, Status: 529, ContentType: "application/json",
		Body: []byte(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}
}

// What two taps mirror of traffic through a gateway is judged as the same exchange from a file is: request, both
// attempts upstream, and the reply, whoever cut what.
func TestTapsSeeAnExchangeFromBothSides(t *testing.T) {
	xs := tapped(t)
	d := startDaemon(t, t.TempDir())
	var api string
	gateway, model := recordedGateway(t, xs, func() string { return api })
	behind := startTap(t, []string{model.URL}, "--side", "upstream", "--nats", d.url, "--gateway", "portkey", "--request", "none")
	api = behind.urls[0]
	before := startTap(t, []string{gateway.URL}, "--nats", d.url, "--gateway", "portkey", "--request", "full")
	var asFile bytes.Buffer
	for _, x := range xs {
		body := x.Request.Body.JSON()
		ask, err := http.NewRequest(http.MethodPost, before.urls[0]+"/v1/chat/completions", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Authorization", "Bearer sk-secret-of-the-caller")
		ask.Header.Set(shapeHeader, x.ID)
		res, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if !bytes.Equal(got, x.Stream.Body) || (err != nil) != (x.Stream.Error != nil) {
			t.Errorf("%s: the caller got %d bytes and %v, want %d and a break %t", x.ID, len(got), err, len(x.Stream.Body), x.Stream.Error != nil)
		}
		only := &capture.Exchange{ID: x.ID, Gateway: x.Gateway, Population: "live", Request: x.Request,
			Upstream: []*capture.Leg{overloaded(x), x.Served()}, Stream: x.Stream}
		fmt.Fprintf(&asFile, "%s\n", capture.Encode(only))
	}
	got, err := gather(t.Context(), d.url, len(xs))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*tapProcess{before, behind} {
		if said := p.stop(t); !strings.Contains(said, `"unjoined":0`) || strings.Contains(said, "secret") {
			t.Errorf("the tap said\n%s", said)
		}
	}
	file := filepath.Join(t.TempDir(), "exchanges.jsonl")
	if err := os.WriteFile(file, asFile.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var checked, errs bytes.Buffer
	check := program("check", "--format", "jsonl", "--fail-on", "never", file)
	check.Stdout, check.Stderr = &checked, &errs
	if err := check.Run(); err != nil && check.ProcessState.ExitCode() != exitUnsure {
		t.Fatalf("check: %v\n%s", err, errs.String())
	}
	tellDifference(t, got, strings.Split(strings.TrimSpace(checked.String()), "\n"))
	end(t, d)
}

// end stops a daemon in good order.
func end(t *testing.T, d *daemon) {
	t.Helper()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("serve: %v", err)
	}
}

// essence is what a verdict says of an exchange, without its name and time, and without what a recorder kept of heads.
type essence struct {
	Worst    string
	Evidence map[string]struct{ SHA256 string }
	Legs     map[string]struct{ Transport, Generation string }
	MRS      struct{ Status string } `json:"mr_s"`
	SDKs     []struct{ SDK, Version, Mode, Outcome, Cause string }
	Findings []struct{ Rule, Leg, Construct, Path, Cause string }
}

func essenceOf(t *testing.T, line string) (e essence, key string) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatal(err)
	}
	return e, e.Evidence["stream"].SHA256
}

// tellDifference compares verdicts by what their streams hold.
func tellDifference(t *testing.T, got, want []string) {
	t.Helper()
	live := map[string]essence{}
	for _, line := range got {
		e, key := essenceOf(t, line)
		live[key] = e
	}
	for _, line := range want {
		e, key := essenceOf(t, line)
		if g, there := live[key]; !there {
			t.Errorf("no verdict on the stream of\n%s\namong\n%s", line, strings.Join(got, "\n"))
		} else if !reflect.DeepEqual(g, e) {
			t.Errorf("live\n%+v\nfrom the file\n%+v", g, e)
		}
	}
}
