package isolate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"reassay/sdkemu"
	"reassay/wire"
)

// encodeRequest makes the message of a run. The body is not copied.
func encodeRequest(t sdkemu.Target, in sdkemu.Input) (message, error) {
	var headers []wire.Member
	for _, name := range slices.Sorted(maps.Keys(in.Headers)) {
		values := make([]wire.Value, len(in.Headers[name]))
		for i, v := range in.Headers[name] {
			values[i] = wire.Of(v)
		}
		headers = append(headers, wire.Member{Key: name, Value: wire.Arr(values...)})
	}
	head := []wire.Member{
		{Key: "sdk", Value: wire.Of(t.SDK)},
		{Key: "version", Value: wire.Of(t.Version)},
		{Key: "api", Value: wire.Of(string(t.API))},
		{Key: "mode", Value: wire.Of(string(t.Mode))},
		{Key: "status", Value: wire.OfInt(in.Status)},
		{Key: "content_type", Value: wire.Of(in.ContentType)},
		{Key: "headers", Value: wire.Obj(headers...)},
		{Key: "parsed", Value: wire.OfBool(in.Parsed)},
	}
	if in.Break != nil {
		head = append(head, wire.Member{Key: "break", Value: wire.Of(in.Break.Message)})
	}
	var request []byte
	if in.Request.Exists() {
		request = in.Request.JSON()
	}
	var cuts []byte
	before := 0
	for _, c := range in.Cuts {
		cuts = binary.AppendVarint(cuts, int64(c)-int64(before))
		before = c
	}
	m := message{wire.Obj(head...).JSON(), in.Body, cuts, request}
	return m, m.fits()
}

// readRequest reads a run. The error is io.EOF where the pipe ends before one begins.
func readRequest(r io.Reader, most int64) (t sdkemu.Target, in sdkemu.Input, err error) {
	m, err := readMessage(r, 4, most)
	if err != nil {
		return t, in, err
	}
	head, err := wire.Parse(m[0])
	if err != nil {
		return t, in, fmt.Errorf("read the head of a run: %w", err)
	}
	t = sdkemu.Target{
		SDK: head.Get("sdk").Str(), Version: head.Get("version").Str(),
		API: sdkemu.API(head.Get("api").Str()), Mode: sdkemu.Mode(head.Get("mode").Str()),
	}
	in = sdkemu.Input{ContentType: head.Get("content_type").Str(), Body: m[1], Parsed: head.Get("parsed").True()}
	in.Status, _ = head.Get("status").Int()
	for _, h := range head.Get("headers").Members() {
		if in.Headers == nil {
			in.Headers = map[string][]string{}
		}
		values := make([]string, len(h.Value.Elems()))
		for i, v := range h.Value.Elems() {
			values[i] = v.Str()
		}
		in.Headers[h.Key] = values
	}
	if b := head.Get("break"); b.Exists() {
		in.Break = &sdkemu.Break{Message: b.Str()}
	}
	if in.Cuts, err = cutsOf(m[2]); err != nil {
		return t, in, err
	}
	if len(m[3]) > 0 {
		if in.Request, err = wire.Parse(m[3]); err != nil {
			return t, in, fmt.Errorf("read the request of a run: %w", err)
		}
	}
	return t, in, nil
}

func cutsOf(text []byte) ([]int, error) {
	var cuts []int
	at := int64(0)
	for len(text) > 0 {
		d, n := binary.Varint(text)
		if n <= 0 {
			return nil, errors.New("read the cuts of a run: a number is broken off")
		}
		text = text[n:]
		at += d
		cuts = append(cuts, int(at))
	}
	return cuts, nil
}
