package tap

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"reassay/mirror"
)

const (
	streamed   = `{"stream":true}`
	ask        = "POST " + chatPath + " HTTP/1.1\r\nHost: h\r\nContent-Length: 15\r\n\r\n" + streamed
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	onePiece   = "7\r\ndata: 1\r\n"
)

// The ways in which peers break off. upstream answers one connection, caller asks on one and says what it was left with.
var breaks = map[string]struct {
	upstream func(*testing.T, net.Conn, *bufio.Reader)
	caller   func(*testing.T, net.Conn, *bufio.Reader) // after it has sent the request
	part     string                                    // of the request, where not all of it is sent
	peer     bool                                      // whether the upstream broke off, and not the caller
	message  string
	body     string
	status   int
}{
	"the upstream closes midway": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			send(t, c, streamHead+onePiece)
		},
		caller: endsWithin, peer: true, message: "connection closed before the end", body: "data: 1", status: 200,
	},
	"the upstream resets midway": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			send(t, c, streamHead+onePiece)
			// The reset overtakes what was sent; the caller has it first, so that the case is one and the same every time.
			time.Sleep(100 * time.Millisecond)
			_ = c.(*net.TCPConn).SetLinger(0)
		},
		caller: endsWithin, peer: true, message: "connection reset", body: "data: 1", status: 200,
	},
	"the upstream closes after the head": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			send(t, c, streamHead)
		},
		caller: endsWithin, peer: true, message: "connection closed before the end", status: 200,
	},
	"the upstream closes short of its length": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			send(t, c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ndata: 1")
		},
		caller: endsWithin, peer: true, message: "connection closed before the end", body: "data: 1", status: 200,
	},
	"the upstream closes without a word": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
		},
		caller: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			if _, err := r.ReadByte(); !errors.Is(err, io.EOF) {
				t.Errorf("the caller is left with %v, want the end without a word", err)
			}
		},
		peer: true, message: "connection closed before the end",
	},
	"the caller leaves midway": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			send(t, c, streamHead+onePiece)
			if _, err := r.ReadByte(); err == nil || isTimeout(err) {
				t.Errorf("the upstream is left with %v, want the end", err)
			}
		},
		caller: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			head(t, r)
			if _, err := io.ReadFull(r, make([]byte, len(onePiece))); err != nil {
				t.Error(err)
			}
			c.Close()
		},
		message: wentAway, body: "data: 1", status: 200,
	},
	"the caller leaves before a reply": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			whole(t, r)
			if _, err := r.ReadByte(); err == nil || isTimeout(err) {
				t.Errorf("the upstream is left with %v, want the end", err)
			}
		},
		caller:  func(t *testing.T, c net.Conn, r *bufio.Reader) { c.Close() },
		message: wentAway,
	},
	"the caller leaves within its request": {
		upstream: func(t *testing.T, c net.Conn, r *bufio.Reader) {
			head(t, r)
			if rest, err := io.ReadAll(r); isTimeout(err) {
				t.Errorf("the upstream is left with %q, %v, want the end", rest, err)
			}
		},
		caller: func(t *testing.T, c net.Conn, r *bufio.Reader) { c.Close() }, part: strings.TrimSuffix(ask, "e}"),
		message: wentAway,
	},
}

// whole reads a request to its end: a connection that is closed with something unread is reset.
func whole(t *testing.T, r *bufio.Reader) {
	head(t, r)
	if _, err := io.ReadFull(r, make([]byte, len(streamed))); err != nil {
		t.Errorf("the upstream reads %v, want the request", err)
	}
}

// endsWithin reads a reply that is cut off within its body.
func endsWithin(t *testing.T, _ net.Conn, r *bufio.Reader) {
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Errorf("the caller is left with %v, want a head", err)
		return
	}
	if body, err := io.ReadAll(res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the caller is left with %q, %v, want it cut off", body, err)
	}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// Whoever breaks off, the other peer sees it as if nobody stood between, and the mirror says who it was: behind the
// gateway it is the gateway that asks and the model's API that answers.
func TestBreaksPassAndAreTold(t *testing.T) {
	for name, way := range breaks {
		t.Run(name, func(t *testing.T) {
			for side, by := range map[Side][2]string{Front: {"caller", "gateway"}, Upstream: {"gateway", "upstream"}} {
				b := newBench(t)
				over := make(chan struct{})
				target := rawUpstream(t, func(c net.Conn, r *bufio.Reader) {
					defer close(over)
					way.upstream(t, c, r)
				})
				tap := b.tap(Config{Side: side}, target)
				c, r := dial(t, tap.urls[0])
				text := ask
				if way.part != "" {
					text = way.part
				}
				send(t, c, strings.Replace(text, "Host: h\r\n", "Host: h\r\nX-Reassay-Exchange: x1\r\n", 1))
				if way.peer {
					way.caller(t, c, r)
				} else {
					time.Sleep(50 * time.Millisecond) // let the request arrive: what leaves before is no request
					way.caller(t, c, r)
				}
				<-over
				tap.stop()
				_, leg := b.only("stream", "non_stream", "upstream.1")
				who := by[0]
				if way.peer {
					who = by[1]
				}
				if want := (&mirror.Break{By: who, Message: way.message}); !reflect.DeepEqual(leg.end.Error, want) {
					t.Errorf("%s: the mirror says %+v, want %+v", side, leg.end.Error, want)
				}
				if string(leg.body) != way.body || leg.end.Status != way.status || leg.end.Dropped {
					t.Errorf("%s: mirrored %q with %+v, want %q and status %d", side, leg.body, leg.end, way.body, way.status)
				}
			}
		})
	}
}

