package capture

import (
	"regexp"
	"strings"

	"reassay/wire"
)

// keptHeaders lists what is kept of a reply's headers and trailers beside every x-* header. Everything else is
// dropped on reading. Each entry has its source.
var keptHeaders = []struct{ prefix, source string }{
	{"content-encoding", "RFC 9110, section 8.4"},
	{"content-type", "RFC 9110, section 8.3"},
	{"retry-after", "RFC 9110, section 10.2.3; read by the retry loop of every SDK"},
	{"retry-after-ms", "openai-node and openai-python read it before retry-after"},
	{"request-id", "docs.anthropic.com, API reference, Errors: request id"},
	{"openai-", "platform.openai.com, API reference, Debugging requests: openai-processing-ms, openai-version, openai-organization"},
	{"anthropic-", "docs.anthropic.com, API reference, Rate limits: anthropic-ratelimit-*; anthropic-organization-id"},
	{"ratelimit", "IETF draft-ietf-httpapi-ratelimit-headers: RateLimit, RateLimit-Policy"},
	{"llm_provider-", "docs.litellm.ai, Response headers: the provider's own headers passed on"},
	{"apim-request-id", "Azure OpenAI: the request id of API Management"},
	{"cf-ray", "Cloudflare: the request id of the edge"},
	{"via", "RFC 9110, section 7.6.3: names the gateways on the way"},
	{"server", "RFC 9110, section 10.2.4: names the gateway"},
	{"x-", "contract, section 1: x-* of gateways and vendors"},
}

// keptHeader reports whether the header of this lower-case name is kept.
func keptHeader(name string) bool {
	if credential(name) {
		return false
	}
	for _, h := range keptHeaders {
		if name == h.prefix || strings.HasSuffix(h.prefix, "-") && strings.HasPrefix(name, h.prefix) ||
			h.prefix == "ratelimit" && strings.HasPrefix(name, h.prefix) {
			return true
		}
	}
	return false
}

// KeptHeaders is a copy of what is kept of a reply's headers or trailers: names in lower case, without credentials. Nil,
// not captured, stays nil.
func KeptHeaders(fields map[string][]string) map[string][]string {
	if fields == nil {
		return nil
	}
	kept := map[string][]string{}
	for _, name := range sortedKeys(fields) {
		lower := strings.ToLower(name)
		if !keptHeader(lower) {
			continue
		}
		for _, value := range fields[name] {
			kept[lower] = append(kept[lower], redactKeys(value))
		}
	}
	return kept
}

// credential reports whether a header or a field of this name may hold a secret: authorization, cookies, keys of
// vendors and gateways (x-api-key, x-goog-api-key, x-portkey-api-key, api_key), and any token that is not a count of
// tokens (x-amz-security-token, but not x-ratelimit-remaining-tokens).
func credential(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	switch name {
	case "cookie", "set-cookie", "key", "apikey", "api-key", "token", "secret", "password", "bearer":
		return true
	}
	if strings.Contains(name, "authorization") || strings.Contains(name, "cookie") || strings.Contains(name, "api-key") {
		return true
	}
	for _, end := range []string{"-token", "-apikey", "-secret", "-key", "-password", "-credential", "-credentials", "-signature"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

const redacted = "REDACTED"

// queryKey finds the credentials in a URL's query: key (Gemini), api_key, access_token, sig (Azure) and their kin.
var queryKey = regexp.MustCompile(`(?i)([?&](?:x-goog-api-key|api[-_]?key|key|[a-z0-9_-]*token|[a-z0-9_-]*secret|sig|x-amz-signature|x-amz-credential|password)=)[^&#\s"'<>\\]*`)

// redactKeys takes the keys out of the query strings in s.
func redactKeys(s string) string {
	if !strings.ContainsAny(s, "?&") {
		return s
	}
	return queryKey.ReplaceAllString(s, "${1}"+redacted)
}

// withoutCredentials is v without the members whose name is that of a credential, at any depth, and with the keys in
// query strings redacted.
func withoutCredentials(v wire.Value) wire.Value {
	switch v.Kind() {
	case wire.String:
		return wire.Of(redactKeys(v.Str()))
	case wire.Array:
		elems := make([]wire.Value, len(v.Elems()))
		for i, e := range v.Elems() {
			elems[i] = withoutCredentials(e)
		}
		return wire.Arr(elems...)
	case wire.Object:
		members := make([]wire.Member, 0, len(v.Members()))
		for _, m := range v.Members() {
			if !credential(m.Key) {
				members = append(members, wire.Member{Key: m.Key, Value: withoutCredentials(m.Value)})
			}
		}
		return wire.Obj(members...)
	}
	return v
}

// WithoutKeys is a request's body without the credentials that gateways take at its top level, such as LiteLLM's
// api_key. What is deeper is the caller's content: a tool may well have a parameter of that name.
func WithoutKeys(body wire.Value) wire.Value {
	for _, m := range body.Members() {
		if credential(m.Key) {
			body = body.With(m.Key, wire.Value{})
		}
	}
	return body
}
