package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// prompt is how long a request may take through a tap whose NATS server is gone, on a machine that is busy. It is well
// below every time limit of the mirror's.
const prompt = 2 * time.Second

// passPromptly asks through a tap and demands the whole reply without delay.
func passPromptly(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), prompt)
	defer cancel()
	ask, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "data: 1\n\ndata: 2\n\n" {
		t.Fatalf("the reply is %q, %v", body, err)
	}
}

// heldModel answers in two pieces; what asks with the header X-Hold gets the second one when release is closed.
func heldModel(t *testing.T) (model *httptest.Server, release chan struct{}) {
	release = make(chan struct{})
	model = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		if r.Header.Get("X-Hold") != "" {
			<-release
		}
		_, _ = io.WriteString(w, "data: 2\n\n")
	}))
	t.Cleanup(model.Close)
	return model, release
}

// awaitEnds waits until the mirror holds so many ends of replies.
func awaitEnds(t *testing.T, s jetstream.Stream, n int) {
	t.Helper()
	got := 0
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		info, err := s.Info(t.Context(), jetstream.WithSubjectFilter("reassay.mirror.*.*.end.stream"))
		if err != nil {
			continue // the server is coming back
		}
		if got = len(info.State.Subjects); got >= n {
			return
		}
	}
	t.Fatalf("the mirror holds %d ends, want %d", got, n)
}

// A NATS server that is killed, in the midst of a reply, costs callers nothing: replies go on and requests pass. What
// passed meanwhile is mirrored when the server is back.
func TestTapPassesWhileTheServerIsKilled(t *testing.T) {
	server := startNATS(t, t.TempDir(), 0)
	stream := mirrorStream(t, server.url())
	model, release := heldModel(t)
	tap := startTap(t, []string{model.URL}, "--nats", server.url(), "--linger", "0s")
	for range 10 {
		passPromptly(t, tap.urls[0])
	}
	awaitEnds(t, stream, 10)
	ask, err := http.NewRequest(http.MethodPost, tap.urls[0]+"/v1/chat/completions", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("X-Hold", "1")
	held, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	if _, err := io.ReadFull(held.Body, make([]byte, len("data: 1\n\n"))); err != nil {
		t.Fatal(err)
	}
	server.end(t, syscall.SIGKILL)
	for range 20 {
		passPromptly(t, tap.urls[0])
	}
	close(release)
	if rest, err := io.ReadAll(held.Body); err != nil || string(rest) != "data: 2\n\n" {
		t.Fatalf("the rest of the held reply is %q, %v", rest, err)
	}
	server.start(t)
	awaitEnds(t, stream, 31)
	if said := tap.stop(t); !strings.Contains(said, `"mirrored":31`) || !strings.Contains(said, `"stored":31`) ||
		!strings.Contains(said, "the NATS server is gone") || !strings.Contains(said, "the NATS server is back") {
		t.Errorf("the tap said\n%s", said)
	}
}

// A tap starts without its NATS server, passes, drops what its buffer has no room for, and says so.
func TestTapStartsWithoutTheServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	l.Close()
	model, _ := heldModel(t)
	const n = 40
	tap := startTap(t, []string{model.URL}, "--nats", "nats://"+nobody, "--linger", "0s", "--buffer", fmt.Sprint(40<<10))
	for range n {
		passPromptly(t, tap.urls[0])
	}
	said := tap.stop(t)
	if !strings.Contains(said, "the NATS server is not there") || !strings.Contains(said, fmt.Sprintf(`"mirrored":%d`, n)) ||
		!strings.Contains(said, `"stored":0`) || !strings.Contains(said, "buffer full") {
		t.Errorf("the tap said\n%s", said)
	}
}
