package python

import (
	"math"
	"strconv"
	"strings"

	"reassay/sdkemu"
	"reassay/wire"
)

// ask encodes the request's body as the package does before it sends it: json.dumps(body, ensure_ascii=False,
// allow_nan=False).encode() (openapi_dumps of _utils/_json.py; in openai 1.109.1 httpx 0.28, _content.py, encode_json). A
// caller of this package could not have sent a request that raises here, whoever sent it.
func (r *run) ask(tools []value) error {
	if tools == nil && !r.asksFormat() {
		return nil
	}
	body := r.body(tools)
	e := bodyEncoder{left: r.depth.request[r.target.Mode]}
	if err := e.check(ofDict(body)); err != nil || !e.surrogates {
		return err
	}
	text, err := appendBody(nil, ofDict(body))
	if err != nil {
		return err
	}
	return encodable(string(text))
}

// asksFormat reports whether the request's response format is passed on as it is.
func (r *run) asksFormat() bool {
	return r.target.API == sdkemu.Chat && !r.in.Parsed && r.in.Request.Get("response_format").Kind() == wire.Object
}

// body is what is asked for: of the caller's request the tools, and the response format that is no class.
func (r *run) body(tools []value) *dict {
	members := map[string]value{"model": ofStr("none"), "stream": ofBool(true)}
	if r.asksFormat() {
		members["response_format"] = ofWire(r.in.Request.Get("response_format"))
	}
	if r.in.Parsed && r.target.Mode == sdkemu.ModeStream {
		f := parsedFormats[r.target.API]
		members[f.Key] = ofWire(f.Value)
	}
	switch r.target.API {
	case sdkemu.Responses:
		members["input"] = ofStr("none")
	case sdkemu.AnthropicMessages:
		members["max_tokens"] = ofInt(1)
		fallthrough
	default:
		members["messages"] = ofList(&list{})
	}
	if tools != nil {
		members["tools"] = ofList(&list{elems: tools})
	}
	order := r.bodyOrder()
	body := newDict(len(order))
	for _, key := range order {
		if v, ok := members[key]; ok {
			body.set(key, v)
		}
	}
	return body
}

// bodyOrder is the order of the body's members.
func (r *run) bodyOrder() []string {
	switch {
	case r.target.API == sdkemu.AnthropicMessages && r.target.Mode == sdkemu.ModeStream:
		return []string{"max_tokens", "messages", "model", "output_config", "tools", "stream"}
	case r.ways.asksModelFirst:
		return []string{"model", "stream", "input", "messages", "response_format", "text", "tools"}
	}
	return []string{"input", "max_tokens", "messages", "model", "response_format", "stream", "text", "tools"}
}

// parsedFormats are what the package asks for with the class that stands for the caller's (parsed.py).
var parsedFormats = func() map[sdkemu.API]wire.Member {
	const about = `"description":"A class that takes any JSON object.",`
	const schema = `{"additionalProperties":true,` + about + `"properties":{},"title":"Parsed","type":"object","required":[]}`
	const transformed = `{"type":"object",` + about + `"title":"Parsed","properties":{},"additionalProperties":false}`
	of := func(key, text string) wire.Member {
		v, err := wire.Parse([]byte(text))
		if err != nil {
			panic(err) // never: a constant
		}
		return wire.Member{Key: key, Value: v}
	}
	return map[sdkemu.API]wire.Member{
		sdkemu.Chat:              of("response_format", `{"type":"json_schema","json_schema":{"schema":`+schema+`,"name":"Parsed","strict":true}}`),
		sdkemu.Responses:         of("text", `{"format":{"type":"json_schema","strict":true,"name":"Parsed","schema":`+schema+`}}`),
		sdkemu.AnthropicMessages: of("output_config", `{"format":{"schema":`+transformed+`,"type":"json_schema"}}`),
	}
}()

// bodyEncoder walks a body as CPython's encoder does (Modules/_json.c, encoder_listencode_obj), without writing.
type bodyEncoder struct {
	left       int  // levels of nesting that CPython's limit of recursion leaves
	surrogates bool // a str had surrogates, which have no UTF-8
}

// check is what the encoder raises, in the order in which it would: surrogates are met only after it.
func (e *bodyEncoder) check(v value) error {
	switch v.kind {
	case kindFloat:
		if f := v.float(); math.IsInf(f, 0) || math.IsNaN(f) {
			return raise("ValueError", "Out of range float values are not JSON compliant")
		}
	case kindInt:
		_, err := intRepr(v)
		return err
	case kindStr:
		at, _ := surrogateAt(v.text)
		e.surrogates = e.surrogates || at >= 0
	case kindList, kindDict:
		if e.left--; e.left < 0 {
			return raise("RecursionError", "maximum recursion depth exceeded while encoding a JSON object")
		}
		defer func() { e.left++ }()
		if v.kind == kindList {
			return e.checkAll(v.list().elems)
		}
		for i, k := range v.dict().keys {
			if err := e.checkAll([]value{ofStr(k), v.dict().vals[i]}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *bodyEncoder) checkAll(vs []value) error {
	for _, v := range vs {
		if err := e.check(v); err != nil {
			return err
		}
	}
	return nil
}

// appendBody appends the text of a body that raised nothing.
func appendBody(dst []byte, v value) ([]byte, error) {
	var err error
	switch v.kind {
	case kindList:
		dst = append(dst, '[')
		for i, e := range v.list().elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendBody(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case kindDict:
		dst = append(dst, '{')
		for i, k := range v.dict().keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendBodyString(dst, k), ':')
			if dst, err = appendBody(dst, v.dict().vals[i]); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	case kindStr:
		return appendBodyString(dst, v.text), nil
	}
	return render(dst, v)
}

// appendBodyString escapes what JSON does not allow as it is, and no more.
func appendBodyString(dst []byte, s string) []byte {
	const short = "\b\f\n\r\t\"\\"
	const letters = `bfnrt"\`
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if at := strings.IndexByte(short, c); at >= 0 {
			dst = append(dst, '\\', letters[at])
		} else if c < 0x20 {
			dst = append(append(dst, `\u00`...), strconv.FormatInt(int64(c)+0x100, 16)[1:]...)
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
