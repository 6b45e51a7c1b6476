package convir_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"reassay/assemble"
	"reassay/capture"
	"reassay/convir"
	"reassay/sse"
	"reassay/wire"
)

// recorded are the recorded exchanges of fixtures/captures.
func recorded(t testing.TB) []*capture.Exchange {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "captures", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	var list []*capture.Exchange
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for x, err := range capture.Decode(f, name) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
		f.Close()
	}
	if len(list) == 0 {
		t.Fatal("no recorded exchanges in fixtures/captures")
	}
	return list
}

// read takes a leg through the same steps as a verdict does.
func read(t testing.TB, l *capture.Leg) (assemble.Assembled, convir.Reply) {
	t.Helper()
	body, err := l.Plain()
	if err != nil {
		t.Fatal(err)
	}
	a := assemble.Assemble(l.Dialect, sse.Parse(l.Dialect, body))
	return a, convir.Parse(l.Dialect, a.Body)
}

// TestSoundUpstreams proves the reading before anything is judged by it: of every recorded exchange whose model API
// is not known to have failed, the streamed reply and the whole one must both read without fault and say the same.
func TestSoundUpstreams(t *testing.T) {
	total := map[wire.Dialect]int{}
	for _, x := range recorded(t) {
		if x.Meta.Get("fault").Present() {
			continue
		}
		if len(x.Upstream) == 0 || x.UpstreamNonStream == nil {
			t.Errorf("%s: no upstream, or no whole one beside it", x.ID)
			continue
		}
		leg := x.Upstream[len(x.Upstream)-1]
		total[leg.Dialect]++
		streamed, sr := read(t, leg)
		whole, wr := read(t, x.UpstreamNonStream)
		for name, a := range map[string]assemble.Assembled{"stream": streamed, "whole": whole} {
			for _, f := range a.Faults {
				t.Errorf("%s: upstream %s: fault %s at %q, frame %d, byte %d", x.ID, name, f.Code, f.Path, f.At.Frame, f.At.Byte)
			}
			for _, u := range a.Unread {
				t.Errorf("%s: upstream %s: %s is not read", x.ID, name, u.Path)
			}
			if !a.Finish || !a.Terminal || a.Error.Exists() {
				t.Errorf("%s: upstream %s: finish %t, terminal %t, error %s", x.ID, name, a.Finish, a.Terminal, a.Error.JSON())
			}
		}
		for name, r := range map[string]convir.Reply{"stream": sr, "whole": wr} {
			for _, f := range r.Faults {
				t.Errorf("%s: upstream %s: reply fault %s at %q", x.ID, name, f.Code, f.Path)
			}
			for _, u := range r.Unread {
				t.Errorf("%s: upstream %s: %s is not read into ConvIR", x.ID, name, u.Path)
			}
			for _, c := range r.Choices {
				if !c.Stop.Known {
					t.Errorf("%s: upstream %s: stop reason %q is not known", x.ID, name, c.Stop.Raw)
				}
			}
		}
		if len(sr.Choices) == 0 {
			t.Errorf("%s: upstream stream has no choice", x.ID)
		}
		if s, w := said(sr), said(wr); s != w {
			t.Errorf("%s: the two upstream replies differ\nstream %s\nwhole  %s", x.ID, s, w)
		}
	}
	for _, d := range []wire.Dialect{wire.AnthropicMessages, wire.GeminiGenerate} {
		if total[d] == 0 {
			t.Errorf("%s: no sound upstream was read", d)
		}
		t.Logf("%s: %d sound upstreams read", d, total[d])
	}
}

// said is all that a reply says, but for the places where it says it.
func said(r convir.Reply) string {
	var b strings.Builder
	fmt.Fprintf(&b, "id %q model %q usage %s %+v error %s echo %s\n", r.ID, r.Model, sorted(r.Usage.Raw), counts(r.Usage), sorted(r.Error), sorted(r.Echo))
	for _, c := range r.Choices {
		s := c.Stop
		fmt.Fprintf(&b, " choice %d %q stop %q %s %q\n", c.Index, c.Role, s.Raw, s.Outcome, s.Sequence)
		for _, e := range c.Events {
			fmt.Fprintf(&b, "  %s %q id %q type %q name %q args %q %s %t signature %q error %t data %s extension %q\n", e.Kind, e.Text, e.ID, e.Type,
				e.Name, e.Args.Raw, sorted(e.Args.Value), e.Args.Given, e.Signature, e.IsError, sorted(e.Data), e.Extension)
		}
	}
	return b.String()
}

func counts(u convir.Usage) [5]convir.Count {
	return [5]convir.Count{u.Input, u.Output, u.Total, u.CacheRead, u.Reasoning}
}

// sorted is v as JSON with its keys in order at every level.
func sorted(v wire.Value) string {
	switch v.Kind() {
	case wire.Missing:
		return "-"
	case wire.Array:
		parts := make([]string, len(v.Elems()))
		for i, e := range v.Elems() {
			parts[i] = sorted(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case wire.Object:
		parts := make([]string, len(v.Members()))
		for i, m := range v.Members() {
			parts[i] = fmt.Sprintf("%q:%s", m.Key, sorted(m.Value))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return string(v.JSON())
}
