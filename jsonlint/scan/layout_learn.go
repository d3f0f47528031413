package scan

import "slices"

// Learning draws on a budget of tokens that grows with reading: by an eighth of
// known text, by little of unknown text. A structure is learned only when seen
// for the second time; checking that costs a quarter of learning it.
const (
	firstBudget = 8192
	maxBudget   = 65536
)

// maxSample is the number of elements whose layouts are learned from an array
// of an unknown document.
const maxSample = 16

// trust decides whether it pays to try the known structures.
type trust struct {
	score int8
	wait  uint16 // tries to skip
	pause uint16 // length of the last wait
}

// tries reports whether to try now.
func (t *trust) tries() bool {
	if t.wait == 0 {
		return true
	}
	t.wait--
	return false
}

// learn records whether the last try hit.
func (t *trust) learn(hit bool) {
	switch {
	case hit:
		if t.score < 4 {
			t.score++
		}
		if t.score == 4 {
			t.pause = 0
		}
	case t.score > -4:
		t.score--
	default:
		t.pause = min(2*t.pause+8, 1024)
		t.wait = t.pause
		t.score = 0
	}
}

// learn learns from the document that the ordinary code has just read.
func (p *Parser) learn() {
	l := &p.layouts
	if !p.layoutsApply() || p.doc.Tokens[0].Kind != Object {
		return
	}
	if l.seen == nil {
		l.seen, l.budget = &[1024]uint32{}, firstBudget
	}
	l.budget = min(l.budget+len(p.doc.Tokens)/128, maxBudget)
	l.study(p.doc.Src, p.doc.Tokens, 0, &l.root)
}

// study learns the layout of the object at toks[i], the last value on the tape,
// and of the objects in its arrays.
func (l *layouts) study(src []byte, toks []Token, i int, at *place) {
	if n := len(toks) - i; n/4 <= l.budget {
		l.budget -= n / 4
		l.object(src, toks, i, at)
	}
}

// repeats reports whether an object like that at toks[i] has been seen before
// at the place and the budget allows learning it.
func (l *layouts) repeats(toks []Token, i int, at *place) bool {
	const odd = 0x9e3779b97f4a7c15
	h, n := uint64(at.number), 0
	for j := i; j < int(toks[i].A); n++ {
		t := &toks[j]
		j++
		x := uint64(t.Kind)
		switch {
		case t.Flags&Key != 0:
			x |= uint64(t.B-t.A) << 8
		case t.Kind == False:
			x = uint64(True)
		case t.Kind == Array:
			j = int(t.A)
		}
		h = (h ^ x) * odd
		h ^= h >> 32
	}
	if seen := &l.seen[h>>54]; *seen != uint32(h) {
		*seen = uint32(h)
		return false
	}
	if n > l.budget {
		return false
	}
	l.budget -= n
	return true
}

// object learns the layout of the value at toks[i] if that is an object.
func (l *layouts) object(src []byte, toks []Token, i int, at *place) {
	if toks[i].Kind != Object || at.depth >= maxPlaceDepth || l.count >= maxLayouts ||
		!l.repeats(toks, i, at) || !learnable(src, toks, i) {
		return
	}
	var (
		open  [maxNest]int // the enclosing objects
		paths [maxNest]int // lengths of their paths
		level = 0
		list  = &at.first
		nd    = node{}
		pos   = toks[i].Start // where the text of the node begins
	)
	text := func(end uint32) []byte { return src[pos:end] }
	relative := func(t Token) Token {
		t.Start, t.End, t.A, t.B = t.Start-pos, t.End-pos, t.A-pos, t.B-pos
		return t
	}
	enter := func(j int) {
		open[level] = j
		if level > 0 {
			nd.steps = append(nd.steps, step{level: uint8(level), token: uint16(len(nd.tokens))})
		}
		nd.tokens = append(nd.tokens, Token{Start: toks[j].Start - pos, Kind: Object})
	}
	enter(i)
	l.path = l.path[:0]
	for j := i + 1; ; {
		for j == int(toks[open[level]].A) {
			t := &toks[open[level]]
			if level == 0 {
				nd.slot, nd.count = slotEnd, t.B
				l.insert(list, &nd, text(toks[i].End))
				return
			}
			nd.steps = append(nd.steps, step{uint8(level), true, uint16(len(nd.tokens)), t.End - pos, t.B})
			level--
		}
		t := toks[j]
		switch {
		case t.Flags&Key != 0:
			l.path = append(append(l.path[:paths[level]], 0), src[t.A:t.B]...)
			nd.tokens = append(nd.tokens, relative(t))
			j++
			continue
		case t.Kind == Null:
			nd.tokens = append(nd.tokens, relative(t))
			j++
			continue
		case t.Kind == Object:
			level++
			paths[level] = len(l.path)
			enter(j)
			j++
			continue
		}

		end := t.A
		switch {
		case t.Kind == Array:
			nd.slot, end = slotArray, t.Start+1
			if nd.place = l.placeIn(at, at.depth+level+2); nd.place == nil {
				return
			}
			nd.tokens = append(nd.tokens, Token{Start: t.Start - pos, Kind: Array})
		case t.Flags&Wrapped != 0:
			if nd.wrap = wrapOf(src, t); nd.wrap != nil {
				nd.slot = slotWrapped
			} else {
				nd.slot, end = slotOther, t.Start
			}
		case t.Kind == String:
			nd.slot = slotString
		case t.Kind == Number:
			nd.slot = slotNumber
		default:
			nd.slot = slotBool
		}
		if nd.slot != slotArray {
			nd.tokens = append(nd.tokens, relative(t))
		}
		nd.depth = uint16(at.depth + level + 1)
		inner := nd.place
		if list = l.insert(list, &nd, text(end)); list == nil {
			return
		}
		nd, pos, j = node{}, t.End, j+1
		if t.Kind == Array {
			path := slices.Clone(l.path)
			l.array(src, toks, j-1, inner)
			l.path = append(l.path[:0], path...)
			j = int(t.A)
		}
	}
}

