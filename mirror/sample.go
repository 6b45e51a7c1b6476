package mirror

import "strconv"

// sampleDigits is how many hex digits of the exchange's token decide: 52 bits, so that every language's doubles hold
// them exactly.
const sampleDigits = 13

// Sampled reports whether an exchange is mirrored at this rate, a share from 0 to 1. It depends on the exchange's token
// alone, so that every publisher of one exchange decides alike: the token's first 13 hex digits as a number, over 2^52,
// is less than rate.
func Sampled(exchange string, rate float64) bool {
	if len(exchange) < sampleDigits {
		return rate >= 1
	}
	n, err := strconv.ParseUint(exchange[:sampleDigits], 16, 64)
	return err == nil && float64(n)/(1<<52) < rate
}
