package python

import (
	"math"
	"strconv"
	"strings"

	"reassay/sdkemu"
	"reassay/wire"
)

// ask encodes the request's body as the package does before it sends it: json.dumps(body, ensure_ascii=False,
// allow_nan=False).encode() (_utils/_json.py, openapi_dumps; in 1.109.1 httpx 0.28, _content.py, encode_json). A caller
// of this package could not have sent a request that raises here, whoever sent it.
func (r *run) ask(tools []value) error {
	if tools == nil && r.in.Request.Get("response_format").Kind() != wire.Object {
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

// askPlainly is ask for create(stream=True), which takes the tools as they are.
func (r *run) askPlainly() error {
	if r.target.API == sdkemu.AnthropicMessages {
		return nil
	}
	return r.ask(r.tools())
}

// body is what is asked for: of the caller's request the tools, and the response format that is no class.
func (r *run) body(tools []value) *dict {
	members := map[string]value{"model": ofStr("none"), "stream": ofBool(true)}
	format, parsed := r.in.Request.Get("response_format"), r.in.Parsed && r.target.Mode == sdkemu.ModeStream
	switch chat := r.target.API == sdkemu.Chat; {
	case chat && parsed:
		members["response_format"] = parsedFormats[sdkemu.Chat]
	case chat && !r.in.Parsed && format.Kind() == wire.Object:
		members["response_format"] = ofWire(format)
	case !chat && parsed:
		members["text"] = parsedFormats[sdkemu.Responses]
	}
	if r.target.API == sdkemu.Chat {
		members["messages"] = ofList(&list{})
	} else {
		members["input"] = ofStr("none")
	}
	if tools != nil {
		members["tools"] = ofList(&list{elems: tools})
	}
	order := []string{"input", "messages", "model", "response_format", "stream", "text", "tools"}
	if r.ways.asksModelFirst {
		order = []string{"model", "stream", "input", "messages", "response_format", "text", "tools"}
	}
	body := newDict(len(order))
	for _, key := range order {
		if v, ok := members[key]; ok {
			body.set(key, v)
		}
	}
	return body
}

// parsedFormats are what the package sends for the class that stands for the caller's (parsed.py).
var parsedFormats = func() map[sdkemu.API]value {
	const schema = `{"additionalProperties":true,"description":"A class that takes any JSON object.","properties":{},` +
		`"title":"Parsed","type":"object","required":[]}`
	out := map[sdkemu.API]value{}
	for api, text := range map[sdkemu.API]string{
		sdkemu.Chat:      `{"type":"json_schema","json_schema":{"schema":` + schema + `,"name":"Parsed","strict":true}}`,
		sdkemu.Responses: `{"format":{"type":"json_schema","strict":true,"name":"Parsed","schema":` + schema + `}}`,
	} {
		v, err := wire.Parse([]byte(text))
		if err != nil {
			panic(err) // never: a constant
		}
		out[api] = ofWire(v)
	}
	return out
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
