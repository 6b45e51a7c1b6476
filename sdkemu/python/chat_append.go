package python

// Nearly every chunk only appends text to what the message already holds. Dumping the message, merging and building it
// again then changes nothing else, so the text is appended where it stands: a long reply takes time linear in its
// length. What is not provably such a chunk goes the long way, mergeMessage.

// settle notes whether dumping m and building it again would give m: every declared field of it and of its tool calls
// is set, and it holds none of the classes whose numbers would be coerced.
func (s *chatStream) settle(m *model) {
	all := fieldSet(1)<<uint(len(m.vals)) - 1
	all &^= 1 << uint(m.class.at("parsed"))
	m.settled = m.set&all == all
	for _, name := range []string{"annotations", "audio", "function_call"} {
		m.settled = m.settled && m.vals[m.class.at(name)].isNone()
	}
	calls := m.vals[m.class.at("tool_calls")]
	if calls.isNone() || !m.settled {
		return
	}
	if calls.kind != kindList || len(calls.list().elems) == 0 {
		m.settled = false
		return
	}
	for _, call := range calls.list().elems {
		if !s.isSettledCall(call) {
			m.settled = false
			return
		}
	}
}

func (s *chatStream) isSettledCall(call value) bool {
	if call.kind != kindModel || call.model().class != s.shapes.toolCall.class {
		return false
	}
	m := call.model()
	function := m.vals[m.class.at("function")]
	if function.kind != kindModel || function.model().class != s.shapes.function {
		return false
	}
	f := function.model()
	needed := fieldSet(1)<<uint(len(f.vals)) - 1
	needed &^= 1 << uint(f.class.at("parsed_arguments"))
	return m.set == fieldSet(1)<<uint(len(m.vals))-1 && f.set&needed == needed
}

// appendInPlace merges the delta into the message if that only appends, and reports whether it did.
func (s *chatStream) appendInPlace(message, delta *model) bool {
	if !message.settled || delta.oddSet != nil || !s.onlyAppends(message, delta) {
		return false
	}
	c := message.class
	for _, name := range []string{"content", "refusal", "role"} {
		extendField(message, c.at(name), delta, delta.class.at(name))
	}
	if calls := delta.vals[delta.class.at("tool_calls")]; !calls.isNone() {
		there := message.vals[c.at("tool_calls")].list().elems
		for _, call := range calls.list().elems {
			extendCall(there, call.model())
		}
	}
	if delta.extra != nil {
		for i, key := range delta.extra.keys {
			old := none
			if message.extra != nil {
				old, _ = message.extra.get(key)
			}
			message.setExtra(key, extended(old, owned(delta.extra.vals[i])))
		}
	}
	parsed := c.at("parsed")
	message.vals[parsed] = none
	message.set &^= 1 << uint(parsed)
	return true
}

// extended is what text becomes by a delta: see appends.
func extended(old, delta value) value {
	switch {
	case old.isNone():
		return delta
	case delta.isNone():
		return old
	}
	return concat(old, delta)
}

func extendField(m *model, at int, delta *model, deltaAt int) {
	m.vals[at] = extended(m.vals[at], delta.vals[deltaAt])
}

func extendCall(there []value, delta *model) {
	index := delta.vals[delta.class.at("index")]
	call := there[index.bits].model()
	call.setExtra("index", index)
	extendField(call, call.class.at("id"), delta, delta.class.at("id"))
	given := delta.vals[delta.class.at("function")].model()
	if given == nil {
		return
	}
	function := call.vals[call.class.at("function")].model()
	for _, name := range []string{"name", "arguments"} {
		extendField(function, function.class.at(name), given, given.class.at(name))
	}
}

// appends reports whether merging delta into old yields extended(old, delta): text to text, or to nothing.
func appends(old, delta value) bool {
	return delta.isNone() || delta.kind == kindStr && (old.isNone() || old.kind == kindStr)
}

// onlyAppends reports whether everything in the delta is text for a place that holds text or nothing.
func (s *chatStream) onlyAppends(message, delta *model) bool {
	for _, name := range []string{"content", "refusal", "role"} {
		if !appends(message.vals[message.class.at(name)], delta.vals[delta.class.at(name)]) {
			return false
		}
	}
	for i := range delta.class.fields {
		switch delta.class.fields[i].name {
		case "content", "refusal", "role", "tool_calls":
		default:
			if !delta.vals[i].isNone() {
				return false
			}
		}
	}
	if calls := delta.vals[delta.class.at("tool_calls")]; !calls.isNone() && !s.callsOnlyAppend(message, calls) {
		return false
	}
	if delta.extra == nil {
		return true
	}
	for i, key := range delta.extra.keys {
		if _, declared := message.class.place(key); declared || key == "index" || key == "type" || encodable(key) != nil {
			return false
		}
		old, ok := none, false
		if message.extra != nil {
			old, ok = message.extra.get(key)
		}
		if ok && !appends(old, delta.extra.vals[i]) || !ok && s.ways.mergesFirst && hasIndexed(delta.extra.vals[i]) {
			return false
		}
	}
	return true
}

func (s *chatStream) callsOnlyAppend(message *model, calls value) bool {
	there := message.vals[message.class.at("tool_calls")]
	if there.kind != kindList || calls.kind != kindList {
		return false
	}
	elems := there.list().elems
	for _, call := range calls.list().elems {
		if call.kind != kindModel {
			return false
		}
		d := call.model()
		index := d.vals[d.class.at("index")]
		if index.kind != kindInt || index.ref != nil || index.bits >= uint64(len(elems)) || d.extra != nil || d.oddSet != nil {
			return false
		}
		if !callOnlyAppends(elems[index.bits].model(), d) {
			return false
		}
	}
	return true
}

func callOnlyAppends(call, delta *model) bool {
	if kindAt := delta.class.at("type"); delta.set.has(kindAt) {
		old := call.vals[call.class.at("type")]
		if old.kind != kindStr || !delta.vals[kindAt].isStr(old.text) {
			return false
		}
	}
	if !appends(call.vals[call.class.at("id")], delta.vals[delta.class.at("id")]) {
		return false
	}
	given := delta.vals[delta.class.at("function")]
	if given.isNone() {
		return true
	}
	if given.kind != kindModel || given.model().extra != nil || given.model().oddSet != nil {
		return false
	}
	d, function := given.model(), call.vals[call.class.at("function")].model()
	for _, name := range []string{"name", "arguments"} {
		if !appends(function.vals[function.class.at(name)], d.vals[d.class.at(name)]) {
			return false
		}
	}
	return true
}
