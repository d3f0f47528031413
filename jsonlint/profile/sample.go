package profile

import (
	"cmp"
	"math"
	"slices"
)

// A Sample counts distinct values in bounded memory. It keeps every value
// whose 64-bit hash lies below a threshold and the exact number of times that
// value occurred; when more than its capacity are kept, the threshold halves
// and the values above it are dropped.
//
// What survives depends only on the set of values seen, not on their order or
// on how they were split between samples, so that samples merge exactly; and
// because all samples use one hash, the samples of two fields can be joined:
// below the smaller of the two thresholds each holds everything there is.
// (Adaptive threshold sampling; Wegman's adaptive counting as analysed by
// Flajolet, "On adaptive sampling", Computing 43, 1990.)
//
// Distinct counts are exact up to the capacity c and have a standard error of
// at most 1.2/√(c/2) beyond.
type Sample struct {
	entries  []entry // open addressing, power-of-two length; hash 0 marks a free slot
	texts    []string
	used     int
	capacity int
	shift    uint8 // hashes below 2^(64-shift) are kept
	textCut  uint8 // texts are kept of hashes below 2^(64-textCut)
}

type entry struct {
	hash    uint64
	count   uint32
	cut     uint32 // of a URL or path: its parts in [Scalars.cuts], plus one
	text    uint16 // index in texts plus one
	classes ClassSet
	form    Form        // valid if it occurred as a string
	integer integerKind // valid if it occurred as an integer
	number  uint8       // its place in [Scalars.table], plus one
}

func (e *entry) again() {
	if e.count != math.MaxUint32 {
		e.count++
	}
}

const (
	textsKept  = 128 // texts a sample keeps at most
	textLength = 80  // bytes kept of each
)

func newSample(capacity int) Sample { return Sample{capacity: capacity} }

func (s *Sample) limit() uint64 {
	if s.shift == 0 {
		return math.MaxUint64
	}
	return 1 << (64 - s.shift)
}

// keeps reports whether the hash lies below the threshold.
func (s *Sample) keeps(hash uint64) bool { return hash>>(64-s.shift) == 0 }

// find returns the entry of a hash, nil if there is none.
func (s *Sample) find(hash uint64) *entry {
	entries := s.entries
	if hash>>(64-s.shift) != 0 || len(entries) == 0 {
		return nil
	}
	for i := hash; ; i++ {
		e := &entries[i&uint64(len(entries)-1)]
		if e.hash == hash {
			return e
		}
		if e.hash == 0 {
			return nil
		}
	}
}

// add counts one occurrence; text is called for only when its text is kept.
func (s *Sample) add(hash uint64, class Class, text []byte) {
	if !s.keeps(hash) {
		return
	}
	e := s.slot(hash)
	if e.hash == 0 {
		e = s.insert(hash)
		if s.textCut == 0 || hash < 1<<(64-s.textCut) {
			e.text = s.keepText(text)
		}
	}
	e.again()
	e.classes |= 1 << class
	if s.used > s.capacity {
		s.halve()
	} else if len(s.texts) > textsKept {
		s.halveTexts()
	}
}

func (s *Sample) keepText(text []byte) uint16 {
	if len(text) > textLength {
		text = text[:textLength]
	}
	s.texts = append(s.texts, string(text))
	return uint16(len(s.texts))
}

// slot finds the entry of hash, or the free one where it belongs.
func (s *Sample) slot(hash uint64) *entry {
	if len(s.entries) == 0 {
		s.entries = make([]entry, 4)
	}
	mask := uint64(len(s.entries) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if e := &s.entries[i]; e.hash == hash || e.hash == 0 {
			return e
		}
	}
}

func (s *Sample) insert(hash uint64) *entry {
	if 4*(s.used+1) > 3*len(s.entries) {
		length := 2 * len(s.entries)
		if length < 128 {
			length *= 2
		}
		s.rebuild(length, math.MaxUint64)
	}
	e := s.slot(hash)
	e.hash = hash
	s.used++
	return e
}

