package report

import (
	"bufio"
	"io"
	"strings"
)

// Markdown writes the report in GitHub's Markdown.
func (r Report) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, b := range r.page() {
		if i > 0 {
			out.WriteString("\n")
		}
		switch {
		case b.table != nil:
			markdownTable(out, b.table)
		case b.heading != "":
			out.WriteString(strings.Repeat("#", b.level+1) + " " + escaped(b.heading) + "\n")
		default:
			out.WriteString(escaped(b.text) + "\n")
		}
	}
	return out.Flush()
}

func markdownTable(w *bufio.Writer, t *table) {
	head := t.head
	if t.under != "" {
		head = append(append([]string(nil), head...), t.under)
	}
	line := func(cells []string) {
		w.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	w.WriteString("**" + escaped(t.title) + "**\n\n")
	line(head)
	rules := make([]string, len(head))
	for i := range rules {
		rules[i] = "---"
		if i >= t.left && i < len(t.head) {
			rules[i] = "---:"
		}
	}
	line(rules)
	for _, r := range t.rows {
		cells := make([]string, len(head))
		if r.span != "" {
			cells[0] = "**" + escaped(r.span) + "**"
		}
		for i, c := range r.cells {
			cells[i] = escaped(strings.TrimLeft(c.text, " "))
		}
		if t.under != "" {
			cells[len(cells)-1] = escaped(r.under)
		}
		line(cells)
	}
}

// markdownSpecial are the characters that Markdown or a table would read as something else.
var markdownSpecial = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `<`, `\<`, `>`, `\>`, `*`, `\*`, `_`, `\_`, "`", "\\`",
	`[`, `\[`, `]`, `\]`, `#`, `\#`, `&`, `\&`)

func escaped(s string) string { return markdownSpecial.Replace(printable(s)) }
