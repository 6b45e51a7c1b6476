package convir

import "reassay/wire"

// countOf reads a number of tokens; what is no integer was not given.
func countOf(v wire.Value) Count {
	n, ok := v.Int()
	return Count{N: n, Given: ok}
}
