// Package check provides the pass in which a rule works. A rule examines the
// model of the database. If that is not enough, it starts a probe, which sees
// the documents of one kind in a second reading of the input and finds the
// exact places. The places of findings are positions in bytes.
package check

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/scratch"
	"github.com/shapevet/shapevet/rulebook"
)

// A Rule is one check.
type Rule struct {
	Name string

	// Run examines pass.DB. It reports at once, or starts probes with [Watch] and
	// reports from a function given to [Pass.After].
	Run func(*Pass)

	// OnSchema examines the schema of one collection. It is nil for most rules.
	OnSchema func(*schema.Pass)
}

// A Pass is one run of one rule over one database.
type Pass struct {
	Ctx     context.Context
	DB      *model.Database
	Limits  limits.Profile
	Lexicon *lexicon.Lexicon
	Strict  bool // report guesses too

	// Settings of collections by name.
	Collections map[string]CollectionSettings

	// Partial has the names of collections of which documents could not be read.
	Partial map[string]bool

	// Declared is what schemas say about collections, by name.
	Declared map[string]*schema.Declared

	// Catalog is what the database says about collections, by name.
	Catalog map[string]*catalog.Collection

	// Scratch stores data about all documents. If it is nil, they are kept in
	// memory.
	Scratch *scratch.Space

	rule       string
	thresholds map[string]float64
	shared     *shared
}

// CollectionSettings is what the user says about a collection.
type CollectionSettings struct {
	Complete     bool   // the sample is the whole collection
	PartitionKey string // path of the partition key, /postId
	ID           string // the key field
}

// shared is what the passes of one run have in common.
type shared struct {
	ctx      context.Context
	probes   []watched
	after    []func()
	findings []Raw
	problems []finding.Problem
	failed   map[string]bool // rules that panicked
	fetch    func(profile.Pos) (*profile.Document, error)
	store    func(profile.Pos) string
	dangling func(to string, at []profile.Pos) ([]bool, error)
	made     map[string]any

	thresholds func(rule string) map[string]float64
	enabled    func(rule string) bool
}

// Runs reports whether a rule is part of the run. A rule that leaves a mistake to
// another one asks first.
func (p *Pass) Runs(rule string) bool { return p.shared.enabled(rule) }

// Once returns a value that several rules of a run share. The first call builds
// it.
func Once[T any](p *Pass, name string, build func() T) T {
	if v, ok := p.shared.made[name]; ok {
		return v.(T)
	}
	v := build()
	p.shared.made[name] = v
	return v
}

type watched struct {
	entity *model.Entity
	probe  Probe
	rule   string // that started it
}

// A Probe sees every document of an entity. Probes are monoids: each worker
// fills an empty one of its own, and these are merged in any order into the one
// given to [Watch], with the same result. A probe limits its own memory. A
// sample that it keeps may be shared by all workers (see [sample.cutoff]).
type Probe interface {
	New() Probe // an empty probe with the same settings
	Visit(*profile.Document)
	Merge(Probe) // adds another probe of the same type, which must not be used afterwards
}

// A sharing probe keeps less if there are more probes of its kind.
type sharing interface {
	Probe

	// Share limits the probe to its part of what all may keep. It is called before
	// any document is visited.
	Share(probes int)
}

// shareCapacity gives the sharing probes their number.
func shareCapacity(probes []watched) {
	var all []sharing
	for _, w := range probes {
		if x, ok := w.probe.(sharing); ok {
			all = append(all, x)
		}
	}
	for _, x := range all {
		x.Share(len(all))
	}
}

// Watch shows all documents of an entity to the probe. It is filled when the
// functions given to [Pass.After] run.
func Watch[P Probe](p *Pass, e *model.Entity, probe P) P {
	p.shared.probes = append(p.shared.probes, watched{e, probe, p.rule})
	return probe
}

// Live reports whether there is a live database, see [Pass.Dangling].
func (p *Pass) Live() bool { return p.shared.dangling != nil }

