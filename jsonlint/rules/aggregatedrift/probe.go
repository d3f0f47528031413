package aggregatedrift

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

type formulaKind uint8

const (
	lengthOf formulaKind = iota
	distinctOf
	sumOf
	meanOf
	productOf
	lowestOf
	highestOf
	filledOf
)

// A formula computes a number from an array.
type formula struct {
	kind  formulaKind
	array profile.Path // below the object that holds the number
	node  *profile.Node
	value string // member of the elements; "" for the elements themselves
	times string // member to multiply by
	only  bool   // the object has no other array
	timed bool   // the values are times

	list    int   // in the settings
	factors []int // which of the list's members are multiplied
}

// name returns the name of the array.
func (f formula) name() string { return naming.ListName(f.node) }

// ofParts reports whether the formula sums values that the parts have under the
// same name as the whole.
func (f formula) ofParts(whole string) bool { return f.kind == sumOf && f.value == whole }

// sums reports whether the formula adds up values of the elements.
func (f formula) sums() bool { return f.kind == sumOf || f.kind == productOf }

// ofQuantity reports whether the formula multiplies by what is named a quantity.
func (f formula) ofQuantity() bool { return f.kind == productOf && isQuantity(f.times) }

// String returns what the formula computes.
func (f formula) String() string {
	list := f.array.String()
	value := list + "[]"
	if f.value != "" {
		value += "." + f.value
	}
	switch f.kind {
	case lengthOf:
		return "the length of " + list
	case distinctOf:
		return "the number of different values in " + list
	case sumOf:
		return "the sum of " + value
	case meanOf:
		return "the mean of " + value
	case lowestOf:
		if f.timed {
			return "the earliest of " + value
		}
		return "the lowest of " + value
	case highestOf:
		if f.timed {
			return "the latest of " + value
		}
		return "the highest of " + value
	case filledOf:
		return "whether " + list + " has elements"
	}
	return "the sum of " + value + " × " + f.times
}

type aggregateSettings struct {
	holder     profile.Path
	formulas   []formula // of all aggregates, each once
	lists      []list
	aggregates []aggregateField
}

// A list is an array and what is computed from it, so that its elements are read once.
type list struct {
	node     *profile.Node
	formulas []int
	members  []string // numbers in the elements that formulas add up; "" for the elements themselves
}

// member returns the index of a member that formulas add up.
func (l *list) member(name string) int {
	at := slices.Index(l.members, name)
	if at < 0 {
		at = len(l.members)
		l.members = append(l.members, name)
	}
	return at
}

type aggregateField struct {
	name     string
	formulas []int           // that are tried, by index
	ordered  bool            // the field may hold a flag or a time instead of a number
	beside   []*profile.Node // fields of few values next to it
}

// An aggregateProbe tries formulas on the numbers of every object. It computes each
// formula once, for all numbers of an object.
type aggregateProbe struct {
	settings *aggregateSettings
	results  [][]formulaResult // of each aggregate and formula

	// Of the object that is visited, in reused memory.
	hashes   []uint64   // of an array's elements
	numbers  []number   // in an element, by the list's members
	computed []computed // of the formulas
}

// try adds an aggregate and returns its index.
func (a *aggregateProbe) try(g *aggregate, formulas []formula, beside []*profile.Node) int {
	field := aggregateField{name: g.node.Step.Name, ordered: g.measure >= lowest, beside: beside}
	for _, f := range formulas {
		at := slices.IndexFunc(a.settings.formulas, func(o formula) bool {
			return o.kind == f.kind && o.node == f.node && o.value == f.value && o.times == f.times && o.timed == f.timed
		})
		if at < 0 {
			at = a.settings.add(f)
		}
		field.formulas = append(field.formulas, at)
	}
	a.settings.aggregates = append(a.settings.aggregates, field)
	a.results = append(a.results, make([]formulaResult, len(formulas)))
	return len(a.results) - 1
}

// add adds a formula and returns its index.
func (s *aggregateSettings) add(f formula) int {
	at := len(s.formulas)
	f.list = slices.IndexFunc(s.lists, func(l list) bool { return l.node == f.node })
	if f.list < 0 {
		f.list = len(s.lists)
		s.lists = append(s.lists, list{node: f.node})
	}
	l := &s.lists[f.list]
	l.formulas = append(l.formulas, at)
	switch f.kind {
	case productOf:
		f.factors = []int{l.member(f.value), l.member(f.times)}
	case sumOf, meanOf:
		f.factors = []int{l.member(f.value)}
	}
	s.formulas = append(s.formulas, f)
	return at
}

