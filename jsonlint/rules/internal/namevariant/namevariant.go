// Package namevariant finds pairs of names in an object that are probably
// spellings of one name.
package namevariant

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

const (
	variantFields = 200 // number of names above which an object is probably a map
	variantLength = 3   // length below which case matters: e and E may be two fields
	typoOne       = 5   // length from which one wrong letter is a misspelling
	typoTwo       = 9   // length from which two wrong letters are

	letterBits = 1.5 // evidence from each letter that two names share
	typoBits   = 4   // counter-evidence from each wrong letter

	// For rules that leave such names to this package.
	UsualRare   = 0.1
	UsualCommon = 0.8
)

// A Variant is a rare name with the common name that it stands for.
type Variant struct {
	Entity *model.Entity
	Holder *profile.Node
	Rare   *profile.Node
	Common *profile.Node
	Style  bool  // the two differ only in case and separators
	Both   int64 // number of objects with both
}

// Find returns the variants among the members of the objects at n.
func Find(n *profile.Node, rareShare, commonShare float64) []*Variant {
	if n.Object == nil || !n.Object.Shapes.Exact() {
		return nil
	}
	fields := n.Object.Fields()
	if len(fields) > variantFields {
		return nil
	}
	var out []*Variant
	byFold := map[string][]*profile.Node{}
	for _, f := range fields {
		if fold := lexicon.Fold(f.Step.Name); len(fold) >= variantLength && !Marked(f.Step.Name) {
			byFold[fold] = append(byFold[fold], f)
		}
	}
	for _, fold := range sortedKeys(byFold) {
		group := byFold[fold]
		slices.SortFunc(group, func(a, b *profile.Node) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Step.Name, b.Step.Name))
		})
		for _, f := range group[1:] {
			out = append(out, &Variant{Rare: f, Common: group[0], Style: true, Both: Both(n, f, group[0])})
		}
	}
	for _, f := range fields {
		if v := misspelling(n, f, fields, rareShare, commonShare); v != nil && !slices.ContainsFunc(out, func(o *Variant) bool { return o.Rare == f }) {
			out = append(out, v)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Marked reports whether a mark intentionally distinguishes a name: _id next to
// id, @type next to type, day--1 next to day-1.
func Marked(name string) bool {
	return name != "" && strings.ContainsRune("_$@#:-", rune(name[0])) || strings.ContainsAny(name, ":/") || strings.Contains(name, "--")
}

// Both counts the objects that have both members. A null member counts as
// absent, as in shapes.
func Both(n, a, b *profile.Node) int64 { return n.Object.Shapes.Together(a, b) }

// misspelling returns the common name that a rare one differs from by a letter
// or two, if objects have one or the other and that is hardly accidental.
func misspelling(n, rare *profile.Node, fields []*profile.Node, rareShare, commonShare float64) *Variant {
	objects := float64(n.Types[profile.Object])
	if float64(rare.Present()) > max(1, rareShare*objects) || len(rare.Step.Name) < typoOne || Marked(rare.Step.Name) || rare.Present() == 0 {
		return nil
	}
	for _, common := range fields {
		share := float64(common.Present()) / objects
		if common == rare || share < commonShare || Marked(common.Step.Name) || !typeInCommon(rare, common) {
			continue
		}
		a, b := strings.ToLower(rare.Step.Name), strings.ToLower(common.Step.Name)
		distance := 1
		if min(len(a), len(b)) >= typoTwo {
			distance = 2
		}
		wrong := lexicon.Damerau(a, b, distance)
		if wrong > distance || Letters(a) == Letters(b) || Counterparts(a, b) {
			continue
		}
		both := Both(n, rare, common)
		if both > 0 && lexicon.Singular(a) == lexicon.Singular(b) {
			continue
		}
		// Similar names, and objects that lack one by chance, are both evidence. The
		// number of fields is a price to subtract.
		bits := Alike(a, b, wrong) - math.Log2(float64(len(fields)))
		if both == 0 {
			bits -= float64(rare.Present()) * math.Log2(max(1-share, 1/objects))
		} else {
			bits -= typoBits // two fields may be intended, unless their values are equal
		}
		if bits >= model.Convincing {
			return &Variant{Rare: rare, Common: common, Both: both}
		}
	}
	return nil
}

// Alike returns the evidence, in bits, that a name is a misspelling of another
// from which a few wrong letters separate it, rather than a different name.
func Alike(a, b string, wrong int) float64 {
	return letterBits*float64(min(len(a), len(b))) - typoBits*float64(wrong)
}

// Letters removes digits: line1 and line2 are not misspellings of each other.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}

// typeInCommon reports whether the values of both have a type in common: a
// misspelled name may also come with another notation of values.
func typeInCommon(a, b *profile.Node) bool {
	for _, c := range a.TypeClasses() {
		if b.Types[c.Class] > 0 || c.Class == profile.Int && b.Types[profile.Double] > 0 {
			return true
		}
	}
	return false
}

// opposites are words that differ in a letter or two but mean different things.
var opposites = [][2]string{
	{"min", "max"}, {"in", "out"}, {"on", "off"}, {"to", "from"}, {"up", "down"}, {"low", "high"}, {"start", "end"}, {"old", "new"},
	{"row", "col"}, {"lat", "lon"}, {"lat", "lng"}, {"pre", "post"}, {"src", "dst"}, {"first", "last"}, {"sub", "sup"}, {"male", "female"},
}

// Counterparts reports whether two names differ in a pair of opposites, or in
// one whole word of up to two letters (x and y).
func Counterparts(a, b string) bool {
	wa, wb := lexicon.Tokens(a), lexicon.Tokens(b)
	for _, o := range opposites {
		for i := range 2 {
			x, y := o[i], o[1-i]
			if strings.Contains(a, x) && strings.Contains(b, y) && strings.Replace(a, x, y, 1) == b {
				return true
			}
		}
	}
	if len(wa) != len(wb) {
		return false
	}
	for i := range wa {
		if wa[i] != wb[i] && (len(wa[i]) <= 2 || len(wb[i]) <= 2) {
			return true
		}
	}
	return false
}
