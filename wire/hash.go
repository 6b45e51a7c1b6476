package wire

import (
	"hash/maphash"
	"math/bits"
	"strings"
)

// Hash is a number that values which are [Equal] share, for telling many values apart without comparing each with
// each. It differs from one run of the program to the next, so it must not show in any output. It takes time in
// proportion to the value's text.
func Hash(v Value) uint64 {
	h := uint64(v.kind) * mixer
	switch v.kind {
	case Number:
		return mix(h, hashNumber(v.text))
	case Bool, String:
		return mix(h, maphash.String(seed, v.text))
	case Array:
		for _, e := range v.Elems() {
			h = mix(h, Hash(e))
		}
	case Object:
		members := v.Members()
		last := make(map[string]int, len(members))
		for i, m := range members {
			last[m.Key] = i
		}
		// The order of keys does not matter, so the members' hashes are added up.
		var sum uint64
		for i, m := range members {
			if last[m.Key] == i {
				sum += mix(maphash.String(seed, m.Key), Hash(m.Value))
			}
		}
		return mix(h, sum)
	}
	return h
}

var seed = maphash.MakeSeed()

const mixer = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^mixer, b^bits.RotateLeft64(mixer, 32))
	return high ^ low ^ bits.RotateLeft64(a, 17)
}

// exponentModulus is a prime: exponents of any length are hashed by their remainder.
const exponentModulus = 1<<31 - 1

// hashNumber hashes by value: by the digits between the outermost zeros, and the exponent that they then have.
func hashNumber(text string) uint64 {
	text, negative := strings.CutPrefix(text, "-")
	var exponent int64
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		exponent = remainder(text[e+1:])
		text = text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	exponent += int64(len(whole) - (len(digits) - len(trimmed)))
	trimmed = strings.TrimRight(trimmed, "0")
	if trimmed == "" {
		return 0
	}
	exponent = (exponent%exponentModulus + exponentModulus) % exponentModulus
	h := mix(maphash.String(seed, trimmed), uint64(exponent))
	if negative {
		h = ^h
	}
	return h
}

// remainder is an exponent's text modulo [exponentModulus], with its sign.
func remainder(text string) int64 {
	negative := false
	if text != "" && (text[0] == '+' || text[0] == '-') {
		negative, text = text[0] == '-', text[1:]
	}
	var n int64
	for i := 0; i < len(text); i++ {
		n = (n*10 + int64(text[i]-'0')) % exponentModulus
	}
	if negative {
		n = -n
	}
	return n
}
