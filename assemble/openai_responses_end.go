package assemble

import (
	"strings"

	"reassay/wire"
)

// compareEnd compares what the events built with a terminal event's output, notes each difference, and completes
// values from it in place. What stands only there is returned, behind the values and the items from earlier ends.
//
// An item and its twin are found by id, else by position: a terminal object that lacks one item must not make all
// that follow differ.
func (r *responsesReply) compareEnd(end responsesEnd, earlier int, values []wire.Value) (extra []wire.Value) {
	output := end.response.Get("output")
	if !end.response.Exists() {
		return nil
	}
	from, to := end.from, end.to
	at := r.at(end.event, orParent(output, end.response))
	final := output.Elems()
	if (len(final) == 0) != (from == to) {
		built := wire.Arr(append([]wire.Value(nil), values[from:to]...)...)
		r.once(FinalMismatch, at, nil, "output", output, built)
		return final
	}
	twins := pairItems(values[from:to], final)
	paired := make([]bool, len(final))
	before := -1
	for i, j := range twins {
		it := r.items[from+i]
		if j < 0 {
			r.once(FinalMismatch, at, it.spot, "", wire.Value{}, values[from+i])
			continue
		}
		paired[j] = true
		if j < before {
			r.once(FinalMismatch, r.at(end.event, final[j]), nil, "output", output, wire.Value{})
		}
		before = j
		for _, d := range differences("", values[from+i], final[j], final[j]) {
			r.once(FinalMismatch, r.at(end.event, d.where), it.spot, d.path, d.final, d.built)
		}
		values[from+i] = complete(values[from+i], final[j])
	}
	for j, v := range final {
		if !paired[j] {
			r.once(FinalMismatch, r.at(end.event, v), nil, "output"+number(len(values)+earlier+len(extra)), v, wire.Value{})
			extra = append(extra, v)
		}
	}
	return extra
}

// pairItems gives each built item the position of its twin in a terminal output, -1 where it has none.
func pairItems(built, final []wire.Value) []int {
	twins := make([]int, len(built))
	byID := map[string]int{}
	for j, v := range final {
		if _, twice := byID[v.Get("id").Str()]; !twice {
			byID[v.Get("id").Str()] = j
		}
	}
	taken := make([]bool, len(final))
	for i, v := range built {
		twins[i] = -1
		if j, ok := byID[v.Get("id").Str()]; ok && v.Get("id").Str() != "" && !taken[j] {
			twins[i], taken[j] = j, true
		}
	}
	next := 0
	for i, v := range built {
		if twins[i] >= 0 {
			continue
		}
		for j := next; j < len(final); j++ {
			if !taken[j] && final[j].Get("type").Str() == v.Get("type").Str() {
				twins[i], taken[j], next = j, true, j+1
				break
			}
		}
	}
	return twins
}

// difference is one place where a terminal object differs from what the events built.
type difference struct {
	path         string
	built, final wire.Value
	where        wire.Value // final, or what lacks it
}

// differences walks two values. Values that hold nothing are equal: an absent logprobs and an empty one say the same.
// A status that only one of the two has is no difference: reasoning items carry it in some places and not in others.
func differences(path string, built, final, parent wire.Value) []difference {
	switch {
	case holdsNothing(built) && holdsNothing(final), strings.HasSuffix(path, ".status") && (holdsNothing(built) || holdsNothing(final)):
		return nil
	case built.Kind() == wire.Object && final.Kind() == wire.Object:
		var out []difference
		have := map[string]bool{}
		other := memberMap(final)
		for _, m := range built.Members() {
			if !have[m.Key] {
				have[m.Key] = true
				out = append(out, differences(path+"."+m.Key, built.Get(m.Key), other[m.Key], final)...)
			}
		}
		for _, m := range final.Members() {
			if !have[m.Key] {
				have[m.Key] = true
				out = append(out, differences(path+"."+m.Key, wire.Value{}, other[m.Key], final)...)
			}
		}
		return out
	case built.Kind() == wire.Array && final.Kind() == wire.Array:
		var out []difference
		for i := 0; i < len(built.Elems()) || i < len(final.Elems()); i++ {
			out = append(out, differences(path+number(i), built.At(i), final.At(i), final)...)
		}
		return out
	case wire.Equal(built, final):
		return nil
	}
	return []difference{{path, built, final, orParent(final, parent)}}
}

// checkItems notes what the finished items lack.
func (r *responsesReply) checkItems(values []wire.Value) {
	open := len(r.ends) == 0 || r.ends[len(r.ends)-1].response.Get("status").Str() == "incomplete"
	ids := map[string]bool{}
	cycle := -1
	for i, it := range r.items {
		if it.cycle != cycle {
			ids, cycle = map[string]bool{}, it.cycle
		}
		v, s, at := values[i], it.spot, it.spot.first("")
		switch v.Get("type").Str() {
		case "message":
			r.checkRole(s, v.Get("role"))
		case "function_call":
			r.checkCall(s, v, ids)
			args := v.Get("arguments")
			if args.Present() && args.Kind() != wire.String {
				r.once(WrongType, at, s, ".arguments", args, wire.Value{})
				continue
			}
			if code := argumentsFault(args.Str(), open); code != "" {
				want := wire.Value{}
				if code == ArgsEmpty {
					want = wire.Of("{}")
				}
				r.once(code, s.first(".arguments"), s, ".arguments", args, want)
			}
		case "custom_tool_call":
			r.checkCall(s, v, ids)
		}
	}
}

func (r *responsesReply) checkRole(s *spot, role wire.Value) {
	switch {
	case !role.Present():
		r.once(RoleMissing, s.first(""), s, ".role", role, wire.Of(assistant))
	case role.Str() != assistant:
		r.once(RoleInvalid, s.first(""), s, ".role", role, wire.Of(assistant))
	}
}

// checkCall holds a call to an id of its own and a name.
func (r *responsesReply) checkCall(s *spot, v wire.Value, ids map[string]bool) {
	id, at := v.Get("call_id"), s.first("")
	switch {
	case !id.Present():
		r.once(CallIDMissing, at, s, ".call_id", id, wire.Value{})
	case id.Str() == "":
		r.once(CallIDEmpty, at, s, ".call_id", id, wire.Value{})
	case ids[id.Str()]:
		r.once(CallIDReused, at, s, ".call_id", id, wire.Value{})
	}
	ids[id.Str()] = true
	if v.Get("name").Str() == "" {
		r.once(NameMissing, at, s, ".name", v.Get("name"), wire.Value{})
	}
}
