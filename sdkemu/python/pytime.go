package python

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// moment is a datetime.datetime. Its wall clock is kept in t, as if it were UTC's.
type moment struct {
	t      time.Time
	zoned  bool
	offset int  // of the zone, in seconds east of UTC
	sdk    bool // made by the SDK itself: its zone prints as one of the standard library
}

func ofTime(m *moment) value { return value{kind: kindTime, ref: m} }

func (v value) moment() *moment {
	m, _ := v.ref.(*moment)
	return m
}

// text is the datetime as to_json() prints it (pydantic-core 2.46, src/serializers/type_serializers/datetime_etc.rs).
// to_dict() leaves it an object, which JSON cannot hold.
func (m *moment) text() string {
	out := m.t.Format("2006-01-02T15:04:05")
	if us := m.t.Nanosecond() / 1000; us != 0 {
		out += fmt.Sprintf(".%06d", us)
	}
	switch {
	case m.zoned && m.offset == 0:
		out += "Z"
	case m.zoned:
		sign, offset := '+', m.offset
		if offset < 0 {
			sign, offset = '-', -offset
		}
		out += fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
	}
	return out
}

func (m *moment) repr() string {
	t := m.t
	parts := []string{strconv.Itoa(t.Year()), strconv.Itoa(int(t.Month())), strconv.Itoa(t.Day()), strconv.Itoa(t.Hour()), strconv.Itoa(t.Minute())}
	us := t.Nanosecond() / 1000
	if t.Second() != 0 || us != 0 {
		parts = append(parts, strconv.Itoa(t.Second()))
	}
	if us != 0 {
		parts = append(parts, strconv.Itoa(us))
	}
	switch {
	case m.zoned && !m.sdk:
		parts = append(parts, fmt.Sprintf("tzinfo=TzInfo(%d)", m.offset))
	case m.zoned && m.offset == 0:
		parts = append(parts, "tzinfo=datetime.timezone.utc")
	case m.zoned && m.offset < 0:
		parts = append(parts, fmt.Sprintf("tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=%d))", m.offset+86400))
	case m.zoned:
		parts = append(parts, fmt.Sprintf("tzinfo=datetime.timezone(datetime.timedelta(seconds=%d))", m.offset))
	}
	return "datetime.datetime(" + strings.Join(parts, ", ") + ")"
}

// dateOf is a wall clock, if there is such a day and time in the years that a datetime can have.
func dateOf(year, month, day, hour, minute, second, microsecond int) (time.Time, bool) {
	t := time.Date(year, time.Month(month), day, hour, minute, second, microsecond*1000, time.UTC)
	return t, year >= 1 && year <= 9999 && t.Day() == day && int(t.Month()) == month && hour < 24 && minute < 60 && second < 60
}

// watershed is the number of seconds from which on a number counts milliseconds, for pydantic and for the SDK.
const watershed = 20_000_000_000

// coerceTime is pydantic's lax validation of a datetime (pydantic-core 2.46, src/input/datetime.rs; speedate).
func coerceTime(v value) (value, exactness, bool) {
	switch v.kind {
	case kindTime:
		return v, exact, true
	case kindInt:
		n, fits := v.small()
		if !fits {
			return none, lax, false
		}
		return fromEpoch(n, 0)
	case kindFloat:
		f := v.float()
		if math.IsNaN(f) || math.Abs(f) > 1e15 {
			return none, lax, false
		}
		_, fraction := math.Modf(f)
		return fromEpoch(int64(math.Floor(f)), int64(math.Round(math.Abs(fraction)*1e6)))
	case kindStr:
		return timeOfText(v.text)
	}
	return none, lax, false
}

// fromEpoch is speedate's DateTime::from_timestamp, in UTC.
func fromEpoch(n, microseconds int64) (value, exactness, bool) {
	if n > watershed || n < -watershed {
		if n == math.MinInt64 {
			return none, lax, false
		}
		ms := n % 1000
		if n /= 1000; ms < 0 {
			n, ms = n-1, ms+1000
		}
		microseconds += ms * 1000
	}
	if n < -62_135_596_800 || n > 253_402_300_799 {
		return none, lax, false
	}
	t := time.Unix(n+microseconds/1e6, microseconds%1e6*1000).UTC()
	return ofTime(&moment{t: t, zoned: true}), lax, t.Year() <= 9999
}

