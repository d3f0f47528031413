package unboundedarray

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/rulebook"
)

// content is the kind of a list's elements.
type content uint8

const (
	things     content = iota // objects with their own content
	references                // ids of other documents, or objects that only link
	texts                     // plain strings and dates
	numbers                   // numbers, booleans, points
)

func (l *list) classify() {
	total := max(1, l.elem.Present())
	most := func(classes ...profile.Class) bool {
		n := int64(0)
		for _, c := range classes {
			n += l.elem.Types[c]
		}
		return 2*n >= total
	}
	switch {
	case most(profile.Object):
		if l.link, l.ref = linkOf(l.p, l.elem); l.link != nil {
			l.content = references
		}
	case most(profile.Array):
		l.content = numbers
		if !geo.IsCoordinates(l.node) {
			l.content = texts
		}
	default:
		if l.ref = l.p.DB.ReferenceAt(l.elem); l.ref != nil || l.holdsIDs() {
			l.content, l.link = references, l.elem
			break
		}
		l.content = texts
		if most(profile.Int, profile.Double, profile.Bool) {
			l.content = numbers
		}
	}
}

// linkOf returns the field that makes an object a mere link: a reference, next
// to which there are only a few short values such as a name for display.
func linkOf(p *check.Pass, elem *profile.Node) (*profile.Node, *model.Reference) {
	const leavesOfLink, bytesOfLink = 4, 400
	if elem.Object == nil || elem.Object.Sampled() || elem.Object.Rest != nil || elem.Bytes > bytesOfLink*elem.Count {
		return nil, nil
	}
	var leaves []*profile.Node
	plain := true
	elem.Walk(func(n *profile.Node) bool {
		switch {
		case n.Array != nil || n.Depth > elem.Depth+2 || n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date] > 0:
			plain = false
		case n.Scalars != nil:
			leaves = append(leaves, n)
		}
		return plain
	})
	if !plain || len(leaves) > leavesOfLink || slices.ContainsFunc(leaves, times.Is) {
		return nil, nil
	}
	for _, leaf := range leaves {
		if r := p.DB.ReferenceAt(leaf); r != nil {
			return leaf, r
		}
	}
	for _, leaf := range leaves {
		if isPointer(leaf) {
			return leaf, nil
		}
	}
	return nil, nil
}

// isPointer reports whether a field points at a document outside the sample:
// $id of a DBRef, _ref, a FHIR reference, or a URL if all URLs there lead to
// the same few kinds of resource.
func isPointer(n *profile.Node) bool {
	switch word := n.Step.Name; {
	case word == "$id" || word == "_ref" || word == "$ref" || word == "reference":
		return true
	case slices.Contains(addressesWords(), word):
		return leadsToFewKinds(n)
	}
	return false
}

// leadsToFewKinds reports whether the values are URLs or paths that differ only
// in the last segment, except for up to three kinds, and that segment is not a
// file name.
func leadsToFewKinds(n *profile.Node) bool {
	s := n.Scalars
	urls, _ := s.FormCount(profile.FormURL)
	paths, _ := s.FormCount(profile.FormPath)
	prefixes := s.Prefixes().Values()
	if 10*(urls+paths) < 9*n.ScalarCount() || len(prefixes) == 0 {
		return false
	}
	total := int64(0)
	for _, v := range prefixes {
		total += v.Count
	}
	files := 0
	tails := s.Tails().Values()
	for _, v := range tails {
		if slices.Contains([]byte(v.Text), '.') {
			files++
		}
	}
	kinds := int64(0)
	for _, v := range prefixes[:min(3, len(prefixes))] {
		kinds += v.Count
	}
	return 10*kinds >= 9*total && 2*files < len(tails)
}

// holdsIDs reports whether scalars that match nothing in the sample are still
// ids: ObjectIds, UUIDs, values that the name calls ids or that are named after
// a collection, or values that never occur in two documents.
func (l *list) holdsIDs() bool {
	s := l.elem.Scalars
	if s == nil || l.elem.Types[profile.Double]+l.elem.Types[profile.Bool]+l.elem.Types[profile.Date] > 0 {
		return false
	}
	total := l.elem.ScalarCount()
	forms := func(forms ...profile.Form) (n int64) {
		for _, f := range forms {
			k, _ := s.FormCount(f)
			n += k
		}
		return n
	}
	ids := l.elem.Types[profile.ObjectID] + forms(profile.FormUUID, profile.FormHex24, profile.FormRandom)
	if 10*ids >= 8*total {
		return true
	}
	if leadsToFewKinds(l.elem) {
		return true
	}
	if 10*forms(profile.FormText, profile.FormEmpty) >= total {
		return false
	}
	tokens := lexicon.Tokens(l.name)
	if len(tokens) > 1 && slices.Contains(referenceEndingsWords(), tokens[len(tokens)-1]) {
		return true
	}
	codes := s.Ints + forms(profile.FormInteger, profile.FormPrefixNumber, profile.FormHex)
	repeats := float64(l.lens.Max) > 2*s.Values.Distinct() // in one list, as documents in a list do not
	return 10*codes >= 9*total && !repeats && (l.namesCollection() || l.exclusiveCodes())
}

// exclusiveCodes reports whether every number or code belongs to a single
// document, and numbers fill their range: serial numbers of things.
// Measurements repeat, and times are spread thinly.
func (l *list) exclusiveCodes() bool {
	s := l.elem.Scalars
	share, known := l.ownership()
	if !known || share < l.p.Threshold("owner-share") {
		return false
	}
	return s.Ints == 0 || float64(s.MaxInt-s.MinInt) <= 4*s.Values.Distinct()
}

// ownership returns the share of ids in the lists that occur only once: 1 if
// every child has one parent. It is known from 20 ids in 5 documents on.
func (l *list) ownership() (share float64, known bool) {
	node := l.link
	if node == nil {
		node = l.elem
	}
	if node.Scalars == nil {
		return 0, false
	}
	values := &node.Scalars.Values
	distinct := values.Distinct()
	return 1 - values.Repeated()/max(1, distinct), distinct >= 20 && l.node.Docs >= 5
}

var (
	addressesWords        = rulebook.Words("unbounded-array", "addresses")
	referenceEndingsWords = rulebook.Words("unbounded-array", "reference-endings")
)