// HTTP/2 breaks off a request alone, and not its connection.
func TestBreaksPassInHTTP2(t *testing.T) {
	b := newBench(t)
	left := make(chan error, 1)
	ways := protocols(t, b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "data: 1")
		_ = http.NewResponseController(w).Flush()
		if r.Header.Get("X-Who") == "upstream" {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
		left <- r.Context().Err()
	})
	for _, name := range []string{"HTTP/2 over TLS", "HTTP/2 without TLS"} {
		way := ways[name]
		for _, who := range []string{"upstream", "caller"} {
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, way.url+chatPath, strings.NewReader(streamed))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Who", who)
			res, err := way.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(res.Body, make([]byte, len("data: 1"))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if who == "caller" {
				cancel()
				select {
				case <-left:
				case <-time.After(patience):
					t.Errorf("%s: the upstream does not hear that the caller left", name)
				}
			} else if rest, err := io.ReadAll(res.Body); err == nil {
				t.Errorf("%s: the caller reads %q to the end, want a reset", name, rest)
			}
			cancel()
			res.Body.Close()
		}
		way.tap.stop()
	}
	told := map[mirror.Break]int{}
	for _, x := range b.exchanges() {
		leg := x.legs["stream"]
		if leg == nil || leg.end == nil || leg.end.Error == nil {
			t.Fatalf("the mirror holds %+v of %+v, %+v", leg, x.begin, x.legs)
		}
		told[*leg.end.Error]++
	}
	want := map[mirror.Break]int{{By: "caller", Message: wentAway}: 2, {By: "gateway", Message: "stream reset: INTERNAL_ERROR"}: 2}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("the mirror says %v, want %v", told, want)
	}
}

// An upstream that is not there is the one thing that the tap itself answers for.
func TestUpstreamThatIsNotThere(t *testing.T) {
	b := newBench(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	l.Close()
	tap := b.tap(Config{}, nobody)
	res, err := caller(t).Post(tap.urls[0]+chatPath, "application/json", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusBadGateway || !strings.Contains(string(body), "connection refused") {
		t.Errorf("answered %d, %q", res.StatusCode, body)
	}
	tap.stop()
	_, leg := b.only("stream", "non_stream") // the request was not read
	if want := (&mirror.Break{By: "gateway", Message: "connection refused"}); !reflect.DeepEqual(leg.end.Error, want) || leg.end.Status != 0 {
		t.Errorf("the mirror says %+v, want %+v", leg.end, want)
	}
	if tap.log.FilterMessage("the upstream cannot be reached").Len() != 1 {
		t.Errorf("the log is %v", tap.log.All())
	}
}

// What the tap itself breaks off when it is stopped is nobody else's doing.
func TestStoppedTapBlamesNobody(t *testing.T) {
	b := newBench(t)
	hold := make(chan struct{})
	up := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "data: 1")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	defer close(hold)
	tap := b.tap(Config{}, up.URL)
	res, err := caller(t).Post(tap.urls[0]+chatPath, "application/json", strings.NewReader(streamed))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 7)); err != nil {
		t.Fatal(err)
	}
	tap.StopPassing()
	_ = tap.servers[0].Close()
	tap.stop()
	_, leg := b.only("stream")
	if want := (&mirror.Break{By: "mirror", Message: tapStopped}); !reflect.DeepEqual(leg.end.Error, want) {
		t.Errorf("the mirror says %+v, want %+v", leg.end.Error, want)
	}
}

func TestHowConnectionsBreak(t *testing.T) {
	for want, err := range map[string]error{
		"connection reset":                 &net.OpError{Op: "read", Err: syscall.ECONNRESET},
		"connection refused":               &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
		"host not found":                   &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "secret.example"}},
		"connection closed before the end": io.ErrUnexpectedEOF,
		"timed out":                        context.DeadlineExceeded,
		"stream reset: CANCEL":             errors.New("stream error: stream ID 1; CANCEL; received from peer"),
		"stream reset: ENHANCE_YOUR_CALM":  errors.New("http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=ENHANCE_YOUR_CALM, debug=\"\""),
		"broken off":                       errors.New("dial https://user:secret@example.com: odd"),
	} {
		if got := how(err); got != want {
			t.Errorf("%v is told as %q, want %q", err, got, want)
		}
	}
}
