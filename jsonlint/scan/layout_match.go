package scan

import (
	"encoding/binary"
	"math/bits"
)

// layoutsApply reports whether layouts work for the documents: other dialects
// put other tokens on the tape, and a layout nests less deep than that.
func (p *Parser) layoutsApply() bool {
	return p.Dialect == Plain && p.maxDepth() >= maxPlaceDepth+2*maxNest
}

// repeated reads the document at src[i] if its structure is known. Otherwise it
// leaves the tape empty.
func (p *Parser) repeated(src []byte, i int) (end int, ok bool) {
	l := &p.layouts
	if !p.layoutsApply() || l.root.first == nil || !l.root.trust.tries() {
		return 0, false
	}
	// Meanwhile tape and records have their full capacity as length.
	tokens, records := p.doc.Tokens, p.doc.Records
	p.doc.Tokens, p.doc.Records, l.records = tokens[:cap(tokens)], records[:cap(records)], 0
	end, n := p.object(src, i, 0, &l.root)
	l.root.trust.learn(end >= 0)
	if end < 0 {
		n, l.records = 0, 0
	}
	p.doc.Tokens, p.doc.Records = p.doc.Tokens[:n], p.doc.Records[:l.records]
	l.budget = min(l.budget+n/8, maxBudget)
	return end, end >= 0
}

// object reads the object at src[i] if its structure is known at the place, and
// writes its tokens from n on. It returns the offset after the object and the
// index after its tokens, or -1.
func (p *Parser) object(src []byte, i, n int, at *place) (int, int) {
	toks, first, record := p.doc.Tokens, n, p.layouts.records
	if record >= len(p.doc.Records) {
		p.doc.Records = append(p.doc.Records, make([]Record, 16+record/2)...)
		p.doc.Records = p.doc.Records[:cap(p.doc.Records)]
	}
	p.layouts.records++
	var open [maxNest]uint32 // tokens of the objects nested in this one

	for list := &at.first; ; {
		nd := *list
		if nd == nil {
			p.layouts.records = record
			return -1, 0
		}
		literal, end, flags, again := nd.literal, 0, Flags(0), false
		{
			// Usually it is the list's first node, and a string or the same value as
			// last time.
			rest, last := src[i:], len(nd.words)-1
			k := 0
			for ; k < last; k++ {
				if len(rest) < 8 {
					goto search
				}
				if x := binary.LittleEndian.Uint64(rest) ^ nd.words[k]; x != 0 {
					k = 8*k + bits.TrailingZeros64(x)>>3
					goto differs
				}
				rest = rest[8:]
			}
			if len(rest) < 8 {
				goto search
			}
			if x := (binary.LittleEndian.Uint64(rest) ^ nd.words[k]) & nd.mask; x != 0 {
				k = 8*k + bits.TrailingZeros64(x)>>3
				goto differs
			}
			if end = i + nd.size; nd.size > literal {
				if nd.slot != slotNumber || numberEnds(src, end) {
					again = true
					goto emit
				}
			} else if nd.slot == slotEnd || nd.slot == slotArray {
				again = true
				goto emit
			}
			k = literal
		differs:
			if k < literal {
				goto search
			}
			if nd.slot != slotString {
				goto search
			}
			end = i + literal
			seen := uint64(0)
			for at := uint(end); at+8 <= uint(len(src)); at += 8 {
				w := binary.LittleEndian.Uint64(src[at : at+8])
				m := stops(w)
				if m == 0 {
					seen |= w
					continue
				}
				z := bits.TrailingZeros64(m) &^ 7
				end = int(at) + z>>3
				seen |= w & (1<<z - 1)
				if src[end] == '"' && seen&highs == 0 {
					end++
					goto emit
				}
				var err *SyntaxError
				if end, flags, err = restOfString(src, i+literal, end, seen); err != nil {
					goto search
				}
				goto emit
			}
		}
	search:
		nd, end, flags, again = p.search(src, i, n, list)
		if nd == nil {
			p.layouts.records = record
			return -1, 0
		}
		toks = p.doc.Tokens // they may have grown

	emit:
		if k := n + len(nd.tokens) + 2; k > len(toks) {
			toks = p.grow(k)
		}
		base := uint32(i)
		out := toks[n:]
		// Most nodes have at most two tokens. Writing both is faster than branching
		// on their number.
		out[0].place(&nd.two[0], base)
		out[1].place(&nd.two[1], base)
		for k := 2; k < len(nd.tokens); k++ {
			out[k].place(&nd.tokens[k], base)
		}
		if again {
			nd.hits++
		} else {
			t := &out[len(nd.tokens)-1]
			t.End, t.A, t.B, t.Flags = uint32(end), uint32(i+nd.literal), uint32(end), flags
			if nd.slot == slotString {
				t.B--
			} else if nd.slot >= slotBool {
				nd.finish(t, src, &p.layouts)
			}
			if nd.wait > 0 {
				nd.wait--
			} else {
				nd.keep(src, i, end-i, t)
			}
		}
		for k := range nd.steps {
			s := &nd.steps[k]
			if !s.close {
				open[s.level%maxNest] = uint32(n) + uint32(s.token)
				continue
			}
			t := &toks[open[s.level%maxNest]]
			t.End, t.A, t.B = base+s.end, uint32(n)+uint32(s.token), s.count
		}
		n += len(nd.tokens)
		i = end

		switch nd.slot {
		case slotEnd:
			t := &toks[first]
			t.End, t.A, t.B = uint32(i), uint32(n), nd.count
			p.doc.Records[record] = Record{nd.layout, uint32(first)}
			return i, n
		case slotArray:
			if i, n = p.elements(src, i, n, nd.place); i < 0 {
				p.layouts.records = record
				return -1, 0
			}
			toks = p.doc.Tokens
		}
		list = &nd.next

		// What follows is often just a brace.
		if last := nd.next; last != nil && last.brace && len(src)-i >= 8 && (binary.LittleEndian.Uint64(src[i:])^last.words[0])&last.mask == 0 {
			i += last.size
			t := &toks[first]
			t.End, t.A, t.B = uint32(i), uint32(n), last.count
			p.doc.Records[record] = Record{last.layout, uint32(first)}
			return i, n
		}
	}
}

