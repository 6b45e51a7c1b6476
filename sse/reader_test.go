package sse

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads every frame and the error that ended the reading, nil for io.EOF.
func readAll(r *Reader) ([]Frame, error) {
	var frames []Frame
	for {
		f, err := r.Next()
		if err == io.EOF {
			return frames, nil
		}
		if err != nil {
			return frames, err
		}
		frames = append(frames, f)
	}
}

// randomReads hands out its text in pieces of one to eight bytes, now and then none.
type randomReads struct {
	text []byte
	rnd  *rand.Rand
}

func (r *randomReads) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	n := min(r.rnd.Intn(9), len(r.text), len(p))
	copy(p, r.text[:n])
	r.text = r.text[n:]
	return n, nil
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"data: a\n\n", "data: a\r\n\r\n", "data: a\r\rdata: b\r\n\n", "\uFEFFdata: a\n\n", "\uFEFF\r\n\r\n\uFEFFdata: a\n\n",
		"id: a\x00b\ndata\n\n", ": c\n\nretry: 1x\nevent: e\ndata:x\ndata: y", "data: \xe2\x82\n\n\xff\n\n", "\uFEFF", "\xef\xbb", "\r", "data: a\n\r", "\uFEFFata:\n",
	} {
		f.Add([]byte(s), int64(1), 0)
		f.Add([]byte(s), int64(2), 7)
		f.Add([]byte(s), int64(3), 2)
	}
	f.Fuzz(func(t *testing.T, text []byte, seed int64, limit int) {
		limit %= 64
		whole := NewReader(bytes.NewReader(text))
		whole.MaxFrame = limit
		want, wantErr := readAll(whole)
		bytewise := NewReader(iotest.OneByteReader(bytes.NewReader(text)))
		random := NewReader(&randomReads{text, rand.New(rand.NewSource(seed))})
		late := NewReader(iotest.DataErrReader(bytes.NewReader(text)))
		for name, r := range map[string]*Reader{"one byte": bytewise, "random": random, "error with data": late} {
			r.MaxFrame = limit
			got, err := readAll(r)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
				t.Fatalf("%s: got %+v, %v\nwant %+v, %v", name, got, err, want, wantErr)
			}
		}
		end := 0
		for i, fr := range want {
			if fr.Index != i || fr.Start < end || fr.End < fr.Start || fr.End > len(text) {
				t.Fatalf("frame %d has index %d and range [%d,%d) after byte %d of %d", i, fr.Index, fr.Start, fr.End, end, len(text))
			}
			end = fr.End
			for _, x := range fr.Fields {
				if x.Offset < fr.Start || x.ValueOffset < x.Offset || x.ValueOffset > fr.End {
					t.Fatalf("field %+v outside its frame [%d,%d)", x, fr.Start, fr.End)
				}
				if !fr.Has(BadUTF8) && !bytes.HasPrefix(text[x.ValueOffset:], []byte(x.Value)) {
					t.Fatalf("field %+v is not what stands at its offset", x)
				}
			}
			for _, x := range fr.Faults {
				if x.Offset < fr.Start && x.Code != BOM || x.Offset > fr.End {
					t.Fatalf("fault %+v outside its frame [%d,%d)", x, fr.Start, fr.End)
				}
			}
		}
	})
}

func TestReadErrorComesAfterWhatWasRead(t *testing.T) {
	broken := errors.New("connection reset")
	r := NewReader(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(broken)))
	frames, err := readAll(r)
	if err != broken || len(frames) != 2 || string(frames[1].Data) != "b" || !frames[1].Has(NoBlankLine) {
		t.Fatalf("got %+v, %v; want two frames, the second without a blank line, and %v", frames, err, broken)
	}
}

func TestFrameLimit(t *testing.T) {
	big := "data: " + strings.Repeat("x", 8<<20) + "\n\n"
	frames, err := readAll(NewReader(strings.NewReader(": first\n\n" + big)))
	if err != nil || len(frames) != 2 || len(frames[1].Data) != 8<<20 {
		t.Fatalf("8 MiB frame: %d frames, %v", len(frames), err)
	}
	for _, limit := range []int{len(big), len(big) - 1} {
		r := NewReader(strings.NewReader(": first\n\n" + big))
		r.MaxFrame = limit
		frames, err := readAll(r)
		var at *Error
		if limit == len(big) {
			if err != nil || len(frames) != 2 {
				t.Errorf("a frame of exactly the limit: %d frames, %v", len(frames), err)
			}
		} else if !errors.As(err, &at) || at.Offset != 9 || !errors.Is(err, ErrFrameTooLarge) || len(frames) != 1 {
			t.Errorf("a frame over the limit: %d frames, %v; want one frame and an error at byte 9", len(frames), err)
		}
	}
}
