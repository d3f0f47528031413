package model

import (
	"cmp"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Cluster is a group of shapes that belong to one kind of object. Objects are
// grouped by the names they have in common, a simplified form of the entity
// discovery of Spoth et al., "Reducing Ambiguity in JSON Schema Discovery"
// (SIGMOD 2021).
type Cluster struct {
	Count  int64
	Shapes []*profile.Shape
	First  profile.Pos

	fields map[string]int64 // number of objects per name, without metadata
}

// Core returns the sorted names that at least half of the cluster's objects
// have, without metadata.
func (c *Cluster) Core() []string {
	var core []string
	for name, n := range c.fields {
		if 2*n >= c.Count {
			core = append(core, name)
		}
	}
	slices.Sort(core)
	return core
}

// Distinguishing returns the core names that are in no other cluster's core, or
// all core names if there are none.
func (c *Cluster) Distinguishing(others []*Cluster) []string {
	core := c.Core()
	own := slices.DeleteFunc(slices.Clone(core), func(name string) bool {
		return slices.ContainsFunc(others, func(o *Cluster) bool { return o != c && 2*o.fields[name] >= o.Count })
	})
	if len(own) == 0 {
		return core
	}
	return own
}

const (
	ownShare     = 0.9  // share of a kind's objects that must have its own name
	foreignShare = 0.05 // share of another kind's objects that may have it
)

// Own returns the sorted names that the cluster's objects have and those of the
// other clusters lack.
func (c *Cluster) Own(others []*Cluster) []string {
	return slices.DeleteFunc(c.Names(), func(name string) bool {
		return c.Share(name) < ownShare || slices.ContainsFunc(others, func(o *Cluster) bool {
			return o != c && o.Share(name) > foreignShare
		})
	})
}

const (
	joinJaccard     = 0.6 // share of common names from which a shape joins a cluster
	joinContainment = 0.9 // or share of the smaller set of names that is in the larger
	containable     = 3   // names in a shape below which containment means nothing

	separate       = 0.3 // share of common names up to which clusters are separate kinds
	minClusterSize = 3
	minClusterPart = 0.02
)

// ClusterShapes groups the shapes of the objects at one path. It takes frequent
// shapes first, then larger ones, then by name, so that the order of the
// documents does not matter.
func ClusterShapes(shapes *profile.Shapes, lex *lexicon.Lexicon) []*Cluster {
	if shapes == nil {
		return nil
	}
	var clusters []*Cluster
	all := shapes.All()
	slices.SortFunc(all, func(a, b *profile.Shape) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(len(b.Fields), len(a.Fields)), cmp.Compare(a.Hash(), b.Hash()))
	})
	for _, s := range all {
		names := payloadNames(s, lex)
		best, at := 0.0, -1
		for i, c := range clusters {
			if sim, ok := c.similarity(names); ok && sim > best {
				best, at = sim, i
			}
		}
		if at < 0 {
			clusters = append(clusters, &Cluster{fields: map[string]int64{}, First: s.First})
			at = len(clusters) - 1
		}
		clusters[at].add(s, names)
	}
	slices.SortStableFunc(clusters, func(a, b *Cluster) int { return cmp.Compare(b.Count, a.Count) })
	return clusters
}

func payloadNames(s *profile.Shape, lex *lexicon.Lexicon) []string {
	var names []string
	for _, f := range s.Fields {
		if f != nil && !lex.Has(lexicon.Metadata, f.Step.Name) && !lex.Has(lexicon.System, f.Step.Name) {
			names = append(names, f.Step.Name)
		}
	}
	return names
}

func (c *Cluster) add(s *profile.Shape, names []string) {
	c.Shapes = append(c.Shapes, s)
	c.Count += s.Count
	c.First = profile.Earlier(c.First, s.First)
	for _, name := range names {
		c.fields[name] += s.Count
	}
}

