package workers

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// outcome is what became of one message of the mirror. It alone decides how the message is settled:
//
//	done      its exchange has a verdict, or another message of it will bring one  → acked
//	waiting   its exchange is still open                                          → comes again after a while
//	retry     judging met the machine's limits, or the server refused             → comes again after a while
//	poison    no later message can mend it                                        → dead letter stored, then terminated
//	shutdown  the worker is going down                                            → left to the next worker
type outcome int

const (
	done outcome = iota
	waiting
	retry
	poison
	shutdown
)

// settlement is an outcome with its reason.
type settlement struct {
	outcome outcome
	after   time.Duration // waiting, retry
	err     error         // retry, poison
}

// settle tells the server what became of a message.
func (p *pool) settle(ctx context.Context, msg jetstream.Msg, s settlement) {
	log := p.config.Log.With(zap.String("subject", msg.Subject()))
	var err error
	switch s.outcome {
	case done:
		err = msg.DoubleAck(ctx)
	case waiting:
		err = msg.NakWithDelay(s.after)
	case retry:
		log.Warn("comes again", zap.Error(s.err))
		err = msg.NakWithDelay(s.after)
	case poison:
		log.Error("dead letter", zap.Error(s.err))
		if err = p.streams.bury(ctx, msg, s.err); err == nil {
			p.config.Meter.Dead(gatewayOf(msg.Subject()))
			p.reached(stepBuried)
			err = msg.TermWithReason(s.err.Error())
		} else {
			err = errors.Join(err, msg.NakWithDelay(retryDelay))
		}
	case shutdown:
		err = msg.Nak()
	}
	if err != nil && ctx.Err() == nil {
		log.Warn("not settled, the server will hand it out again", zap.Error(err))
	}
}
