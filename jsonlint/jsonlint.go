// Package jsonlint checks samples of stored documents for modelling mistakes.
//
// A run is three steps. The documents are read once and profiled, in parallel
// ([jsonlint/profile]); the picture of the database is drawn from the profiles
// ([jsonlint/model]) and the rules look at it ([jsonlint/rules]); where a rule
// needs to see documents again, to find the exact offender or to correlate
// fields, they are read a second time, only the collections concerned.
package jsonlint

import (
	"context"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/rules"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// Options of [Check]. The zero value checks every rule with its defaults.
type Options struct {
	Source      source.Options
	DB          string // generic (the default), cosmosdb, mongodb, dynamodb, firestore, couchbase
	Rules       map[string]RuleOptions
	Collections map[string]CollectionOptions
	References  []Reference
	Schemas     *schema.Set         // of collections; nil without
	Lexicon     map[string][]string // words added to the lists, by list name
	Strict      bool                // report guesses too
	Jobs        int                 // workers; 0 means one
	Progress    func(done, total int64)
	Picture     bool // draw what there is, into the report

	// Observe is shown what the documents look like, before the rules are; nil
	// for nobody. It must not change it.
	Observe func(*model.Database)

	// Keep is given the documents once they are checked, to find places in
	// them; whoever takes them closes them. nil for nobody.
	Keep func(*Documents)
}

// RuleOptions changes one rule.
type RuleOptions struct {
	Disabled   bool
	Severity   finding.Severity // instead of what the rule says; 0 leaves it
	Thresholds map[string]float64
}

// CollectionOptions says what the documents of a collection do not.
type CollectionOptions struct {
	Complete     bool   // the sample is the whole collection
	PartitionKey string // path of the partition key: /postId
	ID           string // the field that identifies a document, where it is not id or _id
}

// A Reference declares that the field at Path in documents of From holds keys
// of documents of To; Key is the field of To, its id by default.
type Reference struct {
	From, Path, To, Key string
}

// Check reads the inputs and reports what is wrong with the documents. The
// error is for a run that could not start; what could not be read stands in
// the report's Problems.
func Check(ctx context.Context, inputs []string, o Options) (report *finding.Report, err error) {
	profile, ok := limits.For(o.DB)
	if o.DB == "" {
		profile, ok = limits.For("generic")
	}
	if !ok {
		return nil, fmt.Errorf("unknown database %q", o.DB)
	}
	lex, err := lexicon.Default().With(o.Lexicon)
	if err != nil {
		return nil, err
	}
	set, err := source.Open(ctx, inputs, o.Source)
	if err != nil {
		return nil, err
	}
	documents := &Documents{set}
	defer func() {
		if err == nil && o.Keep != nil {
			o.Keep(documents)
		} else if cerr := documents.Close(); err == nil {
			err = cerr
		}
	}()
	if o.Progress != nil {
		set.SetProgress(o.Progress)
	}
	e := &engine{set: set, jobs: max(1, o.Jobs), lexicon: lex, kindsAsked: kindsAsked}
	return e.check(ctx, profile, o)
}

// check does the steps of a run.
func (e *engine) check(ctx context.Context, profile limits.Profile, o Options) (*finding.Report, error) {
	schemas := e.validate(o)
	db, err := e.infer(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Observe != nil {
		o.Observe(db)
	}
	perCollection := map[string]rules.CollectionSettings{}
	for name, c := range o.Collections {
		perCollection[name] = rules.CollectionSettings(c)
	}
	run := rules.Start(ctx, db, rules.Settings{
		Limits: profile, Lexicon: e.lexicon, Strict: o.Strict, Collections: perCollection, Declared: schemas.declared,
		Thresholds: o.thresholds, Enabled: func(rule string) bool { return !o.Rules[rule].Disabled },
		Fetch: e.fetcher(ctx),
	})
	if err := e.visit(ctx, db, run); err != nil {
		return nil, err
	}
	raw := append(run.Finish(), schemas.violations(e)...)
	damage, cut := e.inputErrors()
	if !o.Rules["input-error"].Disabled {
		raw = append(raw, damage...)
	}
	cutOff, err := e.cutOff(ctx, cut)
	if err != nil {
		return nil, err
	}
	findings, err := e.place(ctx, raw)
	if err != nil {
		return nil, err
	}
	for i := range findings {
		if s := o.Rules[findings[i].Rule].Severity; s != 0 {
			findings[i].Severity = s
		}
	}
	findings = withSchemas(findings, schemas.findings)
	finding.Sort(findings)
	report := &finding.Report{Findings: findings, Problems: slices.Concat(schemas.problems(), e.set.Problems(), cutOff, run.Problems())}
	if o.Picture {
		report.Picture = draw(db)
	}
	for _, c := range db.Collections {
		report.Collections = append(report.Collections, c.Name)
		report.Summary.Documents += c.Profile.Docs
		report.Summary.Bytes += c.Profile.Bytes
	}
	report.Summary.Collections = len(db.Collections)
	return report, nil
}

// thresholds are those of the rule's page, changed by the configuration.
func (o *Options) thresholds(rule string) map[string]float64 {
	out := map[string]float64{}
	for name, t := range rulebook.Thresholds(rule) {
		out[name] = t.Default
	}
	for name, v := range o.Rules[rule].Thresholds {
		out[name] = v
	}
	return out
}
