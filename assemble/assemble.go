package assemble

import (
	"reassay/sse"
	"reassay/wire"
)

// Assemble puts a stream of dialect d together. A stream that is one whole object (sse.FormObject) is its own Body.
// It never fails: what is wrong with the stream stands in Faults.
func Assemble(d wire.Dialect, s sse.Stream) Assembled {
	switch d {
	}
	return Assembled{}
}
