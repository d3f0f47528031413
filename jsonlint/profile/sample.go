package profile

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/hashtable"
)

// A Sample counts distinct values in bounded memory. It keeps every value whose
// 64-bit hash lies below a threshold and the exact number of times that value
// occurred; when it exceeds its capacity, the threshold halves and the values
// above it are dropped.
//
// What survives depends only on the set of values seen, not on their order or
// on how they were split between samples, so samples merge exactly. All samples
// use one hash, so the samples of two fields can be joined: below the smaller
// of the two thresholds, each is complete. (Adaptive threshold sampling;
// Wegman's adaptive counting as analysed by Flajolet, "On adaptive sampling",
// Computing 43, 1990.)
//
// Distinct counts are exact up to the capacity c and have a standard error of
// at most 1.2/√(c/2) beyond.
type Sample struct {
	entries  []entry  // open addressing; hash 0 marks a free slot
	bare     []uint64 // likewise; hashes of values that occurred once and are like the like entry
	like     entry    // what the bare values have in common
	texts    []string
	used     int   // number of entries
	bared    int   // number of bare hashes
	capacity int   // of both together
	shift    uint8 // hashes below 2^(64-shift) are kept
	textCut  uint8 // texts of hashes below 2^(64-textCut) are kept
}

type entry struct {
	hash    uint64
	count   uint32
	cut     uint32 // index of a URL's or path's parts in [Scalars.cuts], plus one
	text    uint16 // index in texts plus one
	classes ClassSet
	form    Form        // valid if it occurred as a string
	integer integerKind // valid if it occurred as an integer
	number  uint8       // index in [Scalars.table], plus one
}

func (e *entry) again() {
	if e.count != math.MaxUint32 {
		e.count++
	}
}

const (
	textsKept  = 128 // texts that a sample keeps at most
	TextLength = 80  // bytes kept of each
)

// Spelt reports whether a text that a sample kept is the whole value, spelled
// as in the documents. Canonical texts of ids are in lower case (see
// [Canonicalizer]), and long texts are cut.
func Spelt(text string) bool {
	return len(text) < TextLength && len(text) != uuidLength && len(text) != objectIDLength
}

func newSample(capacity int) Sample { return Sample{capacity: capacity} }

// keeps reports whether the hash lies below the threshold.
func (s *Sample) keeps(hash uint64) bool { return hash>>(64-s.shift) == 0 }

// find returns the entry of a hash, or nil. A bare hash becomes an entry,
// because a caller that looks for it has met the value again.
func (s *Sample) find(hash uint64) *entry {
	if hash>>(64-s.shift) != 0 {
		return nil
	}
	if e := s.entry(hash); e != nil || s.bared == 0 {
		return e
	}
	return s.unbare(hash)
}

func (s *Sample) entry(hash uint64) *entry {
	entries := s.entries
	if len(entries) == 0 {
		return nil
	}
	for i := hashtable.Home(hash, len(entries)); ; {
		e := &entries[i]
		if e.hash == hash {
			return e
		}
		if e.hash == 0 {
			return nil
		}
		if i++; i == len(entries) {
			i = 0
		}
	}
}

// more counts n more occurrences of a value, if it is kept.
func (s *Sample) more(hash uint64, n int64) {
	if e := s.find(hash); e != nil {
		e.count = uint32(min(int64(e.count)+n, math.MaxUint32))
	}
}

// add counts one occurrence.
func (s *Sample) add(hash uint64, class Class, text []byte) {
	if e := s.find(hash); e != nil {
		e.again()
		e.classes |= 1 << class
	} else {
		s.insert(entry{hash: hash, classes: 1 << class}, text)
	}
}

// insert adds a value on its first occurrence. It returns the value's entry, or
// nil if it is not kept.
func (s *Sample) insert(as entry, text []byte) *entry {
	if !s.keeps(as.hash) {
		return nil
	}
	as.count = 1
	if s.textCut == 0 || as.hash < 1<<(64-s.textCut) {
		as.text = s.keepText(text)
	} else if s.makeBare(as) {
		return nil
	}
	e := s.place(as)
	switch {
	case s.used+s.bared > s.capacity:
		s.halve()
		return s.entry(as.hash)
	case len(s.texts) > textsKept:
		s.halveTexts()
	}
	return e
}