var (
	speedateText = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|(?:[+-]|\x{2212})\d\d:?\d\d)?)?$`)
	epochText    = regexp.MustCompile(`^[+-]?\d+(?:\.\d*)?$`)
)

// timeOfText is speedate's DateTime::parse_bytes, and a date for want of a time.
func timeOfText(s string) (value, exactness, bool) {
	if m := speedateText.FindStringSubmatch(s); m != nil {
		t, ok := dateOf(digitsOf(m[1]), digitsOf(m[2]), digitsOf(m[3]), digitsOf(m[4]), digitsOf(m[5]), digitsOf(m[6]), microsecondsOf(m[7]))
		offset, zoned, sound := zoneOf(m[8])
		return ofTime(&moment{t: t, zoned: zoned, offset: offset}), lax, ok && sound
	}
	if !epochText.MatchString(s) {
		return none, lax, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return fromEpoch(n, 0)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(f) > 1e15 {
		return none, lax, false
	}
	scale := 1e6
	if math.Abs(f) > watershed {
		scale = 1e3
	}
	_, fraction := math.Modf(f)
	return fromEpoch(int64(math.Floor(f)), int64(math.Round(math.Abs(fraction)*scale)))
}

// digitsOf is a text of digits, 0 for none.
func digitsOf(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// microsecondsOf is what the digits behind a point say, cut off at the sixth.
func microsecondsOf(digits string) int { return digitsOf((digits + "000000")[:6]) }

// zoneOf reads Z, +hh:mm or +hhmm.
func zoneOf(s string) (offset int, zoned, sound bool) {
	if s == "" || s == "Z" || s == "z" {
		return 0, s != "", true
	}
	digits := strings.ReplaceAll(strings.TrimLeft(s, "+-\u2212"), ":", "")
	hour, minute := digitsOf(digits[:2]), digitsOf(digits[2:])
	offset = 3600*hour + 60*minute
	if s[0] != '+' {
		offset = -offset
	}
	return offset, true, hour < 24 && minute < 60
}

// timeOf is parse_datetime(v) of the SDK's _utils/_datetime_parse.py (anthropic 0.121.0 and later), which builds a
// datetime where its class does not validate; v itself where that raises.
func timeOf(v value) value {
	switch v.kind {
	case kindInt, kindBool, kindFloat:
		f, err := asFloat(v)
		if err != nil {
			f = math.Inf(v.integer().Sign())
		}
		return fromNumber(v, f)
	case kindStr:
		if f, ok := pyFloat(v.text); ok {
			return fromNumber(v, f)
		}
		return fromText(v)
	}
	return v
}

// fromNumber is _from_unix_seconds.
func fromNumber(v value, f float64) value {
	const most = 3e20
	switch {
	case math.IsNaN(f):
		return v
	case f > most:
		return ofTime(&moment{t: time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC), sdk: true})
	case f < -most:
		return ofTime(&moment{t: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), sdk: true})
	}
	for math.Abs(f) > watershed {
		f /= 1000
	}
	return ofTime(&moment{t: time.UnixMicro(roundedMicroseconds(f)).UTC(), zoned: true, sdk: true})
}

// roundedMicroseconds is timedelta(seconds=f): the fraction of a second alone is rounded, half to even.
func roundedMicroseconds(f float64) int64 {
	whole, fraction := math.Modf(f)
	return int64(whole)*1e6 + int64(math.RoundToEven(fraction*1e6))
}

var sdkDatetime = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,6})\d{0,6})?)?(Z|[+-]\d{2}(?::?\d{2})?)?\n?$`)

func fromText(v value) value {
	m := sdkDatetime.FindStringSubmatch(v.text)
	if m == nil {
		return v
	}
	t, ok := dateOf(digitsOf(m[1]), digitsOf(m[2]), digitsOf(m[3]), digitsOf(m[4]), digitsOf(m[5]), digitsOf(m[6]), microsecondsOf(m[7]))
	if len(m[8]) == 3 {
		m[8] += "00"
	}
	hour, minute := 0, 0
	if len(m[8]) > 1 {
		digits := strings.ReplaceAll(m[8][1:], ":", "")
		hour, minute = digitsOf(digits[:2]), digitsOf(digits[2:])
	}
	offset := 3600*hour + 60*minute
	if !ok || offset >= 86400 {
		return v
	}
	if m[8] != "" && m[8][0] == '-' {
		offset = -offset
	}
	return ofTime(&moment{t: t, zoned: m[8] != "", offset: offset, sdk: true})
}

// pyFloat is float(s): blanks around, single underscores between digits, "inf", "infinity" and "nan" in any case, digits
// of any script.
func pyFloat(s string) (float64, bool) {
	var b strings.Builder
	digit := false
	for rest := stripSpace(s); rest != ""; {
		r, n := decodeRune(rest)
		rest = rest[n:]
		switch d, ok := decimalDigit(r); {
		case ok:
			b.WriteByte('0' + byte(d))
			digit = true
			continue
		case r == '_':
			next, _ := decodeRune(rest)
			if _, ok := decimalDigit(next); !digit || !ok {
				return 0, false
			}
			continue
		case r >= 0x80:
			return 0, false
		}
		digit = false
		b.WriteByte(byte(r))
	}
	text := strings.ToLower(b.String())
	switch strings.TrimLeft(text, "+-") {
	case "inf", "infinity", "nan":
		if len(text)-len(strings.TrimLeft(text, "+-")) > 1 {
			return 0, false
		}
	default:
		if strings.Trim(text, "0123456789.e+-") != "" {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}
