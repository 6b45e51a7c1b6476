package capture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestCredentialsAreNeverKept reads an exchange with a secret in every place where one may stand.
func TestCredentialsAreNeverKept(t *testing.T) {
	headers := `{"Authorization":"Bearer SECRET","Proxy-Authorization":"SECRET","X-Api-Key":"SECRET","api-key":["SECRET"],"X-Goog-Api-Key":"SECRET",
		"Cookie":"SECRET","Set-Cookie":["SECRET"],"X-Set-Cookie":"SECRET","X-Amz-Security-Token":"SECRET","X-Auth-Token":"SECRET","openai-session-token":"SECRET",
		"X-Portkey-Api-Key":"SECRET","x-litellm-api-key":"SECRET","X-Subscription-Key":"SECRET","x-client-secret":"SECRET","X-Amz-Signature":"SECRET","date":"SECRET","location":"SECRET",
		"x-upstream-url":"https://api.example.com/v1beta/models/m:streamGenerateContent?alt=sse&key=SECRET",
		"x-links":"a?api_key=SECRET&b=kept-1, b?access_token=SECRET#kept-2","x-signed":"/f?X-Amz-Signature=SECRET&sig=SECRET&x=kept-3",
		"X-RateLimit-Remaining-Tokens":"kept-4","anthropic-ratelimit-tokens-limit":"kept-5","Retry-After":"kept-6","content-encoding":"identity","request-id":"kept-7"}`
	text := `{"capture_version":1,"id":"a","gateway":{"name":"g"},
		"meta":{"authorization":"SECRET","headers":{"x-api-key":"SECRET","shape":"kept-8"},"list":[{"api_key":"SECRET"}],"upstream_request_path":"/v1beta/m?key=SECRET&alt=kept-9"},
		"labels":{"model":"kept-10","api_key":"SECRET","route":"/v1?token=SECRET"},
		"request":{"dialect":"openai-chat","body":{"api_key":"SECRET","model":"kept-11","tools":[{"function":{"parameters":{"properties":{"api_key":{"type":"kept-12"}}}}}]}},
		"upstream_request":{"dialect":"openai-chat","body":{"Authorization":"SECRET","max_tokens":3}},
		"upstream":[{"dialect":"openai-chat","error":"Post \"https://x/v1?key=SECRET\": EOF kept-13"},
			{"dialect":"openai-chat","status":200,"body":"","error":{"by":"gateway","message":"GET /v1?a=1&api-key=SECRET kept-14"}}],
		"stream":{"dialect":"openai-chat","status":200,"body":"","headers":` + headers + `,"trailers":` + headers + `}}`
	x := decodeOne(t, []byte(text))
	line := Encode(x)
	for _, l := range x.Legs() {
		line = append(line, l.Leg.Body...)
	}
	if i := bytes.Index(line, []byte("SECRET")); i >= 0 {
		t.Errorf("a credential is kept: …%s", line[max(0, i-60):i+6])
	}
	for i := 1; i <= 14; i++ {
		if want := fmt.Sprintf("kept-%d", i); !bytes.Contains(line, []byte(want)) {
			t.Errorf("%s is gone", want)
		}
	}
}

func TestCredential(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "x-api-key": true, "API_KEY": true, "x-goog-api-key": true, "cookie": true, "set-cookie2": true, "id-token": true, "apikey": true, "ocp-apim-subscription-key": true, "x-user-password": true, "x-aws-credentials": true,
		"x-ratelimit-limit-tokens": false, "max_tokens": false, "model": false, "x-request-id": false, "tokens": false, "keyboard": false, "monkey": false,
	} {
		if credential(name) != want {
			t.Errorf("credential(%q) = %v", name, !want)
		}
	}
	for _, h := range keptHeaders {
		if h.source == "" || h.prefix != strings.ToLower(h.prefix) {
			t.Errorf("%q needs a source and a lower-case name", h.prefix)
		}
	}
}
