package mongodb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/sampling"
)

// Dangling looks up references. The database may hold documents that the sample
// lacks, and it may have changed while the sample was read. So a reference
// dangles only if no document has the id now, and if the document that holds the
// reference still does so afterwards.
func (d *database) Dangling(ctx context.Context, to string, references []remote.Reference) ([]bool, error) {
	asked := *d
	asked.preference = d.newest
	dangling, err := asked.dangling(ctx, to, references)
	return dangling, d.url.Error("look references up", err)
}

func (d *database) dangling(ctx context.Context, to string, references []remote.Reference) ([]bool, error) {
	ids := make([]sampling.Key, len(references))
	holders := map[string]map[sampling.Key][]int{} // references by the document that holds them
	wanted := map[sampling.Key]bool{}
	for i, r := range references {
		var document, wrapped bson.Raw
		if err := bson.UnmarshalExtJSON(r.Document, false, &document); err != nil {
			return nil, fmt.Errorf("a document of %s: %w", r.From, err)
		}
		if err := bson.UnmarshalExtJSON(fmt.Appendf(nil, `{"v":%s}`, r.Value), false, &wrapped); err != nil {
			return nil, fmt.Errorf("a value of %s: %w", r.From, err)
		}
		id, ok := key(wrapped.Lookup("v"))
		if !ok {
			continue // nothing is known about it, so nothing is reported
		}
		ids[i] = id
		wanted[id] = true
		holder, _ := key(document.Lookup("_id"))
		if holders[r.From] == nil {
			holders[r.From] = map[sampling.Key][]int{}
		}
		holders[r.From][holder] = append(holders[r.From][holder], i)
	}
	err := d.byID(ctx, to, slices.Collect(maps.Keys(wanted)), true, func(document bson.Raw) {
		id, _ := key(document.Lookup("_id"))
		delete(wanted, id)
	})
	if err != nil {
		return nil, err
	}
	dangling := make([]bool, len(references))
	for from, documents := range holders {
		missing := map[sampling.Key]bool{}
		for holder, at := range documents {
			for _, i := range at {
				if wanted[ids[i]] {
					missing[holder] = true
				}
			}
		}
		err := d.byID(ctx, from, slices.Collect(maps.Keys(missing)), false, func(raw bson.Raw) {
			holds := map[sampling.Key]bool{}
			values("", raw, func(_ string, k sampling.Key) { holds[k] = true })
			holder, _ := key(raw.Lookup("_id"))
			for _, i := range documents[holder] {
				dangling[i] = wanted[ids[i]] && holds[ids[i]]
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return dangling, nil
}

// byID reads documents of a collection, or only their ids.
func (d *database) byID(ctx context.Context, name string, ids []sampling.Key, bare bool, visit func(bson.Raw)) error {
	db, collection, _ := strings.Cut(name, ".")
	for some := range slices.Chunk(ids, batchSize) {
		wanted := bson.A{}
		for _, id := range some {
			wanted = append(wanted, value(id))
		}
		more := []bson.E{{Key: "filter", Value: bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: wanted}}}}}}
		if bare {
			more = append(more, bson.E{Key: "projection", Value: bson.D{{Key: "_id", Value: 1}}})
		}
		err := d.run(ctx, db, findCommand(collection, more...), func(raw bson.Raw) error {
			visit(raw)
			return nil
		})
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	return nil
}