// Dangling returns which of the values at some places refer to no document of
// the collection to, according to the live database that documents were sampled
// from. It returns nil if there is no such database. If the database does not
// answer, that is a problem of the run.
func (p *Pass) Dangling(to string, at []profile.Pos) ([]bool, error) {
	if !p.Live() {
		return nil, nil
	}
	dangling, err := p.shared.dangling(to, at)
	if err != nil {
		p.shared.problems = append(p.shared.problems, finding.Problem{
			Message: fmt.Sprintf("references to %s were not looked up: %v", to, err), Hint: "run it again",
		})
	}
	return dangling, err
}

// SameStore reports whether two documents of a collection are in one store. Files
// with one name in several directories hold one collection at several times, or
// those of several tests. Files of one document each are one store.
func (p *Pass) SameStore(a, b profile.Pos) bool {
	return a.File == b.File || p.shared.store(a) == p.shared.store(b)
}

// After calls f once all probes are filled.
func (p *Pass) After(f func()) {
	p.shared.after = append(p.shared.after, func() { p.shared.guard(p.rule, f) })
}

// Threshold returns the value of one of the rule's thresholds, from the
// configuration or the rule's page.
func (p *Pass) Threshold(name string) float64 {
	v, ok := p.thresholds[name]
	if !ok {
		panic(fmt.Sprintf("rule %s has no threshold %q on its page", p.rule, name))
	}
	return v
}

// ThresholdsOf returns the thresholds of another rule, for decisions that rules
// share.
func (p *Pass) ThresholdsOf(rule string) func(name string) float64 {
	other := Pass{rule: rule, thresholds: p.shared.thresholds(rule)}
	return other.Threshold
}

// Document reads the document that contains a position again. It is valid until
// the next call.
func (p *Pass) Document(at profile.Pos) (*profile.Document, error) {
	if err := p.shared.ctx.Err(); err != nil {
		return nil, err
	}
	return p.shared.fetch(at)
}

// Raw is a finding whose places are still byte positions.
type Raw struct {
	finding.Finding
	At        profile.Pos
	Related   []RawRelated
	Outside   []finding.Related // places that are not in documents
	Edits     []RawEdit         // edits of the finding's first fix
	Cause     string            // the same for all findings of the rule with one cause, wherever they are; "" if unknown
	Sure      bool              // whether a few findings with that cause are enough to report them as one
	Whole     bool              // whether the object that has the field has one cause of such findings, as a copy has
	Spellings []string          // the spellings of the values that the finding is about; it shows the first two, of one value

	about  *model.Entity
	alike  []others
	values int64  // how many values the finding is about
	within string // the path of the object that has the field
	holder string // the same if its fields are free; "" for others
	beside string // the path of the field without the name of its map entry, for fields in the objects of a map
}

// RawRelated is a second place.
type RawRelated struct {
	Message string
	At      profile.Pos
}

// RawEdit replaces a range.
type RawEdit struct {
	At      profile.Pos
	NewText string
}

// Report adds a finding about the path in documents of e. Rule, subject and
// fingerprint are filled in.
func (p *Pass) Report(e *model.Entity, path profile.Path, r Raw) {
	r.Rule = p.rule
	r.Subject = finding.Subject{Kind: finding.KindDocument, Collection: e.Collection.Name, Path: path.String()}
	if r.Fingerprint == "" {
		r.Fingerprint = p.rule + ":" + e.Collection.Name + ":" + r.Subject.Path
		if e.Kind != "" {
			r.Fingerprint += ":" + e.Kind
		}
		r.Entity = e.Kind // a rule with its own fingerprints reports on the whole collection
	}
	if r.Confidence <= 0 || r.Confidence > 1 {
		panic(fmt.Sprintf("rule %s: confidence %v", p.rule, r.Confidence))
	}
	r.Confidence = rulebook.Probability(r.Confidence)
	r.Message, r.about = named(r.Subject, r.Message), e
	if n := e.Root().At(path); n != nil {
		r.values = n.Count
	}
	if i := lastField(path); i > 0 {
		r.within = path[:i].String()
		if h := e.Root().At(path[:i]); h != nil && free(h) {
			r.holder = r.within
		}
		if j := lastField(path[:i]); j > 0 {
			r.beside = path[:j].String() + "." + path[i:].String()
		}
	}
	p.shared.findings = append(p.shared.findings, r)
}

