package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"reassay/mirror"
)

// plainProxy is the program that a tap is measured against: it prints where it listens, and passes everything to the
// URL that is its argument until its input ends.
func plainProxy() {
	target, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("http://" + l.Addr().String())
	go func() { _ = http.Serve(l, httputil.NewSingleHostReverseProxy(target)) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startPlainProxy starts it as a process.
func startPlainProxy(t testing.TB, target string) (listens string) {
	t.Helper()
	cmd := exec.Command("plain-proxy", target)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// measured is one of the ways to an upstream that are compared, with a connection that stays open.
type measured struct {
	conn net.Conn
	in   *bufio.Reader
	took []time.Duration
}

func newMeasured(t testing.TB, target string) *measured {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(target, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &measured{conn: c, in: bufio.NewReader(c)}
}

// ask sends a request, reads its reply and returns the time to the reply's first byte.
func (m *measured) ask(t testing.TB, request string) time.Duration {
	_ = m.conn.SetDeadline(time.Now().Add(patience))
	began := time.Now()
	if _, err := io.WriteString(m.conn, request); err != nil {
		t.Fatal(err)
	}
	if _, err := m.in.Peek(1); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	res, err := http.ReadResponse(m.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(res.Body); err != nil {
		t.Fatalf("%v: %v after %q", m.conn.RemoteAddr(), err, body)
	}
	return took
}

// median forgets what was measured.
func (m *measured) median() time.Duration {
	slices.Sort(m.took)
	d := m.took[len(m.took)/2]
	m.took = nil
	return d
}

// A tap that mirrors adds to the time until a reply's first byte what a plain reverse proxy adds, and no more than a tenth
// of that on top. Callers ask a model that thinks for a moment directly, through the proxy and through the tap, each a
// process of its own, turn by turn in random order and with pauses between the turns; a busy machine is asked again. (A
// model that answers before the proxy has sent the whole request breaks the plain proxy.)
func TestFirstByteComesAsSoonAsThroughAPlainProxy(t *testing.T) {
	const most, rounds, turns, thinks, pause = 1.1, 8, 100, time.Millisecond, 10 * time.Millisecond
	server := startNATS(t, t.TempDir(), 0)
	mirrorStream(t, server.url())
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(thinks)
		w.Header().Set("Content-Type", "text/event-stream")
		for k := range 5 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%d\"}}]}\n\n", k)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(up.Close)
	tap := startTap(t, []string{up.URL}, "--nats", server.url(), "--linger", "0s")
	direct, plain, tapped := newMeasured(t, up.URL), newMeasured(t, startPlainProxy(t, up.URL)), newMeasured(t, tap.urls[0])
	ways := []*measured{direct, plain, tapped}
	body := `{"model":"m","stream":true,"messages":[{"role":"user","content":"` + strings.Repeat("word ", 400) + `"}]}`
	request := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	var added float64
	for round := range rounds + 1 {
		for range turns {
			for _, i := range rand.Perm(len(ways)) {
				ways[i].took = append(ways[i].took, ways[i].ask(t, request))
			}
			time.Sleep(pause)
		}
		d, p, m := direct.median(), plain.median(), tapped.median()
		if round == 0 {
			continue // to warm up
		}
		added = float64(m-d) / float64(p-d)
		t.Logf("median first byte: direct %s, plain proxy %s, tap %s; tap over plain %.3f, what they add %.3f", d, p, m, float64(m)/float64(p), added)
		if added <= most {
			break
		}
	}
	if added > most {
		t.Errorf("in none of %d rounds the tap added less than %v of what the plain proxy adds", rounds, most)
	}
	if said := tap.stop(t); strings.Contains(said, `"stored":0`) {
		t.Errorf("nothing was mirrored meanwhile:\n%s", said)
	}
}

// mirrorStream makes the mirror's stream, as serve does when it starts, and returns it.
func mirrorStream(t testing.TB, url string) jetstream.Stream {
	t.Helper()
	nc, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: mirror.Stream, Subjects: []string{mirror.Subjects}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
