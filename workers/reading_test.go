package workers

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"reassay/check"
	"reassay/mirror"
)

// readingCase is a file of fixtures/mirror: what is published of one exchange, and what becomes of it.
type readingCase struct {
	About    string
	Messages []readingMessage
	Want     struct {
		Worst  check.Worst // of the one verdict; "" for none
		Reason string      // a part of its reason
		Dead   string      // a part of the dead letters' reason; "" for none
	}
}

// readingMessage is one message. An exchange has one leg, a stream of the chunks that readingChunks gives.
type readingMessage struct {
	Begin  json.RawMessage // a begin with these members in place of its own; a text is sent as it is
	Chunk  *int            // the chunk of this number
	End    json.RawMessage // the true manifest with these members in place of its own; a text is sent as it is
	Leg    string          // whose chunk or end, for "stream"
	Seq    *string         // the chunk's header in place of its own
	Part   string          // the chunk's header
	Text   *string         // the chunk's bytes in place of its own
	Base64 string          // the same, of bytes that are no text
	Times  int             // how often what is sent is repeated in its message, for once
	Await  string          // nothing is sent until there is a verdict with this worst
	Pause  string          // nothing is sent for so long
}

// readingChunks is a chat stream in three chunks.
func readingChunks() []string {
	stream := chatStream("hello")
	return []string{stream[:30], stream[30:200], stream[200:]}
}

// What is published, in whatever order, as often, and as broken as it may be, has one outcome.
func TestReadingOutcomes(t *testing.T) {
	files, err := filepath.Glob("../fixtures/mirror/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	b := newBench(t, 0)
	config := Config{Workers: 4, Idle: readingIdle, Join: 3 * readingIdle, MaxBody: 1 << 20}
	b.work(config)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var c readingCase
			decoder := json.NewDecoder(strings.NewReader(string(text)))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&c); err != nil {
				t.Fatal(err)
			}
			r := &played{bench: b, t: t, name: name}
			for i, m := range c.Messages {
				if err := r.send(m); err != nil {
					t.Fatalf("message %d: %v", i, err)
				}
			}
			r.compare(c)
		})
	}
}

// readingIdle is long enough that messages sent one after the other are never so far apart.
const readingIdle = 2 * time.Second

// readingPatience is how long a machine with other work to do may take.
const readingPatience = 30 * time.Second

// played is one case being played.
type played struct {
	*bench
	t    *testing.T
	name string
}

const readingGateway = "reading"

func (r *played) send(m readingMessage) error {
	token := mirror.ExchangeToken("r", r.name)
	leg := m.Leg
	if leg == "" {
		leg = "stream"
	}
	msg := &nats.Msg{Header: nats.Header{}}
	var err error
	switch {
	case m.Await != "":
		_, err = r.verdict(check.Worst(m.Await))
		return err
	case m.Pause != "":
		d, err := time.ParseDuration(m.Pause)
		time.Sleep(d)
		return err
	case m.Begin != nil:
		msg.Subject = mirror.BeginSubject(readingGateway, token)
		msg.Data, err = merged(map[string]any{
			"mirror_version": mirror.Version, "id": r.name, "gateway": map[string]string{"name": readingGateway, "version": "1"},
			"legs": []string{"stream"},
		}, m.Begin)
	case m.End != nil:
		body := strings.Join(readingChunks(), "")
		sum := sha256.Sum256([]byte(body))
		msg.Subject = mirror.EndSubject(readingGateway, token, leg)
		msg.Data, err = merged(map[string]any{
			"mirror_version": mirror.Version, "dialect": "openai-chat", "status": 200, "content_type": "text/event-stream",
			"chunks": len(readingChunks()), "bytes": len(body), "sha256": hex.EncodeToString(sum[:]),
		}, m.End)
	default:
		msg.Subject = mirror.LegSubject(readingGateway, token, leg)
		switch {
		case m.Text != nil:
			msg.Data = []byte(*m.Text)
		case m.Base64 != "":
			msg.Data, err = base64.StdEncoding.DecodeString(m.Base64)
		default:
			msg.Data = []byte(readingChunks()[*m.Chunk])
		}
		if m.Seq != nil {
			msg.Header.Set(mirror.HeaderSeq, *m.Seq)
		} else if m.Chunk != nil {
			msg.Header.Set(mirror.HeaderSeq, fmt.Sprint(*m.Chunk))
		}
		if m.Part != "" {
			msg.Header.Set(mirror.HeaderPart, m.Part)
		}
	}
	if err != nil {
		return err
	}
	msg.Data = bytes.Repeat(msg.Data, max(m.Times, 1))
	_, err = r.js.PublishMsg(r.t.Context(), msg)
	return err
}

// merged is an object with other members in place of its own, or the text that stands for it.
func merged(object map[string]any, others json.RawMessage) ([]byte, error) {
	var text string
	if json.Unmarshal(others, &text) == nil {
		return []byte(text), nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(others, &members); err != nil {
		return nil, err
	}
	for name, value := range members {
		object[name] = value
	}
	return json.Marshal(object)
}

// verdict waits for the verdict of this worst; "" takes any.
func (r *played) verdict(worst check.Worst) (check.Verdict, error) {
	key := verdictKey{readingGateway, mirror.ExchangeToken("r", r.name), r.checker.Interpretation().ID}
	for deadline := time.Now().Add(readingPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		m, err := r.streams.verdicts.GetLastMsgForSubject(r.t.Context(), key.filter())
		if err != nil || worst != "" && !strings.HasSuffix(m.Subject, "."+string(worst)) {
			continue
		}
		text, err := r.streams.verdictText(r.t.Context(), m.Header, m.Data)
		if err != nil {
			return check.Verdict{}, err
		}
		return check.DecodeVerdict(text)
	}
	return check.Verdict{}, fmt.Errorf("no verdict %q came", worst)
}

// dead are the reasons of the exchange's dead letters, once every message is settled.
func (r *played) dead() []string {
	of := mirror.Of(readingGateway, mirror.ExchangeToken("r", r.name)) + "."
	info, err := r.streams.dead.Info(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	var reasons []string
	for seq := info.State.FirstSeq; seq > 0 && seq <= info.State.LastSeq; seq++ {
		m, err := r.streams.dead.GetMsg(r.t.Context(), seq)
		if err != nil {
			r.t.Fatal(err)
		}
		if strings.HasPrefix(m.Header.Get(headerSubject), of) {
			reasons = append(reasons, m.Header.Get(headerReason))
		}
	}
	return reasons
}

func (r *played) compare(c readingCase) {
	if c.Want.Worst == "" {
		for deadline := time.Now().Add(readingPatience); len(r.dead()) == 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				r.t.Fatal("neither a verdict nor a dead letter came")
			}
		}
	} else if v, err := r.verdict(c.Want.Worst); err != nil {
		v, any := r.verdict("")
		r.t.Fatalf("%v; there is %q, %q (%v), dead letters %q", err, v.Worst, v.Reason, any, r.dead())
	} else if !strings.Contains(v.Reason, c.Want.Reason) || c.Want.Reason == "" && v.Reason != "" {
		r.t.Errorf("reason %q, want %q", v.Reason, c.Want.Reason)
	}
	dead := r.dead()
	if c.Want.Dead == "" && len(dead) > 0 {
		r.t.Errorf("dead letters %q", dead)
	}
	for _, reason := range dead {
		if !strings.Contains(reason, c.Want.Dead) {
			r.t.Errorf("a dead letter %q, want %q", reason, c.Want.Dead)
		}
	}
}
