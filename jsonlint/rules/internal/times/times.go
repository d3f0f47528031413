// Package times reads dates and other values that order things in time.
package times

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

func (r Rank) String() string {
	switch r.Kind {
	case byTime:
		return time.UnixMilli(r.N).UTC().Format("2006-01-02T15:04:05.999Z")
	case ByNumber:
		return r.text + strconv.FormatInt(r.N, 10)
	}
	return r.text
}

// Under the name of a time, numbers in these ranges are seconds or milliseconds
// since 1970: from the year 2000 to 2100.
const (
	EpochFirst = 946_684_800
	EpochLast  = 4_102_444_800
)

// timeLayouts are the time formats that are unambiguous.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 -0700", "2006-01-02", time.RFC1123, time.RFC1123Z,
}

func parseTime(text string) (int64, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// At returns the time in a value, in milliseconds since 1970.
func At(d *profile.Document, i int) (int64, bool) {
	switch d.Tokens[i].Kind {
	case scan.Date:
		if n, err := strconv.ParseInt(string(d.Text(i)), 10, 64); err == nil {
			return n, true
		}
		return parseTime(d.String(i))
	case scan.Object:
		for _, names := range firestoreTime {
			if seconds, ok := d.Get(i, names[0]); ok && d.Len(i) == len(names) {
				return At(d, seconds)
			}
		}
	case scan.String:
		if profile.FormOf(d.Text(i)).IsDate() {
			return parseTime(d.String(i))
		}
	case scan.Number:
		n, err := strconv.ParseInt(string(d.Text(i)), 10, 64)
		switch {
		case err != nil:
		case EpochFirst <= n && n < EpochLast:
			return 1000 * n, true
		case 1000*EpochFirst <= n && n < 1000*EpochLast:
			return n, true
		}
	case scan.ObjectID:
		return objectIDTime(d.Text(i))
	}
	return 0, false
}

// objectIDTime returns the creation time of an ObjectId: its first four bytes.
func objectIDTime(hex []byte) (int64, bool) {
	if len(hex) != 24 {
		return 0, false
	}
	seconds, err := strconv.ParseInt(string(hex[:8]), 16, 64)
	return 1000 * seconds, err == nil && EpochFirst <= seconds && seconds < EpochLast
}

// firestoreTime are the members of a time as the libraries of Firestore write it into
// JSON, on a server and in a browser.
var firestoreTime = [][]string{{"_seconds", "_nanoseconds"}, {"seconds", "nanoseconds"}}

// ofFirestore reports whether the objects at n are such times.
func ofFirestore(n *profile.Node) bool {
	return n.Object != nil && n.Types[profile.Object] == n.Present() && slices.ContainsFunc(firestoreTime, func(names []string) bool {
		fields := n.Object.Fields()
		return len(fields) == len(names) && !slices.ContainsFunc(fields, func(f *profile.Node) bool {
			return !slices.Contains(names, f.Step.Name) || f.Types[profile.Int] < n.Types[profile.Object]
		})
	})
}

// Is reports whether the values at n are times: dates, date texts, times of Firestore, or
// numbers of the size of a time under the name of one.
func Is(n *profile.Node) bool {
	if ofFirestore(n) {
		return true
	}
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array] > 0 {
		return false
	}
	if s.Ints == n.ScalarCount() && s.Ints > 0 {
		seconds := s.MinInt >= EpochFirst && s.MaxInt < EpochLast
		millis := s.MinInt >= 1000*EpochFirst && s.MaxInt < 1000*EpochLast
		return (seconds || millis) && lexicon.TimeName(n.Step.Name)
	}
	dates := n.Types[profile.Date]
	for _, f := range []profile.Form{profile.FormDate, profile.FormDateTime, profile.FormDateTimeZone, profile.FormSpacedTime, profile.FormRFC1123} {
		k, _ := s.FormCount(f)
		dates += k
	}
	return dates > 0 && 20*dates >= 19*n.ScalarCount()
}

// otherMoments begin or end the names of times other than that of creation.
var otherMoments = []string{
	"updated", "modified", "modification", "deleted", "edited", "expires", "expiry", "expiration", "due", "birth", "birthday", "dob", "born",
	"until", "end", "ends", "ended", "closed", "valid", "read", "seen", "last", "next", "published",
}

