// Package jsonlint checks samples of stored documents for modelling mistakes.
//
// A run is three steps. The documents are read once and profiled, in parallel
// ([jsonlint/profile]); the model of the database is built from the profiles
// ([jsonlint/model]), and the rules examine it ([jsonlint/rules]). If a rule
// needs to see documents again, to find the exact offender or to correlate
// fields, the collections concerned are read a second time.
package jsonlint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scratch"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// generic is the name for an unknown database.
const generic = "generic"

// Check reads the inputs and reports what is wrong with the documents. The
// error is for a run that could not start; the report's Problems list what
// could not be read.
func Check(ctx context.Context, inputs []string, o Options) (report *finding.Report, err error) {
	if _, ok := limits.For(cmp.Or(o.DB, generic)); !ok {
		return nil, fmt.Errorf("unknown database %q", o.DB)
	}
	e, err := start(ctx, inputs, o)
	if err != nil {
		return nil, err
	}
	documents := &Documents{e.set}
	defer func() {
		if err == nil && o.Keep != nil {
			o.Keep(documents)
		} else if cerr := documents.Close(); err == nil {
			err = cerr
		}
	}()
	if o.DB = cmp.Or(o.DB, generic); o.DB == generic {
		o.DB = cmp.Or(e.set.Store(), generic)
	}
	if err := e.take(o); err != nil {
		return nil, err
	}
	limit, _ := limits.For(o.DB)
	return e.check(ctx, limit, o)
}

// start opens the inputs.
func start(ctx context.Context, inputs []string, o Options) (*engine, error) {
	lex, err := lexicon.Default().With(o.Lexicon)
	if err != nil {
		return nil, err
	}
	set, err := source.Open(ctx, inputs, o.Source)
	if err != nil {
		return nil, err
	}
	if o.Progress != nil {
		set.SetProgress(o.Progress)
	}
	return &engine{set: set, own: ownNames(set), jobs: max(1, o.Jobs), lexicon: lex, kindsAsked: kindsAsked}, nil
}

// exportedByMongoDB reports whether most documents of a collection have an
// ObjectId as their _id, written as mongoexport and Compass write Extended
// JSON. No other database makes ObjectIds.
func exportedByMongoDB(db *model.Database) bool {
	return slices.ContainsFunc(db.Collections, func(c *model.Collection) bool {
		id := c.Profile.Root.Object.Field("_id")
		return id != nil && 2*id.Types[profile.ObjectID] > id.Present()
	})
}

// check runs the steps.
func (e *engine) check(ctx context.Context, limit limits.Profile, o Options) (*finding.Report, error) {
	schemas := e.validate(o)
	catalogs := e.catalogs(schemas)
	db, err := e.infer(ctx, o, catalogs)
	if err != nil {
		return nil, err
	}
	if o.Observe != nil {
		o.Observe(db)
	}
	if o.DB == generic && exportedByMongoDB(db) {
		o.DB = "mongodb"
		exported, _ := limits.For(o.DB)
		exported.NumbersAreDoubles = limit.NumbersAreDoubles // depends on the text, which other programs read too
		exported.IDKeys = limit.IDKeys                       // fixtures that were never loaded may lie beside exports
		limit = exported
	}
	perCollection := e.collectionSettings(o)
	settings := check.Settings{
		Limits: limit, Lexicon: e.lexicon, Strict: o.Strict, Collections: perCollection, Partial: e.partial(db), Declared: schemas.declared, Catalog: catalogs,
		Thresholds: o.thresholds, Enabled: func(rule string) bool { return !o.Rules[rule].Disabled },
		Scratch: scratch.New(max(0, o.Memory-DefaultMemory), e.set.NewSpool), Fetch: e.fetcher(ctx), Store: e.store, Dangling: e.dangling(ctx),
	}
	start := func() *check.Run { return check.Start(ctx, rules.All(), db, settings) }
	run := start()
	if e.part != nil {
		run, err = e.visitParts(ctx, db, run, start)
	} else {
		err = e.visit(ctx, db, run)
	}
	if err != nil {
		return nil, err
	}
	found := run.Finish()
	if err := ctx.Err(); err != nil {
		return nil, err // not every document was seen
	}
	raw := append(found, schemas.violations(e)...)
	damage, cut := e.inputErrors()
	if !o.Rules[finding.InputError].Disabled {
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
	return e.report(db, findings, slices.Concat(schemas.problems(), e.set.Problems(), cutOff, run.Problems()), o), nil
}

// report combines the findings with what was read.
func (e *engine) report(db *model.Database, findings []finding.Finding, problems []finding.Problem, o Options) *finding.Report {
	report := &finding.Report{Findings: findings, Problems: problems, DB: o.DB, Notes: e.set.Notes()}
	left := e.set.LeftOut()
	report.Unread = left.Unread
	report.Summary.LeftOut, report.Summary.Excluded, report.Summary.Unread = left.Files+left.Directories, left.Excluded, len(left.Unread)
	for _, f := range e.set.Files {
		if hash, ok := f.Hash(); ok {
			if report.Hashes == nil {
				report.Hashes = map[string]uint64{}
			}
			report.Hashes[f.Path] = hash
		}
	}
	if o.Picture {
		report.Picture = draw(db)
	}
	for _, c := range db.Collections {
		report.Collections = append(report.Collections, c.Name)
		report.Summary.Documents += c.Profile.Docs
		report.Summary.Bytes += c.Profile.Bytes
	}
	report.Summary.Collections = len(db.Collections)
	return report
}
