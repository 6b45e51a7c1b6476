package workers

import (
	"context"
	"errors"
)

// readBack reads an exchange into memory when there is room for what its manifests say it holds, and keeps that room
// until leave. Manifests may lie: where more comes than they said and there is no room for it, what was read is dropped
// and the exchange waits for as much room as it turned out to need.
func (p *pool) readBack(ctx context.Context, of string, seen *incoming) (in *incoming, leave func(), err error) {
	ask := cost(seen.claimed())
	for {
		s, err := p.room.enter(ctx, ask)
		if err != nil {
			return nil, nil, err
		}
		in = newIncoming(p.config.MaxBody)
		err = p.streams.all(ctx, of+".>", func(m stored) error {
			if err := in.add(m); err != nil {
				return err
			}
			return s.need(cost(in.bytes, in.messages))
		})
		if err == nil || errors.Is(err, errNoMessages) {
			return in, s.leave, nil
		}
		s.leave()
		if !errors.Is(err, errNoRoom) {
			return nil, nil, err
		}
		ask = 2 * max(ask, cost(in.bytes, in.messages)) // the rest of it has not been seen
	}
}
