package jsonlint

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema/infer"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// Profile reads the inputs and returns a model of their documents. It uses only
// the options about sources, collections, references, words and workers. The
// report's findings are the documents that are not valid JSON; such documents
// are counted where their meaning is certain. The report's problems list what
// could not be read.
func Profile(ctx context.Context, inputs []string, o Options) (db *model.Database, report *finding.Report, err error) {
	report, err = profiled(ctx, inputs, o, func(_ *engine, found *model.Database) error {
		db = found
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return db, report, nil
}

// profiled reads the inputs and calls use with the result.
func profiled(ctx context.Context, inputs []string, o Options, use func(*engine, *model.Database) error) (report *finding.Report, err error) {
	e, err := start(ctx, inputs, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := e.set.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("removing the copy of standard input: %w", cerr)
		}
	}()
	db, err := e.infer(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	if err := use(e, db); err != nil {
		return nil, err
	}
	damage, cut := e.inputErrors()
	problems, err := e.cutOff(ctx, cut)
	if err != nil {
		return nil, err
	}
	findings, err := e.place(ctx, damage)
	if err != nil {
		return nil, err
	}
	finding.Sort(findings)
	return &finding.Report{Findings: findings, Problems: slices.Concat(e.set.Problems(), problems)}, nil
}

// infer reads the documents and builds the model of the database. Catalogs may
// add to it.
func (e *engine) infer(ctx context.Context, o Options, catalogs map[string]*catalog.Collection) (*model.Database, error) {
	collections, err := e.profile(ctx)
	if err != nil {
		return nil, err
	}
	settings := model.Settings{Lexicon: e.lexicon, IDs: map[string]string{}, Unique: map[string][]string{}, Jobs: e.jobs}
	for name, c := range catalogs {
		settings.Unique[name] = c.UniquePaths()
	}
	for _, r := range o.References {
		settings.Declared = append(settings.Declared, model.Declared(r))
	}
	for name, c := range o.Collections {
		settings.IDs[name] = c.ID
	}
	return model.Infer(ctx, collections, settings, func(s []*model.Splitter) error { return e.split(ctx, s) })
}

// Describe reads the inputs twice and returns schemas that describe their
// documents. The first reading finds the kinds of document and the names that
// are data; the second finds what holds for every document. Options and report
// are those of [Profile].
func Describe(ctx context.Context, inputs []string, o Options) (described *infer.Database, report *finding.Report, err error) {
	report, err = profiled(ctx, inputs, o, func(e *engine, db *model.Database) error {
		described = infer.ForDocuments(evidence.New(db, evidence.Options{Discriminators: true}))
		observers := make([]*infer.Observer, e.jobs)
		for i := range observers {
			observers[i] = described.Observer()
		}
		err := e.each(ctx, pass{visit: func(w int, name string, d *profile.Document) { observers[w].See(name, d) }})
		if err != nil {
			return err
		}
		for _, o := range observers {
			described.Add(o)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return described, report, nil
}

// Visit shows every document with its collection, one after the other. It uses
// only the options about sources.
func Visit(ctx context.Context, inputs []string, o Options, visit func(collection string, d *profile.Document)) error {
	set, err := source.Open(ctx, inputs, o.Source)
	if err != nil {
		return err
	}
	e := &engine{set: set, own: ownNames(set), jobs: 1}
	err = e.each(ctx, pass{visit: func(_ int, name string, d *profile.Document) { visit(name, d) }})
	return errors.Join(err, set.Close())
}
