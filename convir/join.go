package convir

import "reassay/wire"

// joinAdjacent joins neighbouring pieces of one kind into one event, so that it does not matter where a vendor cuts
// (rules.md, L02), and drops text, reasoning and refusals that hold nothing. It is applied to every
// choice by [Parse].
//
// Pieces are joined when they are of one kind, type word and extension. A signature ends a piece: what follows a
// signed piece is another one, while the signature of a piece without text belongs to the piece before it, unless
// that has its own.
func joinAdjacent(events []Event) []Event {
	out := events[:0:0]
	parts := map[int][]string{} // the pieces of out[i].Text, where there are several
	for _, e := range events {
		if !joins(e.Kind) {
			out = append(out, e)
			continue
		}
		last := len(out) - 1
		same := last >= 0 && out[last].Kind == e.Kind && out[last].Type == e.Type && out[last].Extension == e.Extension
		switch {
		case e.Text == "" && e.Signature == "":
		case e.Text == "" && last >= 0 && carriesSignature(out[last].Kind) && out[last].Signature == "":
			out[last].Signature = e.Signature
		case same && out[last].Signature == "" && e.Text != "":
			if parts[last] == nil {
				parts[last], out[last].PiecePaths = []string{out[last].Text}, []string{out[last].Path}
			}
			parts[last], out[last].PiecePaths = append(parts[last], e.Text), append(out[last].PiecePaths, e.Path)
			out[last].Signature = e.Signature
		default:
			out = append(out, e)
		}
	}
	for i, p := range parts {
		out[i].Text, out[i].Pieces = wire.Join(p...), p
	}
	return out
}

func joins(k Kind) bool { return k == Text || k == Reasoning || k == Refusal }

// carriesSignature tells the kinds that a signature on an empty part may belong to. A signature on a call stays with
// that call, and an empty part after a call signs the call.
func carriesSignature(k Kind) bool { return k == Text || k == Reasoning || k == ToolCall }
