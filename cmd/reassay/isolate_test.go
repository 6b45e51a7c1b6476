package main

import "testing"

func TestByteSize(t *testing.T) {
	for text, want := range map[string]string{
		"1GiB": "1GiB", "1024MiB": "1GiB", "1536MiB": "1536MiB", "1048576": "1MiB", "0": "0", "7": "7", "4KiB": "4KiB",
		"": "", "GiB": "", "-1": "", "1GB": "", "1.5GiB": "", "9999999999GiB": "",
	} {
		var b byteSize
		got := ""
		if err := b.Set(text); err == nil {
			got = b.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