// BornField returns the field of the objects at n that gives each one's
// creation time, or nil. At least nine in ten must have it. Of two alike the shorter
// name counts: createdAt is that of a notice, postCreatedAt that of what it is about.
func BornField(n *profile.Node) *profile.Node {
	if n == nil || n.Object == nil || n.Object.Sampled() {
		return nil
	}
	best, bestRank, words := (*profile.Node)(nil), 0, 0
	for _, f := range n.Object.Fields() {
		if !Is(f) || 10*f.Present() < 9*n.Types[profile.Object] {
			continue
		}
		tokens := lexicon.Tokens(f.Step.Name)
		rank := 1
		switch {
		case slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(otherMoments, t) }):
			continue
		case slices.ContainsFunc(tokens, func(t string) bool {
			return slices.Contains([]string{"created", "creation", "posted", "inserted", "added", "registered"}, t)
		}):
			rank = 3
		case lexicon.TimeName(f.Step.Name):
			rank = 2
		}
		if rank > bestRank || rank == bestRank && len(tokens) < words {
			best, bestRank, words = f, rank, len(tokens)
		}
	}
	return best
}

// A Rank orders the elements of a list in time: by a time, or by a key assigned
// in ascending order. Only ranks of one kind can be compared.
type Rank struct {
	Kind rankKind
	text string // an ObjectId, or the letters before a number
	N    int64
}

type rankKind uint8

const (
	NoRank rankKind = iota
	byTime
	ByNumber
	byObjectID
)

func (r Rank) Comparable(s Rank) bool {
	return r.Kind != NoRank && r.Kind == s.Kind && (r.Kind == byObjectID || r.text == s.text)
}

func (r Rank) Compare(s Rank) int { return cmp.Or(cmp.Compare(r.N, s.N), cmp.Compare(r.text, s.text)) }

// RankAt returns the rank of the scalar at i: its time if it is one, its value
// if it is an integer, an ObjectId, or letters with a number.
func RankAt(d *profile.Document, i int, time bool) Rank {
	if time {
		if t, ok := At(d, i); ok {
			return Rank{Kind: byTime, N: t}
		}
		return Rank{}
	}
	switch d.Tokens[i].Kind {
	case scan.ObjectID:
		return Rank{Kind: byObjectID, text: string(d.Canonical(i))}
	case scan.Number:
		if n, err := strconv.ParseInt(string(d.Text(i)), 10, 64); err == nil {
			return Rank{Kind: ByNumber, N: n}
		}
	case scan.String:
		text := d.Text(i)
		switch profile.FormOf(text) {
		case profile.FormHex24:
			return Rank{Kind: byObjectID, text: string(d.Canonical(i))}
		case profile.FormInteger, profile.FormPrefixNumber:
			cut := len(text)
			for cut > 0 && '0' <= text[cut-1] && text[cut-1] <= '9' {
				cut--
			}
			if n, err := strconv.ParseInt(string(text[cut:]), 10, 64); err == nil {
				return Rank{Kind: ByNumber, text: string(text[:cut]), N: n}
			}
		}
	}
	return Rank{}
}

// A RankField is the field that orders the elements of a list in time.
type RankField struct {
	Name string
	Time bool // a time rather than just an ascending id
}

// RankFieldOf returns the field that orders the objects at n: their creation
// time, or else a numeric id or an ObjectId.
func RankFieldOf(n *profile.Node) (RankField, bool) {
	if f := BornField(n); f != nil {
		return RankField{f.Step.Name, true}, true
	}
	if id := IDField(n); id != nil {
		return RankField{id.Step.Name, false}, true
	}
	return RankField{}, false
}

// IDField returns the field that identifies the objects at n and is assigned in
// ascending order: integers, ObjectIds, letters with a number.
func IDField(n *profile.Node) *profile.Node {
	if n == nil || n.Object == nil {
		return nil
	}
	for _, name := range []string{"id", "_id", "seq", "sequence", "no", "number", "nr", "index"} {
		f := n.Object.Field(name)
		if f == nil || f.Scalars == nil || 10*f.Present() < 9*n.Types[profile.Object] {
			continue
		}
		rising := f.Scalars.Ints + f.Types[profile.ObjectID]
		for _, form := range []profile.Form{profile.FormInteger, profile.FormPrefixNumber, profile.FormHex24} {
			k, _ := f.Scalars.FormCount(form)
			rising += k
		}
		if rising == f.ScalarCount() && rising > 0 {
			return f
		}
	}
	return nil
}

func (r RankField) Of(d *profile.Document, element int) Rank {
	if i, ok := d.Get(element, r.Name); ok {
		return RankAt(d, i, r.Time)
	}
	return Rank{}
}

// Spearman returns the rank correlation of two series of equal length, with
// ties at their mean rank. It is 0 if one is constant.
func Spearman(x, y []float64) float64 {
	rx, ry := ranks(x), ranks(y)
	mean := float64(len(x)+1) / 2
	var xy, xx, yy float64
	for i := range rx {
		dx, dy := rx[i]-mean, ry[i]-mean
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}
