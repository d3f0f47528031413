package jsonlint

import (
	"context"
	"errors"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema/infer"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// Describe reads the inputs twice and returns what schemas say of their
// documents: the first time to see which kinds there are and which names are
// data, the second time to see what is true of every document. It takes the
// options and returns the report of [Profile].
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

// Visit shows every document with its collection, one after the other. Of the
// options, those on sources count.
func Visit(ctx context.Context, inputs []string, o Options, visit func(collection string, d *profile.Document)) error {
	set, err := source.Open(ctx, inputs, o.Source)
	if err != nil {
		return err
	}
	e := &engine{set: set, jobs: 1}
	err = e.each(ctx, pass{visit: func(_ int, name string, d *profile.Document) { visit(name, d) }})
	return errors.Join(err, set.Close())
}
