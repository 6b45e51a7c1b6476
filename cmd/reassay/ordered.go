package main

import (
	"context"
	"iter"
)

// ordered does work on each of in, up to workers at once, and hands the results to out in the order of in. At most
// twice as many items as workers are held. It ends with out's first error, or with ctx's.
func ordered[T, R any](ctx context.Context, workers int, in iter.Seq[T], work func(context.Context, T) R, out func(R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := make(chan chan R, workers)
	free := make(chan struct{}, workers)
	go func() {
		defer close(slots)
		for item := range in {
			slot := make(chan R, 1)
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			go func() {
				slot <- work(ctx, item)
				<-free
			}()
			select {
			case slots <- slot:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case slot, more := <-slots:
			if !more {
				return ctx.Err()
			}
			select {
			case r := <-slot:
				if err := out(r); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
