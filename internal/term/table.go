package term

import "strings"

// least is the minimum width of a table column, in cells.
const least = 8

// gap separates two columns.
const gap = "  "

// table renders the rows of a Markdown table in columns, the first row as a
// heading. Cells are wrapped if the table is wider than width, the widest
// column first.
func table(rows []string, width int, style Style, inline func(string) string) []string {
	var cells [][]string
	columns := 0
	for _, row := range rows {
		if strings.Trim(row, "|-: ") == "" { // the line below the heading
			continue
		}
		split := cellsOf(row)
		for i := range split {
			split[i] = inline(split[i])
		}
		columns = max(columns, len(split))
		cells = append(cells, split)
	}
	widths := make([]int, columns)
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	shrink(widths, width-len(gap)*(columns-1))
	var lines []string
	for i, row := range cells {
		paint := func(text string) string { return text }
		if i == 0 {
			paint = style.Bold
		}
		lines = append(lines, tableRow(row, widths, paint)...)
	}
	return lines
}

// cellsOf splits a row at its bars, except those after a backslash.
func cellsOf(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.Trim(strings.TrimSpace(row), "|"), `\|`, bar)
	cells := strings.Split(row, "|")
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cell), bar, "|")
	}
	return cells
}

// shrink narrows the widest columns until all fit.
func shrink(widths []int, total int) {
	sum := 0
	for _, width := range widths {
		sum += width
	}
	for ; sum > total; sum-- {
		widest := 0
		for i, width := range widths {
			if width > widths[widest] {
				widest = i
			}
		}
		if len(widths) == 0 || widths[widest] <= least {
			return
		}
		widths[widest]--
	}
}

func tableRow(row []string, widths []int, paint func(string) string) []string {
	wrapped := make([][]string, len(widths))
	height := 1
	for i := range row {
		wrapped[i] = Wrap(row[i], widths[i])
		height = max(height, len(wrapped[i]))
	}
	lines := make([]string, height)
	for n := range lines {
		line := ""
		for i, width := range widths {
			text := ""
			if n < len(wrapped[i]) {
				text = wrapped[i][n]
			}
			if i > 0 {
				line += gap
			}
			line += Pad(paint(text), width)
		}
		lines[n] = strings.TrimRight(line, " ")
	}
	return lines
}
