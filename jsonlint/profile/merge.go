package profile

// merge adds the statistics of o to n. The steps of the two nodes may differ:
// the values of a map's keys are merged into one node.
func (n *Node) merge(o *Node) {
	if o == nil {
		return
	}
	n.Count += o.Count
	if !n.inMap { // a document can hold several of the merged names
		n.Docs += o.Docs
	}
	for c := range n.Types {
		n.Types[c] += o.Types[c]
	}
	n.Bytes += o.Bytes
	n.Max, n.MaxAt = larger(n.Max, n.MaxAt, o.Max, o.MaxAt)
	n.Duplicated += o.Duplicated
	n.DuplicatedAt = Earlier(n.DuplicatedAt, o.DuplicatedAt)
	for _, f := range o.firsts {
		n.see(f.class, f.at)
	}
	if o.Scalars != nil {
		n.scalars().merge(o.Scalars)
	}
	if o.Array != nil {
		n.array().merge(o.Array)
	}
	if o.Object != nil {
		n.object().merge(n, o.Object)
	}
}

// larger returns the larger value and its position, or the earlier of equals.
func larger(v int64, at Pos, w int64, wat Pos) (int64, Pos) {
	if !at.Known() || w > v {
		if wat.Known() {
			return w, wat
		}
		return v, at
	}
	if w == v {
		return v, Earlier(at, wat)
	}
	return v, at
}

func (s *Scalars) merge(o *Scalars) {
	s.Values.merge(&o.Values)
	if s.few() {
		for i := range s.Values.entries {
			if e := &s.Values.entries[i]; e.hash != 0 {
				s.enumerate(e)
			}
		}
	} else {
		s.table = nil
	}
	if o.addresses != nil {
		s.parts().tails.merge(&o.addresses.tails)
		s.addresses.prefixes.merge(&o.addresses.prefixes)
	}
	if o.Ints > 0 {
		if s.Ints == 0 {
			s.MinInt, s.MaxInt = o.MinInt, o.MaxInt
		}
		s.MinInt, s.MaxInt = min(s.MinInt, o.MinInt), max(s.MaxInt, o.MaxInt)
		s.Ints += o.Ints
	}
	s.Fractions += o.Fractions
	s.Decimals += o.Decimals
	s.Imprecise += o.Imprecise
	s.ImpreciseAt = Earlier(s.ImpreciseAt, o.ImpreciseAt)
	s.Blobs += o.Blobs
	s.BlobMax, s.BlobAt = larger(s.BlobMax, s.BlobAt, o.BlobMax, o.BlobAt)
	for _, f := range o.forms {
		s.form(f.form, f.count, f.at)
	}
}

func (a *ArrayStats) merge(o *ArrayStats) {
	_, a.LongestAt = larger(a.Len.Max, a.LongestAt, o.Len.Max, o.LongestAt)
	a.Len.Merge(&o.Len)
	a.Elided += o.Elided
	a.ElidedAt = Earlier(a.ElidedAt, o.ElidedAt)
	a.Elem.merge(o.Elem)
}

func (o *ObjectStats) merge(owner *Node, p *ObjectStats) {
	o.Keys.Merge(&p.Keys)
	if p.shift > o.shift {
		o.raise(owner, p.shift)
	}
	if p.Rest != nil {
		o.rest(owner).merge(p.Rest)
	}
	for name, f := range p.fields {
		if !o.keeps(f.keyHash) {
			o.rest(owner).merge(f)
			continue
		}
		mine := o.fields[name]
		if mine == nil {
			mine = newChild(owner, f.Step, f.keyHash)
			o.fields[name] = mine
		}
		mine.merge(f)
	}
	if p.Shapes == nil || o.Rest != nil {
		o.Shapes = nil
	} else if o.Shapes != nil {
		o.Shapes.merge(owner, p.Shapes)
	}
}

// limit bounds the names kept below n and every node under it.
func (n *Node) limit(names int) {
	if n == nil {
		return
	}
	if n.Object != nil {
		n.Object.shrink(n, names)
		for _, f := range n.Object.fields {
			f.limit(names)
		}
		n.Object.Rest.limit(names)
	}
	if n.Array != nil {
		n.Array.Elem.limit(names)
	}
}
