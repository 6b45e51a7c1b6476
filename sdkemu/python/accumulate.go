package python

// accumulate is accumulate_delta(acc, delta) of lib/streaming/_deltas.py. It changes acc.
func (w ways) accumulate(acc, delta *dict) error {
	for i, key := range delta.keys {
		add := delta.vals[i]
		at := acc.find(key)
		if at < 0 || acc.vals[at].isNone() {
			if !w.mergesFirst || !hasIndexed(add) {
				acc.set(key, add)
				continue
			}
			acc.set(key, ofList(&list{}))
			at = acc.find(key)
		}
		old := &acc.vals[at]
		if key == "index" || key == "type" {
			*old = add
			continue
		}
		if err := w.merge(old, add); err != nil {
			return err
		}
	}
	return nil
}

// hasIndexed is _has_indexed_entries: a list that holds an object with an index.
func hasIndexed(v value) bool {
	if v.kind != kindList {
		return false
	}
	for _, e := range v.list().elems {
		if e.kind == kindDict && e.dict().find("index") >= 0 {
			return true
		}
	}
	return false
}

// merge is what one value of a delta does to the value that is there. Types that do not go together leave it alone.
func (w ways) merge(old *value, delta value) error {
	switch {
	case old.kind == kindStr && delta.kind == kindStr:
		*old = concat(*old, delta)
	case old.isNumber() && delta.isNumber():
		sum, err := add(*old, delta)
		if err != nil {
			return err
		}
		*old = sum
	case old.kind == kindDict && delta.kind == kindDict:
		return w.accumulate(old.dict(), delta.dict())
	case old.kind == kindList && delta.kind == kindList:
		return w.mergeList(old.list(), delta)
	}
	return nil
}

// mergeList extends a list of plain values; the entries of any other name their place by an index.
func (w ways) mergeList(old *list, delta value) error {
	if old.allPlain() && (len(old.elems) > 0 || !w.mergesFirst || !hasIndexed(delta)) {
		old.elems = append(old.elems, delta.list().elems...)
		return nil
	}
	for _, entry := range delta.list().elems {
		if entry.kind != kindDict {
			return told("TypeError", "Unexpected list delta entry is not a dictionary: ", entry)
		}
		index, ok := entry.dict().get("index")
		if !ok {
			return told("RuntimeError", "Expected list delta entry to have an `index` key; ", entry)
		}
		if !index.isInt() {
			return told("TypeError", "Unexpected, list delta entry `index` value is not an integer; ", index)
		}
		at, _, err := position(index, len(old.elems))
		if err != nil || at < 0 || at >= len(old.elems) {
			if err := old.insert(index, entry); err != nil {
				return err
			}
			continue
		}
		there := old.elems[at]
		if there.kind != kindDict {
			return raise("TypeError", "not handled yet")
		}
		if err := w.accumulate(there.dict(), entry.dict()); err != nil {
			return err
		}
	}
	return nil
}

// told is an exception whose message ends in str(v).
func told(class, message string, v value) error {
	text, err := str(v)
	if err != nil {
		return err
	}
	return raise(class, "%s%s", message, text)
}
