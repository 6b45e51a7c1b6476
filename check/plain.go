package check

import (
	"sort"
	"strconv"
	"strings"

	"reassay/convir"
	"reassay/rules"
	"reassay/wire"
)

// plainForm is a reply as any caller sees it, without rules: role, text, refusal, calls, and why it ended.
type plainForm struct {
	role    string
	text    string
	refusal string
	calls   []plainCall
	stop    convir.Outcome
	at      string // where the stop reason stands
	roleAt  string
}

type plainCall struct {
	id, name string
	args     convir.Args
}

func plain(d wire.Dialect, ch convir.Choice) plainForm {
	p := plainForm{role: ch.Role, stop: ch.Stop.Outcome, at: ch.Stop.Path, roleAt: convir.RolePath(d, ch)}
	var text, refusal []string
	for _, e := range ch.Events {
		switch e.Kind {
		case convir.Text:
			text = append(text, e.Text)
		case convir.Refusal:
			refusal = append(refusal, e.Text)
		case convir.ToolCall:
			p.calls = append(p.calls, plainCall{e.ID, e.Name, e.Args})
		}
	}
	p.text, p.refusal = wire.Join(text...), wire.Join(refusal...)
	return p
}

// plainDiff lists the places in which what an SDK handed over differs from the reference in plain form. It shares
// nothing with the rules: what they fail to name shows here. The ids of calls are held to the stream, which may have
// renamed them. partial: the reference broke off, so only its beginning is held against it.
func plainDiff(ref, got, stream *rules.Leg, partial bool) []string {
	var paths []string
	refs, gots := byIndex(ref.Reply.Choices), byIndex(got.Reply.Choices)
	for i, r := range refs {
		g, ok := gots[i]
		if !ok {
			if !partial {
				paths = append(paths, convir.ChoicePath(got.Dialect, i))
			}
			continue
		}
		want, have := plain(ref.Dialect, r), plain(got.Dialect, g)
		if ref.Dialect == got.Dialect && r.Stop.Raw == g.Stop.Raw {
			have.stop = want.stop
		}
		paths = append(paths, choiceDiff(got.Dialect, want, have, g.Path, partial)...)
		paths = append(paths, foreignIDs(got.Dialect, byIndex(stream.Reply.Choices)[i], have, g.Path)...)
	}
	for i, g := range gots {
		if _, ok := refs[i]; !ok && (len(g.Events) > 0 || !partial) {
			paths = append(paths, g.Path)
		}
	}
	sort.Strings(paths)
	return paths
}

// byIndex finds the choices by index; of a single choice the index does not matter.
func byIndex(choices []convir.Choice) map[int]convir.Choice {
	m := map[int]convir.Choice{}
	for _, ch := range choices {
		i := ch.Index
		if len(choices) == 1 {
			i = 0
		}
		m[i] = ch
	}
	return m
}

func choiceDiff(d wire.Dialect, ref, got plainForm, path string, partial bool) []string {
	var paths []string
	if role := got.role; role != "assistant" && role != "model" && (role != "" || d == wire.OpenAIChat || d == wire.AnthropicMessages) && role != ref.role {
		paths = append(paths, got.roleAt)
	}
	if !sameText(ref.text, got.text, partial) {
		paths = append(paths, convir.EventPath(d, path, convir.Text, 0))
	}
	if !sameText(ref.refusal, got.refusal, partial) {
		paths = append(paths, convir.EventPath(d, path, convir.Refusal, 0))
	}
	paths = append(paths, callsDiff(d, ref.calls, got.calls, path, partial)...)
	if !partial && ref.stop != got.stop && !rules.SameEnd(ref.stop, got.stop) {
		paths = append(paths, got.at)
	}
	return paths
}

func sameText(ref, got string, partial bool) bool {
	return ref == got || partial && strings.HasPrefix(ref, got)
}

// callsDiff compares calls in order, their ids up to renaming.
func callsDiff(d wire.Dialect, ref, got []plainCall, path string, partial bool) []string {
	var paths []string
	to, from := map[string]string{}, map[string]string{}
	for i := 0; i < max(len(ref), len(got)); i++ {
		at := convir.EventPath(d, path, convir.ToolCall, i)
		if i >= len(ref) || i >= len(got) {
			if i < len(got) || !partial {
				paths = append(paths, at)
			}
			continue
		}
		r, g := ref[i], got[i]
		idWrong := g.id == "" && (r.id != "" || d != wire.GeminiGenerate) || r.id != "" && to[r.id] != "" && to[r.id] != g.id || g.id != "" && from[g.id] != "" && from[g.id] != r.id+"\x00"+strconv.Itoa(i)
		to[r.id], from[g.id] = g.id, r.id+"\x00"+strconv.Itoa(i)
		if idWrong || r.name != g.name || !samePlainArgs(r.args, g.args) && !(partial && i == len(ref)-1) {
			paths = append(paths, at)
		}
	}
	return paths
}

// foreignIDs are the calls whose id the stream never sent.
func foreignIDs(d wire.Dialect, sent convir.Choice, got plainForm, path string) []string {
	ids := map[string]bool{"": true}
	for _, c := range plain(d, sent).calls {
		ids[c.id] = true
	}
	var paths []string
	for i, c := range got.calls {
		if !ids[c.id] {
			paths = append(paths, convir.EventPath(d, path, convir.ToolCall, i))
		}
	}
	return paths
}

func samePlainArgs(a, b convir.Args) bool {
	if a.Value.Exists() && b.Value.Exists() {
		return wire.Equal(a.Value, b.Value)
	}
	if !a.Given && b.Value.Kind() == wire.Object && len(b.Value.Members()) == 0 {
		return true
	}
	return !a.Value.Exists() && !b.Value.Exists() && a.Raw == b.Raw
}