// similarity returns how similar a shape's names are to the cluster, and
// whether that is enough to join.
func (c *Cluster) similarity(names []string) (float64, bool) {
	if len(names) == 0 {
		return 1, len(c.fields) == 0
	}
	common := 0
	for _, name := range names {
		if c.fields[name] > 0 {
			common++
		}
	}
	jaccard := float64(common) / float64(len(names)+len(c.fields)-common)
	smaller := min(len(names), len(c.fields))
	containment := 0.0
	if smaller >= containable {
		containment = float64(common) / float64(smaller)
	}
	return max(jaccard, containment*0.99), jaccard >= joinJaccard || containment >= joinContainment
}

// Jaccard returns the share of names that two clusters have in common, each
// name weighted by the share of the objects that have it (Ruzicka similarity):
// accidental clusters of optional names share most of them a little. It ignores
// a reference that all objects of both hold, because that says where they
// belong rather than what they are.
func Jaccard(a, b *Cluster) float64 { return jaccard(a, b, nil) }

func jaccard(a, b *Cluster, ignored []string) float64 {
	common, all := 0.0, 0.0
	for _, name := range a.Names() { // sorted, because the order affects sums of floats
		inA, inB := a.Share(name), b.Share(name)
		if _, _, ref := lexicon.ReferenceStem(name); ref && inA == 1 && inB == 1 || slices.Contains(ignored, name) {
			continue
		}
		common += min(inA, inB)
		all += max(inA, inB)
	}
	for _, name := range b.Names() {
		if a.fields[name] == 0 {
			all += b.Share(name)
		}
	}
	if all == 0 {
		return 1
	}
	return common / all
}

// Share returns the share of the cluster's objects that have a name.
func (c *Cluster) Share(name string) float64 { return float64(c.fields[name]) / float64(c.Count) }

// Names returns all names of the cluster's objects, sorted, without metadata.
func (c *Cluster) Names() []string { return slices.Sorted(maps.Keys(c.fields)) }

// Substantial returns the clusters that are no accident: at least 3 objects and
// 2 % of all.
func Substantial(clusters []*Cluster, total int64) []*Cluster {
	return slices.DeleteFunc(slices.Clone(clusters), func(c *Cluster) bool {
		return c.Count < minClusterSize || float64(c.Count) < minClusterPart*float64(total)
	})
}

// Separated joins clusters that resemble each other and returns the remaining
// kinds, which have at most 30 % of their names in common. It also joins
// clusters connected only through a third, so that the many shapes of one kind
// with optional parts stay together.
func Separated(clusters []*Cluster) []*Cluster { return SeparatedBy(clusters, separate) }

// SeparatedBy is [Separated] for another share of common names.
func SeparatedBy(clusters []*Cluster, overlap float64) []*Cluster {
	var kinds [][]*Cluster
	everywhere := inAll(clusters)
	for _, c := range clusters {
		joined := []*Cluster{c}
		var apart [][]*Cluster
		for _, kind := range kinds {
			if slices.ContainsFunc(kind, func(o *Cluster) bool { return jaccard(o, c, everywhere) > overlap }) {
				joined = append(joined, kind...)
			} else {
				apart = append(apart, kind)
			}
		}
		kinds = append(apart, joined)
	}
	out := make([]*Cluster, len(kinds))
	for i, kind := range kinds {
		out[i] = merged(kind)
	}
	slices.SortStableFunc(out, func(a, b *Cluster) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Names(), b.Names()))
	})
	return out
}

// inAll returns the names that nearly all objects of three or more clusters have. That these
// are in two of them says nothing about these two.
func inAll(clusters []*Cluster) []string {
	if len(clusters) < 3 {
		return nil
	}
	return slices.DeleteFunc(clusters[0].Names(), func(name string) bool {
		return slices.ContainsFunc(clusters, func(c *Cluster) bool { return c.Share(name) < ownShare })
	})
}

func merged(clusters []*Cluster) *Cluster {
	all := &Cluster{fields: map[string]int64{}, First: clusters[0].First}
	for _, c := range clusters {
		all.Count += c.Count
		all.Shapes = append(all.Shapes, c.Shapes...)
		all.First = profile.Earlier(all.First, c.First)
		for name, n := range c.fields {
			all.fields[name] += n
		}
	}
	return all
}
