package workers

import (
	"strings"
	"testing"
	"time"

	"reassay/capture"
	"reassay/check"
)

// Streams that are too long for anything but hostility end as a verdict, or as a dead letter that names the limit; what
// is published behind them is judged.
func TestHostileStreams(t *testing.T) {
	for name, c := range map[string]struct {
		body  string
		worst check.Worst // "": a dead letter
	}{
		"a million empty events":           {strings.Repeat("data:\n\n", 1_000_000), "changed"},
		"a million comments":               {strings.Repeat(":\n\n", 1_000_000) + chatStream("hello"), check.WorstClean},
		"a stream without a blank line":    {strings.Repeat("data: {}\n", 1_000_000), "changed"},
		"an endless stream without a line": {strings.Repeat("data: x", 6<<20), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 0)
			b.work(Config{Workers: 1, MaxBody: 40 << 20})
			x := chatExchange("hostile", "")
			x.Stream.Body = []byte(c.body)
			x.Stream.Chunks = chunksOf(len(c.body), 64<<10)
			b.publish(x, "r", nil)
			b.publish(chatExchange("behind", "hello"), "r", nil)
			b.await(chatExchange("behind", ""), "r", func(worst string) bool { return worst == string(check.WorstClean) })
			if c.worst != "" {
				b.await(x, "r", func(worst string) bool { return worst == string(c.worst) })
				return
			}
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
				m, err := b.streams.dead.GetLastMsgForSubject(t.Context(), "reassay.dead.test_gateway")
				if err == nil && strings.Contains(m.Header.Get(headerReason), "the exchange holds more than 41943040 bytes") {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("no dead letter names the limit: %v, %v", m, err)
				}
			}
		})
	}
}

// chunksOf cuts a body into chunks of one size.
func chunksOf(bytes, size int) []capture.Chunk {
	var chunks []capture.Chunk
	for at := 0; at < bytes; at += size {
		chunks = append(chunks, capture.Chunk{Bytes: min(size, bytes-at)})
	}
	return chunks
}
