package capture

import (
	"reflect"
	"strings"
	"testing"

	"reassay/wire"
)

func TestLegsAndSetAreEachOthersInverse(t *testing.T) {
	x := decodeOne(t, []byte(everyField))
	var y Exchange
	var roles []string
	for _, l := range x.Legs() {
		roles = append(roles, string(l.Role))
	}
	if got, want := strings.Join(roles, " "), "stream non_stream request upstream_request upstream.1 upstream.2 upstream_non_stream"; got != want {
		t.Errorf("got roles %s, want %s", got, want)
	}
	for i := len(x.Legs()) - 1; i >= 0; i-- {
		if err := y.Set(x.Legs()[i].Role, x.Legs()[i].Leg); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(x.Legs(), y.Legs()) {
		t.Errorf("got %+v, want %+v", y.Legs(), x.Legs())
	}
	if legs := new(Exchange).Legs(); legs != nil {
		t.Errorf("legs of nothing: %v", legs)
	}
}

func TestSetRefuses(t *testing.T) {
	var x Exchange
	for _, role := range []Role{"", "upstream", "upstream.0", "upstream.01", "upstream.-1", "upstream.65", "upstream.1x", "Stream"} {
		if err := x.Set(role, &Leg{}); err == nil {
			t.Errorf("%q is taken for a leg", role)
		}
	}
	if err := x.Set(RoleRequest, &Leg{Body: []byte("{")}); err == nil {
		t.Error("a request that is not JSON is taken")
	}
	if len(x.Legs()) != 0 {
		t.Errorf("left behind: %v", x.Legs())
	}
	if err := x.Set(RoleUpstreamRequest, &Leg{Dialect: wire.OpenAIChat, Body: []byte(`{"api_key":"SECRET","n":1}`)}); err != nil {
		t.Fatal(err)
	}
	if got := string(x.UpstreamRequest.Body.JSON()); got != `{"n":1}` {
		t.Errorf("got %s", got)
	}
}

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		body   int
		chunks []int
		want   []int
	}{
		{10, nil, nil}, {10, []int{10}, nil}, {10, []int{4, 6}, []int{4}}, {10, []int{4, 0, 3, 3}, []int{4, 7}}, {10, []int{4, 3}, []int{4, 7}},
		{10, []int{4, 9, 1}, []int{4}}, {0, []int{1}, nil}, {10, []int{1 << 62, 1 << 62, 1 << 62}, nil}, {3, []int{1, 1, 1}, []int{1, 2}},
	} {
		l := Leg{Body: make([]byte, c.body)}
		for _, n := range c.chunks {
			l.Chunks = append(l.Chunks, Chunk{Bytes: n})
		}
		if got := l.Cuts(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("chunks %v of %d bytes: got cuts %v, want %v", c.chunks, c.body, got, c.want)
		}
	}
}
