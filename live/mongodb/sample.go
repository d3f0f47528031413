package mongodb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/sampling"
)

// Sample reads the collections into an archive.
func (d *database) Sample(ctx context.Context, spool io.Writer) (remote.Sample, error) {
	sample, err := d.sample(ctx, spool)
	return sample, d.url.Error("read the database", err)
}

func (d *database) sample(ctx context.Context, spool io.Writer) (remote.Sample, error) {
	sample := remote.Sample{Store: "mongodb"}
	databases, err := d.databases(ctx)
	if err != nil {
		return sample, err
	}
	var namespaces []*namespace
	for _, db := range databases {
		found, left, err := d.namespaces(ctx, db)
		if err != nil {
			return sample, err
		}
		namespaces = append(namespaces, found...)
		sample.Notes = append(sample.Notes, left...)
	}
	slices.SortFunc(namespaces, func(a, b *namespace) int { return cmp.Compare(a.name(), b.name()) })
	store := &store{database: d, names: map[string]*namespace{}}
	var collections []sampling.Collection
	for _, n := range namespaces {
		store.names[n.name()] = n
		collections = append(collections, sampling.Collection{Name: n.name(), Documents: n.count, Bytes: n.bytes})
	}
	archive, err := newArchive(spool, namespaces)
	if err != nil {
		return sample, err
	}
	results, err := sampling.Run(ctx, store, collections, sampling.Options{Documents: d.options.Documents, Alone: d.alone},
		func(c sampling.Collection, raw []byte) error { return archive.write(c.Name, raw) })
	if err != nil {
		return sample, err
	}
	shardKeys := d.shardKeys(ctx)
	for _, r := range results {
		sample.Collections = append(sample.Collections, remote.Collection{Name: r.Name, Complete: r.Complete, PartitionKey: shardKeys[r.Name]})
		if note := r.Note(); note != "" {
			sample.Notes = append(sample.Notes, note)
		}
	}
	return sample, archive.close(namespaces)
}

// A store reads documents for the sampler.
type store struct {
	*database
	names map[string]*namespace
}

func (s *store) read(ctx context.Context, n *namespace, command bson.D, visit func(sampling.Document) error) error {
	err := s.run(ctx, n.database, command, func(raw bson.Raw) error { return visit(document(raw)) })
	if err != nil {
		return fmt.Errorf("read %s: %w", n.name(), err)
	}
	return nil
}

func (s *store) All(ctx context.Context, c sampling.Collection, visit func(sampling.Document) error) error {
	n := s.names[c.Name]
	return s.read(ctx, n, findCommand(n.collection), visit)
}

func (s *store) ByID(ctx context.Context, c sampling.Collection, ids []sampling.Key, visit func(sampling.Document) error) error {
	n := s.names[c.Name]
	values := bson.A{}
	for _, id := range ids {
		values = append(values, value(id))
	}
	return s.read(ctx, n, findCommand(n.collection, bson.E{Key: "filter", Value: bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: values}}}}}), visit)
}

// Some asks the server for a sample. If the server refuses, it reads ranges of
// ids.
func (s *store) Some(ctx context.Context, c sampling.Collection, n int, visit func(sampling.Document) error) error {
	ns := s.names[c.Name]
	err := s.read(ctx, ns, bson.D{
		{Key: "aggregate", Value: ns.collection}, {Key: "cursor", Value: bson.D{{Key: "batchSize", Value: batchSize}}}, {Key: "allowDiskUse", Value: true},
		{Key: "pipeline", Value: bson.A{bson.D{{Key: "$sample", Value: bson.D{{Key: "size", Value: n}}}}}},
	}, visit)
	var refused mongo.CommandError
	if errors.As(err, &refused) {
		return s.ranges(ctx, ns, n, visit)
	}
	return err
}

// ranges is how many places of a collection are read if the server does not
// return a sample.
const ranges = 10

// ranges reads documents from places across a collection.
func (s *store) ranges(ctx context.Context, n *namespace, count int, visit func(sampling.Document) error) error {
	least, err := s.end(ctx, n, 1)
	if err != nil {
		return err
	}
	most, err := s.end(ctx, n, -1)
	if err != nil {
		return err
	}
	each := max(1, count/ranges)
	for range min(ranges, count) {
		more := []bson.E{{Key: "sort", Value: bson.D{{Key: "_id", Value: 1}}}, {Key: "limit", Value: each}}
		if from, ok := between(least, most); ok {
			more = append(more, bson.E{Key: "filter", Value: bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: from}}}}})
		} else {
			more = append(more, bson.E{Key: "skip", Value: rand.Int64N(max(1, n.count-int64(each)))})
		}
		if err := s.read(ctx, n, findCommand(n.collection, more...), visit); err != nil {
			return err
		}
	}
	return nil
}

