package mirror

import "strings"

// keptHeaderNames are the headers of a reply that are mirrored beside every x-* header; a name that ends in "-" stands
// for all that begin so. They are those that reassay keeps of any capture.
var keptHeaderNames = []string{
	"content-encoding", "content-type", "retry-after", "retry-after-ms", "request-id", "openai-", "anthropic-",
	"llm_provider-", "apim-request-id", "cf-ray", "via", "server", "x-",
}

// KeptHeader reports whether the header or trailer of this lower-case name is mirrored: what a verdict can be read with,
// and nothing that may hold a secret.
func KeptHeader(name string) bool {
	if credential(name) {
		return false
	}
	if strings.HasPrefix(name, "ratelimit") {
		return true
	}
	for _, kept := range keptHeaderNames {
		if name == kept || strings.HasSuffix(kept, "-") && strings.HasPrefix(name, kept) {
			return true
		}
	}
	return false
}

// credential reports whether a header or a field of this name may hold a secret: authorization, cookies, keys, and any
// token that is not a count of tokens.
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

// keptHeaders is a copy of the fields that are mirrored, under lower-case names; nil stays nil, not captured.
func keptHeaders(fields map[string][]string) map[string][]string {
	if fields == nil {
		return nil
	}
	kept := map[string][]string{}
	for name, values := range fields {
		if lower := strings.ToLower(name); KeptHeader(lower) {
			kept[lower] = append(kept[lower], values...)
		}
	}
	return kept
}
