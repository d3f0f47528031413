package evidence

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// FewObjects is the number of objects below which it is unclear whether their
// names vary like data.
const FewObjects = 20

// hideFew folds objects, innermost first, that are too few to show what they
// are and do not look like records.
func (n *Node) hideFew(root bool) {
	if k := n.Objects(); n.Fold == Unfolded && 0 < k && k < FewObjects && len(n.Fields) > 0 && !n.isRecord(root) {
		n.fold(Few)
	}
	for _, child := range n.children() {
		child.hideFew(false)
	}
}

// isRecord reports whether half of the names are words that name fields, or the
// values have several types and a name is such a word, or most objects have
// each of the names. For documents themselves, which lose more without names,
// one word or several types are enough.
func (n *Node) isRecord(root bool) bool {
	known, common := 0, n.Objects() > 1
	types := map[profile.Class]bool{}
	for name, f := range n.Fields {
		if namesField(name) {
			known++
		}
		common = common && 2*f.Values > n.Objects()
		for class := profile.Bool; class < profile.NumClasses; class++ {
			if f.Types[class] > 0 {
				types[class.TypeClass()] = true
			}
		}
	}
	if root && (known > 0 || len(types) > 1) {
		return true
	}
	return 2*known >= len(n.Fields) || len(types) > 1 && (known > 0 || common)
}

// plainWords are common last words of field names that are in no rule's list.
var plainWords = strings.Fields(`
	text title body content description comment note message subject summary caption label value data
	by from to at on since until start end begin date time year month day hour duration
	amount sum min max average mean percent ratio rate unit quantity qty number index position offset limit
	size length width height depth weight x y z lat lng lon latitude longitude radius
	street city town state region district postcode house
	url link href path file format version language locale
	given family maiden surname forename gender born age
	enabled disabled active visible required public private
`)

// namesField reports whether a name looks like a field's, judging by the rules'
// words and some plain ones.
func namesField(name string) bool {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return false
	}
	if last := tokens[len(tokens)-1]; slices.Contains(plainWords, last) || slices.Contains(plainWords, lexicon.Singular(last)) {
		return true
	}
	if _, _, reference := lexicon.ReferenceStem(name); reference || lexicon.IdentityName(name) {
		return true
	}
	for list := range lexicon.List(len(lexicon.ListNames())) {
		if lexicon.Default().Has(list, name) {
			return true
		}
	}
	return false
}