// search finds the node in the list that matches the text at src[i] and moves
// it to the front. It returns where the value ends, its flags, and whether it
// repeats the last one. The tokens will be written from n on.
func (p *Parser) search(src []byte, i, n int, list **node) (nd *node, end int, flags Flags, again bool) {
	var before *node
	for nd = *list; nd != nil; before, nd = nd, nd.sibling {
		if !hasPrefix(src, i, nd.text) {
			continue
		}
		if nd.slot == slotEnd || nd.slot == slotArray {
			end, again = i+nd.literal, true
			break
		}
		if end, flags = p.slot(src, i+nd.literal, nd, n); end >= 0 {
			break
		}
	}
	if nd != nil && before != nil {
		before.sibling, nd.sibling, *list = nd.sibling, *list, nd
	}
	return nd, end, flags, again
}

// grow makes the tape longer than n.
func (p *Parser) grow(n int) []Token {
	toks := append(p.doc.Tokens, make([]Token, 64+n/2)...)
	p.doc.Tokens = toks[:cap(toks)]
	return p.doc.Tokens
}

// place writes a node's token with its offsets in a text.
func (t *Token) place(old *Token, base uint32) {
	t.Start, t.End, t.A, t.B = base+old.Start, base+old.End, base+old.A, base+old.B
	t.Kind, t.Flags = old.Kind, old.Flags
}

