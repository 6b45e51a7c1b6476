package rules

import (
	"strings"
	"unicode/utf8"
)

// textChange says how one text became another.
type textChange string

// The ways.
const (
	allLost      textChange = "lost"         // nothing is left
	allInvented  textChange = "invented"     // there was nothing
	tailLost     textChange = "end lost"     // a non-empty strict prefix is left
	headLost     textChange = "start lost"   // a suffix is left
	middleLost   textChange = "middle lost"  // pieces are missing, the rest is in order
	headInserted textChange = "put in front" // something stands before it
	tailInserted textChange = "put behind"   // something stands after it
	inserted     textChange = "put between"  // something stands inside it
	repeated     textChange = "repeated"     // the same text, or a part of it, came twice
	replaced     textChange = "replaced"     // characters became U+FFFD
	permuted     textChange = "reordered"    // the same pieces in another order
	altered      textChange = "altered"      // anything else
)

// changeOf classifies the change from want to have; refPieces are the pieces that want was joined from.
func changeOf(want, have string, refPieces []string) textChange {
	switch {
	case have == "":
		return allLost
	case want == "":
		return allInvented
	case strings.HasPrefix(want, have):
		return tailLost
	case strings.HasSuffix(want, have):
		return headLost
	case len(have) > len(want) && comesAgain(want, have):
		return repeated
	case strings.HasPrefix(have, want):
		return tailInserted
	case strings.HasSuffix(have, want):
		return headInserted
	case isReplaced(want, have):
		return replaced
	case isPermuted(have, refPieces):
		return permuted
	case subsequence(have, want):
		return middleLost
	case subsequence(want, have):
		return inserted
	}
	return altered
}

// comesAgain reports whether have is want with a stretch of it said once more: the whole, or a piece of at least
// minRepeat bytes directly behind itself.
func comesAgain(want, have string) bool {
	if have == want+want {
		return true
	}
	i := diverges(want, have)
	extra := len(have) - len(want)
	if extra < minRepeat || i+extra > len(have) || have[i+extra:] != want[i:] {
		return false
	}
	return strings.HasSuffix(want[:i], have[i:i+extra])
}

const minRepeat = 4

// isReplaced reports whether have is want with characters turned into U+FFFD.
func isReplaced(want, have string) bool {
	const fffd = "\uFFFD"
	if strings.Count(have, fffd) <= strings.Count(want, fffd) {
		return false
	}
	rest := want
	for i, part := range strings.FieldsFunc(have, func(r rune) bool { return r == utf8.RuneError }) {
		at := strings.Index(rest, part)
		if at < 0 || i == 0 && at > 0 && !strings.HasPrefix(have, fffd) {
			return false
		}
		rest = rest[at+len(part):]
	}
	return rest == "" || strings.HasSuffix(have, fffd)
}

// isPermuted reports whether have is made of the very pieces, each once, in another order.
func isPermuted(have string, pieces []string) bool {
	if len(pieces) < 2 || len(pieces) > maxPermuted {
		return false
	}
	return madeOf(have, pieces, make([]bool, len(pieces)))
}

const maxPermuted = 8

func madeOf(text string, pieces []string, used []bool) bool {
	if text == "" {
		for _, u := range used {
			if !u {
				return false
			}
		}
		return true
	}
	for i, p := range pieces {
		if !used[i] && strings.HasPrefix(text, p) {
			used[i] = true
			if madeOf(text[len(p):], pieces, used) {
				return true
			}
			used[i] = false
		}
	}
	return false
}

// subsequence reports whether all of short stands in long in this order, with long's other bytes between. Two texts
// that merely share letters are no subsequence by intent: short must be made of stretches of at least minStretch
// bytes of long, its first and last apart.
func subsequence(short, long string) bool {
	if len(short) >= len(long) {
		return false
	}
	head := diverges(short, long)
	tail := 0
	for tail < len(short)-head && short[len(short)-1-tail] == long[len(long)-1-tail] {
		tail++
	}
	short, long = short[head:len(short)-tail], long[head:len(long)-tail]
	for short != "" {
		n := min(len(short), minStretch)
		i := strings.Index(long, short[:n])
		if i < 0 {
			return false
		}
		m := diverges(short, long[i:])
		short, long = short[m:], long[i+m:]
	}
	return true
}

const minStretch = 4
