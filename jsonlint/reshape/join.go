package reshape

import (
	"errors"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Side is one of the two sides that join documents connect.
type Side struct {
	Documents []*Value
	ID        string // member of the documents with their id
	Ref       string // member of the join documents that refers to it
	Array     string // member that receives the ids of the other side; "" for none
}

// Joined is the result of resolving join documents.
type Joined struct {
	A, B      []*Value // the documents of the sides, in order, with their arrays
	Dangling  []*Value // join documents with a missing side
	Remaining []*Value // join documents that say more than the pair, or less
}

// JoinToArrays turns join documents into arrays of ids in the documents that
// they connect. Ids are spelled as in the other side's documents (if the join
// has 1 and the document "1", "1"), unique, and sorted by size if all are
// integers, otherwise by text. Ids already in an array stay. Nothing is
// dropped: join documents with a member that is neither a reference nor
// housekeeping, or with a missing side, are returned. JoinToArrays does not
// change the given documents. It fails if neither side gets an array.
func JoinToArrays(rows []*Value, a, b Side, housekeeping func(name string) bool) (Joined, error) {
	if a.Array == "" && b.Array == "" {
		return Joined{}, errors.New("join: neither side gets an array")
	}
	var joined Joined
	var idsA, idsB [][]*Value
	joined.A, idsA = a.prepare()
	joined.B, idsB = b.prepare()
	findA, findB := index(a), index(b)
	for _, row := range rows {
		refA, refB := row.Get(a.Ref), row.Get(b.Ref)
		more := slices.ContainsFunc(row.Keys(), func(name string) bool {
			return name != a.Ref && name != b.Ref && (housekeeping == nil || !housekeeping(name))
		})
		if more || !isID(refA) || !isID(refB) {
			joined.Remaining = append(joined.Remaining, row)
			continue
		}
		inA, okA := findA.find(refA)
		inB, okB := findB.find(refB)
		if !okA || !okB {
			joined.Dangling = append(joined.Dangling, row)
			continue
		}
		idsA[inA] = append(idsA[inA], b.Documents[inB].Get(b.ID))
		idsB[inB] = append(idsB[inB], a.Documents[inA].Get(a.ID))
	}
	a.write(joined.A, idsA)
	b.write(joined.B, idsB)
	return joined, nil
}

func isID(v *Value) bool { return v != nil && v.kind != scan.Null && v.kind < scan.Object }

func (s Side) prepare() (documents []*Value, ids [][]*Value) {
	for _, d := range s.Documents {
		documents = append(documents, d.Clone())
	}
	return documents, make([][]*Value, len(documents))
}

// write sets the array of each document, under a name that is free in all of
// them or already an array of ids.
func (s Side) write(documents []*Value, ids [][]*Value) {
	if s.Array == "" {
		return
	}
	name := s.Array
	for slices.ContainsFunc(documents, func(d *Value) bool { return d.Has(name) && !isIDArray(d.Get(name)) }) {
		name = fieldName(Object(Member{name, Array()}), "linked", name)
	}
	for i, d := range documents {
		all := ids[i]
		if d.Has(name) {
			all = append(d.Get(name).Elements(), all...)
		}
		sortIDs(all)
		array := Array()
		for _, id := range slices.CompactFunc(all, (*Value).Equal) {
			array.Append(id.Clone())
		}
		d.Set(name, array)
	}
}

func isIDArray(v *Value) bool {
	return isArray(v) && !slices.ContainsFunc(v.elements, func(e *Value) bool { return !isID(e) })
}

// An idIndex finds documents by the text of their id.
type idIndex struct {
	side   Side
	byText map[string][]int
}

func index(s Side) idIndex {
	x := idIndex{s, map[string][]int{}}
	for i, d := range s.Documents {
		if id := d.Get(s.ID); isID(id) {
			x.byText[id.text] = append(x.byText[id.text], i)
		}
	}
	return x
}

// find returns the document with exactly this id, or else the first one whose
// id has the same text.
func (x idIndex) find(ref *Value) (int, bool) {
	same := x.byText[ref.text]
	if len(same) == 0 {
		return 0, false
	}
	for _, i := range same {
		if x.side.Documents[i].Get(x.side.ID).Equal(ref) {
			return i, true
		}
	}
	return same[0], true
}
