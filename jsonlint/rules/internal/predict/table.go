package predict

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A ValueTable counts how often each value of a candidate occurs in objects of
// each kind. It gives up if there are too many values.
type ValueTable struct {
	Objects  []int64 // per kind, with a value or without
	Counts   map[string][]int64
	Overflow bool

	last []byte  // the previous value, as written
	row  []int64 // its counts; nil if unknown
}

// longestLast is the longest value that is compared with the next one.
const longestLast = 64

func (t *ValueTable) add(d *profile.Document, v int, ok bool, kind, kinds int) {
	if t.Overflow {
		return
	}
	if ok && d.Class(v) != profile.Object && d.Class(v) != profile.Array && d.Class(v) != profile.Null {
		raw := d.Raw(v)
		if t.row == nil || !bytes.Equal(raw, t.last) {
			text := d.Canonical(v)
			if t.row = t.Counts[string(text)]; t.row == nil {
				t.count(text, true, kind, kinds)
				return
			}
			if len(raw) > longestLast {
				raw = nil
			}
			t.last = append(t.last[:0], raw...)
		}
		t.Objects[kind]++
		t.row[kind]++
		return
	}
	t.count(nil, false, kind, kinds)
}

// addPart counts a part of the text in a member of the document, or nothing if
// partOf returns nil.
func (t *ValueTable) addPart(d *profile.Document, name string, partOf func(text []byte) []byte, kind, kinds int) {
	if t.Overflow {
		return
	}
	var part []byte
	if v, ok := d.Get(0, name); ok && d.Class(v) == profile.String {
		part = partOf(d.Canonical(v))
	}
	t.count(part, len(part) > 0, kind, kinds)
}

func (t *ValueTable) count(text []byte, ok bool, kind, kinds int) {
	if t.Overflow {
		return
	}
	if t.Objects == nil {
		t.Objects, t.Counts = make([]int64, kinds), map[string][]int64{}
	}
	t.Objects[kind]++
	if !ok || len(text) == 0 {
		return
	}
	row := t.Counts[string(text)]
	if row == nil {
		row = make([]int64, kinds)
		t.Counts[string(text)] = row
	}
	row[kind]++
	t.bound()
}

func (t *ValueTable) bound() {
	if len(t.Counts) > TableValues {
		*t = ValueTable{Overflow: true}
	}
}

func (t *ValueTable) merge(o *ValueTable) {
	switch {
	case t.Overflow || o.Objects == nil && !o.Overflow:
		return
	case o.Overflow:
		*t = ValueTable{Overflow: true}
		return
	case t.Objects == nil:
		*t = *o
		return
	}
	for kind, n := range o.Objects {
		t.Objects[kind] += n
	}
	for text, row := range o.Counts {
		mine := t.Counts[text]
		if mine == nil {
			t.Counts[text] = row
			continue
		}
		for kind, n := range row {
			mine[kind] += n
		}
	}
	t.bound()
}

// Pays reports whether distinguishing the kinds by this candidate, one of
// several, is worthwhile (see [model.Gain]).
func (t *ValueTable) Pays(news float64, candidates int) bool {
	return !t.Overflow && model.Gain(t.rows(), news, candidates) >= model.Convincing
}

// Alone reports whether only one kind is left without the objects whose value no other
// object has, of all that have a value. Nothing can be compared with these.
func (t *ValueTable) Alone(all *profile.Sample) bool {
	left := slices.Clone(t.Objects)
	for _, v := range all.Values() {
		for kind, n := range t.Counts[v.Text] {
			if v.Count == 1 {
				left[kind] -= n
			}
		}
	}
	left = slices.DeleteFunc(left, func(n int64) bool { return n == 0 })
	return t.Objects != nil && len(left) < 2
}

// rows returns the objects of each kind by value; the last row has those
// without one.
func (t *ValueTable) rows() [][]int64 {
	rows := make([][]int64, 0, len(t.Counts)+1)
	without := slices.Clone(t.Objects)
	for _, text := range slices.Sorted(maps.Keys(t.Counts)) { // the order affects sums of floats
		rows = append(rows, t.Counts[text])
		for kind, n := range t.Counts[text] {
			without[kind] -= n
		}
	}
	if slices.Max(without) > 0 {
		rows = append(rows, without)
	}
	return rows
}

// Parted reports whether, in one of the tables, only objects of the first kind
// have certain values, and that is unlikely to be an accident in any table that
// could separate them as well (see [model.PartedByAccident]).
func Parted(tables []ValueTable) bool {
	chances, least := []float64{1}, 1.0
	for _, t := range tables {
		if t.Overflow || t.Objects == nil {
			continue
		}
		sizes, alone := make([]int64, 0, len(t.Counts)+1), true
		for _, row := range t.rows() {
			size := int64(0)
			for _, n := range row {
				size += n
			}
			alone = alone && (row[0] == 0 || row[0] == size)
			sizes = append(sizes, size)
		}
		chance := model.PartedByAccident(sizes, t.Objects[0])
		chances = append(chances, chance)
		if alone {
			least = min(least, chance)
		}
	}
	accident := 0.0
	for _, chance := range chances {
		if chance <= least {
			accident += chance
		}
	}
	return accident < surelyParted
}

// surelyParted is the highest probability of an accident in [Parted].
const surelyParted = 0.1

// Predicts reports whether a share of the objects have a value, and value and
// kind determine each other with the given purity.
func (t *ValueTable) Predicts(presence, purity float64) bool {
	if t.Overflow || len(t.Counts) < 2 {
		return false
	}
	all, have, modal := int64(0), int64(0), int64(0)
	for _, n := range t.Objects {
		all += n
	}
	predicted := make([]int64, len(t.Objects))
	for _, row := range t.Counts {
		best := 0
		for kind, n := range row {
			have += n
			if n > row[best] {
				best = kind
			}
		}
		modal += row[best]
		predicted[best] += row[best]
	}
	if float64(have) < presence*float64(all) || float64(modal) < purity*float64(have) {
		return false
	}
	for kind, n := range t.Objects {
		if n > 0 && float64(predicted[kind]) < Recall*float64(n) {
			return false
		}
	}
	return true
}

// KindOf returns the kind that each value stands for.
func (t *ValueTable) KindOf() map[string]int {
	out := map[string]int{}
	for text, row := range t.Counts {
		best := 0
		for kind, n := range row {
			if n > row[best] {
				best = kind
			}
		}
		out[text] = best
	}
	return out
}

// Values returns up to n values, most frequent first.
func (t *ValueTable) Values(n int) []string {
	total := func(text string) (sum int64) {
		for _, n := range t.Counts[text] {
			sum += n
		}
		return sum
	}
	var texts []string
	for text := range t.Counts {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(total(b), total(a)), cmp.Compare(a, b)) })
	return texts[:min(n, len(texts))]
}
