package check

import (
	"context"

	"reassay/capture"
)

// Checker judges exchanges. It is safe for concurrent use.
type Checker struct {
	config Config
}

// New prepares a Checker; the error names an SDK or version that is not built in.
func New(c Config) (*Checker, error) {
	return &Checker{config: c}, nil
}

// Exchange judges one exchange. What is wrong with the exchange stands in the verdict; the error means that the
// judging itself failed (the context ended).
func (c *Checker) Exchange(ctx context.Context, x *capture.Exchange) (Verdict, error) {
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	return Verdict{VerdictVersion: VerdictVersion, Exchange: x.ID}, nil
}
