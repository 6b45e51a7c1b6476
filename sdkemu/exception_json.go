package sdkemu

import (
	"encoding/json"

	"reassay/wire"
)

// MarshalJSON writes class and message as WTF-8: half a surrogate pair, which an SDK may quote from a stream, stands as
// a \u escape. encoding/json alone would make U+FFFD of it.
func (d ExceptionDetail) MarshalJSON() ([]byte, error) {
	type plain ExceptionDetail // without this method
	return json.Marshal(struct {
		Class   json.RawMessage `json:"class"`
		Message json.RawMessage `json:"message"`
		plain
	}{wire.AppendString(nil, d.Class), wire.AppendString(nil, d.Message), plain(d)})
}