func (s *Sample) keepText(text []byte) uint16 {
	if len(text) > TextLength {
		text = text[:TextLength]
	}
	s.texts = append(s.texts, string(text))
	return uint16(len(s.texts))
}

// place puts an entry into the table.
func (s *Sample) place(as entry) *entry {
	if 3*(s.used+1) > 2*len(s.entries) {
		s.rebuild(grown(len(s.entries), 3*(s.capacity+2)/2+1))
	}
	s.used++
	i := hashtable.Home(as.hash, len(s.entries))
	for s.entries[i].hash != 0 {
		if i++; i == len(s.entries) {
			i = 0
		}
	}
	s.entries[i] = as
	return &s.entries[i]
}

// rebuild moves the entries still kept into a table of the given length.
func (s *Sample) rebuild(length int) {
	old := s.entries
	s.entries, s.used = make([]entry, length), 0
	for i := range old {
		if e := &old[i]; e.hash != 0 && s.keeps(e.hash) {
			s.place(*e)
		}
	}
}

func (s *Sample) halve() {
	for s.used+s.bared > s.capacity {
		s.shift++
		s.refit(halvedRoom)
	}
	s.textCut = max(s.textCut, s.shift)
	s.compactTexts()
}

func (s *Sample) halveTexts() {
	for len(s.texts) > textsKept {
		s.textCut++
		s.compactTexts()
	}
}

func (s *Sample) compactTexts() {
	var kept []string
	for i := range s.entries {
		e := &s.entries[i]
		if e.hash == 0 || e.text == 0 {
			continue
		}
		if s.textCut != 0 && e.hash >= 1<<(64-s.textCut) {
			e.text = 0
			continue
		}
		kept = append(kept, s.texts[e.text-1])
		e.text = uint16(len(kept))
	}
	s.texts = kept
}

// merge adds the contents of o.
func (s *Sample) merge(o *Sample) {
	if s.capacity == 0 {
		s.capacity = o.capacity
	}
	if o.shift > s.shift {
		s.shift = o.shift
		s.rebuild(len(s.entries))
		s.rebuildBare(len(s.bare))
	}
	if cut := max(s.textCut, o.textCut, s.shift); cut > s.textCut {
		s.textCut = cut
		s.compactTexts()
	}
	for i := range scattered(len(o.entries)) {
		if f := &o.entries[i]; f.hash != 0 {
			s.mergeEntry(f, o)
		}
	}
	for i := range scattered(len(o.bare)) {
		if o.bare[i] != 0 {
			f := o.like
			f.hash = o.bare[i]
			s.mergeEntry(&f, o)
		}
	}
	if len(s.texts) > textsKept {
		s.halveTexts()
	}
}

// scattered yields the numbers below n, each once, far apart. A table is
// ordered by the slots of its entries, which are similar in all tables. Moved
// in that order to a table that is not empty, the entries would crowd at its
// beginning and make searches there long.
func scattered(n int) iter.Seq[int] {
	const prime = 2654435761 // larger than any table, so it divides no length
	return func(yield func(int) bool) {
		for i, k := 0, 0; k < n; k++ {
			if !yield(i) {
				return
			}
			i = int((uint64(i) + prime) % uint64(n))
		}
	}
}

func (s *Sample) mergeEntry(f *entry, o *Sample) {
	if !s.keeps(f.hash) {
		return
	}
	e := s.find(f.hash)
	if e == nil {
		as := *f
		as.cut, as.text, as.number = 0, 0, 0
		if f.text != 0 && (s.textCut == 0 || f.hash < 1<<(64-s.textCut)) {
			s.texts = append(s.texts, o.texts[f.text-1])
			as.text = uint16(len(s.texts))
		}
		if as.count != 1 || as.text != 0 || !s.makeBare(as) {
			s.place(as)
		}
		if s.used+s.bared > s.capacity {
			s.halve()
		}
		return
	}
	if e.text == 0 && f.text != 0 && (s.textCut == 0 || f.hash < 1<<(64-s.textCut)) {
		s.texts = append(s.texts, o.texts[f.text-1])
		e.text = uint16(len(s.texts))
	}
	e.count = uint32(min(uint64(e.count)+uint64(f.count), math.MaxUint32))
	e.classes |= f.classes
	if f.classes.Has(String) {
		e.form = f.form
	}
	e.integer |= f.integer
}

