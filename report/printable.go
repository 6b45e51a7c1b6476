package report

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// printable makes text that came from a capture safe for a terminal and a table: what would move the cursor, change
// colours, hide or reorder what stands beside it is shown as an escape.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if !shows(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case shows(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// shows reports whether r takes a place of its own and does nothing else.
func shows(r rune) bool {
	return r == ' ' || (unicode.IsGraphic(r) && r != unicode.ReplacementChar && !unicode.Is(unicode.Zs, r))
}

// columns is how many columns of a terminal s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns follows Unicode Standard Annex 11 for wide characters; a combining mark takes no column.
func runeColumns(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut splits s after as many characters as fit into n columns, at least one.
func cut(s string, n int) (head, tail string) {
	used := 0
	for i, r := range s {
		used += runeColumns(r)
		if used > n && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}
