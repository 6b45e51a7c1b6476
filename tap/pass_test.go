package tap

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// rawUpstream is a server that answers each connection with script, byte for byte.
func rawUpstream(t *testing.T, script func(net.Conn, *bufio.Reader)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetDeadline(time.Now().Add(patience))
			script(c, bufio.NewReader(c))
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// dial opens a connection to a tap.
func dial(t *testing.T, url string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c, bufio.NewReader(c)
}

func send(t *testing.T, c io.Writer, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Error(err)
	}
}

// head reads one message's head, its lines without their ends.
func head(t *testing.T, r *bufio.Reader) []string {
	t.Helper()
	var lines []string
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Errorf("read a head: %v after %q", err, lines)
			return lines
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			return lines
		}
		lines = append(lines, line)
	}
}

// What an upstream is sent is what the caller sent, but for its host and the exchange's header.
func TestRequestArrivesAsItWasSent(t *testing.T) {
	b := newBench(t)
	type got struct {
		head    []string
		body    string
		trailer http.Header
	}
	arrived := make(chan got, 1)
	target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
		peeked, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(peeked.Body)
		lines := []string{peeked.Method + " " + peeked.RequestURI, "Host: " + peeked.Host}
		for _, name := range []string{"Accept-Encoding", "User-Agent", "X-Forwarded-For", "Forwarded", "Authorization", "X-Dup", "Te", "Content-Type"} {
			for _, v := range peeked.Header[name] {
				lines = append(lines, name+": "+v)
			}
		}
		arrived <- got{lines, string(body), peeked.Trailer}
		send(t, c, "HTTP/1.1 204 No Content\r\n\r\n")
	})
	tap := b.tap(Config{}, target+"/base/")
	c, r := dial(t, tap.urls[0])
	send(t, c, "POST /a%2fb/./c|d?x=1;y=%zz&z HTTP/1.1\r\nHost: me.example\r\nX-Forwarded-For: 10.1.2.3\r\nForwarded: for=x\r\nAuthorization: Bearer k\r\n"+
		"X-Dup: 1\r\nX-Dup: 2\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;e=1\r\n wo\r\n0\r\nX-Sum: 8\r\n\r\n")
	if lines := head(t, r); len(lines) == 0 || lines[0] != "HTTP/1.1 204 No Content" {
		t.Errorf("answered %q", lines)
	}
	g := <-arrived
	want := []string{"POST /base/a%2fb/./c|d?x=1;y=%zz&z", "Host: " + strings.TrimPrefix(target, "http://"), "X-Forwarded-For: 10.1.2.3", "Forwarded: for=x", "Authorization: Bearer k", "X-Dup: 1", "X-Dup: 2"}
	if !reflect.DeepEqual(g.head, want) {
		t.Errorf("the head arrived as\n%q, want\n%q", g.head, want)
	}
	if g.body != "hello wo" || g.trailer.Get("X-Sum") != "8" {
		t.Errorf("body %q and trailer %v arrived", g.body, g.trailer)
	}
}