// Exact reports whether the sample still holds every value.
func (s *Sample) Exact() bool { return s.shift == 0 }

// Distinct estimates the number of distinct values.
func (s *Sample) Distinct() float64 { return float64(s.used+s.bared) * math.Ldexp(1, int(s.shift)) }

// A SampledValue is one value that a [Sample] kept.
type SampledValue struct {
	Hash    uint64
	Count   int64
	Classes ClassSet
	Text    string // the beginning of the value; "" if not kept
	HasText bool
}

// Values returns the values of the sample, most frequent first, then by hash.
func (s *Sample) Values() []SampledValue {
	out := make([]SampledValue, 0, s.used+s.bared)
	for e := range s.all() {
		out = append(out, s.value(e))
	}
	slices.SortFunc(out, func(a, b SampledValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Hash, b.Hash))
	})
	return out
}

// Texts returns the values that were kept as text, in no particular order.
func (s *Sample) Texts() iter.Seq[SampledValue] {
	return func(yield func(SampledValue) bool) {
		for i := range s.entries {
			if e := &s.entries[i]; e.text != 0 && !yield(s.value(e)) {
				return
			}
		}
	}
}

func (s *Sample) value(e *entry) SampledValue {
	v := SampledValue{Hash: e.hash, Count: int64(e.count), Classes: e.classes}
	if e.text != 0 {
		v.Text, v.HasText = s.texts[e.text-1], true
	}
	return v
}

// Lowest returns the n lowest hashes. This choice of values depends on nothing
// else, and it is the one that other samples know most about.
func (s *Sample) Lowest(n int) []uint64 {
	have := s.used + s.bared
	n = min(n, have)
	// Hashes are spread evenly: n of them, and some to spare, lie below this one.
	below := uint64(math.MaxUint64)
	if 2*n+64 < have {
		below = (below >> s.shift) / uint64(have) * uint64(2*n+64)
	}
	out := s.below(below)
	if len(out) < n {
		out = s.below(math.MaxUint64)
	}
	slices.Sort(out)
	return out[:n]
}

func (s *Sample) below(limit uint64) []uint64 {
	out := []uint64{}
	for hash := range s.Hashes() {
		if hash <= limit {
			out = append(out, hash)
		}
	}
	return out
}

// Lookup returns how often the value with this hash occurred; known is false
// if the sample cannot tell because the hash lies above its threshold.
func (s *Sample) Lookup(hash uint64) (count int64, classes ClassSet, known bool) {
	if !s.keeps(hash) {
		return 0, 0, false
	}
	if e := s.entry(hash); e != nil {
		return int64(e.count), e.classes, true
	}
	if s.bareAt(hash) >= 0 {
		return 1, s.like.classes, true
	}
	return 0, 0, true
}

// Repeated estimates how many distinct values occur more than once.
func (s *Sample) Repeated() float64 {
	n := 0
	for i := range s.entries {
		if s.entries[i].count > 1 {
			n++
		}
	}
	return float64(n) * math.Ldexp(1, int(s.shift))
}

// Inclusion joins the sample with target samples. Of the distinct values whose
// presence in the targets is known, it returns how many there are, how many
// occur in a target, and how many occur in one with a type in common.
func (s *Sample) Inclusion(targets ...*Sample) (tested, found, sameType int) {
	if len(targets) == 1 && targets[0].used+targets[0].bared < s.used+s.bared { // loop over the smaller sample
		_, found, sameType = targets[0].Inclusion(s)
		return targets[0].Tells(s), found, sameType
	}
	for e := range s.all() {
		all, any, same := true, false, false
		for _, target := range targets {
			count, classes, known := target.Lookup(e.hash)
			all = all && known
			if count > 0 {
				any = true
				same = same || classes.typeClasses()&e.classes.typeClasses() != 0
			}
		}
		if any || all {
			tested++
		}
		if any {
			found++
		}
		if same {
			sameType++
		}
	}
	return tested, found, sameType
}