// array learns the layouts of the first elements of the array at toks[i].
func (l *layouts) array(src []byte, toks []Token, i int, at *place) {
	n := 0
	for j := i + 1; j < int(toks[i].A) && n < maxSample; n++ {
		t := &toks[j]
		switch t.Kind {
		case Object:
			l.object(src, toks, j, at)
		case Array:
			if at.inner == nil && at.depth < maxPlaceDepth {
				at.inner = l.newPlace(at.depth + 1)
			}
			if at.inner != nil {
				l.array(src, toks, j, at.inner)
			}
		}
		if j++; t.Kind >= Object {
			j = int(t.A)
		}
	}
}

// learnable reports whether the object at toks[i] can have a layout: it does
// not nest too deep, and no object in it would be a wrapper with other values.
func learnable(src []byte, toks []Token, i int) bool {
	end := int(toks[i].A)
	var ends [maxNest]uint32
	level := -1
	for j := i; j < end; {
		for level >= 0 && uint32(j) >= ends[level] {
			level--
		}
		t := &toks[j]
		j++
		switch t.Kind {
		case Array:
			j = int(t.A)
		case Object:
			if level++; level == maxNest || t.B-1 < 2 && dollar(src, toks, uint32(j-1)) || t.B > 2 && reserved(src, toks[j]) {
				return false
			}
			ends[level] = t.A
		}
	}
	return true
}

// insert returns the node in the list that equals nd and has the text. If there
// is none it adds one, replacing the least recently met if there are many. It
// returns nil if there is no room.
func (l *layouts) insert(list **node, nd *node, text []byte) **node {
	n, last := 0, list
	for old := *list; old != nil; old = old.sibling {
		if old.slot == nd.slot && old.place == nd.place && old.text == string(text) &&
			(nd.slot != slotOther && nd.slot != slotWrapped || sameWrapper(old, nd)) {
			return &old.next
		}
		if n++; old.sibling != nil {
			last = &old.sibling
		}
	}
	if l.memory >= maxMemory || len(text) > maxLiteral {
		return nil
	}
	l.memory += 512 + 2*len(text) + 20*len(nd.tokens)
	add := *nd
	add.literal, add.text = len(text), string(text)
	add.compare(text, len(text))
	copy(add.two[:], add.tokens)
	add.brace = add.slot == slotEnd && len(text) <= 8 && len(add.tokens)+len(add.steps) == 0
	if add.slot == slotEnd {
		add.layout = &Layout{ID: l.count}
		l.count++
	}
	if n >= maxSiblings {
		*last = nil
	}
	add.sibling = *list
	*list = &add
	return &add.next
}

// sameWrapper reports whether the values in the nodes' slots have the same
// wrapper.
func sameWrapper(a, b *node) bool {
	if a.tokens[len(a.tokens)-1].Kind != b.tokens[len(b.tokens)-1].Kind {
		return false
	}
	return a.slot == slotOther || *a.wrap == *b.wrap
}

// placeIn returns the place of the elements of the array whose path from the
// place's objects is l.path, or nil if there is no room.
func (l *layouts) placeIn(at *place, depth int) *place {
	if known := at.arrays[string(l.path)]; known != nil {
		return known
	}
	if len(l.path) > maxLiteral {
		return nil
	}
	added := l.newPlace(depth)
	if added != nil {
		if at.arrays == nil {
			at.arrays = map[string]*place{}
		}
		at.arrays[string(l.path)] = added
	}
	return added
}

// newPlace returns a new place, or nil if there is no room.
func (l *layouts) newPlace(depth int) *place {
	if l.memory >= maxMemory {
		return nil
	}
	l.memory += 256 + len(l.path)
	l.places++
	return &place{depth: depth, number: uint16(l.places)}
}

// wrapOf returns how the token, a wrapped scalar, is written, or nil if it is
// not one payload in a constant wrapper.
func wrapOf(src []byte, t Token) *wrap {
	var buffer [40]byte
	prefix := withoutSpace(buffer[:0], src[t.Start:t.A])
	for i := range wraps {
		if w := &wraps[i]; w.prefix == string(prefix) {
			found := &wrap{kind: t.Kind, name: w.name, quoted: w.quoted, suffix: string(src[t.B:t.End])}
			suffix := withoutSpace(buffer[:0], src[t.B:t.End])
			if w.suffix != string(suffix) {
				return nil
			}
			return found
		}
	}
	return nil
}

// wraps are the wrappers of one payload: the text around it, without spaces.
var wraps = [...]struct {
	prefix, name, suffix string
	quoted               bool
}{
	{`{"$oid":"`, "oid", `"}`, true},
	{`{"$numberInt":"`, "numberInt", `"}`, true},
	{`{"$numberLong":"`, "numberLong", `"}`, true},
	{`{"$numberDouble":"`, "numberDouble", `"}`, true},
	{`{"$numberDecimal":"`, "numberDecimal", `"}`, true},
	{`{"$uuid":"`, "uuid", `"}`, true},
	{`{"$date":"`, "date", `"}`, true},
	{`{"$date":`, "date", `}`, false},
	{`{"$date":{"$numberLong":"`, "numberLong", `"}}`, true},
}

// withoutSpace appends the text without its white space, as far as it fits.
func withoutSpace(to, text []byte) []byte {
	for _, c := range text {
		if c > ' ' && len(to) < cap(to) {
			to = append(to, c)
		}
	}
	return to
}
