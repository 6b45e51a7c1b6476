package workers

import (
	"context"
	"errors"
)

// readBack reads an exchange into memory when there is room for what its manifests say it holds, and keeps that room
// until leave. Manifests may lie: where more comes than they said and there is no room for it, what was read is dropped
// and the exchange waits for as much room as it turned out to need.
func (p *pool) readBack(ctx context.Context, of string, seen *incoming) (in *incoming, leave func(), err error) {
	bytes, messages := seen.claimed()
	want := cost(bytes, messages)
	for {
		s, err := p.room.enter(ctx, want)
		if err != nil {
			return nil, nil, err
		}
		in = newIncoming(p.config.MaxBody)
		err = p.streams.all(ctx, of+".>", func(m stored) error {
			if err := in.add(m); err != nil {
				return err
			}
			want = max(want, cost(in.bytes, in.messages))
			return s.need(want)
		})
		if err == nil || errors.Is(err, errNoMessages) {
			return in, s.leave, nil
		}
		s.leave()
		if !errors.Is(err, errNoRoom) {
			return nil, nil, err
		}
		want *= 2 // the rest of it has not been seen
	}
}