// elements reads the elements of an array from after its bracket. The array's
// token is before n; the elements' tokens are written from n on. It returns the
// offset after the array and the index after its tokens, or -1 on a mistake.
func (p *Parser) elements(src []byte, i, n int, at *place) (int, int) {
	array := n - 1
	count := uint32(0)
	if i < len(src) && src[i] <= ' ' {
		i = oneSpace(src, i)
	}
	if i < len(src) && src[i] == ']' {
		goto closed
	}
	for {
		if uint(i) >= uint(len(src)) {
			return -1, 0
		}
		if n+1 >= len(p.doc.Tokens) {
			p.grow(n + 2)
		}
		switch c := src[i]; {
		case c == '{':
			if at.first != nil && at.trust.tries() {
				end, k := p.object(src, i, n, at)
				at.trust.learn(end >= 0)
				if end >= 0 {
					i, n = end, k
					break
				}
			}
			from := n
			if i, n = p.ordinary(src, i, n, at.depth); i < 0 {
				return -1, 0
			}
			p.layouts.study(src, p.doc.Tokens[:n], from, at)
		case c == '[' && at.inner != nil:
			t := &p.doc.Tokens[n]
			t.Start, t.Kind, t.Flags = uint32(i), Array, 0
			if i, n = p.elements(src, i+1, n+1, at.inner); i < 0 {
				return -1, 0
			}
		case c == '"':
			end, flags, err := scanString(src, i+1)
			if err != nil {
				return -1, 0
			}
			t := &p.doc.Tokens[n]
			t.Start, t.End, t.A, t.B = uint32(i), uint32(end), uint32(i+1), uint32(end-1)
			t.Kind, t.Flags = String, flags
			n++
			i = end
		case c-'0' < 10 || c == '-':
			end, flags, err := scanNumber(src, i)
			if err != nil {
				return -1, 0
			}
			t := &p.doc.Tokens[n]
			t.Start, t.End, t.A, t.B = uint32(i), uint32(end), uint32(i), uint32(end)
			t.Kind, t.Flags = Number, flags
			n++
			i = end
		default:
			if i, n = p.ordinary(src, i, n, at.depth); i < 0 {
				return -1, 0
			}
		}
		count++
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
		if uint(i) >= uint(len(src)) {
			return -1, 0
		}
		if src[i] == ']' {
			break
		}
		if src[i] != ',' {
			return -1, 0
		}
		i++
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
	}
closed:
	t := &p.doc.Tokens[array]
	t.End, t.A, t.B = uint32(i+1), uint32(n), count
	return i + 1, n
}

// ordinary reads the value at src[i] with the ordinary code and writes its
// tokens from n on.
func (p *Parser) ordinary(src []byte, i, n, depth int) (int, int) {
	p.doc.Tokens = p.doc.Tokens[:n]
	end, err := p.value(src, i, depth)
	n = len(p.doc.Tokens)
	p.doc.Tokens = p.doc.Tokens[:cap(p.doc.Tokens)]
	if err != nil {
		return -1, 0
	}
	return end, n
}

// slot reads the value at src[i] in the slot of the node. Its tokens will begin
// at n. It returns -1 if there is no value of that kind. For a slotOther, it
// leaves the token in p.layouts.other.
func (p *Parser) slot(src []byte, i int, nd *node, n int) (end int, flags Flags) {
	if uint(i) >= uint(len(src)) {
		return -1, 0
	}
	var err *SyntaxError
	switch nd.slot {
	case slotString:
		end, flags, err = scanString(src, i)
	case slotNumber:
		if c := src[i]; c-'0' >= 10 && c != '-' {
			return -1, 0
		}
		end, flags, err = scanNumber(src, i)
	case slotBool:
		switch {
		case hasPrefix(src, i, "true"):
			return i + 4, 0
		case hasPrefix(src, i, "false"):
			return i + 5, 0
		}
		return -1, 0
	case slotWrapped:
		return nd.wrap.value(src, i)
	case slotOther:
		// Take the token off the tape again: it belongs after the names that are yet
		// to be written.
		end, after := p.ordinary(src, i, n, int(nd.depth))
		if end < 0 || after != n+1 {
			return -1, 0
		}
		t := p.doc.Tokens[n]
		p.layouts.other = t
		if t.Flags&Wrapped == 0 || t.Kind != nd.tokens[len(nd.tokens)-1].Kind {
			return -1, 0
		}
		return end, t.Flags
	default:
		return -1, 0
	}
	if err != nil {
		return -1, 0
	}
	return end, flags
}

