// Package places finds and quotes the places in documents that findings
// mention.
package places

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// Earliest keeps the earliest few of many positions, and their total number.
// The order in which they are added does not matter.
type Earliest struct {
	at []profile.Pos
	N  int64
}

// Shown is how many positions are kept: the finding's own and some more.
const Shown = 4

func (s *Earliest) Add(at profile.Pos) {
	s.N++
	s.insert(at)
}

// AddDocument adds the position of a document.
func (s *Earliest) AddDocument(d *profile.Document) {
	if s.N++; len(s.at) < Shown || !d.Follows(&s.at[Shown-1]) {
		s.insert(d.Start())
	}
}

func (s *Earliest) insert(at ...profile.Pos) {
	s.at = KeepFirst(s.at, Shown, profile.Pos.Compare, at...)
}

// KeepFirst adds elements to a sorted list and keeps the first ones.
func KeepFirst[T any](list []T, most int, compare func(a, b T) int, more ...T) []T {
	for _, x := range more {
		i := len(list)
		if i > 0 && compare(x, list[i-1]) <= 0 { // mostly the next one is the last so far
			i, _ = slices.BinarySearchFunc(list, x, compare)
		}
		if i < most {
			list = slices.Insert(list, i, x)
			list = list[:min(most, len(list))]
		}
	}
	return list
}

func (s *Earliest) Merge(o *Earliest) {
	s.N += o.N
	s.insert(o.at...)
}

// First returns the earliest position, or an unknown position.
func (s *Earliest) First() (at profile.Pos) {
	if len(s.at) > 0 {
		return s.at[0]
	}
	return at
}

// Others returns the positions after the first as related places, with the text
// there as the message.
func (s *Earliest) Others(p *check.Pass) []check.RawRelated {
	var related []check.RawRelated
	for _, at := range s.at[min(1, len(s.at)):] {
		related = append(related, check.RawRelated{At: at, Message: Quote(p, at)})
	}
	return related
}

// AlsoAt returns the positions after the first, all with one message.
func (s *Earliest) AlsoAt(message string) []check.RawRelated {
	var related []check.RawRelated
	for _, at := range s.at[min(1, len(s.at)):] {
		related = append(related, check.RawRelated{At: at, Message: message})
	}
	return related
}
