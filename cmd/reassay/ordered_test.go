package main

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestOrderedKeepsTheOrderOfItsInput(t *testing.T) {
	in := make([]int, 200)
	for i := range in {
		in[i] = i
	}
	var running, most atomic.Int32
	var got []int
	err := ordered(t.Context(), 4, slices.Values(in), func(_ context.Context, i int) int {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		time.Sleep(time.Duration(200-i) * time.Microsecond / 10) // the first ones take longest
		return i
	}, func(i int) error { got = append(got, i); return nil })
	if err != nil || !slices.Equal(got, in) {
		t.Errorf("got %v, error %v", got, err)
	}
	if m := most.Load(); m < 2 || m > 4 {
		t.Errorf("at most %d ran at once, want 2 to 4", m)
	}
}

func TestOrderedEndsWithTheFirstError(t *testing.T) {
	full := errors.New("disk full")
	n := 0
	err := ordered(t.Context(), 4, slices.Values(make([]int, 100)), func(context.Context, int) int { return 0 },
		func(int) error {
			if n++; n == 3 {
				return full
			}
			return nil
		})
	if !errors.Is(err, full) || n != 3 {
		t.Errorf("error %v after %d results, want %v after 3", err, n, full)
	}
}

func TestOrderedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := ordered(ctx, 2, func(yield func(int) bool) {
		for yield(0) {
		}
	}, func(context.Context, int) int { return 0 }, func(int) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
