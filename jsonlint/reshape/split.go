package reshape

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Split says how to split an array off its parent.
type Split struct {
	Path     profile.Path // of the array; passes only through objects
	ParentID string       // member with the parent's id
	ChildRef string       // member in which a child stores that id

	// The parent keeps the Keep newest elements, newest first, as RecentName in
	// place of the array. It keeps none if either is zero. In NewestBy's order,
	// newer elements are greater; without it, later elements are newer.
	RecentName string
	Keep       int
	NewestBy   func(a, b *Value) int

	// A child without any of the IDKeys gets the first of them, with the value
	// "<parent's id>:<position from 1>". Without IDKeys, no id is added.
	IDKeys []string

	// Bucket is the number of elements per child; 0 makes a child of each element.
	Bucket int
}

// SplitArray splits an array off its parent. The children are in the order of
// the elements. A child is an object with the element's members, or {"value":
// x}, or a numbered bucket of elements with their count. Each has the parent's
// id in the parent's spelling. A name that is taken gets a prefix. SplitArray
// does not change the given parent. It fails if there is no array at the path
// or the parent has no id, because the children would lose their parent.
func SplitArray(parent *Value, s Split) (newParent *Value, children []*Value, err error) {
	for _, step := range s.Path {
		if step.Kind != profile.Field {
			return nil, nil, fmt.Errorf("split %q: the path leads through an array or a map", s.Path)
		}
	}
	above, name, err := holder(s.Path)
	if err != nil {
		return nil, nil, fmt.Errorf("split: %w", err)
	}
	newParent = parent.Clone()
	id := newParent.Get(s.ParentID)
	if id == nil || id.kind >= scan.Object || id.kind == scan.Null {
		return nil, nil, fmt.Errorf("split %q: the parent has no id %q", s.Path, s.ParentID)
	}
	holders := newParent.Select(above)
	if len(holders) == 0 || !isArray(holders[0].Get(name)) {
		return nil, nil, fmt.Errorf("split %q: no array there", s.Path)
	}
	elements := holders[0].Get(name).elements
	if s.Bucket > 0 {
		children = s.buckets(id, name, elements)
	} else {
		children = s.children(id, elements)
	}
	s.keepRecent(holders[0], name, elements)
	return newParent, children, nil
}

func (s Split) children(id *Value, elements []*Value) []*Value {
	ref := s.ChildRef
	for slices.ContainsFunc(elements, func(e *Value) bool { return e.Get(ref) != nil && !e.Get(ref).Equal(id) }) {
		ref = fieldName(Object(Member{ref, id}), "parent", ref)
	}
	children := make([]*Value, 0, len(elements))
	for n, element := range elements {
		child := Object(Member{ref, id.Clone()})
		if isObject(element) {
			spread(child, element, "element")
		} else {
			child.Set(freeName(child, "element", "value"), element.Clone())
		}
		s.identify(child, id, n)
		children = append(children, child)
	}
	return children
}

// identify moves the id of a child to the front, and makes one if it has none.
func (s Split) identify(child, parent *Value, n int) {
	for _, key := range s.IDKeys {
		if key != s.ChildRef && child.Has(key) {
			child.SetFirst(key, child.Get(key))
			return
		}
	}
	if len(s.IDKeys) > 0 && !child.Has(s.IDKeys[0]) {
		child.SetFirst(s.IDKeys[0], String(parent.text+":"+strconv.Itoa(n+1)))
	}
}

func (s Split) buckets(id *Value, name string, elements []*Value) []*Value {
	var buckets []*Value
	for n := 0; n*s.Bucket < len(elements); n++ {
		page := Array()
		for _, e := range elements[n*s.Bucket : min((n+1)*s.Bucket, len(elements))] {
			page.Append(e.Clone())
		}
		bucket := Object(Member{s.ChildRef, id.Clone()})
		bucket.Set(freeName(bucket, "page", "bucket"), Int(int64(n+1)))
		bucket.Set(freeName(bucket, "element", "count"), Int(int64(page.Len())))
		bucket.Set(freeName(bucket, "page", name), page)
		s.identify(bucket, id, n)
		buckets = append(buckets, bucket)
	}
	return buckets
}

// keepRecent puts the newest elements, if any, in place of the array.
func (s Split) keepRecent(holder *Value, name string, elements []*Value) {
	if s.RecentName == "" || s.Keep <= 0 {
		holder.Remove(name)
		return
	}
	newest := slices.Clone(elements)
	slices.Reverse(newest) // of two equally new elements, the later one comes first
	if s.NewestBy != nil {
		slices.SortStableFunc(newest, func(a, b *Value) int { return s.NewestBy(b, a) })
	}
	recent := Array()
	for _, e := range newest[:min(s.Keep, len(newest))] {
		recent.Append(e.Clone())
	}
	if s.RecentName != name {
		free := freeName(holder, "kept", s.RecentName)
		holder.Rename(name, free)
		name = free
	}
	holder.Set(name, recent)
}

// By returns an order of objects by a member, comparing values with [Compare].
// Objects without it come first.
func By(path profile.Path) func(a, b *Value) int {
	return func(a, b *Value) int {
		x, y := a.Select(path), b.Select(path)
		switch {
		case len(x) == 0 || len(y) == 0:
			return min(len(x), 1) - min(len(y), 1)
		}
		return Compare(x[0], y[0])
	}
}

// FieldName joins names in the naming style of the object's members: product
// and tags become productTags or product_tags.
func FieldName(object *Value, names ...string) string { return fieldName(object, names...) }

// RefName returns the name under which an object should store the id of another
// one: for the member stock of an object in camel case, stockId.
func RefName(object *Value, name string) string {
	words := lexicon.Tokens(name)
	if len(words) > 0 {
		words[len(words)-1] = lexicon.Singular(words[len(words)-1])
	}
	if len(words) < 2 || words[len(words)-1] != "id" {
		words = append(words, "id")
	}
	return fieldName(object, words...)
}
