package sdkemu

import (
	"slices"
	"testing"
)

func TestCuts(t *testing.T) {
	body := []byte("a\n\nb\r\rc\r\n\r\ndé")
	for _, c := range []struct {
		chunking Chunking
		want     []int
	}{
		{Whole, nil},
		{"", nil},
		{Event, []int{3, 6, 11}},
		{Byte, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}},
		{Hostile, []int{2, 5, 8, 9, 10, 13}},
	} {
		got, err := c.chunking.Cuts(body)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q cuts at %v (%v), want %v", c.chunking, got, err, c.want)
		}
	}
	if _, err := Chunking("odd").Cuts(body); err == nil {
		t.Error("an unknown chunking is cut")
	}
	for _, c := range Chunkings {
		if cuts, err := c.Cuts(nil); err != nil || len(cuts) != 0 {
			t.Errorf("an empty body is cut at %v (%v) by %q", cuts, err, c)
		}
	}
}
