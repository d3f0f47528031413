package live

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/mongodb"
)

// TestSampleOfALargeCollection has 60,000 orders. One in a hundred names a
// customer that was deleted. Only a sample of both collections is read.
func TestSampleOfALargeCollection(t *testing.T) {
	t.Parallel()
	const orders, customers = 60_000, 12_000
	s := startServer(t)
	deleted := func(i int) bool { return i%100 == 7 }
	s.insert(t, "shop", "customers", customers, func(i int) any {
		return bson.D{{Key: "_id", Value: oid(1, i)}, {Key: "name", Value: fmt.Sprintf("Customer %d", i)}, {Key: "city", Value: []string{"Oslo", "Rome", "Lima"}[i%3]}}
	})
	r := rand.New(rand.NewPCG(1, 2))
	s.insert(t, "shop", "orders", orders, func(i int) any {
		customer := oid(1, r.IntN(customers))
		if deleted(i) {
			customer = oid(9, i)
		}
		return bson.D{{Key: "_id", Value: oid(2, i)}, {Key: "customerId", Value: customer}, {Key: "total", Value: 10 + i%90}, {Key: "note", Value: fmt.Sprintf("order no. %d", i)}}
	})

	// This server reads the whole collection for each look-up, so the sample is
	// smaller than the default.
	o := jsonlint.Options{}
	o.Source.Remote.Documents = 1500
	report := check(t, o, s.uri("shop"))
	require.Empty(t, report.Problems)
	assert.Less(t, report.Summary.Documents, int64(10_000), "not all is read")
	require.Len(t, report.Notes, 2)
	assert.Contains(t, report.Notes[1], "of about 60,000")
	found := only(report, "dangling-reference")
	require.Len(t, found, 1)
	assert.Equal(t, "customerId", found[0].Subject.Path)
	assert.Equal(t, finding.Error, found[0].Severity)
	share := evidence(found[0], "dangling") / evidence(found[0], "references")
	assert.InDelta(t, 0.01, share, 0.006, "only those that were deleted")
}

// TestWhileItIsWrittenTo samples a database in which customers come, order and
// go. Only references that always were dangling may be reported.
func TestWhileItIsWrittenTo(t *testing.T) {
	t.Parallel()
	const orders, customers = 15_000, 11_000 // too many to be read whole
	s := startServer(t)
	s.insert(t, "shop", "customers", customers, func(i int) any {
		return bson.D{{Key: "_id", Value: oid(1, i)}, {Key: "name", Value: fmt.Sprintf("Customer %d", i)}}
	})
	s.insert(t, "shop", "orders", orders, func(i int) any {
		customer := oid(1, i*7919%customers)
		if i%100 == 7 {
			customer = oid(9, i)
		}
		return bson.D{{Key: "_id", Value: oid(2, i)}, {Key: "customerId", Value: customer}, {Key: "total", Value: 10 + i%90}}
	})
	ctx, cancel := context.WithCancel(context.Background())
	var writer sync.WaitGroup
	writer.Go(func() {
		db := s.client.Database("shop")
		for i := 0; ctx.Err() == nil; i++ {
			id := oid(3, i)
			_, _ = db.Collection("customers").InsertOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "name", Value: "new"}})
			_, _ = db.Collection("orders").InsertOne(ctx, bson.D{{Key: "_id", Value: oid(4, i)}, {Key: "customerId", Value: id}, {Key: "total", Value: 1}})
			if i%2 == 1 { // some go: their orders first
				_, _ = db.Collection("orders").DeleteOne(ctx, bson.D{{Key: "_id", Value: oid(4, i)}})
				_, _ = db.Collection("customers").DeleteOne(ctx, bson.D{{Key: "_id", Value: id}})
			}
		}
	})
	o := jsonlint.Options{}
	o.Source.Remote.Documents = 1500
	report := check(t, o, s.uri("shop"))
	cancel()
	writer.Wait()
	require.Empty(t, report.Problems)
	found := only(report, "dangling-reference")
	require.Len(t, found, 1)
	assert.InDelta(t, 0.01, evidence(found[0], "dangling")/evidence(found[0], "references"), 0.006)
}

func only(report *finding.Report, rule string) []finding.Finding {
	var out []finding.Finding
	for _, f := range report.Findings {
		if f.Rule == rule {
			out = append(out, f)
		}
	}
	return out
}

func evidence(f finding.Finding, name string) float64 {
	for _, e := range f.Evidence {
		if e.Name == name {
			switch v := e.Value.(type) {
			case int64:
				return float64(v)
			case float64:
				return v
			}
		}
	}
	return -1
}

// TestOnlyReads records the commands that the program sends to the server.
func TestOnlyReads(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.insert(t, "shop", "customers", 12_000, func(i int) any { return bson.D{{Key: "_id", Value: oid(1, i)}, {Key: "name", Value: "x"}} })
	s.insert(t, "shop", "orders", 500, func(i int) any {
		return bson.D{{Key: "_id", Value: oid(2, i)}, {Key: "customerId", Value: oid(1, i*24%12_100)}}
	})
	before, err := s.client.Database("shop").Collection("customers").CountDocuments(context.Background(), bson.D{})
	require.NoError(t, err)
	files := s.contents(t)
	p := startProxy(t, s.address)
	report := check(t, jsonlint.Options{}, "mongodb://"+p.Addr().String()+"/?directConnection=true")
	require.Empty(t, report.Problems)
	assert.Equal(t, 2, report.Summary.Collections)
	reads := map[string]bool{
		"hello": true, "isMaster": true, "ismaster": true, "ping": true, "endSessions": true,
		"listDatabases": true, "listCollections": true, "listIndexes": true, "aggregate": true, "count": true, "find": true, "getMore": true, "killCursors": true,
	}
	assert.NotEmpty(t, p.commands["find"])
	for name := range p.commands {
		assert.True(t, reads[name], "%s is sent", name)
	}
	after, err := s.client.Database("shop").Collection("customers").CountDocuments(context.Background(), bson.D{})
	require.NoError(t, err)
	assert.Equal(t, before, after)
	assert.Equal(t, files, s.contents(t), "the files of the database are what they were")
}

// TestShardKeys: the shard key of a collection is in the database config, which
// this server does not write itself.
func TestShardKeys(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, name := range []string{"orders", "visits", "items"} {
		s.insert(t, "shop", name, 3, func(i int) any { return bson.D{{Key: "_id", Value: i}} })
	}
	_, err := s.client.Database("config").Collection("collections").InsertMany(context.Background(), []any{
		bson.D{{Key: "_id", Value: "shop.orders"}, {Key: "key", Value: bson.D{{Key: "customer", Value: "hashed"}}}},
		bson.D{{Key: "_id", Value: "shop.visits"}, {Key: "key", Value: bson.D{{Key: "site", Value: 1}, {Key: "day", Value: 1}}}},
	})
	require.NoError(t, err)
	db, err := mongodb.Open(context.Background(), remote.Parse(s.uri("shop")), remote.Options{Documents: 10})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	sample, err := db.Sample(context.Background(), io.Discard)
	require.NoError(t, err)
	keys := map[string]string{}
	for _, c := range sample.Collections {
		keys[c.Name] = c.PartitionKey
	}
	assert.Equal(t, map[string]string{"shop.orders": "/customer", "shop.visits": "", "shop.items": ""}, keys)
}
