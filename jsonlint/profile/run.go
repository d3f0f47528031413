package profile

import "slices"

// run adds the object at i with its plan.
func (b *Builder) run(p *plan, i int) {
	toks, src := b.toks, b.src
	b.deepest = max(b.deepest, p.deepest)
	for j := range p.steps {
		s := &p.steps[j]
		v := i + int(s.token)
		t := &toks[v]
		if s.kind == scalarStep {
			if string(src[t.Start:t.End]) == string(s.text) {
				s.last.times++
			} else {
				b.another(s, &p.targets[j], v)
			}
			continue
		}
		size := int64(t.End - t.Start)
		s.bytes += size
		if size > s.limit {
			b.longer(s, &p.targets[j], v)
		}
		if s.kind == arrayStep {
			if t.B == s.length {
				s.repeats++
			} else {
				b.resize(s, &p.targets[j], v)
			}
			i = int(t.A)
			if i > v+1 {
				b.elements(p.targets[j].node.Array.Elem, v, 0)
			}
		}
	}
	p.hits++
}

// another adds the scalar at i, which differs from the one before it at its
// place.
func (b *Builder) another(s *step, p *target, i int) {
	t := &b.toks[i]
	raw := b.src[t.Start:t.End]
	k := b.find(p, raw)
	switch {
	case k == nil:
		b.scalarAt(p, i)
		if len(p.memo.known) == 0 {
			s.text = nil
		}
		return
	case string(k.text) == string(raw):
		k.times++
	default:
		b.scalarAt(p, i)
		k.text, k.reading = append(k.text[:0], raw...), b.seen
	}
	s.text, s.last = k.text, k
}

// scalarAt adds the scalar at i and stores its reading in b.seen.
func (b *Builder) scalarAt(p *target, i int) {
	n, t := p.node, &b.toks[i]
	size := int64(t.End - t.Start)
	n.Bytes += size
	class := p.class
	if p.numeric {
		class = ClassOf(t)
		n.Types[class]++
	}
	if size > n.Max || n.Types[class] == 1 {
		b.note(n, class, i, i-1)
	}
	b.seen = reading{class: class}
	if number := b.scalar(n, t, i, class); number != 0 {
		b.seen.number = number
		p.tabulate(number, 1)
	}
}

// longer adds the container at i, which may be the longest of its path.
func (b *Builder) longer(s *step, p *target, i int) {
	key := -1
	if s.named {
		key = i - 1
	}
	if t := &b.toks[i]; int64(t.End-t.Start) > p.node.Max {
		b.note(p.node, p.class, i, key)
	}
	s.limit = p.node.Max
}

// resize adds the length of the array at i, which differs from that of the one
// before it at its place.
func (b *Builder) resize(s *step, p *target, i int) {
	p.flushLength(s)
	b.length(p.node.Array, i, i-1)
	s.length = b.toks[i].B
}

// flush adds the plan's counts to the statistics.
func (p *plan) flush() {
	if p.hits == 0 {
		return
	}
	for i := range p.steps {
		s, t := &p.steps[i], &p.targets[i]
		n := t.node
		n.Count += p.hits
		n.Docs += p.docs
		if !t.numeric {
			n.Types[t.class] += p.hits
		}
		n.Bytes += s.bytes
		s.bytes = 0
		switch t.class {
		case Object:
			n.Object.Keys.addMore(t.members, p.hits)
			if t.shape != nil {
				t.shape.Count += p.hits
			}
		case Array:
			t.flushLength(s)
		}
		for j := range t.memo.known {
			t.flush(&t.memo.known[j])
		}
	}
	p.hits, p.docs = 0, 0
}

// flushLength counts the repeats of an array's length.
func (p *target) flushLength(s *step) {
	if s.repeats > 0 {
		p.node.Array.Len.addMore(int64(s.length), s.repeats)
		s.repeats = 0
	}
}

// flush counts the repeats of a scalar. The effect is the same as adding it
// that often.
func (p *target) flush(k *known) {
	times := k.times
	if times == 0 {
		return
	}
	k.times = 0
	n := p.node
	n.Bytes += times * int64(len(k.text))
	if p.numeric {
		n.Types[k.class] += times
	}
	s := n.Scalars
	s.Values.more(k.hash, times)
	switch k.class {
	case String:
		for i := range s.forms {
			if f := &s.forms[i]; f.form == k.form {
				f.count += times
				break
			}
		}
		if k.cut.tail != 0 {
			s.Tails().more(k.cut.tail, times)
			s.Prefixes().more(k.cut.prefix, times)
		}
	case Int:
		s.Ints += times * int64(k.integer&fits)
	case Double:
		switch k.double {
		case decimal:
			s.Decimals += times
		case fraction:
			s.Fractions += times
		}
	}
	if k.imprecise {
		s.Imprecise += times
	}
	if k.number != 0 {
		p.tabulate(k.number, times)
	}
}

// A tally is the column of a scalar in one shape.
type tally struct {
	shape  *Shape // may be nil
	column int    // its column there, plus one; 0 if unknown
}

// tabulate counts the value with the number the given number of times.
func (p *target) tabulate(number uint8, times int64) {
	if s := p.own.shape; s != nil {
		p.own.column, s.own = columnOf(p.node, p.own.column, s.own)
		s.own[p.own.column-1].add(number, times)
	}
	if s := p.nested.shape; s != nil {
		p.nested.column, s.nested = columnOf(p.node, p.nested.column, s.nested)
		s.nested[p.nested.column-1].add(number, times)
	}
}

// columnOf finds or makes the column of a node, unless it is already known.
func columnOf(n *Node, known int, columns []column) (int, []column) {
	if known != 0 {
		return known, columns
	}
	at := slices.IndexFunc(columns, func(c column) bool { return c.node == n })
	if at < 0 {
		at = len(columns)
		columns = append(columns, column{node: n})
	}
	return at + 1, columns
}
