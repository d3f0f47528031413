package copies

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A snapshotProbe follows documents that occur several times, as of different
// times. It measures how often their copies change, and how often the rest
// does.
type snapshotProbe struct {
	settings  *snapshotSettings
	documents *sample.ByHash[[]docVersion] // by id; versions by time
}

type snapshotSettings struct {
	key    profile.Path
	clock  string
	others []string // fields of the document that contain no copies
	places []*copySettings
}

// A docVersion is a document at one time.
type docVersion struct {
	time   int64
	at     profile.Pos
	others []uint64 // hashes of the other fields
	copies [][]copyState
}

// A copyState is a hash of one copy's values for a thing.
type copyState struct{ thing, value uint64 }

const (
	maxSnapshots  = 1 << 11 // documents followed
	maxVersions   = 8       // per document, the first ones
	maxStates     = 64      // copies per document and place
	maxOthers     = 24
	millisPerDay  = 24 * 60 * 60 * 1000
	changePairs   = 10 // pairs of versions from which a rate counts
	changeRate    = 0.3
	changeFactor  = 3
	changePoints  = 4
	spreadPoints  = 2
	SpreadAtLeast = 2 // documents that take over the same new value of a thing
)

// watchSnapshots follows the documents of each kind that occur several times.
func watchSnapshots(p *check.Pass, all []*Site) {
	probes := map[*model.Entity]*snapshotProbe{}
	for _, c := range all {
		if c.Flat {
			continue
		}
		probe, ok := probes[c.Entity]
		if !ok {
			probe = snapshotsOf(p, c.Entity)
			probes[c.Entity] = probe
		}
		if probe == nil {
			continue
		}
		c.snapshots, c.snapshotIndex = probe, len(probe.settings.places)
		probe.settings.places = append(probe.settings.places, c.settings(p))
		if top := c.Path[0].Name; slices.Contains(probe.settings.others, top) {
			probe.settings.others = slices.DeleteFunc(probe.settings.others, func(o string) bool { return o == top })
		}
	}
}

// snapshotsOf starts a probe if documents of the kind occur several times and
// have a time. Otherwise it returns nil.
func snapshotsOf(p *check.Pass, e *model.Entity) *snapshotProbe {
	id := e.ID()
	if id == nil || !id.ID || id.Node.Scalars.Values.Repeated() < 2 {
		return nil
	}
	s := &snapshotSettings{key: id.Path}
	for _, f := range e.Root().Object.Fields() {
		name := f.Step.Name
		switch {
		case isClock(p, f):
			s.clock = name
		case f != id.Node && len(s.others) < maxOthers && !p.Lexicon.Has(lexicon.Metadata, name) && !p.Lexicon.Has(lexicon.System, name):
			s.others = append(s.others, name)
		}
	}
	if s.clock == "" {
		return nil
	}
	return check.Watch(p, e, &snapshotProbe{settings: s, documents: sample.NewByHash[[]docVersion](maxSnapshots)})
}

func (s *snapshotProbe) New() check.Probe { return s }

func (s *snapshotProbe) Visit(d *profile.Document) {
	id, ok := d.First(0, s.settings.key)
	clock, cok := d.Get(0, s.settings.clock)
	if !ok || !cok || d.Tokens[id].Kind >= scan.Object || d.Tokens[id].Kind == scan.Null {
		return
	}
	time, ok := instant(d, clock)
	hash := d.Hash(id)
	if !ok || !s.documents.Keeps(hash) {
		return
	}
	v := docVersion{time: time, at: d.Start()}
	for _, name := range s.settings.others {
		h := uint64(0)
		if i, ok := d.Get(0, name); ok {
			h = d.Hash(i)
		}
		v.others = append(v.others, h)
	}
	for _, place := range s.settings.places {
		v.copies = append(v.copies, place.states(d))
	}
	s.documents.Put(hash, []docVersion{v}, joinVersions)
}

// states returns the values of the copies at a place, by thing.
func (c *copySettings) states(d *profile.Document) []copyState {
	var states []copyState
	for o := range d.Select(0, c.path) {
		id, ok := d.Get(o, c.id)
		if !ok || d.Tokens[id].Kind == scan.Null || d.Tokens[id].Kind >= scan.Object {
			continue
		}
		state := copyState{thing: IdentityHash(d.Canonical(id), c.tail)}
		for k, v := range d.Members(o) {
			if _, ok := c.names[string(d.Text(k))]; ok {
				state.value += profile.HashText(d.Raw(k)) * (d.Hash(v) | 1)
			}
		}
		states = append(states, state)
	}
	slices.SortFunc(states, func(a, b copyState) int { return cmp.Or(cmp.Compare(a.thing, b.thing), cmp.Compare(a.value, b.value)) })
	return states[:min(len(states), maxStates)]
}

func joinVersions(a, b []docVersion) []docVersion {
	return places.KeepFirst(a, maxVersions, func(a, b docVersion) int { return cmp.Or(cmp.Compare(a.time, b.time), a.at.Compare(b.at)) }, b...)
}

func (s *snapshotProbe) Merge(other check.Probe) {
	s.documents.Merge(other.(*snapshotProbe).documents, joinVersions)
}

// changes are what the versions of documents show about the copies at one
// place.
type changes struct {
	pairs, Changed int64
	Days           float64 // between the versions of the pairs
	Others         float64 // median share of the pairs in which another field changed
	Spread         int     // largest number of documents that took over the same new value of a thing
}

func (c *changes) Rate() float64 { return float64(c.Changed) / float64(max(1, c.pairs)) }

func (s *snapshotProbe) changesAt(place int) changes {
	var out changes
	others := make([]int64, len(s.settings.others))
	documents := int64(0)
	taken := map[copyState]int{}
	for _, id := range s.documents.Hashes() {
		versions, _ := s.documents.Get(id)
		seen := map[copyState]bool{}
		for i := 1; i < len(versions); i++ {
			before, after := versions[i-1], versions[i]
			if before.time == after.time {
				continue
			}
			documents++
			for k := range others {
				if before.others[k] != after.others[k] {
					others[k]++
				}
			}
			for _, state := range after.copies[place] {
				j := slices.IndexFunc(before.copies[place], func(b copyState) bool { return b.thing == state.thing })
				if j < 0 {
					continue
				}
				out.pairs++
				out.Days += float64(after.time-before.time) / millisPerDay
				if before.copies[place][j].value != state.value {
					out.Changed++
					seen[state] = true
				}
			}
		}
		for state := range seen {
			taken[state]++
		}
	}
	for _, n := range taken {
		out.Spread = max(out.Spread, n)
	}
	if len(others) > 0 && documents > 0 {
		slices.Sort(others)
		out.Others = float64(others[len(others)/2]) / float64(documents)
	}
	return out
}
