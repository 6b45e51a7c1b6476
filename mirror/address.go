package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/nats-io/nats.go"
)

// headerRoom is kept free of a message's max_payload for its headers, which the server counts too.
const headerRoom = 512

// address is whose messages are made: one exchange of one gateway, by their tokens.
type address struct{ gateway, exchange string }

// addressOf is the address of the exchange that b begins.
func addressOf(b Begin) address {
	return address{GatewayToken(b.Gateway.Name), ExchangeToken(b.Run, b.ID)}
}

// begin is the message of a begin whose JSON is text.
func (a address) begin(text []byte) *nats.Msg {
	// A later begin that adds legs is another message: the same words sent again are not.
	id := sha256.Sum256(text)
	return &nats.Msg{Subject: BeginSubject(a.gateway, a.exchange), Data: text,
		Header: nats.Header{nats.MsgIdHdr: {a.exchange + "/begin/" + hex.EncodeToString(id[:8])}}}
}

// chunk is the messages of one transport chunk: one, or several parts where it holds more than part bytes.
func (a address) chunk(leg string, seq int, atMicros int64, data []byte, part int) []*nats.Msg {
	parts := max(1, (len(data)+part-1)/part)
	out := make([]*nats.Msg, parts)
	for k := range parts {
		id := a.exchange + "/" + leg + "/" + strconv.Itoa(seq)
		header := nats.Header{
			HeaderSeq: {strconv.Itoa(seq)},
			HeaderAt:  {strconv.FormatInt(atMicros, 10)},
		}
		if parts > 1 {
			header.Set(HeaderPart, strconv.Itoa(k+1)+"/"+strconv.Itoa(parts))
			// A part of its own identity: the server drops a second message of one id.
			id += "/" + strconv.Itoa(k+1)
		}
		header.Set(nats.MsgIdHdr, id)
		out[k] = &nats.Msg{Subject: LegSubject(a.gateway, a.exchange, leg), Header: header,
			Data: data[k*part : min(len(data), (k+1)*part)]}
	}
	return out
}

// end is the message of a leg's manifest whose JSON is text.
func (a address) end(leg string, text []byte) *nats.Msg {
	return &nats.Msg{Subject: EndSubject(a.gateway, a.exchange, leg), Data: text,
		Header: nats.Header{nats.MsgIdHdr: {a.exchange + "/" + leg + "/end"}}}
}

// tally counts a leg's chunks for its manifest.
type tally struct {
	chunks int
	bytes  int64
	sum    hash.Hash
}

func newTally() *tally { return &tally{sum: sha256.New()} }

func (t *tally) add(chunk []byte) {
	t.chunks++
	t.bytes += int64(len(chunk))
	t.sum.Write(chunk)
}

// manifest is end with what was counted.
func (t *tally) manifest(end End) End {
	end.MirrorVersion = Version
	end.Chunks, end.Bytes, end.SHA256 = t.chunks, t.bytes, hex.EncodeToString(t.sum.Sum(nil))
	return end
}