// A reply gains nothing and loses nothing: no date, no guessed type, its trailers, a coding that stays on.
func TestReplyArrivesAsItWasSent(t *testing.T) {
	b := newBench(t)
	zipped := "\x1f\x8b not really \x00\xff"
	target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err != nil {
			return
		}
		send(t, c, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 299 Odd\r\nX-Dup: 1\r\nX-Dup: 2\r\nContent-Encoding: gzip\r\nSet-Cookie: secret\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n")
		send(t, c, fmt.Sprintf("%x\r\n%s\r\n0\r\nX-Sum: 9\r\nX-Late: 1\r\n\r\n", len(zipped), zipped))
	})
	tap := b.tap(Config{}, target)
	c, r := dial(t, tap.urls[0])
	send(t, c, "POST "+chatPath+" HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}")
	if lines := head(t, r); len(lines) != 2 || !strings.HasPrefix(lines[0], "HTTP/1.1 103") || lines[1] != "Link: </a>" {
		t.Errorf("first came %q, want the early hints", lines)
	}
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || string(body) != zipped {
		t.Errorf("body %q, %v", body, err)
	}
	want := http.Header{"X-Dup": {"1", "2"}, "Content-Encoding": {"gzip"}, "Set-Cookie": {"secret"}}
	if res.StatusCode != 299 || !reflect.DeepEqual(res.Header, want) {
		t.Errorf("status %d, headers %v, want 299 and %v", res.StatusCode, res.Header, want)
	}
	if want := (http.Header{"X-Sum": {"9"}, "X-Late": {"1"}}); !reflect.DeepEqual(res.Trailer, want) {
		t.Errorf("trailers %v, want %v", res.Trailer, want)
	}
	tap.stop()
	_, leg := b.only("non_stream")
	if string(leg.body) != zipped || leg.end.Status != 299 || leg.end.Error != nil {
		t.Errorf("mirrored %q with %+v", leg.body, leg.end)
	}
	if h := leg.end.Headers; len(h["set-cookie"]) > 0 || !reflect.DeepEqual(h["content-encoding"], []string{"gzip"}) || !reflect.DeepEqual(leg.end.Trailers["x-sum"], []string{"9"}) {
		t.Errorf("mirrored headers %v, trailers %v", h, leg.end.Trailers)
	}
}

// protocols are the ways to reach a tap and its upstream.
func protocols(t *testing.T, b *bench, h http.HandlerFunc) map[string]struct {
	url    string
	client *http.Client
	tap    *running
} {
	t.Helper()
	type way = struct {
		url    string
		client *http.Client
		tap    *running
	}
	plain := upstream(t, h)
	secure := httptest.NewUnstartedServer(h)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.Close)
	clear2 := httptest.NewUnstartedServer(h)
	clear2.Config.Protocols = new(http.Protocols)
	clear2.Config.Protocols.SetUnencryptedHTTP2(true)
	clear2.Start()
	t.Cleanup(clear2.Close)

	trusting := &tls.Config{RootCAs: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	own := &tls.Config{Certificates: secure.TLS.Certificates}
	two := &http.Transport{TLSClientConfig: trusting.Clone(), ForceAttemptHTTP2: true, DisableCompression: true}
	prior := &http.Transport{Protocols: new(http.Protocols)}
	prior.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(two.CloseIdleConnections)
	t.Cleanup(prior.CloseIdleConnections)
	one := b.tap(Config{}, plain.URL)
	onTLS := startTap(t, b.nc, Config{UpstreamTLS: trusting}, own, secure.URL)
	clear := b.tap(Config{UpstreamH2C: true}, clear2.URL)
	return map[string]way{
		"HTTP/1.1":              {one.urls[0], caller(t), one},
		"HTTP/2 over TLS":       {onTLS.urls[0], &http.Client{Transport: two, Timeout: patience}, onTLS},
		"HTTP/2 without TLS":    {clear.urls[0], &http.Client{Transport: prior, Timeout: patience}, clear},
		"HTTP/1.1 before TLS":   {startTap(t, b.nc, Config{UpstreamTLS: trusting}, nil, secure.URL).urls[0], caller(t), nil},
		"HTTP/2 before a 1.1":   {b.tap(Config{}, plain.URL).urls[0], &http.Client{Transport: prior, Timeout: patience}, nil},
		"without any mirroring": {b.tap(Config{Routes: []Route{}}, plain.URL).urls[0], caller(t), nil},
	}
}

