package jsonlint

import (
	"cmp"
	"context"
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// collectionSettings combines the user's settings for collections with the
// origin that a live database gives for them.
func (e *engine) collectionSettings(o Options) map[string]check.CollectionSettings {
	settings := map[string]check.CollectionSettings{}
	for name, c := range o.Collections {
		settings[name] = check.CollectionSettings(c)
	}
	for _, f := range e.set.Files {
		if f.Remote != nil {
			c := settings[f.Collection]
			c.Complete = c.Complete || f.Remote.Complete
			c.PartitionKey = cmp.Or(c.PartitionKey, f.Remote.PartitionKey)
			settings[f.Collection] = c
		}
	}
	return settings
}

// dangling returns a function that asks a collection's database which values
// really lead to no document. It returns nil for files.
func (e *engine) dangling(ctx context.Context) func(to string, at []profile.Pos) ([]bool, error) {
	remotes := map[string]*source.Remote{}
	for _, f := range e.set.Files {
		if f.Remote != nil {
			remotes[f.Collection] = f.Remote
		}
	}
	if len(remotes) == 0 {
		return nil
	}
	return func(to string, at []profile.Pos) ([]bool, error) {
		target := remotes[to]
		if target == nil {
			return nil, nil
		}
		references := []remote.Reference{}
		for _, at := range at {
			from := e.set.Files[at.File]
			if from.Remote == nil || from.Remote.Database != target.Database {
				return nil, nil
			}
			document, err := e.set.Bytes(ctx, from, at.Doc, at.Doc+int64(at.DocLen))
			if err != nil {
				return nil, fmt.Errorf("read a document of %s again: %w", from.Path, err)
			}
			value := document[at.Off-at.Doc:][:at.Len]
			references = append(references, remote.Reference{From: from.Remote.Name, Document: document, Value: value})
		}
		return target.Database.Dangling(ctx, target.Name, references)
	}
}
