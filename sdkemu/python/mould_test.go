package python

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"reassay/sdkemu"
)

// TestMould tries events on the mould that another one has made: one that fits is what reading it in full would give.
func TestMould(t *testing.T) {
	const (
		chunk    = `{"id":"c","object":"chat.completion.chunk","created":17,"model":"m","choices":[{"index":0,"delta":{"content":"one","x":["a",{"b":"c"}]},"finish_reason":null}]}`
		textPart = `{"type":"response.output_text.delta","sequence_number":3,"item_id":"i","output_index":0,"content_index":0,"delta":"one","logprobs":[]}`
		block    = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"one"}}`
	)
	type variant struct {
		old, new string
		fits     bool
	}
	texts := []variant{
		{`"one"`, `"two or more"`, true},
		{`"one"`, `"é \u00e9\n\"\ud83d\ude00"`, true},
		{`"one"`, `""`, true},
		{`"one"`, `"\ud83d"`, false},
		{`"one"`, `"\x"`, false},
		{`"one"`, "\"\t\"", false},
		{`"one"`, `null`, false},
		{`"one"`, `1`, false},
		{`"one"`, `["one"]`, false},
		{`"one"`, `"one","one":"two"`, false},
		{`}`, `} `, false},
	}
	for _, c := range []struct {
		api      sdkemu.API
		event    string
		data     string
		variants []variant
	}{
		{sdkemu.Chat, "", chunk, append(texts,
			variant{`17`, `1800000000`, true}, variant{`17`, `0`, true}, variant{`17`, `9223372036854775807`, true},
			variant{`17`, `9223372036854775808`, false}, variant{`17`, `017`, false}, variant{`17`, `-17`, false}, variant{`17`, `17.0`, false}, variant{`17`, `17e1`, false},
			variant{`"index":0`, `"index":1`, false},
			variant{`"chat.completion.chunk"`, `"chat.completion"`, false},
			variant{`["a",{"b":"c"}]`, `["d",{"b":"e"}]`, true}, variant{`["a",{"b":"c"}]`, `["a",{"d":"c"}]`, false},
			variant{`"m"`, `"another"`, true},
			variant{`"id":"c"`, `"id":"c","error":"x"`, false},
		)},
		{sdkemu.Chat, "", `{"error":0,"model":"one"}`, []variant{{`0`, `5`, false}, {`"one"`, `"two"`, false}}},
		{sdkemu.Chat, "thread.run", chunk, []variant{{`"one"`, `"two"`, false}}},
		{sdkemu.Chat, "", `{"created":1,"created":2,"model":"one"}`, []variant{{`"one"`, `"two"`, true}, {`1`, `7`, false}, {`2`, `7`, true}}},
		{sdkemu.Responses, "response.output_text.delta", textPart, append(texts, variant{`3`, `44`, true}, variant{`"response.output_text.delta"`, `"response.refusal.delta"`, false})},
		{sdkemu.AnthropicMessages, "content_block_delta", block, append(texts, variant{`"text_delta"`, `"thinking_delta"`, false}, variant{`"index":0`, `"index":12`, true})},
	} {
		for i := range releases {
			r := &releases[i]
			if !slices.Contains(r.apis, c.api) {
				continue
			}
			shapes, err := shapesOf[r.name()]()
			if err != nil {
				t.Fatal(err)
			}
			typ := map[sdkemu.API]*typ{sdkemu.Chat: shapes.chat.chunk, sdkemu.Responses: shapes.responses.event, sdkemu.AnthropicMessages: shapes.messages.event}[c.api]
			for _, v := range c.variants {
				first := serverSentEvent{event: c.event, data: c.data}
				next := serverSentEvent{event: c.event, data: string(bytes.Replace([]byte(c.data), []byte(v.old), []byte(v.new), 1))}
				p := jsonReader{depth: 100, arena: &arena{}}
				m := mould{arena: &arena{}}
				built, err := first.value(typ, &p)
				if err != nil {
					t.Fatal(err)
				}
				m.learn(first, typ, built, &p)
				if fits := m.fill(next, &p); fits != v.fits {
					t.Errorf("%s, %s: %s for %s fits: %t, want %t", r.name(), c.api, v.new, v.old, fits, v.fits)
				}
				if !v.fits {
					continue
				}
				whole, err := next.value(typ, &jsonReader{depth: 100})
				if err != nil {
					t.Fatal(err)
				}
				want, err := render(nil, whole)
				if err != nil {
					t.Fatal(err)
				}
				for _, way := range []string{"cast", "used again"} {
					if got, err := m.render(nil); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s, %s, %s: %s (%v), want %s", r.name(), c.api, way, got, err, want)
					}
				}
				if got, err := render(nil, m.value); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %s: the mould holds %s (%v), want %s", r.name(), c.api, got, err, want)
				}
			}
		}
	}
}

// TestPlainly asks as which type of a union a model was built, where one of its classes or two have its tag.
func TestPlainly(t *testing.T) {
	tagged := func(name string) *typ {
		return &typ{kind: typeClass, class: &class{name: name, tag: 0, fields: []field{{name: "type", typ: &typ{kind: typeLiteral}}}}}
	}
	a, b := tagged("A"), tagged("B")
	built := ofModel(&model{class: a.class, vals: []value{ofStr("t")}})
	for _, c := range []struct {
		members []*typ
		want    *typ
	}{{[]*typ{a}, a}, {[]*typ{a, b}, nil}, {[]*typ{b}, nil}, {nil, nil}} {
		union := &typ{kind: typeUnion, members: []*typ{a, b}, byType: map[string][]*typ{"t": c.members}}
		if got := union.plainly(built); got != c.want {
			t.Errorf("%d members: got %+v, want %+v", len(c.members), got, c.want)
		}
	}
}

// TestMouldedRuns runs streams whose events are much alike with moulds and without: the outcomes are the same.
func TestMouldedRuns(t *testing.T) {
	const streams = 1500
	moulded, whole := New(), New()
	whole.unmoulded = true
	for i := range releases {
		r := &releases[i]
		for _, api := range r.apis {
			g := generator{m: mutator{rand.New(rand.NewPCG(3, uint64(i))), apiWords[api]}, release: r, api: api, seeds: seedsOf(append(probes(t, r, api), exchanges(t, r, api)...))}
			g.sound = g.seeds
			for n := range streams {
				s := g.next(n)
				frames := split(s.input.Body)
				for range 1 + g.m.r.IntN(3) {
					if len(frames) > 0 {
						frames = g.m.alike(frames, g.m.r.IntN(len(frames)))
					}
				}
				s.input.Body, s.input.Cuts = joined(frames), nil
				got, want := moulded.Run(t.Context(), s.target, s.input), whole.Run(t.Context(), s.target, s.input)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: with moulds %+v %s, without %+v %s\n%s", s.target.Name(), got.Exception, got.Assembled, want.Exception, want.Assembled, probeOf(s))
				}
			}
		}
	}
}