// Each piece reaches the other side before the next is sent, both ways, in every version of HTTP: the upstream sends a
// piece only when the caller has the one before, and the caller likewise.
func TestPiecesPassAsTheyCome(t *testing.T) {
	b := newBench(t)
	step := make(chan struct{})
	next := func() bool {
		select {
		case <-step:
			return true
		case <-time.After(patience):
			return false
		}
	}
	const pieces = 5
	ways := protocols(t, b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Trailer", "X-Sum")
		w.Header().Set("X-Proto", r.Proto)
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).EnableFullDuplex()
		_ = http.NewResponseController(w).Flush() // the head alone
		buf := make([]byte, 64)
		for n := range pieces {
			if got, err := io.ReadAtLeast(r.Body, buf, 1); err != nil {
				t.Errorf("piece %d of the request: %q, %v", n, buf[:got], err)
				return
			}
			if !next() {
				t.Error("the caller does not ask for more")
				return
			}
			_, _ = io.WriteString(w, event(n))
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Sum", "5")
	})
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			ask, answerTo := io.Pipe()
			req, err := http.NewRequest(http.MethodPost, way.url+chatPath, ask)
			if err != nil {
				t.Fatal(err)
			}
			go send(t, answerTo, `{"stream":true`)
			res, err := way.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if strings.HasPrefix(name, "HTTP/2") && res.Proto != "HTTP/2.0" || !strings.HasSuffix(name, "1.1") && name != "HTTP/1.1 before TLS" && name != "without any mirroring" && res.Header.Get("X-Proto") != res.Proto {
				t.Errorf("the caller speaks %s, the upstream is spoken to in %s", res.Proto, res.Header.Get("X-Proto"))
			}
			buf := make([]byte, 1024)
			var got bytes.Buffer
			for n := range pieces {
				step <- struct{}{}
				k, err := res.Body.Read(buf)
				if err != nil && (err != io.EOF || k == 0) {
					t.Fatalf("piece %d: %v", n, err)
				}
				got.Write(buf[:k])
				if want := event(n); string(buf[:k]) != want {
					t.Fatalf("piece %d is %q, want %q", n, buf[:k], want)
				}
				if n < pieces-1 {
					send(t, answerTo, " ")
				}
			}
			send(t, answerTo, "}")
			answerTo.Close()
			if rest, err := io.ReadAll(res.Body); err != nil || len(rest) > 0 || res.Trailer.Get("X-Sum") != "5" {
				t.Errorf("rest %q, %v, trailers %v", rest, err, res.Trailer)
			}
		})
	}
	n := 0
	for _, way := range ways {
		if way.tap != nil {
			way.tap.stop()
			n++
		}
	}
	found := 0
	for _, x := range b.exchanges() {
		l := x.legs["stream"]
		if l == nil || l.end == nil {
			continue
		}
		if len(l.chunks) != pieces || l.end.Trailers["x-sum"] == nil || l.end.Error != nil || l.end.Dropped {
			t.Errorf("mirrored chunks %v, end %+v, want %d chunks", l.chunks, l.end, pieces)
		}
		found++
	}
	if found < n {
		t.Errorf("%d exchanges are mirrored, want %d and more", found, n)
	}
}

// A caller who waits for the upstream's word before it sends its body gets that word, and not the tap's.
func TestExpectIsTheUpstreamsToAnswer(t *testing.T) {
	b := newBench(t)
	const ask = "POST " + chatPath + " HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
	t.Run("refused", func(t *testing.T) {
		target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
			head(t, r)
			send(t, c, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		})
		c, r := dial(t, b.tap(Config{}, target).urls[0])
		send(t, c, ask)
		if lines := head(t, r); len(lines) == 0 || lines[0] != "HTTP/1.1 413 Request Entity Too Large" {
			t.Errorf("answered %q, want the upstream's refusal at once", lines)
		}
	})
	t.Run("granted", func(t *testing.T) {
		granted := make(chan struct{})
		target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
			if lines := head(t, r); !strings.Contains(strings.Join(lines, "\n"), "Expect: 100-continue") {
				t.Errorf("asked %q", lines)
			}
			<-granted
			send(t, c, "HTTP/1.1 100 Continue\r\n\r\n")
			body := make([]byte, 2)
			if _, err := io.ReadFull(r, body); err != nil || string(body) != "{}" {
				t.Errorf("body %q, %v", body, err)
			}
			send(t, c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		})
		c, r := dial(t, b.tap(Config{}, target).urls[0])
		send(t, c, ask)
		_ = c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		if _, err := r.Peek(1); err == nil {
			t.Error("the tap answers before the upstream does")
		}
		_ = c.SetReadDeadline(time.Now().Add(patience))
		close(granted)
		if lines := head(t, r); len(lines) != 1 || lines[0] != "HTTP/1.1 100 Continue" {
			t.Errorf("answered %q, want to continue", lines)
		}
		send(t, c, "{}")
		res, err := http.ReadResponse(r, nil)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("answered %v, %v", res, err)
		}
	})
}

