package python

// What 3.57.0 does with the output items of a response: ways.tracksItems. The classes of its exceptions are all
// RuntimeError.

const (
	identityChanged       = "Lifecycle response identity changed."
	conflictingIdentities = "Response snapshot has conflicting output identities."
	itemIdentityChanged   = "Completed output item identity changed."
	finalIdentityChanged  = "Completed response output identity changed."
	unfinishedItems       = "Cannot complete response with unfinished output items."
)

func isOneOf(kind value, words ...string) bool {
	for _, w := range words {
		if kind.isStr(w) {
			return true
		}
	}
	return false
}

// isLifecycle reports whether an event of that type carries the whole response.
func isLifecycle(kind value) bool {
	return isOneOf(kind, "response.created", "response.queued", "response.in_progress", "response.completed", "response.failed", "response.incomplete")
}

// opened is what is known of the items when the first event has come.
func (s *responsesStream) opened() error {
	at := s.snapshot.class.at("output")
	if s.snapshot.vals[at].isNone() {
		s.snapshot.assign(at, ofList(&list{}))
	}
	items, err := iterate(s.snapshot.vals[at])
	if err != nil {
		return err
	}
	s.items = outputItems{places: map[identityHash]value{}}
	for i, item := range items {
		if err := s.items.announced.set(ofInt(int64(i)), item); err != nil {
			return err
		}
	}
	return nil
}

// rebuilt raises what building an event of an item anew, from its fields and extras, raises: handle_event does so
// first. What it gives is the event as it was: extras alone can be in the way, by the names of construct's parameters.
func (s *responsesStream) rebuilt(event value) error {
	m := event.model()
	if m == nil || m.extra == nil || !m.extra.underscored {
		return nil
	}
	d := newDict(len(m.vals) + m.extra.size())
	for i, v := range m.vals {
		d.set(m.class.fields[i].name, v)
	}
	for i, k := range m.extra.keys {
		d.set(k, m.extra.vals[i])
	}
	_, err := construct(&typ{kind: typeClass, class: m.class}, ofDict(d))
	return err
}

// sameResponse raises for an event whose response is another than the one that was created.
func (s *responsesStream) sameResponse(response value) error {
	if !equal(attributeOrNone(response, "id"), attributeOrNone(ofModel(s.snapshot), "id")) {
		return raise("RuntimeError", identityChanged)
	}
	return nil
}

// refresh takes the items of a response that goes on for the whole ones that they replace.
func (s *responsesStream) refresh(response value) error {
	given, err := iterateOr(attributeOrNone(response, "output"))
	if err != nil {
		return err
	}
	seen := map[identityHash]bool{}
	for _, item := range given {
		_, h, err := keyOf(item)
		if err != nil {
			return err
		}
		if seen[h] {
			return raise("RuntimeError", conflictingIdentities)
		}
		seen[h] = true
	}
	for _, item := range given {
		if err := s.replace(item); err != nil {
			return err
		}
	}
	return nil
}

func (s *responsesStream) replace(item value) error {
	_, h, err := keyOf(item)
	if err != nil {
		return err
	}
	index, ok := s.items.places[h]
	if !ok || index.isNone() {
		return nil
	}
	old, _, err := s.items.completed.get(index)
	if err != nil {
		return err
	}
	compatible, err := compatibleIDs(old, item)
	if err != nil {
		return err
	}
	if !compatible {
		return raise("RuntimeError", conflictingIdentities)
	}
	if err := s.copyable(item); err != nil {
		return err
	}
	return s.items.completed.set(index, owned(item))
}

// compatibleIDs is _compatible_output_id: the ids are one, or the older item is a call that had none yet.
func compatibleIDs(old, item value) (bool, error) {
	id := attributeOrNone(old, "id")
	if equal(id, attributeOrNone(item, "id")) {
		return true, nil
	}
	if !id.isNone() {
		return false, nil
	}
	kind, err := attribute(old, "type")
	return isOneOf(kind, "function_call", "custom_tool_call"), err
}

// announce notes the item that an event has appended to the snapshot.
func (s *responsesStream) announce(event value) error {
	index, err := attribute(event, "output_index")
	if err != nil {
		return err
	}
	items := s.output().list().elems
	return s.items.announced.set(index, items[len(items)-1])
}

