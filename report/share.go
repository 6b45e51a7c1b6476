package report

import (
	"fmt"
	"math"
)

// share is a count out of N with its rate and the rate's Wilson 95 % interval, all in 0..1 and rounded to six
// decimals. Where N is 0 nothing was applicable: the rate is null, never zero.
type share struct {
	Count int      `json:"count"`
	N     int      `json:"n"`
	Rate  *float64 `json:"rate"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// z is the standard normal's 97.5 % quantile.
const z = 1.959963984540054

// share computes the rate of count out of n. Source of the interval: E. B. Wilson, "Probable inference, the law of
// succession, and statistical inference", Journal of the American Statistical Association 22(158), 1927, 209-212.
func shareOf(count, n int) share {
	s := share{Count: count, N: n}
	if n == 0 {
		return s
	}
	p, size := float64(count)/float64(n), float64(n)
	center := p + z*z/(2*size)
	spread := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	scale := 1 + z*z/size
	s.Rate = round6(p)
	s.Low = round6(math.Max(0, (center-spread)/scale))
	s.High = round6(math.Min(1, (center+spread)/scale))
	return s
}

func round6(x float64) *float64 {
	x = math.Round(x*1e6) / 1e6
	return &x
}

const dash = "–"

// rate is the share as a percentage, a dash where nothing was applicable.
func (s share) rate() string {
	if s.Rate == nil {
		return dash
	}
	return fmt.Sprintf("%.1f %%", *s.Rate*100)
}

// interval is the Wilson interval in percent, a dash where nothing was applicable.
func (s share) interval() string {
	if s.Rate == nil {
		return dash
	}
	return fmt.Sprintf("%.1f–%.1f", *s.Low*100, *s.High*100)
}
