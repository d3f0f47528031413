package profile

import "github.com/shapevet/shapevet/jsonlint/scan"

// A pattern is what has been found out about the documents of one layout: it is
// the same in all of them, so that it is found out once.
type pattern struct {
	layout  *scan.Layout
	arrays  []int32      // where each array stands, from the end of the one before it
	members []patternTag // of the document itself, in order
	shape   uint64       // see [Document.RootShape]; 0 until it is asked for
}

type patternTag struct {
	tag uint64
	key spot
}

// A spot is the place of a token in the documents of one layout: arrays before
// it may have any length, so that it is counted from the end of the last one.
type spot struct{ array, token int32 }

// lay recognises the layout of the document that d stands for now.
func (d *Document) lay() *pattern {
	layout := d.Records[0].Layout
	for int(layout.ID) >= len(d.lookup.layouts) {
		d.lookup.layouts = append(d.lookup.layouts, nil)
	}
	k := d.lookup.layouts[layout.ID]
	if k == nil || k.layout != layout {
		k = d.explore(layout)
		d.lookup.layouts[layout.ID] = k
	}
	d.lookup.ends = append(d.lookup.ends[:0], 0)
	return k
}

// explore finds out about a layout from one of its documents.
func (d *Document) explore(layout *scan.Layout) *pattern {
	k := &pattern{layout: layout}
	end := 0
	for i := 1; i < len(d.Tokens); {
		if d.Tokens[i].Kind != scan.Array {
			i++ // into objects
			continue
		}
		k.arrays = append(k.arrays, int32(i-end))
		end = d.Next(i)
		i = end
	}
	for key := range d.Members(0) {
		k.members = append(k.members, patternTag{d.tagAt(key), d.spotOf(k, key)})
	}
	return k
}

// spotOf returns the spot of a token that stands in no array.
func (d *Document) spotOf(k *pattern, i int) spot {
	end := 0
	for n, gap := range k.arrays {
		array := end + int(gap)
		if i <= array {
			return spot{int32(n), int32(i - end)}
		}
		end = d.Next(array)
	}
	return spot{int32(len(k.arrays)), int32(i - end)}
}

// token returns the token at a spot.
func (d *Document) token(s spot) int {
	x := &d.lookup
	for n := len(x.ends); n <= int(s.array); n++ {
		x.ends = append(x.ends, d.Next(x.ends[n-1]+int(x.pattern.arrays[n-1])))
	}
	return x.ends[s.array] + int(s.token)
}

// A Trail is a path that is looked for in one document after another, all of
// them shown by the same [Document]. Where the path leads in documents of one
// layout is found once, up to the first array or map.
type Trail struct {
	path  Path
	names int // steps before the first array or map
	found []trailEnd
}

// A trailEnd is where the names of a path lead in one layout.
type trailEnd struct {
	pattern *pattern
	at      spot
	ok      bool
}

// NewTrail returns the trail of a path.
func NewTrail(path Path) Trail {
	t := Trail{path: path}
	for t.names < len(path) && path[t.names].Kind == Field {
		t.names++
	}
	return t
}

// Path returns the path.
func (t *Trail) Path() Path { return t.path }

// Absent reports whether the documents of the layout of d have nothing at the
// path; it is false if the layout is not known.
func (t *Trail) Absent(d *Document) bool {
	if d.lookup.pattern == nil {
		return false
	}
	_, ok := t.head(d)
	return !ok
}

// head returns the index of the value that the names of the path lead to.
func (t *Trail) head(d *Document) (int, bool) {
	k := d.lookup.pattern
	if k == nil {
		return t.follow(d)
	}
	id := int(k.layout.ID)
	for id >= len(t.found) {
		t.found = append(t.found, trailEnd{})
	}
	end := &t.found[id]
	if end.pattern != k {
		i, ok := t.follow(d)
		*end = trailEnd{pattern: k, ok: ok}
		if ok {
			end.at = d.spotOf(k, i)
		}
	}
	if !end.ok {
		return -1, false
	}
	return d.token(end.at), true
}

func (t *Trail) follow(d *Document) (int, bool) {
	i := 0
	for _, step := range t.path[:t.names] {
		v, ok := d.Get(i, step.Name)
		if !ok {
			return -1, false
		}
		i = v
	}
	return i, true
}

// First returns the index of the first value at the path.
func (t *Trail) First(d *Document) (int, bool) {
	i, ok := t.head(d)
	if !ok || t.names == len(t.path) {
		return i, ok
	}
	return d.First(i, t.path[t.names:])
}

// All yields the indexes of the values at the path, in document order.
func (t *Trail) All(d *Document) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		i, ok := t.head(d)
		switch {
		case !ok:
		case t.names == len(t.path):
			yield(i)
		default:
			d.selectIn(i, t.path[t.names:], yield)
		}
	}
}