// free reports whether most fields of an object are rare, so that any others may
// occur in it.
func free(n *profile.Node) bool {
	if n.Object == nil {
		return false
	}
	rare, fields := 0, n.Object.Fields()
	for _, f := range fields {
		if 2*f.Count < n.Types[profile.Object] {
			rare++
		}
	}
	return 2*rare > len(fields)
}

// lastField returns the index of the last field of a path, or -1.
func lastField(path profile.Path) int {
	i := len(path) - 1
	for i >= 0 && path[i].Kind != profile.Field {
		i--
	}
	return i
}

// named makes a message begin with the collection and, if it begins with the field
// or with the list or map of the values, with the whole path.
func named(about finding.Subject, message string) string {
	first, _, _ := strings.Cut(message, " ")
	container := strings.TrimRight(about.Path, "[]{}")
	switch {
	case first == about.Collection || strings.HasPrefix(first, about.Collection+"."):
		return message
	case first == about.Path || strings.HasSuffix(about.Path, "."+first), first == container || strings.HasSuffix(container, "."+first):
		return about.Collection + "." + about.Path + message[len(first):]
	}
	return about.Collection + ": " + message
}

// A Run applies rules to a database, in two steps: [Start], then, once the
// documents have been shown to its probes, [Finish].
type Run struct {
	shared shared
}

// Settings of a run.
type Settings struct {
	Limits      limits.Profile
	Lexicon     *lexicon.Lexicon
	Strict      bool
	Collections map[string]CollectionSettings
	Partial     map[string]bool
	Declared    map[string]*schema.Declared // by schemas
	Catalog     map[string]*catalog.Collection
	Thresholds  func(rule string) map[string]float64
	Enabled     func(rule string) bool

	Scratch *scratch.Space // see [Pass.Scratch]

	// Fetch reads a document again.
	Fetch func(profile.Pos) (*profile.Document, error)

	// Store names the store that holds a document, see [Pass.SameStore].
	Store func(profile.Pos) string

	// Dangling returns which of the values at some places refer to no document of
	// a collection, according to a live database. It returns nil for documents
	// from elsewhere, and is nil without a live database.
	Dangling func(to string, at []profile.Pos) ([]bool, error)
}

// Start runs rules on the model of the database.
func Start(ctx context.Context, rules []Rule, db *model.Database, s Settings) *Run {
	run := &Run{shared: shared{ctx: ctx, fetch: s.Fetch, store: s.Store, dangling: s.Dangling, made: map[string]any{}, thresholds: s.Thresholds, enabled: s.Enabled}}
	for _, rule := range rules {
		if !s.Enabled(rule.Name) {
			continue
		}
		pass := &Pass{
			Ctx: ctx, DB: db, Limits: s.Limits, Lexicon: s.Lexicon, Strict: s.Strict, Collections: s.Collections, Partial: s.Partial,
			Declared: s.Declared, Catalog: s.Catalog, Scratch: s.Scratch, rule: rule.Name, thresholds: s.Thresholds(rule.Name), shared: &run.shared,
		}
		run.shared.guard(rule.Name, func() { rule.Run(pass) })
	}
	shareCapacity(run.shared.probes)
	return run
}

// guard runs f so that the failure of one rule does not affect the others. It
// does nothing once the run has been cancelled.
func (s *shared) guard(rule string, f func()) {
	if s.failed[rule] || s.ctx.Err() != nil {
		return // its probes have not seen everything, or the run was cancelled
	}
	defer func() {
		if r := recover(); r != nil {
			s.fail(rule, r)
		}
	}()
	f()
}

// Fail records that the rule could not compare all documents.
func (p *Pass) Fail(err error) {
	if p.Ctx.Err() != nil {
		return // the run was cancelled
	}
	p.shared.note(p.rule, finding.Problem{
		Message: fmt.Sprintf("%s was not checked: %v", p.rule, err),
		Hint:    "make room for temporary files, or name another directory for them in the environment variable TMPDIR; the other rules have run",
	})
}

// fail records that a rule failed.
func (s *shared) fail(rule string, cause any) { s.note(rule, finding.RuleFailed(rule, cause)) }

