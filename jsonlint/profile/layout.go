package profile

import "github.com/shapevet/shapevet/jsonlint/scan"

// A pattern is what is known about all documents of one layout, so that it is
// determined only once.
type pattern struct {
	layout  *scan.Layout
	number  uint32       // counts the patterns of the [Document] from 1
	other   *pattern     // of a layout with the same ID, from another parser
	arrays  []int32      // where each array is, relative to the end of the one before it
	members []patternTag // of the document, in order
	shape   uint64       // see [Document.RootShape]; 0 until needed
}

type patternTag struct {
	tag uint64
	key spot
}

// A spot is the place of a token in the documents of one layout. Arrays before
// it may have any length, so it counts from the end of the last one.
type spot struct{ array, token int32 }

// lay recognises the layout of the current document.
func (d *Document) lay() *pattern {
	layout := d.Records[0].Layout
	for int(layout.ID) >= len(d.lookup.layouts) {
		d.lookup.layouts = append(d.lookup.layouts, nil)
	}
	first := &d.lookup.layouts[layout.ID]
	k := *first
	for k != nil && k.layout != layout {
		k = k.other
	}
	if k == nil {
		k = d.explore(layout)
		k.other, *first = *first, k
	}
	d.lookup.ends = append(d.lookup.ends[:0], 0)
	return k
}

// explore determines the pattern of a layout from one of its documents.
func (d *Document) explore(layout *scan.Layout) *pattern {
	d.lookup.patterns++
	k := &pattern{layout: layout, number: d.lookup.patterns}
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

// spotOf returns the spot of a token outside arrays.
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

// A Trail finds a path in one document after another, all shown by the same
// [Document]. Where the path leads is determined once per layout, up to the
// first array or map.
type Trail struct {
	path  Path
	names int        // steps before the first array or map
	found []trailEnd // open addressing by the number of the pattern, power-of-two length
	used  int
}

// A trailEnd is where the names of a path lead in one layout. It is small
// because there may be thousands of layouts and hundreds of trails, and it is
// kept only for layouts in which the path was followed.
type trailEnd struct {
	pattern uint32 // 0 marks a free slot
	at      spot   // its array is nowhere if the path leads nowhere
}

const nowhere = -1

// NewTrail returns a trail for a path.
func NewTrail(path Path) Trail {
	t := Trail{path: path}
	for t.names < len(path) && path[t.names].Kind == Field {
		t.names++
	}
	return t
}

// Path returns the path.
func (t *Trail) Path() Path { return t.path }

// Absent reports whether the documents with d's layout have nothing at the
// path. It is false if the layout is unknown. It stores nothing: most layouts
// lack the path and are not asked about again.
func (t *Trail) Absent(d *Document) bool {
	k := d.lookup.pattern
	if k == nil {
		return false
	}
	if end := t.end(k.number); end.pattern != 0 {
		return end.at.array == nowhere
	}
	_, ok := t.follow(d)
	return !ok
}

// end returns the slot of the pattern with this number, or a free one.
func (t *Trail) end(number uint32) *trailEnd {
	if len(t.found) == 0 {
		return &trailEnd{}
	}
	for i := number; ; i++ {
		end := &t.found[i&uint32(len(t.found)-1)]
		if end.pattern == number || end.pattern == 0 {
			return end
		}
	}
}

// head returns the index of the value that the leading names of the path lead
// to.
func (t *Trail) head(d *Document) (int, bool) {
	k := d.lookup.pattern
	if k == nil {
		return t.follow(d)
	}
	end := t.end(k.number)
	if end.pattern == 0 {
		end = t.learn(d)
	}
	if end.at.array == nowhere {
		return -1, false
	}
	return d.token(end.at), true
}

// learn finds out where the path leads in the layout of d.
func (t *Trail) learn(d *Document) *trailEnd {
	if t.used++; 4*t.used > 3*len(t.found) {
		old := t.found
		t.found = make([]trailEnd, max(4, 2*len(old)))
		for _, end := range old {
			if end.pattern != 0 {
				*t.end(end.pattern) = end
			}
		}
	}
	k := d.lookup.pattern
	end := t.end(k.number)
	*end = trailEnd{pattern: k.number, at: spot{array: nowhere}}
	if i, ok := t.follow(d); ok {
		end.at = d.spotOf(k, i)
	}
	return end
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