type formulaResult struct {
	tested, exact   int64
	telling, proved int64
	digits          int64 // decimal places of the matching numbers
	cut             int64 // misfits whose array has the maximum length, with a larger number
	offenders       []*offender
}

// maxOffenders bounds the misfits that are kept, which are the first ones.
const maxOffenders = 256

// An offender is a number that does not match.
type offender struct {
	at, digits               profile.Pos // of the value, and of the digits in it
	stored, expected         float64
	storedText, expectedText string
	by                       []string // members of the object that equal the difference
	beside                   []uint64 // hashes of the values of the fields of few values, 0 if absent
}

func (a *aggregateProbe) New() check.Probe {
	probe := &aggregateProbe{settings: a.settings}
	for _, r := range a.results {
		probe.results = append(probe.results, make([]formulaResult, len(r)))
	}
	return probe
}

func (a *aggregateProbe) Visit(d *profile.Document) {
	for holder := range d.Select(0, a.settings.holder) {
		a.computed = append(a.computed[:0], make([]computed, len(a.settings.formulas))...)
		for i := range a.settings.aggregates {
			a.visit(d, holder, &a.settings.aggregates[i], a.results[i])
		}
	}
}

// visit compares one number of an object with its formulas.
func (a *aggregateProbe) visit(d *profile.Document, holder int, field *aggregateField, results []formulaResult) {
	v, ok := d.Get(holder, field.name)
	if !ok {
		return
	}
	read := numberAt
	if field.ordered {
		read = orderedAt
	}
	stored, ok := read(d, v)
	if !ok {
		return
	}
	o := &object{Document: d, name: field.name, holder: holder, v: v, stored: stored, fields: field.beside}
	for i, n := range field.formulas {
		f := &a.settings.formulas[n]
		x := a.result(d, holder, n)
		if f.kind == lengthOf && x.length == 0 { // some documents may have the list in parts, as the questions of sections
			for _, m := range field.formulas {
				g := &a.settings.formulas[m]
				if y := a.result(d, holder, m); g.kind == lengthOf && g.node.Step == f.node.Step && y.value == stored {
					x = y
				}
			}
		}
		if x.ok {
			results[i].add(o, x, f)
		}
	}
}

// result returns the result of a formula for an object.
func (a *aggregateProbe) result(d *profile.Document, holder, formula int) computed {
	if !a.computed[formula].done {
		a.compute(d, holder, &a.settings.lists[a.settings.formulas[formula].list])
	}
	return a.computed[formula]
}

// An object is one that holds a stored number, and what its misfits keep of it.
type object struct {
	*profile.Document
	name      string // of the number
	holder, v int
	stored    float64
	fields    []*profile.Node // of few values next to the number
	beside    []uint64        // their values, once they were asked for
}

func (a *aggregateProbe) Merge(other check.Probe) {
	for k, results := range other.(*aggregateProbe).results {
		for i, o := range results {
			r := &a.results[k][i]
			r.tested += o.tested
			r.exact += o.exact
			r.telling += o.telling
			r.proved += o.proved
			r.digits += o.digits
			r.cut += o.cut
			r.offenders = keepFirst(r.offenders, o.offenders...)
		}
	}
}

func keepFirst(offenders []*offender, more ...*offender) []*offender {
	return places.KeepFirst(offenders, maxOffenders, func(a, b *offender) int { return a.at.Compare(b.at) }, more...)
}

// A computed is the result of a formula for one object.
type computed struct {
	done, ok bool // it was computed, and there is a result
	value    float64
	decimals int   // decimal places of the inputs
	length   int64 // of the array
	inputs   int64
	at       int // the lowest or highest value
}