// rebuild moves the entries below limit into a table of the given length.
func (s *Sample) rebuild(length int, limit uint64) {
	old := s.entries
	s.entries, s.used = make([]entry, length), 0
	for _, e := range old {
		if e.hash != 0 && e.hash <= limit {
			*s.slot(e.hash) = e
			s.used++
		}
	}
}

func (s *Sample) halve() {
	for s.used > s.capacity {
		s.shift++
		s.rebuild(len(s.entries), s.limit()-1)
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

func (s *Sample) merge(o *Sample) {
	if s.capacity == 0 {
		s.capacity = o.capacity
	}
	if o.shift > s.shift {
		s.shift = o.shift
		s.rebuild(max(4, len(s.entries)), s.limit()-1)
	}
	if cut := max(s.textCut, o.textCut, s.shift); cut > s.textCut {
		s.textCut = cut
		s.compactTexts()
	}
	limit := s.limit()
	for i := range o.entries {
		f := &o.entries[i]
		if f.hash == 0 || (s.shift != 0 && f.hash >= limit) {
			continue
		}
		e := s.slot(f.hash)
		if e.hash == 0 {
			e = s.insert(f.hash)
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
	if s.used > s.capacity {
		s.halve()
	}
	if len(s.texts) > textsKept {
		s.halveTexts()
	}
}

// Exact reports whether the sample still holds every value.
func (s *Sample) Exact() bool { return s.shift == 0 }

// Distinct estimates the number of distinct values.
func (s *Sample) Distinct() float64 { return float64(s.used) * math.Ldexp(1, int(s.shift)) }

// A SampledValue is one value that a [Sample] kept.
type SampledValue struct {
	Hash    uint64
	Count   int64
	Classes ClassSet
	Text    string // the beginning of the value; "" if it was not kept
	HasText bool
}

// Values returns what the sample holds: most frequent first, then by hash.
func (s *Sample) Values() []SampledValue {
	out := make([]SampledValue, 0, s.used)
	for i := range s.entries {
		e := &s.entries[i]
		if e.hash == 0 {
			continue
		}
		v := SampledValue{Hash: e.hash, Count: int64(e.count), Classes: e.classes}
		if e.text != 0 {
			v.Text, v.HasText = s.texts[e.text-1], true
		}
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b SampledValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Hash, b.Hash))
	})
	return out
}

// Lowest returns the n lowest hashes: a choice among the values that does not
// depend on anything else, and of which other samples know most.
func (s *Sample) Lowest(n int) []uint64 {
	out := make([]uint64, 0, s.used)
	for i := range s.entries {
		if h := s.entries[i].hash; h != 0 {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out[:min(n, len(out))]
}

// Lookup returns how often the value with this hash occurred; known is false
// if the sample cannot tell because the hash lies above its threshold.
func (s *Sample) Lookup(hash uint64) (count int64, classes ClassSet, known bool) {
	if s.shift != 0 && hash >= s.limit() {
		return 0, 0, false
	}
	if s.used == 0 {
		return 0, 0, true
	}
	e := s.slot(hash)
	return int64(e.count), e.classes, true
}

// Repeated estimates how many distinct values occurred more than once.
func (s *Sample) Repeated() float64 {
	n := 0
	for i := range s.entries {
		if s.entries[i].count > 1 {
			n++
		}
	}
	return float64(n) * math.Ldexp(1, int(s.shift))
}

// Inclusion joins the sample with target samples: of the distinct values
// whose presence in the targets can be told, how many there are, how many one
// of the targets has, and how many one has with a type in common.
func (s *Sample) Inclusion(targets ...*Sample) (tested, found, sameType int) {
	for i := range s.entries {
		e := &s.entries[i]
		if e.hash == 0 {
			continue
		}
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
