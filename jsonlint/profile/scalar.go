package profile

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// blobBytes is the length from which a string can be a blob (rule inline-blob).
const blobBytes = 16 << 10

// scalar adds the scalar t at i to n. What a text shows, such as its form, is
// the same at each occurrence, so it is determined once and kept with the value
// in the sample.
func (b *Builder) scalar(n *Node, t *scan.Token, i int, class Class) uint8 {
	s := n.Scalars
	if s == nil {
		s = n.scalars()
	}
	text := b.src[t.A:t.B]
	if !isCanonical(t) {
		text = b.canon.Text(b.d, i)
	}
	hash := HashText(text)
	b.seen.hash = hash
	e := s.Values.find(hash)
	if e == nil || e.classes&(1<<class) == 0 {
		e = b.unfamiliar(s, e, i, class, text, hash)
	} else {
		e.again()
		switch class {
		case String:
			b.seen.form = e.form
			if f := &s.forms[0]; f.form == e.form && !b.late {
				f.count++
			} else {
				b.form(s, e.form, i)
			}
			if e.form == FormURL || e.form == FormPath {
				b.tailAgain(s, e, text)
			}
		case Int:
			b.integer(s, e.integer, i)
		}
	}
	switch class {
	case Double:
		b.double(s, i)
	case String:
		if len(text) >= blobBytes && isBlob(text) {
			s.Blobs++
			s.BlobMax, s.BlobAt = larger(s.BlobMax, s.BlobAt, int64(len(text)), b.at(i, -1))
		}
	case Binary:
		if len(text) >= blobBytes {
			s.Blobs++
			s.BlobMax, s.BlobAt = larger(s.BlobMax, s.BlobAt, int64(len(text)), b.at(i, -1))
		}
	}
	if e == nil || !s.few() {
		return 0
	}
	return e.number
}

// unfamiliar adds a value that the sample does not keep, or does not know in
// this class. e is its entry if the sample knows it in another class. It
// returns the entry, or nil if there is none.
func (b *Builder) unfamiliar(s *Scalars, e *entry, i int, class Class, text []byte, hash uint64) *entry {
	as := entry{hash: hash, classes: 1 << class}
	located := false
	switch class {
	case String:
		as.form = FormOf(text)
		b.seen.form = as.form
		b.form(s, as.form, i)
		if located = as.form == FormURL || as.form == FormPath; located {
			b.seen.cut = b.tail(s, text)
		}
	case Int:
		as.integer = b.bounds(s, b.d.Text(i))
		b.integer(s, as.integer, i)
	}
	if e == nil {
		e = s.Values.insert(as, text)
		s.enumerate(e)
	} else {
		e.again()
		e.classes |= as.classes
		if class == String {
			e.form = as.form
		}
		e.integer |= as.integer
	}
	if e != nil && located {
		s.remember(e, b.seen.cut)
	}
	return e
}

// enumerate numbers a new value while there are few.
func (s *Scalars) enumerate(e *entry) {
	switch {
	case !s.few():
		s.table = nil
	case e.number == 0:
		s.table = append(s.table, e.hash)
		e.number = uint8(len(s.table))
	}
}

// few reports whether all values are known and few enough to count by shape.
func (s *Scalars) few() bool {
	return s.Values.used+s.Values.bared <= tableValues && s.Values.shift == 0
}

func (b *Builder) form(s *Scalars, f Form, i int) {
	for j := range s.forms {
		if e := &s.forms[j]; e.form == f {
			e.count++
			if b.beforePos(e.at, b.toks[i].Start) {
				e.at = b.at(i, -1)
			}
			return
		}
	}
	s.forms = append(s.forms, formSeen{f, 1, b.at(i, -1)})
}

// A cut holds the hashes of the last segment of a URL or path and of what
// precedes it. Both are 0 if there is no last segment.
type cut struct{ tail, prefix uint64 }

// tail samples the last segment of a URL or path, which may be an id, and what
// precedes it.
func (b *Builder) tail(s *Scalars, text []byte) (c cut) {
	prefix, tail, ok := cutTail(text, &b.keyBuf)
	if !ok {
		return c
	}
	c = cut{HashText(tail), HashText(prefix)}
	parts := s.parts()
	parts.tails.add(c.tail, String, tail)
	parts.prefixes.add(c.prefix, String, prefix)
	return c
}

// tailAgain counts the parts of a URL or path that was cut before.
func (b *Builder) tailAgain(s *Scalars, e *entry, text []byte) {
	if e.cut == 0 { // the entry came from another profile
		b.seen.cut = b.tail(s, text)
		s.remember(e, b.seen.cut)
		return
	}
	c := s.cuts[e.cut-1]
	b.seen.cut = c
	if c.tail == 0 {
		return
	}
	if t := s.Tails().find(c.tail); t != nil {
		t.again()
	}
	if p := s.Prefixes().find(c.prefix); p != nil {
		p.again()
	}
}