// value reads the payload at src[i], and the rest of its wrapper.
func (w *wrap) value(src []byte, i int) (end int, flags Flags) {
	if end = i; w.quoted {
		for end < len(src) && src[end] != '"' {
			if c := src[end]; c < ' ' || c == '\\' || c >= 0x80 {
				return -1, 0
			}
			end++
		}
	} else {
		if c := src[i]; c-'0' >= 10 && c != '-' {
			return -1, 0
		}
		var err *SyntaxError
		if end, _, err = scanNumber(src, i); err != nil {
			return -1, 0
		}
	}
	if !hasPrefix(src, end, w.suffix) {
		return -1, 0
	}
	kind, flags := scalarWrapper(w.name, w.quoted, src[i:end])
	if kind == Invalid {
		return -1, 0
	}
	if kind != w.kind {
		flags = 0 // a date in milliseconds
	}
	return end + len(w.suffix), flags | Wrapped
}

// finish completes the token of the value in the slot, whose offsets are set.
func (nd *node) finish(t *Token, src []byte, l *layouts) {
	switch nd.slot {
	case slotBool:
		if t.Kind = False; src[t.A] == 't' {
			t.Kind = True
		}
	case slotWrapped:
		t.B -= uint32(len(nd.wrap.suffix))
	case slotOther:
		*t = l.other
	}
}

// numberEnds reports whether a number that is read up to src[i] ends there.
func numberEnds(src []byte, i int) bool {
	if i >= len(src) {
		return false
	}
	c := src[i]
	return c-'0' >= 10 && c != '.' && c|0x20 != 'e'
}

// fickle is how many values in a row must differ from the last before comparing
// pauses.
const fickle = 3

// keep decides whether to keep the value after the node's literal text at
// src[i], to compare it with the next one. It differs from the last one.
func (nd *node) keep(src []byte, i, size int, t *Token) {
	if nd.slot == slotOther {
		return
	}
	if nd.size > nd.literal {
		if nd.misses++; nd.hits > 0 {
			nd.misses /= 2
		}
		if nd.hits = 0; nd.misses >= fickle {
			nd.misses, nd.wait = fickle-1, 200
			nd.compare(src[i:], nd.literal)
			return
		}
	}
	if size-nd.literal > maxTemplate {
		nd.wait = 50
		nd.compare(src[i:], nd.literal)
		return
	}
	nd.compare(src[i:], size)
	base := uint32(i)
	k := &nd.tokens[len(nd.tokens)-1]
	k.Start, k.End, k.A, k.B = t.Start-base, t.End-base, t.A-base, t.B-base
	k.Kind, k.Flags = t.Kind, t.Flags
	copy(nd.two[:], nd.tokens)
}

// compare makes the first size bytes of the text what the next one is compared
// with.
func (nd *node) compare(text []byte, size int) {
	nd.size, nd.words = size, nd.words[:0]
	for k := 0; k < size; k += 8 {
		var w [8]byte
		copy(w[:], text[k:])
		nd.words = append(nd.words, binary.LittleEndian.Uint64(w[:]))
	}
	nd.mask = ^uint64(0) >> (uint(-size) % 8 * 8)
}

// hasPrefix reports whether src[i:] begins with s.
func hasPrefix(src []byte, i int, s string) bool {
	return len(src)-i >= len(s) && string(src[i:i+len(s)]) == s
}