// end returns the first id of a collection, or the last.
func (s *store) end(ctx context.Context, n *namespace, order int) (id bson.RawValue, err error) {
	command := findCommand(n.collection, bson.E{Key: "sort", Value: bson.D{{Key: "_id", Value: order}}}, bson.E{Key: "limit", Value: 1},
		bson.E{Key: "projection", Value: bson.D{{Key: "_id", Value: 1}}})
	err = s.run(ctx, n.database, command, func(raw bson.Raw) error {
		found := raw.Lookup("_id")
		id = bson.RawValue{Type: found.Type, Value: slices.Clone(found.Value)}
		return nil
	})
	if err != nil {
		return id, fmt.Errorf("read %s: %w", n.name(), err)
	}
	return id, nil
}

// between returns an id between two others, for ids that can be treated as
// numbers. Text ids cannot: most strings between two of them are not ids.
func between(least, most bson.RawValue) (any, bool) {
	if least.Type != most.Type {
		return nil, false
	}
	switch least.Type {
	case bson.TypeObjectID:
		from, to := least.ObjectID(), most.ObjectID()
		low := new(big.Int).SetBytes(from[:])
		width := new(big.Int).Sub(new(big.Int).SetBytes(to[:]), low)
		var id bson.ObjectID
		new(big.Int).Add(low, fraction(width, rand.Float64())).FillBytes(id[:])
		return id, true
	case bson.TypeInt32, bson.TypeInt64:
		return least.AsInt64() + int64(rand.Float64()*float64(most.AsInt64()-least.AsInt64())), true
	}
	return nil, false
}

// fraction is a part, from 0 to 1, of a number.
func fraction(n *big.Int, part float64) *big.Int {
	const steps = 1 << 53
	scaled := new(big.Int).Mul(n, big.NewInt(int64(part*steps)))
	return scaled.Div(scaled, big.NewInt(steps))
}

// document is one that was read.
func document(raw bson.Raw) sampling.Document {
	id, _ := key(raw.Lookup("_id"))
	return sampling.Document{Raw: raw, ID: id, Values: func(yield func(string, sampling.Key)) { values("", raw, yield) }}
}

// values calls yield with the values of a document, or of an array, that could
// be ids.
func values(path string, raw bson.Raw, yield func(string, sampling.Key)) {
	elements, err := raw.Elements()
	if err != nil {
		return // it is reported when it is read
	}
	for _, e := range elements {
		below(path+"."+e.Key(), e.Value(), yield)
	}
}

func below(path string, v bson.RawValue, yield func(string, sampling.Key)) {
	switch v.Type {
	case bson.TypeEmbeddedDocument:
		values(path, bson.Raw(v.Value), yield)
	case bson.TypeArray:
		elements, err := bson.RawArray(v.Value).Values()
		if err != nil {
			return
		}
		for _, element := range elements {
			below(path, element, yield)
		}
	default:
		if k, ok := key(v); ok {
			yield(path, k)
		}
	}
}

// longestID is the length of the longest text that can be an id.
const longestID = 128

// key returns a value as the id of a document. Numbers are equal if the server
// treats them as equal.
func key(v bson.RawValue) (sampling.Key, bool) {
	switch v.Type {
	case bson.TypeInt32, bson.TypeInt64:
		raw, err := bson.Marshal(bson.D{{Key: "v", Value: v.AsInt64()}})
		return sampling.Key{Type: byte(bson.TypeInt64), Text: string(bson.Raw(raw).Lookup("v").Value)}, err == nil
	case bson.TypeString:
		if len(v.Value) > longestID {
			return sampling.Key{}, false
		}
	case bson.TypeObjectID, bson.TypeBinary:
	default:
		// Any id identifies a document, but only ids of these types are looked up.
		return sampling.Key{Type: byte(v.Type), Text: string(v.Value)}, false
	}
	return sampling.Key{Type: byte(v.Type), Text: string(v.Value)}, true
}

// value is what key was made of.
func value(k sampling.Key) bson.RawValue {
	return bson.RawValue{Type: bson.Type(k.Type), Value: []byte(k.Text)}
}
