package fact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"reassay/sdkemu"
	"reassay/wire"
)

// probe is a line of fixtures/probes, whose README has the format.
type probe struct {
	Name        string              `json:"name"`
	Fact        string              `json:"fact"`
	Body        *string             `json:"body"`
	BodyBase64  *string             `json:"body_base64"`
	Status      int                 `json:"status"`
	ContentType *string             `json:"content_type"`
	Headers     map[string][]string `json:"headers"`
	Error       *struct {
		By      string `json:"by"`
		Message string `json:"message"`
	} `json:"error"`
	Request wire.Value `json:"request"`
	Caller  struct {
		ResponseFormat string `json:"response_format"`
	} `json:"caller"`
}

// probes are the replies of every API, whole, by API and name.
func probes(t *testing.T) map[string]sdkemu.Input {
	t.Helper()
	out := map[string]sdkemu.Input{}
	for _, api := range []sdkemu.API{sdkemu.Chat, sdkemu.Responses, sdkemu.AnthropicMessages} {
		for _, file := range glob(t, "probes", string(api), "*.jsonl") {
			decode(t, file, func(dec *json.Decoder) error {
				var p probe
				if err := dec.Decode(&p); err != nil {
					return err
				}
				name := string(api) + "/" + p.Name
				if _, twice := out[name]; twice || p.Name == "" || p.Fact == "" {
					return fmt.Errorf("%s is there twice in %s, or lacks a name or a fact", name, filepath.Base(file))
				}
				in, err := p.input()
				out[name] = in
				return err
			})
		}
	}
	return out
}

func (p probe) input() (sdkemu.Input, error) {
	in := sdkemu.Input{Status: p.Status, ContentType: "text/event-stream", Headers: p.Headers, Request: p.Request,
		Parsed: p.Caller.ResponseFormat == "parsed"}
	switch {
	case (p.Body == nil) == (p.BodyBase64 == nil):
		return in, fmt.Errorf("probe %s has no body, or two", p.Name)
	case p.Body != nil:
		in.Body = []byte(*p.Body)
	default:
		var err error
		if in.Body, err = base64.StdEncoding.DecodeString(*p.BodyBase64); err != nil {
			return in, fmt.Errorf("probe %s: %w", p.Name, err)
		}
	}
	if p.ContentType != nil {
		in.ContentType = *p.ContentType
	}
	if p.Error != nil {
		in.Break = &sdkemu.Break{Message: p.Error.Message}
	}
	return in, nil
}
