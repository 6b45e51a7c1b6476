package sse

import "reassay/wire"

// Parse reads a whole body of dialect d. The body itself decides its Form. FormObject and FormArray have no frames:
// FormObject is one event that holds the object, FormArray one event an element. FormOther has one event with Err set.
func Parse(d wire.Dialect, body []byte) Stream {
	return Stream{}
}
