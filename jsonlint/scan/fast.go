package scan

import (
	"math"
)

// outer is what fast knows of a container around the innermost one.
type outer struct {
	self uint16 // the guess whose value it is
	last uint32 // the guess that its latest name was, noName in an array
}

// noName is the latest name where there are none.
const noName = 1 << 16

// fast reads the value that begins at src[i] as [Parser.value] does, with less
// work for what documents usually hold. It gives up, ok is false, on whatever
// it has no time for, errors among it: value then says what is wrong.
func (p *Parser) fast(src []byte, i int) (end int, ok bool) {
	p.doc.Tokens = p.doc.Tokens[:0]
	return p.fastInside(src, i, 0, 0)
}

// fastInside is fast for a value that stands in a number of containers, and
// appends to the tape. The guess stands for where that is.
func (p *Parser) fastInside(src []byte, i, depth int, guess uint16) (end int, ok bool) {
	const none = math.MaxUint32
	if p.guesses == nil {
		p.guesses = &guesses{}
	}
	p.levels, p.around, p.self = p.levels[:0], depth, guess
	toks, n := p.doc.Tokens[:cap(p.doc.Tokens)], len(p.doc.Tokens)
	open := uint32(none)   // the innermost open container
	last := uint32(noName) // its latest name: in an array noName
	var next *[2]uint16    // the guesses at the next name

	// What is needed for a container only is kept in p: there are too few
	// registers for more.
	for {
		// The value that begins at src[i].
		if n+2 > len(toks) {
			toks = append(toks, make([]Token, 64+len(toks)/2)...)
			toks = toks[:cap(toks)]
			p.doc.Tokens = toks
		}
		if uint(i) >= uint(len(src)) {
			return 0, false
		}
		start := i
		switch c := src[i]; c {
		case '"':
			var flags Flags
			var err *SyntaxError
			if i, flags, err = scanString(src, i+1); err != nil {
				return 0, false
			}
			t := &toks[n]
			t.Start, t.End, t.A, t.B = uint32(start), uint32(i), uint32(start+1), uint32(i-1)
			t.Kind, t.Flags = String, flags
			n++
		case '{', '[':
			if !p.descend(last) {
				return 0, false
			}
			t := &toks[n]
			t.Start, t.A, t.B = uint32(start), open, 0
			t.Kind, t.Flags = Array, 0
			open = uint32(n)
			n++
			last = noName
			if c == '{' {
				t.Kind = Object
				last = 0
			}
			i++
			if i < len(src) && src[i] <= ' ' {
				i = oneSpace(src, i)
			}
			if i < len(src) && src[i] == c+2 { // '{'+2 is '}', '['+2 is ']'
				goto closeContainer
			}
			if c == '{' {
				next = &p.guesses[p.self%(1<<guessBits)].first
				goto name
			}
			continue
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			var flags Flags
			var err *SyntaxError
			if i, flags, err = scanNumber(src, i); err != nil {
				return 0, false
			}
			t := &toks[n]
			t.Start, t.End, t.A, t.B = uint32(start), uint32(i), uint32(start), uint32(i)
			t.Kind, t.Flags = Number, flags
			n++
		case 't', 'f', 'n':
			word, kind := "true", True
			switch c {
			case 'f':
				word, kind = "false", False
			case 'n':
				word, kind = "null", Null
			}
			if len(src)-i < len(word) || string(src[i:i+len(word)]) != word {
				return 0, false
			}
			i += len(word)
			t := &toks[n]
			t.Start, t.End, t.A, t.B = uint32(start), uint32(i), uint32(start), uint32(i)
			t.Kind, t.Flags = kind, 0
			n++
		default:
			return 0, false
		}

	afterValue:
		if open == none {
			p.doc.Tokens = toks[:n]
			return i, true
		}
		toks[open].B++
		if uint(i) >= uint(len(src)) {
			return 0, false
		}
		if src[i] <= ' ' {
			if i = oneSpace(src, i); i >= len(src) {
				return 0, false
			}
		}
		switch c := src[i]; {
		case c == ',':
			i++
			if i < len(src) && src[i] <= ' ' {
				i = oneSpace(src, i)
			}
			if last != noName {
				next = &p.guesses[last%(1<<guessBits)].next
				goto name
			}
			continue
		case c == '}' && last != noName, c == ']' && last == noName:
		default:
			return 0, false
		}

	closeContainer:
		i++
		{
			t := &toks[open]
			around := t.A
			t.End, t.A = uint32(i), uint32(n)
			if t.B-1 < 2 && last != noName && src[toks[open+1].A] == '$' {
				n = len(collapse(src, toks[:n], open))
			}
			open, last = around, p.ascend()
		}
		goto afterValue

	name:
		if uint(i) >= uint(len(src)) || src[i] != '"' {
			return 0, false
		}
		i++
		{
			t := &toks[n]
			t.Start, t.A = uint32(i-1), uint32(i)
			t.Kind, t.Flags = String, Key
			n++
			last = uint32(next[0])
			g := &p.guesses[last%(1<<guessBits)]
			if !g.matches(src, i) {
				last = uint32(next[1])
				g = &p.guesses[last%(1<<guessBits)]
				if !g.matches(src, i) {
					g = nil
				}
			}
			if g != nil {
				i += int(g.length)
				t.End, t.B = uint32(i), uint32(i-1)
			} else {
				end, flags, err := scanString(src, i)
				if err != nil {
					return 0, false
				}
				t.Flags |= flags
				t.End, t.B = uint32(end), uint32(end-1)
				if last = 0; t.Flags == Key {
					last = uint32(p.guesses.learn(src, i, end-1, p.self, next))
				}
				i = end
			}
		}
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
		if uint(i) >= uint(len(src)) || src[i] != ':' {
			return 0, false
		}
		i++
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
	}
}

// oneSpace is skipSpace where a single space is likely.
func oneSpace(src []byte, i int) int {
	if i+1 < len(src) && src[i] == ' ' && src[i+1] > ' ' {
		return i + 1
	}
	return skipSpace(src, i)
}

// descend enters a container; last is the latest name around it. It returns
// false if that is too deep.
func (p *Parser) descend(last uint32) bool {
	if p.around+len(p.levels) >= p.maxDepth() {
		return false
	}
	p.levels = append(p.levels, outer{p.self, last})
	if last != noName {
		p.self = uint16(last)
	}
	return true
}

// ascend leaves a container and returns the latest name around it.
func (p *Parser) ascend() uint32 {
	l := p.levels[len(p.levels)-1]
	p.levels = p.levels[:len(p.levels)-1]
	p.self = l.self
	return l.last
}
