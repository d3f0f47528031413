package source

import (
	"encoding/binary"
	"math/bits"
)

// A matcher finds the end of one JSON value by its brackets. It looks only at
// brackets, quotes, commas and colons, which makes it several times faster than
// a parser. It notices the damage that would make it run past the end of the
// value: brackets that do not pair, quotes and braces where no value can begin,
// and line breaks inside strings.
//
// It can stop at any byte and continue with more data.
type matcher struct {
	start int // first byte of the value
	pos   int // next byte to examine

	// column is the column of start if only white space precedes it on its line,
	// else -1. If this document proves damaged, the next one may begin at a brace
	// in the same column of a later line. restart is the first such place, or -1.
	column  int
	restart int
	impose  bool // treat a restart as damage at once

	depth    int
	objects  []uint64 // one bit per level: 1 for an object, 0 for an array
	prev     byte     // the last token: one of { [ , : } ] or " for a string
	inString bool
}

type verdict uint8

const (
	unfinished verdict = iota // more data is needed
	complete                  // pos is after the end of the value
	broken                    // damage was found at pos
)

func (m *matcher) reset(start, column int) {
	m.start, m.pos, m.column, m.restart = start, start, column, -1
	m.depth, m.objects, m.prev, m.inString = 0, m.objects[:0], 0, false
}

// shift adjusts offsets after the first n bytes of data were dropped.
func (m *matcher) shift(n int) {
	m.start -= n
	m.pos -= n
	if m.restart >= 0 {
		m.restart -= n
	}
}

// run continues through data.
func (m *matcher) run(data []byte) verdict {
	i := m.pos
	for i < len(data) {
		if m.inString {
			end, state := skipString(data, i)
			if state != complete {
				m.pos = end
				return state
			}
			m.inString, m.prev, i = false, '"', end
			continue
		}
		c := data[i]
		if !structural[c] {
			i++
			if c == ' ' {
				for i+8 <= len(data) && binary.LittleEndian.Uint64(data[i:]) == eightSpaces {
					i += 8
				}
			}
			continue
		}
		switch c {
		case '"':
			// Allow a quote only where a name or a value may begin. This rejects the
			// quote that closes a string whose opening quote is missing.
			if p := m.prev; p != ',' && p != ':' && p != '{' && p != '[' {
				m.pos = i
				return broken
			}
			m.inString = true
		case '{', '[':
			if !m.open(data, i, c) {
				m.pos = i
				return broken
			}
		case '}', ']':
			if m.inObject() != (c == '}') {
				m.pos = i
				return broken
			}
			m.depth--
			m.prev = c
			if m.depth == 0 {
				m.pos = i + 1
				return complete
			}
		default:
			m.prev = c
		}
		i++
	}
	m.pos = i
	return unfinished
}

// open enters the object or array at data[i]. It returns false if none may
// begin there.
func (m *matcher) open(data []byte, i int, c byte) bool {
	if m.depth > 0 {
		if c == '{' && m.restart < 0 && m.column >= 0 && startsLine(data, i, m.column, m.start) {
			m.restart = i
			if m.impose {
				return false
			}
		}
		if m.inObject() {
			if m.prev != ':' {
				return false
			}
		} else if m.prev != ',' && m.prev != '[' {
			return false
		}
	}
	word, bit := m.depth>>6, uint64(1)<<(m.depth&63)
	if word == len(m.objects) {
		m.objects = append(m.objects, 0)
	}
	if c == '{' {
		m.objects[word] |= bit
	} else {
		m.objects[word] &^= bit
	}
	m.depth++
	m.prev = c
	return true
}

// inObject reports whether the innermost open bracket is a brace.
func (m *matcher) inObject() bool {
	level := m.depth - 1
	return m.objects[level>>6]&(1<<(level&63)) != 0
}

// startsLine reports whether exactly column bytes of white space stand between
// the start of the line and data[i]. It looks back no further than data[from].
func startsLine(data []byte, i, column, from int) bool {
	before := i - column - 1
	if before < from || before < 0 || data[before] != '\n' {
		return false
	}
	for _, c := range data[before+1 : i] {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

const (
	eightSpaces = 0x2020202020202020
	lowBits     = 0x0101010101010101
	highBits    = 0x8080808080808080
)

// skipString finds the end of a string from inside it, eight bytes at a time.
// It returns the index after the closing quote, the index to continue at, or
// the index of a raw line break, which is an error.
func skipString(data []byte, i int) (int, verdict) {
	for {
		for i+8 <= len(data) {
			word := binary.LittleEndian.Uint64(data[i:])
			quote := word ^ (lowBits * '"')
			slash := word ^ (lowBits * '\\')
			// The lowest flag of each term is exact; higher ones may be carries.
			hit := ((quote - lowBits) &^ quote) | ((slash - lowBits) &^ slash) | ((word - lowBits*0x20) &^ word)
			if hit &= highBits; hit != 0 {
				i += bits.TrailingZeros64(hit) >> 3
				break
			}
			i += 8
		}
		if i >= len(data) {
			return i, unfinished
		}
		switch data[i] {
		case '"':
			return i + 1, complete
		case '\n':
			return i, broken
		case '\\':
			if i+1 >= len(data) {
				return i, unfinished
			}
			if data[i+1] == '\n' {
				return i + 1, broken
			}
			i += 2
		default:
			i++
		}
	}
}

var structural = [256]bool{'{': true, '}': true, '[': true, ']': true, '"': true, ',': true, ':': true}

// isSpace reports whether c is white space in JSON.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
