package convir

import "reassay/wire"

// Parse reads a dialect's own whole-reply body, as sent or as assemble put it together. It never fails: what is
// wrong with the body stands in Faults, what is not known in Unread and as Opaque events.
func Parse(d wire.Dialect, body wire.Value) Reply {
	return Reply{Dialect: d}
}