// note records a problem of a rule, once per rule.
func (s *shared) note(rule string, problem finding.Problem) {
	if s.failed[rule] {
		return
	}
	if s.failed == nil {
		s.failed = map[string]bool{}
	}
	s.failed[rule] = true
	s.problems = append(s.problems, problem)
}

// Problems returns the rules that failed.
func (r *Run) Problems() []finding.Problem { return r.shared.problems }

// Watched returns the collections whose documents the probes need to see.
func (r *Run) Watched() []*model.Collection {
	var out []*model.Collection
	for _, w := range r.shared.probes {
		if !slices.Contains(out, w.entity.Collection) {
			out = append(out, w.entity.Collection)
		}
	}
	return out
}

// A Visitor shows documents to the probes. Each worker has its own, and loads
// all the documents that it shows into one [profile.Document].
type Visitor struct {
	all    []watched
	views  map[*model.Collection]*view
	recent *view
	failed map[string]any // rules whose probes panicked, and with what
}

// NewVisitor returns a visitor with empty probes.
func (r *Run) NewVisitor() *Visitor {
	v := &Visitor{views: map[*model.Collection]*view{}, failed: map[string]any{}}
	for _, w := range r.shared.probes {
		v.all = append(v.all, watched{w.entity, w.probe.New(), w.rule})
	}
	return v
}

// Visit shows one document of the collection.
func (v *Visitor) Visit(c *model.Collection, d *profile.Document) {
	if v.recent == nil || v.recent.collection != c {
		v.recent = v.views[c]
		if v.recent == nil {
			v.recent = &view{collection: c, kinds: c.NewKindReader()}
			v.views[c] = v.recent
		}
	}
	probes := v.recent.of(v.all, d)
	for i := 0; i < len(probes); {
		i = v.visit(probes, i, d)
	}
}

// visit shows a document to the probes, beginning with one of them, and returns
// where to continue: after a probe that failed.
func (v *Visitor) visit(probes []Probe, from int, d *profile.Document) (next int) {
	defer func() {
		if r := recover(); r != nil {
			for _, w := range v.all {
				if w.probe == probes[next] {
					v.failed[w.rule] = r
				}
			}
			next++
		}
	}()
	for next = from; next < len(probes); next++ {
		probes[next].Visit(d)
	}
	return next
}

// Collect merges what a visitor saw.
func (r *Run) Collect(v *Visitor) {
	for rule, cause := range v.failed {
		r.shared.fail(rule, cause)
	}
	for i, w := range v.all {
		if !r.shared.failed[w.rule] {
			r.shared.probes[i].probe.Merge(w.probe)
		}
	}
}

// State returns pointers to what has been gathered, so that it can be saved, and
// loaded into a run of the same rules on the same database.
func (r *Run) State() []any {
	out := []any{&r.shared.failed, &r.shared.problems}
	for i := range r.shared.probes {
		out = append(out, &r.shared.probes[i].probe)
	}
	return out
}

// Given reports whether each run makes values of a type itself from the same
// inputs, so that they are not part of [Run.State].
func Given(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Pass](), reflect.TypeFor[profile.Node](), reflect.TypeFor[profile.Trail](), reflect.TypeFor[profile.Register]():
		return true
	}
	switch t.PkgPath() {
	case reflect.TypeFor[model.Entity]().PkgPath(), reflect.TypeFor[lexicon.Lexicon]().PkgPath(), reflect.TypeFor[limits.Profile]().PkgPath():
		return true
	}
	return false
}

// Add adds what another run of the same rules on the same database has gathered.
func (r *Run) Add(o *Run) {
	for rule := range o.shared.failed {
		if r.shared.failed == nil {
			r.shared.failed = map[string]bool{}
		}
		r.shared.failed[rule] = true
	}
	for _, p := range o.shared.problems {
		if !slices.Contains(r.shared.problems, p) {
			r.shared.problems = append(r.shared.problems, p)
		}
	}
	for i, w := range r.shared.probes {
		if !r.shared.failed[w.rule] {
			w.probe.Merge(o.shared.probes[i].probe)
		}
	}
}

// Finish lets the rules report on what their probes saw and returns all
// findings.
func (r *Run) Finish() []Raw {
	for i := 0; i < len(r.shared.after); i++ {
		r.shared.after[i]()
	}
	return together(r.shared.findings)
}
