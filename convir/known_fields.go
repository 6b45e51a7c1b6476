package convir

import (
	"sort"
	"strings"

	"reassay/wire"
)

// fieldSet is the keys that one shape of object may have, by one document.
type fieldSet struct {
	Keys   string // separated by blanks
	Source string // vendor's page or SDK type that lists them
}

// knownFields is, per dialect and shape ("choice", "message", "usage", ...), every key that some document lists. A
// key outside it is counted as unread: nothing was concluded from it.
var knownFields = map[wire.Dialect]map[string][]fieldSet{
	wire.OpenAIChat:        openAIChatFields,
	wire.OpenAIResponses:   openAIResponsesFields,
	wire.AnthropicMessages: anthropicFields,
	wire.GeminiGenerate:    geminiFields,
}

// fieldIndex is knownFields for look-up.
var fieldIndex = indexFields()

func indexFields() map[wire.Dialect]map[string]map[string]bool {
	index := map[wire.Dialect]map[string]map[string]bool{}
	for d, shapes := range knownFields {
		index[d] = map[string]map[string]bool{}
		for shape, sets := range shapes {
			keys := map[string]bool{}
			for _, s := range sets {
				for _, k := range strings.Fields(s.Keys) {
					keys[k] = true
				}
			}
			index[d][shape] = keys
		}
	}
	return index
}

// unreadCounter counts what a parser does not know.
type unreadCounter struct {
	dialect wire.Dialect
	counts  map[string]int
}

// object counts the members of v that the shape's documents do not list. path is v's own path with [] for any
// index; null members hold nothing that could have been read.
func (u *unreadCounter) object(shape, path string, v wire.Value) {
	keys := fieldIndex[u.dialect][shape]
	for _, m := range v.Members() {
		if !keys[m.Key] && m.Value.Present() {
			if path == "" {
				u.add(m.Key)
			} else {
				u.add(path + "." + m.Key)
			}
		}
	}
}

func (u *unreadCounter) add(path string) {
	if u.counts == nil {
		u.counts = map[string]int{}
	}
	u.counts[path]++
}

// list is what was counted, sorted by path.
func (u *unreadCounter) list() []Unread {
	if len(u.counts) == 0 {
		return nil
	}
	out := make([]Unread, 0, len(u.counts))
	for path, n := range u.counts {
		out = append(out, Unread{Path: path, Count: n})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