// A connection that becomes another protocol's belongs to its two ends.
func TestUpgradesPass(t *testing.T) {
	b := newBench(t)
	target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
		if lines := head(t, r); !strings.Contains(strings.Join(lines, "\n"), "Upgrade: echo") {
			t.Errorf("asked %q", lines)
		}
		send(t, c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello")
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			send(t, c, line)
		}
	})
	tap := b.tap(Config{}, target)
	for _, ask := range []string{"GET /v1/realtime", "POST " + chatPath} {
		c, r := dial(t, tap.urls[0])
		send(t, c, ask+" HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		if lines := head(t, r); len(lines) < 3 || lines[0] != "HTTP/1.1 101 Switching Protocols" || !slices.Contains(lines, "Upgrade: echo") {
			t.Fatalf("answered %q", lines)
		}
		first := make([]byte, 5)
		if _, err := io.ReadFull(r, first); err != nil || string(first) != "hello" {
			t.Fatalf("first %q, %v", first, err)
		}
		send(t, c, "one\n")
		if line, err := r.ReadString('\n'); err != nil || line != "one\n" {
			t.Errorf("echo %q, %v", line, err)
		}
		c.Close()
	}
	tap.stop()
	if all := b.exchanges(); len(all) > 0 {
		t.Errorf("the mirror holds %d exchanges of it", len(all))
	}
}

// A reply may come and end before its request has; the connection is closed after it.
func TestReplyBeforeTheRequestsEnd(t *testing.T) {
	b := newBench(t)
	target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
		head(t, r)
		send(t, c, "HTTP/1.1 429 Slow Down\r\nContent-Length: 2\r\n\r\nno")
		_, _ = io.Copy(io.Discard, r)
	})
	tap := b.tap(Config{}, target)
	c, r := dial(t, tap.urls[0])
	send(t, c, "POST "+chatPath+" HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{\"a\"")
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != 429 || !res.Close {
		t.Fatalf("answered %+v, %v, want 429 at once", res, err)
	}
	if body, err := io.ReadAll(res.Body); string(body) != "no" || err != nil {
		t.Errorf("body %q, %v", body, err)
	}
	c.Close()
	tap.stop()
	if _, leg := b.only("non_stream"); string(leg.body) != "no" || leg.end.Error != nil || leg.end.Status != 429 {
		t.Errorf("mirrored %q with %+v", leg.body, leg.end)
	}
	for _, line := range tap.log.All() {
		t.Errorf("the tap said %q", line.Message)
	}
}

// An upstream that closes after a reply is passed on as that.
func TestCloseAfterAReplyPasses(t *testing.T) {
	b := newBench(t)
	target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
		if _, err := http.ReadRequest(r); err == nil {
			send(t, c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end")
		}
	})
	c, r := dial(t, b.tap(Config{}, target).urls[0])
	send(t, c, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
	res, err := http.ReadResponse(r, nil)
	if err != nil || !res.Close {
		t.Fatalf("answered %+v, %v, want one that closes", res, err)
	}
	if body, err := io.ReadAll(res.Body); string(body) != "until the end" || err != nil {
		t.Errorf("body %q, %v", body, err)
	}
	if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("then %v, want the end", err)
	}
}