func (r *formulaResult) add(d *object, x computed, f *formula) {
	if x.inputs == 0 && d.stored != 0 && f.sums() {
		return // an order that was not split has an amount, and no parts with one to be the sum of
	}
	if f.timed && d.Tokens[x.at].Kind != d.Tokens[d.v].Kind {
		return // times in two notations
	}
	r.tested++
	exact := matches(d.Document, d.v, d.stored, x, f.kind)
	zero := d.stored == 0 && x.value == 0
	if exact {
		r.exact++
	}
	if zero || exact && x.inputs == 1 && f.ofParts(d.name) {
		return // what an object and its only part have under one name need not be a sum, such as a page
	}
	r.telling++
	if exact {
		r.proved++
		r.digits += int64(decimals(d.Text(d.v)))
		return
	}
	if d.stored > x.value && x.length == f.node.Array.Len.Max && f.node.Array.Len.AtMax > 1 {
		r.cut++
	}
	t := d.Tokens[d.v]
	at := d.At(d.v)
	if n := len(r.offenders); n == maxOffenders && r.offenders[n-1].at.Compare(at) < 0 {
		return
	}
	digits := at
	digits.Off, digits.Len = d.Base+int64(t.A), t.B-t.A
	r.offenders = keepFirst(r.offenders, &offender{
		at: at, digits: digits, stored: d.stored, expected: x.value, storedText: string(d.Text(d.v)), expectedText: x.text(d.Document, d.v, f.kind),
		by: apartBy(d.Document, d.holder, math.Abs(d.stored-x.value)), beside: d.besides(),
	})
}

// besides returns the hashes of the values that an object has of the fields next to
// its number, 0 where it has none.
func (d *object) besides() []uint64 {
	if d.beside == nil {
		d.beside = make([]uint64, len(d.fields))
		for i, f := range d.fields {
			if v, ok := d.Get(d.holder, f.Step.Name); ok && places.Scalar(d.Document, v) {
				d.beside[i] = d.Hash(v)
			}
		}
	}
	return d.beside
}

// apartBy returns the members of the object that equal the difference.
func apartBy(d *profile.Document, holder int, difference float64) (names []string) {
	for k, v := range d.Members(holder) {
		if n, ok := numberAt(d, v); ok && n != 0 && math.Abs(math.Abs(n)-difference) <= moneyTolerance {
			names = append(names, d.String(k))
		}
	}
	return names
}

// roundSize divides the usual sizes of pages: 10, 20, 50, 100.
const roundSize = 10

// cutOff reports whether the numbers that do not match belong to lists of the
// maximum length, more often than by accident, or to pages of one round size.
func (r *formulaResult) cutOff(f *formula) bool {
	if f.kind == lengthOf && len(r.offenders) > 0 && !slices.ContainsFunc(r.offenders, func(o *offender) bool {
		return o.expected == 0 || math.Mod(o.expected, roundSize) != 0 || o.expected != r.offenders[0].expected || o.stored < o.expected
	}) {
		return true
	}
	if r.cut == 0 || r.cut < r.tested-r.exact {
		return false
	}
	longest := float64(f.node.Array.Len.AtMax) / float64(max(1, f.node.Types[profile.Array]))
	return math.Pow(longest, float64(r.cut)) <= 1.0/20
}

// explained reports whether another number of the object, such as a discount or
// fee, is the difference each time. Then the formula lacks it, and nothing
// drifted.
func (r *formulaResult) explained() bool {
	if len(r.offenders) < 2 {
		return false
	}
	first := r.offenders[0]
	varies := slices.ContainsFunc(r.offenders, func(o *offender) bool {
		return math.Abs(math.Abs(o.stored-o.expected)-math.Abs(first.stored-first.expected)) > moneyTolerance
	})
	return varies && slices.ContainsFunc(first.by, func(name string) bool {
		return !slices.ContainsFunc(r.offenders, func(o *offender) bool { return !slices.Contains(o.by, name) })
	})
}

// told reports whether a field next to the number tells the objects whose sum does
// not hold from the others: bills of which not all is paid are marked as open.
func (r *formulaResult) told(f *formula, beside []*profile.Node) bool {
	wrong := r.tested - r.exact
	if !f.sums() || int64(len(r.offenders)) < wrong {
		return false
	}
	tables := make([]predict.ValueTable, len(beside))
	for i, n := range beside {
		theirs := map[uint64]int64{}
		for _, o := range r.offenders {
			theirs[o.beside[i]]++
		}
		tables[i] = predict.ValueTable{Objects: []int64{wrong, n.Parent.Types[profile.Object] - wrong}, Counts: map[string][]int64{}}
		for _, v := range n.Scalars.Values.Values() {
			tables[i].Counts[strconv.FormatUint(v.Hash, 16)] = []int64{theirs[v.Hash], v.Count - theirs[v.Hash]}
		}
	}
	return predict.Parted(tables)
}