// remember keeps the parts of a value. Parts of values that the sample has
// dropped are removed once they are the majority.
func (s *Scalars) remember(e *entry, c cut) {
	if len(s.cuts) > 64+2*s.Values.used {
		var kept []cut
		for i := range s.Values.entries {
			if f := &s.Values.entries[i]; f.cut != 0 {
				kept = append(kept, s.cuts[f.cut-1])
				f.cut = uint32(len(kept))
			}
		}
		s.cuts = kept
	}
	s.cuts = append(s.cuts, c)
	e.cut = uint32(len(s.cuts))
}

// cutTail cuts a URL or path before its last segment and normalizes the segment
// as an id. It uses buf if that changes the segment.
func cutTail(text []byte, buf *[]byte) (prefix, tail []byte, ok bool) {
	end := len(text)
	for end > 0 && text[end-1] == '/' {
		end--
	}
	cut := lastSeparator(text[:end]) + 1
	if cut == 0 || cut == end {
		return nil, nil, false
	}
	prefix, tail = text[:cut], text[cut:end]
	if len(tail) == 24 && allHex(tail) || len(tail) == 36 && tail[8] == '-' {
		tail = lowered(tail, buf)
	}
	return prefix, tail, true
}

// lastSeparator returns the index of the last slash or colon, or -1. It
// examines 8 bytes at a time: after an XOR with either of them, adding to the
// lower 7 bits of each byte carries into its highest bit unless the byte is 0.
func lastSeparator(text []byte) int {
	const (
		ones = 0x0101010101010101
		lows = 0x7f * ones
	)
	n := len(text)
	for ; n >= 8; n -= 8 {
		w := binary.LittleEndian.Uint64(text[n-8:])
		slash, colon := w^'/'*ones, w^':'*ones
		if hit := ^((slash&lows+lows|slash)&(colon&lows+lows|colon) | lows); hit != 0 {
			return n - 1 - bits.LeadingZeros64(hit)>>3
		}
	}
	for n--; n >= 0 && text[n] != '/' && text[n] != ':'; n-- {
	}
	return n
}

const (
	maxSafeInteger = 1 << 53
	doubleDigits   = 17 // more significant digits than a double can distinguish
)

// An integerKind describes an integer.
type integerKind uint8

const (
	fits    integerKind = 1 << iota // 64 bits can hold it
	inexact                         // a double cannot hold it
)

// bounds extends the range of the integers.
func (b *Builder) bounds(s *Scalars, text []byte) integerKind {
	v, ok := parseInt(text)
	if !ok {
		return inexact
	}
	if s.Ints == 0 {
		s.MinInt, s.MaxInt = v, v
	}
	s.MinInt, s.MaxInt = min(s.MinInt, v), max(s.MaxInt, v)
	if v > maxSafeInteger || v < -maxSafeInteger {
		return fits | inexact
	}
	return fits
}

func (b *Builder) integer(s *Scalars, k integerKind, i int) {
	b.seen.integer = k
	s.Ints += int64(k & fits)
	if k&inexact != 0 {
		b.imprecise(s, i)
	}
}

// A doubleKind describes a number that is not written as an integer.
type doubleKind uint8

const (
	whole doubleKind = iota // equals a 64-bit integer
	fraction
	decimal // a 128-bit decimal
)

func (b *Builder) double(s *Scalars, i int) {
	text := b.d.Text(i)
	point, exponent := pointOf(text)
	if imprecise(text, exponent) {
		b.imprecise(s, i)
	}
	switch {
	case b.d.Tokens[i].Kind == scan.Decimal:
		s.Decimals++
		b.seen.double = decimal
	case !integral(text, point, exponent):
		s.Fractions++
		b.seen.double = fraction
	}
}

// integral reports whether a number with a point or an exponent equals a 64-bit
// integer.
func integral(text []byte, point int, exponent bool) bool {
	if point >= 0 && point <= doubleDigits && !exponent {
		last := len(text) - 1
		for last > point && text[last] == '0' {
			last--
		}
		return last == point
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && f == math.Trunc(f) && f >= math.MinInt64 && f < math.MaxInt64
}

// imprecise counts a number that a double cannot hold, unless its wrapper gives
// it a type that can.
func (b *Builder) imprecise(s *Scalars, i int) {
	if b.d.Tokens[i].Flags&scan.Wrapped == 0 {
		b.seen.imprecise = true
		s.Imprecise++
		s.ImpreciseAt = Earlier(s.ImpreciseAt, b.at(i, -1))
	}
}

func parseInt(text []byte) (v int64, ok bool) {
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}

// isBlob reports whether a long text is base64 or a data URI.
func isBlob(text []byte) bool {
	if bytes.HasPrefix(text, []byte("data:")) {
		return true
	}
	if len(text)%4 != 0 {
		return false
	}
	window := text[:4096]
	var buf [3 * 4096 / 4]byte
	_, err := base64.StdEncoding.Decode(buf[:], window)
	if err != nil {
		_, err = base64.URLEncoding.Decode(buf[:], window)
	}
	return err == nil
}
