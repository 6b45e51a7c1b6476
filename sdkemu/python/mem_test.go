package python

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"reassay/sdkemu"
)

// TestPeakMemory runs streams of some megabytes: live memory stays within four times the stream's size.
func TestPeakMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	withLogprobs := strings.ReplaceAll(string(textStream(10_000)), `"logprobs":null`, `"logprobs":{"content":[{"token":"a","logprob":-1.5,"bytes":[97],"top_logprobs":[]}],"refusal":null}`)
	withDetails := strings.ReplaceAll(string(textStream(10_000)), `"content":" word`, `"reasoning_details":[{"type":"reasoning.text","index":0,"text":"and so on"}],"content":" word`)
	for name, body := range map[string][]byte{
		"text": textStream(10_000), "tools": toolStream(10_000), "logprobs": []byte(withLogprobs), "details": []byte(withDetails),
		"messages text": messageText(10_000), "messages thinking": messageThinking(10_000), "messages tools": messageTools(10_000), "messages citations": messageCitations(10_000),
	} {
		api := sdkemu.Chat
		if strings.HasPrefix(name, "messages ") {
			api = sdkemu.AnthropicMessages
		}
		for _, mode := range modes {
			idle := live()
			var peak atomic.Uint64
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for {
					select {
					case <-stop:
						return
					case <-time.After(time.Millisecond):
						peak.Store(max(peak.Load(), live()))
					}
				}
			}()
			r := New().Run(t.Context(), target(api, mode), sdkemu.Input{Body: body})
			close(stop)
			<-stopped
			if r.Outcome != sdkemu.OK {
				t.Errorf("%s %s: %s %v %s", name, mode, r.Outcome, r.Exception, r.Reason)
			}
			above := float64(max(peak.Load(), idle)-idle) / float64(len(body))
			t.Logf("%s %s: %d bytes, at most %.2f times as many live", name, mode, len(body), above)
			if above > 4 {
				t.Errorf("%s %s: %.2f times the stream's size is live", name, mode, above)
			}
		}
	}
}

// live is the heap in use after a collection.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