// unannounced raises for an item whose index is taken.
func (s *responsesStream) unannounced(event value) error {
	index, err := attribute(event, "output_index")
	if err != nil {
		return err
	}
	if _, taken, err := s.items.announced.get(index); err != nil || !taken {
		return err
	}
	return toldWithin("RuntimeError", "Duplicate response output index ", index, ".")
}

// itemAt is _get_output_item: the announced item that a part of an item belongs to.
func (s *responsesStream) itemAt(event value) (value, error) {
	index, err := attribute(event, "output_index")
	if err != nil {
		return none, err
	}
	there, ok, err := s.items.announced.get(index)
	if err != nil || ok {
		return there, err
	}
	return none, toldWithin("RuntimeError", "Received a content event for output index ", index, " before receiving its output item")
}

// toldWithin is an exception whose message has str(v) between two texts.
func toldWithin(class, before string, v value, after string) error {
	text, err := str(v)
	if err != nil {
		return err
	}
	return raise(class, "%s%s%s", before, text, after)
}

// itemDone takes a whole item.
func (s *responsesStream) itemDone(event value) error {
	index, err := attribute(event, "output_index")
	if err != nil {
		return err
	}
	item, err := attribute(event, "item")
	if err != nil {
		return err
	}
	added, _, err := s.items.announced.get(index)
	if err != nil {
		return err
	}
	if !added.isNone() {
		same, err := sameItem(added, item)
		if err != nil {
			return err
		}
		if !same {
			return raise("RuntimeError", itemIdentityChanged)
		}
	}
	_, h, err := keyOf(item)
	if err != nil {
		return err
	}
	if place, ok := s.items.places[h]; ok && !place.isNone() && !equal(place, index) {
		return raise("RuntimeError", conflictingIdentities)
	}
	previous, _, err := s.items.completed.get(index)
	if err != nil {
		return err
	}
	if !previous.isNone() {
		if err := s.forget(previous); err != nil {
			return err
		}
	}
	if err := s.items.completed.set(index, item); err != nil {
		return err
	}
	s.items.places[h] = index
	return nil
}

// sameItem reports whether an announced item and a whole one are the same.
func sameItem(added, item value) (bool, error) {
	was, err := identityOf(added)
	if err != nil {
		return false, err
	}
	is, err := identityOf(item)
	if err != nil || !was.equal(is) {
		return false, err
	}
	return compatibleIDs(added, item)
}

// forget takes a whole item's place from its identity: another item has come in its stead.
func (s *responsesStream) forget(item value) error {
	id, h, err := keyOf(item)
	if err != nil {
		return err
	}
	if _, ok := s.items.places[h]; !ok {
		text, err := id.repr()
		if err != nil {
			return err
		}
		return raise("KeyError", "%s", text)
	}
	delete(s.items.places, h)
	return nil
}

// completedResponse holds the completed response to the items that were seen, and fills its output from them where it
// has none.
func (s *responsesStream) completedResponse(response value) (value, error) {
	output := attributeOrNone(response, "output")
	given, err := iterateOr(output)
	if err != nil {
		return none, err
	}
	if err := s.work.spend(len(s.items.announced.keys) + len(s.items.completed.keys)); err != nil {
		return none, err
	}
	final := map[identityHash]value{}
	for _, item := range given {
		_, h, err := keyOf(item)
		if err != nil {
			return none, err
		}
		final[h] = item
	}
	if err := s.completedAgain(final); err != nil {
		return none, err
	}
	if err := s.allFinished(final); err != nil {
		return none, err
	}
	if !output.isNone() {
		return response, nil
	}
	if response.kind != kindModel {
		return none, noAttribute(response, "model_copy")
	}
	order, err := sorted(s.items.completed.keys)
	if err != nil {
		return none, err
	}
	items := &list{}
	for _, index := range order {
		item, _, err := s.items.completed.get(index)
		if err != nil {
			return none, err
		}
		items.elems = append(items.elems, item)
	}
	return response, assignAttribute(response, "output", ofList(items))
}

