package report

// page is what a report says, block by block, before a terminal's or Markdown's layout is put on it.
type page []block

// block is a heading, a paragraph or a table: exactly one of the three is set.
type block struct {
	heading string
	level   int // of the heading: 1 or 2
	text    string
	table   *table
}

func (p *page) heading(level int, text string) { *p = append(*p, block{heading: text, level: level}) }
func (p *page) text(text string)               { *p = append(*p, block{text: text}) }

// table adds t unless it has no rows.
func (p *page) table(t *table) {
	if len(t.rows) > 0 {
		*p = append(*p, block{table: t})
	}
}

// table is a titled table. The columns from left on are set flush left, the others flush right.
type table struct {
	title string
	head  []string
	left  int    // how many leading columns are flush left
	under string // what the lines under rows are, as a column's head; "" when no row has one
	rows  []row
}

// row is a line of cells, or of one text across all columns.
type row struct {
	cells []cell
	span  string
	under string // set beneath the row, or in a column of its own
}

// cell is one cell and how much it should stand out.
type cell struct {
	text string
	tone tone
}

// tone says what a piece of text is, for a terminal that shows colour.
type tone int

const (
	plain tone = iota
	strong
	quiet
	bad
	doubtful
	good
)

func (t *table) add(cells ...cell) { t.rows = append(t.rows, row{cells: cells}) }
func (t *table) span(text string)  { t.rows = append(t.rows, row{span: text}) }
func (t *table) addWith(under string, c ...cell) {
	t.rows = append(t.rows, row{cells: c, under: under})
}

func text(s string) cell { return cell{text: s} }

// count is n, toned unless it is zero; zero is quiet.
func count(n int, t tone) cell {
	if n == 0 {
		return cell{"0", quiet}
	}
	return cell{itoa(n), t}
}
