package tap

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"reassay/wire"
)

// Route says that requests to the paths of a pattern speak a dialect.
type Route struct {
	// Pattern is a path, "/v1/messages". A part in braces, "{model}", stands for one or more characters that are no
	// slash; each segment has at most one.
	Pattern string       `json:"pattern"`
	Dialect wire.Dialect `json:"dialect"` // "": such requests pass and are not mirrored
	Source  string       `json:"source"`  // where the path is documented; "" for one that a person gave
}

//go:embed routes.json
var routesData []byte

// Routes are the paths that are known without being told.
func Routes() []Route {
	var routes []Route
	if err := json.Unmarshal(routesData, &routes); err != nil {
		panic("tap: routes.json: " + err.Error()) // embedded, and held to by a test
	}
	return routes
}

// passWord is what a person writes for the dialect of a route that is not mirrored.
const passWord = "pass"

// ParseRoute reads "PATTERN=DIALECT", or "PATTERN=pass" for paths that are not to be mirrored.
func ParseRoute(text string) (Route, error) {
	cut := strings.LastIndexByte(text, '=')
	if cut < 0 {
		return Route{}, fmt.Errorf("route %q: want PATTERN=DIALECT, such as /v2/chat=openai-chat", text)
	}
	r := Route{Pattern: text[:cut], Dialect: wire.Dialect(text[cut+1:])}
	if r.Dialect == passWord {
		r.Dialect = ""
	}
	if err := r.validate(); err != nil {
		return Route{}, fmt.Errorf("route %q: %w", text, err)
	}
	return r, nil
}

func (r Route) validate() error {
	if !strings.HasPrefix(r.Pattern, "/") {
		return errors.New("a pattern begins with /")
	}
	for _, segment := range strings.Split(r.Pattern, "/") {
		open, end := strings.IndexByte(segment, '{'), strings.IndexByte(segment, '}')
		if open < 0 && end < 0 {
			continue
		}
		if open < 0 || end < open || strings.Count(segment, "{") > 1 || strings.Count(segment, "}") > 1 {
			return fmt.Errorf("the segment %q: want one part in braces at most, such as {model}:generateContent", segment)
		}
	}
	if r.Dialect != "" && !r.Dialect.Known() {
		names := make([]string, 0, len(wire.Dialects)+1)
		for _, d := range wire.Dialects {
			names = append(names, string(d))
		}
		return fmt.Errorf("the dialect %q is not known, want one of %s", r.Dialect, strings.Join(append(names, passWord), ", "))
	}
	return nil
}

// match reports whether a path is one of the pattern's. It allocates nothing: every request is asked.
func (r Route) match(path string) bool {
	pattern := r.Pattern
	for {
		want, wantMore, more := strings.Cut(pattern, "/")
		got, gotMore, gotAny := strings.Cut(path, "/")
		if more != gotAny || !matchSegment(want, got) {
			return false
		}
		if !more {
			return true
		}
		pattern, path = wantMore, gotMore
	}
}

func matchSegment(want, got string) bool {
	before, rest, hole := strings.Cut(want, "{")
	if !hole {
		return want == got
	}
	_, after, _ := strings.Cut(rest, "}")
	return len(got) > len(before)+len(after) && strings.HasPrefix(got, before) && strings.HasSuffix(got, after)
}

// routeOf is the route of a path: a person's come first. ok is false for a path that is not mirrored.
func routeOf(routes []Route, path string) (r Route, ok bool) {
	for _, r := range routes {
		if r.match(path) {
			return r, r.Dialect != ""
		}
	}
	return Route{}, false
}