// completedAgain raises for a whole item that has another id in the completed response.
func (s *responsesStream) completedAgain(final map[identityHash]value) error {
	for _, item := range s.items.completed.vals {
		there, ok, err := lookUp(final, item)
		if err != nil {
			return err
		}
		if !ok || there.isNone() {
			continue
		}
		compatible, err := compatibleIDs(item, there)
		if err != nil {
			return err
		}
		if !compatible {
			return raise("RuntimeError", finalIdentityChanged)
		}
	}
	return nil
}

// allFinished raises for an announced item that is neither whole nor in the completed response.
func (s *responsesStream) allFinished(final map[identityHash]value) error {
	for i, item := range s.items.announced.vals {
		there, ok, err := lookUp(final, item)
		if err != nil {
			return err
		}
		if _, whole, err := s.items.completed.get(s.items.announced.keys[i]); err != nil || whole {
			if err != nil {
				return err
			}
			continue
		}
		finished := ok && !there.isNone()
		if finished {
			if finished, err = compatibleIDs(item, there); err != nil {
				return err
			}
		}
		if !finished {
			return raise("RuntimeError", unfinishedItems)
		}
	}
	return nil
}

func lookUp(items map[identityHash]value, item value) (value, bool, error) {
	_, h, err := keyOf(item)
	if err != nil {
		return none, false, err
	}
	v, ok := items[h]
	return v, ok, nil
}

// tellLifecycle raises what making the event for the caller raises where its response has no output: it is copied, and
// the output put together of the items that were seen.
func (s *responsesStream) tellLifecycle(event, kind value) error {
	response, err := attribute(event, "response")
	if err != nil || !attributeOrNone(response, "output").isNone() {
		return err
	}
	if err := s.copyable(event); err != nil {
		return err
	}
	if isOneOf(kind, "response.failed", "response.incomplete") {
		if err := s.copyItems(); err != nil {
			return err
		}
	}
	if response.kind != kindModel {
		return noAttribute(response, "output")
	}
	return nil
}

// copyItems raises what copying every item that was seen raises.
func (s *responsesStream) copyItems() error {
	var all mapping
	if err := s.work.spend(len(s.items.announced.keys) + len(s.items.completed.keys)); err != nil {
		return err
	}
	for _, items := range []*mapping{&s.items.announced, &s.items.completed} {
		for i, index := range items.keys {
			if err := all.set(index, items.vals[i]); err != nil {
				return err
			}
		}
	}
	order, err := sorted(all.keys)
	if isRaised(err, "TypeError") {
		return &limitError{what: "indices of unlike types: the order of a set is random"}
	}
	if err != nil {
		return err
	}
	for _, index := range order {
		item, _, err := all.get(index)
		if err != nil {
			return err
		}
		if item.kind != kindModel {
			return noAttribute(item, "model_copy")
		}
		if err := s.copyable(item); err != nil {
			return err
		}
	}
	return nil
}

// A deep copy takes two frames for a level, more for a model: 490 levels may be copied within CPython's limit of 1000,
// or a few less. What lies between these two numbers is inconclusive.
const (
	surelyCopied    = 480
	surelyNotCopied = 510
)

// copyable raises what copying v deeply raises.
func (s *responsesStream) copyable(v value) error {
	levels, err := s.work.levels(v, surelyNotCopied)
	switch {
	case err != nil || levels <= surelyCopied:
		return err
	case levels >= surelyNotCopied:
		return raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")
	}
	return &limitError{what: "copies: an item is nested about as deeply as CPython can copy"}
}

// levels is how deeply lists, objects and models are nested in v, at most that many. Every value is work.
func (b *budget) levels(v value, most int) (int, error) {
	var inner []value
	switch v.kind {
	case kindList:
		inner = v.list().elems
	case kindDict:
		inner = v.dict().vals
	case kindModel:
		m := v.model()
		if inner = m.vals; m.extra != nil {
			inner = append(inner[:len(inner):len(inner)], m.extra.vals...)
		}
	default:
		return 0, b.spend(1)
	}
	if most == 0 {
		return 0, nil
	}
	deepest := 0
	for _, e := range inner {
		n, err := b.levels(e, most-1)
		if err != nil {
			return 0, err
		}
		deepest = max(deepest, n)
	}
	return 1 + deepest, b.spend(1)
}
