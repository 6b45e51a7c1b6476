package report

import (
	"bufio"
	"io"
	"strings"
)

// Style is how text is laid out for a person.
type Style struct {
	Color bool // ANSI colours
	Width int  // columns, 40 to 120; 0 stands for 100
}

func (s Style) width() int {
	if s.Width <= 0 {
		return 100
	}
	return min(max(s.Width, 40), 120)
}

// tones are the ANSI codes of each tone.
var tones = map[tone]string{strong: "1", quiet: "2", bad: "31", doubtful: "33", good: "32"}

func (s Style) paint(text string, t tone) string {
	if code, ok := tones[t]; ok && s.Color && text != "" {
		return "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	return text
}

// Text writes the report for a terminal.
func (r Report) Text(w io.Writer, s Style) error {
	out := bufio.NewWriter(w)
	for i, b := range r.page() {
		switch {
		case b.table != nil:
			s.table(out, b.table)
		case b.heading != "":
			if i > 0 {
				out.WriteString("\n")
			}
			s.heading(out, b)
		default:
			s.wrap(out, "  ", "  ", b.text, plain)
		}
	}
	return out.Flush()
}

func (s Style) heading(w *bufio.Writer, b block) {
	title := printable(b.heading)
	w.WriteString(s.paint(title, strong) + "\n")
	if b.level == 1 {
		w.WriteString(strings.Repeat("═", columns(title)) + "\n")
	}
}

// table writes t with its columns aligned. A cell of the last flush-left column that does not fit is wrapped.
func (s Style) table(w *bufio.Writer, t *table) {
	const indent, gap = "  ", "  "
	widths := make([]int, len(t.head))
	measure := func(cells []string) {
		for i, c := range cells {
			widths[i] = max(widths[i], columns(c))
		}
	}
	measure(t.head)
	for _, r := range t.rows {
		for i, c := range r.cells {
			widths[i] = max(widths[i], columns(printable(c.text)))
		}
	}
	total := len(indent) + len(gap)*(len(widths)-1)
	for _, x := range widths {
		total += x
	}
	flexible := t.left - 1
	if over := total - s.width(); over > 0 {
		widths[flexible] = min(widths[flexible], max(widths[flexible]-over, 16))
	}

	before := func(column int) string {
		if column == 0 {
			return indent
		}
		return gap
	}
	line := func(cells []cell) {
		first, rest := cells, []string(nil)
		if pieces := wrapped(printable(cells[flexible].text), widths[flexible]); len(pieces) > 1 {
			first = append([]cell(nil), cells...)
			first[flexible].text, rest = pieces[0], pieces[1:]
		}
		var b strings.Builder
		for i, c := range first {
			shown := printable(c.text)
			pad := strings.Repeat(" ", max(0, widths[i]-columns(shown)))
			b.WriteString(before(i))
			if i < t.left {
				b.WriteString(s.paint(shown, c.tone) + pad)
			} else {
				b.WriteString(pad + s.paint(shown, c.tone))
			}
		}
		w.WriteString(strings.TrimRight(b.String(), " ") + "\n")
		hang := len(indent)
		for _, x := range widths[:flexible] {
			hang += x + len(gap)
		}
		for _, piece := range rest {
			w.WriteString(strings.Repeat(" ", hang) + s.paint(piece, first[flexible].tone) + "\n")
		}
	}

	w.WriteString("\n" + indent + s.paint(printable(t.title), strong) + "\n")
	head := make([]cell, len(t.head))
	for i, h := range t.head {
		head[i] = cell{h, quiet}
	}
	line(head)
	for _, r := range t.rows {
		if r.span != "" {
			s.wrap(w, indent, indent+"  ", r.span, plain)
			continue
		}
		line(r.cells)
		if r.under != "" {
			s.wrap(w, indent+"    ", indent+"      ", r.under, quiet)
		}
	}
}

// wrap writes text broken at spaces to the style's width, the first line behind first, the others behind rest.
func (s Style) wrap(w *bufio.Writer, first, rest, text string, t tone) {
	prefix := first
	for _, piece := range wrapped(printable(text), s.width()-columns(rest)) {
		w.WriteString(prefix + s.paint(piece, t) + "\n")
		prefix = rest
	}
}

// wrapped breaks text at spaces into lines of at most width columns, and a longer word where it has to.
func wrapped(text string, width int) []string {
	if columns(text) <= width {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	for _, word := range strings.Split(text, " ") {
		n := columns(word)
		if line != "" && used+1+n <= width {
			line, used = line+" "+word, used+1+n
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n > width {
			head, tail := cut(word, width)
			lines, word = append(lines, head), tail
			n = columns(word)
		}
		line, used = word, n
	}
	return append(lines, line)
}
