package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// What pydantic's lax mode makes of a value of another type (pydantic-core 2.46, src/input/shared.rs and
// src/input/input_python.rs). Each returns how far it had to bend.

// exactness tells how well a value fitted its type; a union takes the member that it fits best.
type exactness uint8

const (
	lax exactness = iota
	strict
	exact
)

func coerceInt(v value) (value, exactness, bool) {
	switch v.kind {
	case kindInt:
		return v, exact, true
	case kindBool:
		return ofInt(int64(v.bits)), lax, true
	case kindStr:
		n, ok := intOfText(v.text)
		return n, lax, ok
	case kindFloat:
		n, ok := intOfFloat(v.float())
		return ofInt(n), lax, ok
	}
	return none, lax, false
}

// intOfFloat is a float without fraction inside the range of 64 bits, its ends excluded.
func intOfFloat(f float64) (int64, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) || f != math.Trunc(f) || f <= math.MinInt64 || f >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

func coerceFloat(v value) (value, exactness, bool) {
	switch v.kind {
	case kindFloat:
		return v, exact, true
	case kindStr:
		f, ok := floatOfText(v.text)
		return ofFloat(f), lax, ok
	case kindInt, kindBool:
		f, err := asFloat(v)
		if v.kind == kindBool {
			return ofFloat(f), lax, true
		}
		return ofFloat(f), strict, err == nil
	}
	return none, lax, false
}

func coerceBool(v value) (value, exactness, bool) {
	switch v.kind {
	case kindBool:
		return v, exact, true
	case kindStr:
		b, ok := boolOfText(v.text)
		return ofBool(b), lax, ok
	case kindInt:
		n, fits := v.small()
		return ofBool(n == 1), lax, fits && (n == 0 || n == 1)
	case kindFloat:
		n, ok := intOfFloat(v.float())
		return ofBool(n == 1), lax, ok && (n == 0 || n == 1)
	}
	return none, lax, false
}

func boolOfText(s string) (b, ok bool) {
	switch strings.ToLower(s) {
	case "0", "f", "n", "no", "off", "false":
		return false, isASCII(s)
	case "1", "t", "y", "on", "yes", "true":
		return true, isASCII(s)
	}
	return false, false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// trimSpace is Rust's str::trim: Unicode's White_Space, which lacks the separators that Python counts in.
func trimSpace(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return isSpace(r) && (r < 0x1C || r > 0x1F) })
}

// intOfText is str_as_int: a JSON integer, or one after blanks, a plus sign, leading zeros, ".0" and single underscores
// were taken off.
func intOfText(s string) (value, bool) {
	if n, ok := jsonInt(s); ok {
		return n, true
	}
	if cleaned, ok := cleanInt(s); ok {
		return jsonInt(cleaned)
	}
	return none, false
}

func jsonInt(s string) (value, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && digits != "0" || len(s) > maxDigits {
		return none, false
	}
	for i := 0; i < len(digits); i++ {
		if !isDigit(digits[i]) {
			return none, false
		}
	}
	n, _ := new(big.Int).SetString(s, 10)
	return ofBig(n), true
}

func cleanInt(s string) (string, bool) {
	s = trimSpace(s)
	if rest, ok := strings.CutPrefix(s, "+"); ok {
		if strings.HasPrefix(rest, "-") {
			return "", false
		}
		s = rest
	}
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
			return "", false
		}
		sign, s = "-", rest
	}
	s, ok := trimZeros(s)
	if !ok {
		return "", false
	}
	if whole, fraction, found := strings.Cut(s, "."); found && fraction != "" && strings.Trim(fraction, "0") == "" {
		s = whole
	}
	if joined, ok := joinUnderscores(s); ok {
		s = joined
	}
	return sign + s, true
}

// trimZeros takes leading zeros off, with underscores among them, and leaves one where nothing else is left.
func trimZeros(s string) (string, bool) {
	if s == "" || !isDigit(s[0]) && s[0] != '-' {
		return "", false
	}
	if s[0] != '0' {
		return s, true
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '0' || c == '_':
		case isDigit(c) || c == '-':
			return s[i:], true
		case c == '.':
			return s[i-1:], true
		default:
			return "", false
		}
	}
	return s[len(s)-1:], true
}

// joinUnderscores removes underscores if there are any and each stands alone inside the text.
func joinUnderscores(s string) (string, bool) {
	if !strings.Contains(s, "_") || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") {
		return "", false
	}
	return strings.ReplaceAll(s, "_", ""), true
}

// floatOfText is str_as_float: what Rust's f64 parser takes, after blanks or else underscores were taken off.
func floatOfText(s string) (float64, bool) {
	if f, ok := rustFloat(trimSpace(s)); ok {
		return f, true
	}
	if joined, ok := joinUnderscores(s); ok {
		return rustFloat(joined)
	}
	return 0, false
}

func rustFloat(s string) (float64, bool) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return 0, false
	}
	switch strings.ToLower(digits) {
	case "inf", "infinity", "nan":
	default:
		if digits == "" || strings.Trim(digits, "0123456789.eE+-") != "" {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && f == 0 {
		return 0, false
	}
	return f, true
}
