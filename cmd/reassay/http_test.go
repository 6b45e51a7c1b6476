package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reassay/check"
	"reassay/workers"
)

// answering is reassay serve as a process that answers over HTTP.
type answering struct {
	cmd  *exec.Cmd
	nats string
	http string
	log  *lines // what it says from the moment at which it judges
}

// serveHTTP starts a daemon that answers on a free port of 127.0.0.1, and waits until it judges.
func serveHTTP(t *testing.T, args ...string) *answering {
	t.Helper()
	return serveHTTPOn(t, "127.0.0.1:0", args...)
}

func serveHTTPOn(t *testing.T, addr string, args ...string) *answering {
	t.Helper()
	cmd := program(append([]string{"serve", "--http", addr, "--workers", "1", "--sdk", "none"}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	a := &answering{cmd: cmd, log: &lines{}}
	log := bufio.NewScanner(stderr)
	for log.Scan() {
		a.log.add(log.Text())
		var line struct{ Msg, NATS, HTTP string }
		if json.Unmarshal(log.Bytes(), &line) != nil {
			continue
		}
		switch line.Msg {
		case "answering over HTTP":
			a.http = line.HTTP
		case "judging":
			a.nats = line.NATS
			go func() {
				for log.Scan() {
					a.log.add(log.Text())
				}
			}()
			return a
		}
	}
	t.Fatalf("serve did not begin to judge (%v):\n%s", log.Err(), a.log)
	return nil
}

// lines are what a process has said so far.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(&l.text, line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// stop ends the daemon in good order.
func (a *answering) stop(t *testing.T) {
	t.Helper()
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := a.cmd.Wait(); err != nil {
		t.Errorf("serve: %v\n%s", err, a.log)
	}
}

var client = &http.Client{Timeout: 20 * time.Second}

func (a *answering) get(t *testing.T, path string) (code int, text string) {
	t.Helper()
	r, err := client.Get(a.http + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// await asks again and again until the answer passes, and returns it.
func (a *answering) await(t *testing.T, path, what string, pass func(code int, text string) bool) string {
	t.Helper()
	var code int
	var text string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if code, text = a.get(t, path); pass(code, text) {
			return text
		}
	}
	t.Fatalf("%s does not come to %s: %d\n%s\n%s", path, what, code, text, a.log)
	return ""
}

// counted adds up the series of a metric whose labels hold a text.
func counted(t *testing.T, metrics, name, label string) (total float64) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^`+name+`(?:\{(.*)\})? (\S+)$`).FindAllStringSubmatch(metrics, -1) {
		if v, err := strconv.ParseFloat(m[2], 64); err != nil {
			t.Fatal(err)
		} else if strings.Contains(m[1], label) {
			total += v
		}
	}
	return total
}

// What the daemon tells Prometheus is what it did: the verdicts that are stored, the dead letters, the bytes.
func TestMetricsTellWhatWasDone(t *testing.T) {
	a := serveHTTP(t, "--store", t.TempDir(), "--listen", "127.0.0.1:0")
	file := "../../fixtures/captures/portkey.jsonl"
	out, err := program("replay", "--nats", a.nats, "--detach", file).CombinedOutput()
	if err != nil {
		t.Fatalf("publish: %v\n%s", err, out)
	}
	var want bytesCounted
	want.count(t, file)
	metrics := a.await(t, "/metrics", fmt.Sprint(want.verdicts, " verdicts"), func(_ int, text string) bool {
		return counted(t, text, "reassay_exchanges_total", "") == want.verdicts && counted(t, text, "reassay_unsettled_messages", "") == 0
	})
	for _, m := range []struct {
		name, label string
		want        float64
	}{
		{"reassay_exchanges_total", `gateway="portkey"`, want.verdicts},
		{"reassay_exchanges_total", `outcome="corrupt"`, want.corrupt},
		{"reassay_findings_total", `tier="T1"`, want.t1},
		{"reassay_read_bytes_total", `gateway="portkey"`, want.bytes},
		{"reassay_judging_seconds_count", "", want.verdicts},
		{"reassay_verdict_delay_seconds_count", "", want.verdicts},
		{"reassay_stream_messages", `stream="REASSAY_VERDICTS"`, want.verdicts},
		{"reassay_backlog_messages", "", 0},
		{"reassay_workers", "", 1},
		{"reassay_server_up", "", 1},
		{"reassay_ready", "", 1},
	} {
		if got := counted(t, metrics, m.name, m.label); got != m.want {
			t.Errorf("%s{%s} is %v, want %v", m.name, m.label, got, m.want)
		}
	}
	if settled, delivered := counted(t, metrics, "reassay_settlements_total", ""), counted(t, metrics, "reassay_deliveries_total", ""); settled != delivered || settled < want.verdicts {
		t.Errorf("%v messages settled of %v delivered", settled, delivered)
	}
	a.stop(t)
}

// bytesCounted is what check says of a file's exchanges.
type bytesCounted struct{ verdicts, corrupt, t1, bytes float64 }

func (c *bytesCounted) count(t *testing.T, file string) {
	t.Helper()
	out, err := program("check", "--sdk", "none", "--format", "jsonl", "--fail-on", "never", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		v, err := check.DecodeVerdict([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		c.verdicts++
		if v.Worst == check.WorstCorrupt {
			c.corrupt++
		}
		for _, f := range v.Findings {
			if f.Tier == "T1" {
				c.t1++
			}
		}
		for _, e := range v.Evidence {
			c.bytes += float64(e.Bytes)
		}
	}
	if c.verdicts == 0 || c.t1 == 0 || c.bytes == 0 {
		t.Fatalf("the file shows nothing: %+v", c)
	}
}

// Readiness goes with the server and comes back with it; the process stays alive meanwhile.
func TestReadyWhileTheServerIsThere(t *testing.T) {
	store := t.TempDir()
	server, err := workers.StartServer(workers.ServerConfig{Store: store, Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	addr := strings.TrimPrefix(server.URL(), "nats://")
	a := serveHTTP(t, "--nats", server.URL())
	ok := func(code int, _ string) bool { return code == http.StatusOK }
	a.await(t, "/readyz", "200", ok)

	server.Stop()
	a.await(t, "/readyz", "503 with the reason", func(code int, text string) bool {
		return code == http.StatusServiceUnavailable && strings.Contains(text, "server: not connected")
	})
	if code, text := a.get(t, "/healthz"); code != http.StatusOK || text != "ok\n" {
		t.Errorf("/healthz: %d %q", code, text)
	}
	if code, text := a.get(t, "/metrics"); code != http.StatusOK || counted(t, text, "reassay_server_up", "") != 0 || strings.Contains(text, "reassay_backlog_messages ") {
		t.Errorf("/metrics without a server: %d\n%s", code, text)
	}

	if server, err = workers.StartServer(workers.ServerConfig{Store: store, Addr: addr}); err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	a.await(t, "/readyz", "200 again", ok)
	a.stop(t)
}

// Only who sends the token is answered; probes need none. Without a token the daemon answers to this machine's names
// alone.
func TestWhoIsAnswered(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	guarded := serveHTTP(t, "--store", t.TempDir(), "--listen", "127.0.0.1:0", "--http-token", token)
	open := serveHTTP(t, "--store", t.TempDir(), "--listen", "127.0.0.1:0")
	for _, ask := range []struct {
		of                        *answering
		path, authorization, host string
		want                      int
	}{
		{guarded, "/metrics", "", "", 401},
		{guarded, "/metrics", "Bearer wrong", "", 401},
		{guarded, "/metrics", "s3cret", "", 401},
		{guarded, "/metrics", "Bearer s3cret", "", 200},
		{guarded, "/metrics", "Bearer s3cret", "reassay.example", 200},
		{guarded, "/verdicts/events", "", "", 401},
		{guarded, "/healthz", "", "", 200},
		{guarded, "/readyz", "", "", 200},
		{open, "/metrics", "", "", 200},
		{open, "/metrics", "", "localhost:9464", 200},
		{open, "/metrics", "", "[::1]:9464", 200},
		{open, "/metrics", "", "attacker.example", 403},
		{open, "/metrics", "", "127.0.0.1.attacker.example:9464", 403},
		{open, "/nothing", "", "", 404},
	} {
		r, err := http.NewRequest(http.MethodGet, ask.of.http+ask.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ask.authorization != "" {
			r.Header.Set("Authorization", ask.authorization)
		}
		r.Host = ask.host
		got, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != ask.want {
			t.Errorf("%+v: %d", ask, got.StatusCode)
		}
	}
	guarded.stop(t)
	open.stop(t)
}

// Over TLS the daemon answers only who shows a certificate that was asked for, and who does may come from anywhere.
func TestAnswersOverTLS(t *testing.T) {
	folder := t.TempDir()
	certificates(t, folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	a := serveHTTP(t, "--store", t.TempDir(), "--listen", "127.0.0.1:0",
		"--http-cert", in("server.pem"), "--http-key", in("server.key"), "--http-client-ca", in("ca.pem"))
	if !strings.HasPrefix(a.http, "https://") {
		t.Fatalf("it answers on %s", a.http)
	}
	pool := authorities(t, in("ca.pem"))
	pair, err := tls.LoadX509KeyPair(in("client.pem"), in("client.key"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		certs []tls.Certificate
		ok    bool
	}{{"with a certificate", []tls.Certificate{pair}, true}, {"without", nil, false}} {
		to := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: c.certs}, DisableKeepAlives: true, ForceAttemptHTTP2: true}}
		r, err := to.Get(a.http + "/metrics")
		if err == nil {
			r.Body.Close()
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	a.stop(t)
}
