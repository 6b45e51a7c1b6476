package sdkemu

import (
	"encoding/json"
	"testing"
)

func TestExceptionDetailKeepsHalves(t *testing.T) {
	d := ExceptionDetail{
		Class: "APIError", Message: "half \xED\xA0\x80 <&>", Thrown: "error", AtEvent: json.RawMessage("1"),
		Cause: &ExceptionDetail{Class: "TypeError", Message: "\xED\xB0\x80"},
	}
	got, err := json.Marshal(&d)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"class":"APIError","message":"half \ud800 \u003c\u0026\u003e","cause":{"class":"TypeError","message":"\udc00","at_event":null},"thrown":"error","at_event":1}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
