package danglingreference

import (
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
)

// mayDangle reports whether the samples show a value that leads nowhere, or
// cannot rule it out.
func mayDangle(p *check.Pass, r *relations.Relation) bool {
	tested, found, _ := r.Counts()
	least := p.Threshold("sampled-share")
	if float64(found) < least*float64(tested) && foundShare(r) < least && !p.Collections[r.To.Collection.Name].Complete && !p.Live() && !targetRead(p, r) {
		return false // the target was not sampled
	}
	if found < tested {
		return true
	}
	for _, k := range r.Kinds {
		if !k.Node.Scalars.Values.Exact() {
			return true
		}
	}
	return slices.ContainsFunc(r.Samples(), func(s *profile.Sample) bool { return !s.Exact() })
}

// foundShare returns the share of the references that lead to a document, as far as the
// samples have them.
func foundShare(r *relations.Relation) float64 {
	all, found := int64(0), int64(0)
	keys := r.Samples()
	for _, k := range r.Kinds {
		for _, v := range k.Node.Scalars.Values.Values() {
			held, known := relations.Holds(keys, v.Hash)
			if known {
				all += v.Count
			}
			if held {
				found += v.Count
			}
		}
	}
	return float64(found) / float64(max(1, all))
}

// byAccident is the probability below which a sample did not happen to have all
// documents that a field refers to.
const byAccident = 0.05

// targetRead reports whether a field of the same name shows that the target is no
// sample: each of its values leads there, which is unlikely if the sample has as
// few documents as this field finds.
func targetRead(p *check.Pass, r *relations.Relation) bool {
	tested, found, _ := r.Counts()
	likewise := wholly(p, r)
	for _, k := range r.Kinds {
		likewise = max(likewise, k.Likewise)
	}
	return math.Pow(float64(max(found, 1))/float64(tested), float64(likewise)) < byAccident
}

// wholly returns the most values with which another field leads to the target, with all
// of them, if the name of this field says that it refers to something. A sample leaves
// out documents for all fields alike, whatever their names.
func wholly(p *check.Pass, r *relations.Relation) (most int) {
	if _, _, keyed := lexicon.ReferenceStem(r.Field()); !keyed {
		return 0
	}
	for _, o := range p.DB.References {
		if o.To.Collection == r.To.Collection && o.Found == o.Tested {
			most = max(most, o.Found)
		}
	}
	return most
}

// judgeDangling returns the severity and confidence of values that lead
// nowhere. The confidence is 0 if they show nothing.
func judgeDangling(p *check.Pass, d *dangling, x *danglingProbe, proven bool) (finding.Severity, float64) {
	if x.unfound == 0 {
		return 0, 0
	}
	resolved := 1 - float64(x.unfound)/float64(x.told)
	// A sample leaves out documents, however often each is referred to. The other
	// values may be something else, unless the name says what the field refers to, or
	// the name says nothing and the values cannot match by accident.
	_, _, keyed := lexicon.ReferenceStem(d.Field())
	if _, found, _ := d.Counts(); d.Stem || d.Odds.Values >= model.Sure && !keyed {
		resolved = max(resolved, min(0.5, float64(found)/(float64(found)+float64(x.missing.Len())*x.missing.Scale())))
	}
	said := proven || p.Collections[d.To.Collection.Name].Complete
	byID := d.Key.ID || d.Key.Own
	switch {
	case !said && resolved < p.Threshold("sampled-share") && !targetRead(p, d.Relation):
		return 0, 0
	case said && byID:
		return finding.Error, 0.95
	case !said && d.To.Collection.Profile.Root.Count < 2 && x.missing.Len() > 1:
		return finding.Info, 0.4 // the only user of a sample, among others
	case x.told-x.unfound < 2 && d.mayBeAccident(byID), d.inCommon(), d.namesOthers(),
		resolved < 0.5 && (!byID || !d.Stem) && d.Likewise == 0, // most may lead elsewhere, unless those of a field of the same name do not
		resolved < p.Threshold("complete-share") && d.Accidental():
		return finding.Info, 0.4
	case x.told < plans.ExampleDocuments:
		return finding.Info, 0.6 // a handful of documents need not be all
	case resolved < p.Threshold("complete-share"), !byID:
		return finding.Info, 0.6
	case d.Declared || d.Odds.Sum() >= model.Sure:
		return finding.Error, 0.9
	}
	return finding.Error, 0.7
}

// namesOthers reports whether the keys are names of several words, and the field may hold
// names of things that have no document, as killedBy does of a roof. Its own name does not
// say what it refers to, or it is called after the documents that it is in, and refers to others.
func (d *dangling) namesOthers() bool {
	texts, _ := d.Key.Node.Scalars.FormCount(profile.FormText)
	own := d.From.Collection != d.To.Collection && slices.ContainsFunc(lexicon.Tokens(d.Field()), func(word string) bool { return lexicon.StemMatches(word, d.From.Collection.Name) })
	return 2*texts > d.Key.Node.ScalarCount() && (own || !d.Stem)
}

// inCommon reports whether nothing but values in common shows what the field refers to.
func (d *dangling) inCommon() bool {
	return d.Doubtful() || !d.Stem && !d.Key.Identifies() && !relations.CommonForm(d.Key.Node).IsGenerated()
}

// mayBeAccident reports whether a single value may be a key by accident.
func (d *dangling) mayBeAccident(byID bool) bool {
	return !byID || d.Likewise == 0 && d.Odds.Values < model.Sure
}