const moneyTolerance = 0.01 + 1e-9

// matches compares a stored number with a computed one: integers exactly, a
// mean to the precision of the stored number, other fractions to a cent.
func matches(d *profile.Document, v int, stored float64, x computed, kind formulaKind) bool {
	diff := math.Abs(stored - x.value)
	switch {
	case kind == meanOf:
		return diff <= 0.5*math.Pow10(-max(1, decimals(d.Text(v))))+1e-9
	case x.decimals > 0 || d.Tokens[v].Flags&scan.Float != 0:
		return diff <= moneyTolerance || diff <= 1e-9*math.Abs(stored)
	}
	return diff == 0
}

// text returns the number in the document's notation for such numbers.
func (x computed) text(d *profile.Document, v int, kind formulaKind) string {
	switch kind {
	case lowestOf, highestOf:
		return string(d.Text(x.at))
	case filledOf:
		return strconv.FormatBool(x.value > 0)
	}
	places := x.decimals
	if kind == meanOf {
		places = max(1, decimals(d.Text(v)))
	}
	text := strconv.FormatFloat(x.value, 'f', min(places, 6), 64)
	if strings.ContainsRune(text, '.') && d.Tokens[v].Flags&scan.Float == 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func decimals(text []byte) int {
	for i, c := range text {
		if c == '.' {
			n := 0
			for _, c := range text[i+1:] {
				if c < '0' || c > '9' {
					break
				}
				n++
			}
			return n
		}
	}
	return 0
}

func numberAt(d *profile.Document, i int) (float64, bool) {
	if k := d.Tokens[i].Kind; k != scan.Number && k != scan.Decimal {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(d.Text(i)), 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// compute evaluates the formulas of a list. There is no result if there is no mean, or
// a value is not a number. An absent array counts as empty.
func (a *aggregateProbe) compute(d *profile.Document, holder int, l *list) {
	a.hashes = a.hashes[:0]
	length := int64(0)
	for array := range d.Select(holder, a.settings.formulas[l.formulas[0]].array) {
		for _, e := range d.Elements(array) {
			length++
			a.numbers = a.numbers[:0]
			for _, name := range l.members {
				a.numbers = append(a.numbers, numberIn(d, e, name))
			}
			for _, n := range l.formulas {
				f, x := &a.settings.formulas[n], &a.computed[n]
				switch f.kind {
				case lowestOf, highestOf:
					f.extreme(d, e, x)
				case distinctOf:
					a.hashes = append(a.hashes, d.Hash(e))
				case sumOf, meanOf, productOf:
					x.add(a.numbers, f.factors)
				}
			}
		}
	}
	for _, n := range l.formulas {
		x, kind := &a.computed[n], a.settings.formulas[n].kind
		x.done, x.length = true, length
		x.ok = x.inputs > 0 || kind != meanOf && kind != lowestOf && kind != highestOf
		switch kind {
		case lengthOf:
			x.value = float64(length)
		case filledOf:
			x.value = float64(min(length, 1))
		case distinctOf:
			slices.Sort(a.hashes)
			x.value = float64(len(slices.Compact(a.hashes)))
		case meanOf:
			x.value /= float64(max(1, x.inputs))
		}
	}
}

// A number is that of an element, if it has one.
type number struct {
	value    float64
	decimals int
	ok       bool
}

func numberIn(d *profile.Document, e int, member string) number {
	if member != "" {
		var ok bool
		if e, ok = d.Get(e, member); !ok {
			return number{}
		}
	}
	value, ok := numberAt(d, e)
	return number{value, decimals(d.Text(e)), ok}
}

// add adds the product of an element's numbers, if it has all of them.
func (x *computed) add(numbers []number, factors []int) {
	product, places := 1.0, 0
	for _, i := range factors {
		if !numbers[i].ok {
			return
		}
		product *= numbers[i].value
		places += numbers[i].decimals
	}
	x.inputs++
	x.value += product
	x.decimals = max(x.decimals, places)
}
