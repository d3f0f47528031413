// Package mongodb samples databases of MongoDB and of servers with the same
// protocol. It sends only read commands: listDatabases, listCollections,
// listIndexes, aggregate with $collStats or $sample, count, find and getMore.
package mongodb

import (
	"context"
	"fmt"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// appName is what the server's log and its list of operations call the program.
const appName = "shapevet"

const (
	connectTime = 15 * time.Second
	commandTime = 2 * time.Minute // maxTimeMS
	batchSize   = 500             // documents
)

// Open connects to the server of a URL. The URL may name a database. Otherwise
// all user databases are read.
func Open(ctx context.Context, u remote.URL, o remote.Options) (remote.Database, error) {
	parsed, err := connstring.ParseAndValidate(u.Secret())
	if err != nil {
		return nil, u.Error("this is no address of MongoDB", err)
	}
	opts := options.Client().ApplyURI(u.Secret()).SetAppName(appName).SetServerSelectionTimeout(connectTime).SetConnectTimeout(connectTime)
	d := &database{url: u, name: parsed.Database, options: o, preference: opts.ReadPreference, newest: opts.ReadPreference}
	if d.preference == nil {
		d.preference, d.newest = readpref.SecondaryPreferred(), readpref.PrimaryPreferred()
	}
	client, err := mongo.Connect(opts)
	if err != nil {
		return nil, u.Error("connect", err)
	}
	d.client = client
	if err := client.Ping(ctx, d.preference); err != nil {
		_ = d.Close() // the error that the server cannot be reached is already reported
		return nil, u.Error("the database does not answer", err)
	}
	return d, nil
}

type database struct {
	client  *mongo.Client
	url     remote.URL
	name    string // "" for all databases
	options remote.Options
	alone   bool // tests: nothing is looked up

	preference *readpref.ReadPref // for reading documents
	newest     *readpref.ReadPref // for checking whether a document is missing
}

func (d *database) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	return d.url.Error("disconnect", d.client.Disconnect(ctx))
}

// run runs a command that returns a cursor, and visits the documents.
func (d *database) run(ctx context.Context, db string, command bson.D, visit func(bson.Raw) error) error {
	cursor, err := d.client.Database(db).RunCommandCursor(ctx, tagged(command), options.RunCmd().SetReadPreference(d.preference))
	if err != nil {
		return err
	}
	cursor.SetComment(appName)
	cursor.SetBatchSize(batchSize)
	for cursor.Next(ctx) {
		if err := visit(cursor.Current); err != nil {
			_ = cursor.Close(ctx) // the server drops it in time
			return err
		}
	}
	return cursor.Err()
}

// shardKeys returns the shard keys, such as /tenant, of collections that are
// sharded by one field. It returns none if the user may not read them or nothing
// is sharded.
//
// Source: https://www.mongodb.com/docs/manual/reference/config-database/#mongodb-data-config.collections
func (d *database) shardKeys(ctx context.Context) map[string]string {
	paths := map[string]string{}
	_ = d.run(ctx, "config", findCommand("collections"), func(raw bson.Raw) error {
		name, named := raw.Lookup("_id").StringValueOK()
		key, keyed := raw.Lookup("key").DocumentOK()
		if !named || !keyed {
			return nil
		}
		if fields, err := key.Elements(); err == nil && len(fields) == 1 {
			paths[name] = "/" + strings.ReplaceAll(fields[0].Key(), ".", "/")
		}
		return nil
	})
	return paths
}

// tagged says who asks, and for how long the server may work.
func tagged(command bson.D) bson.D {
	return append(command, bson.E{Key: "maxTimeMS", Value: commandTime.Milliseconds()}, bson.E{Key: "comment", Value: appName})
}

// findCommand reads documents of a collection.
func findCommand(collection string, more ...bson.E) bson.D {
	return append(bson.D{{Key: "find", Value: collection}, {Key: "batchSize", Value: batchSize}}, more...)
}

// A namespace is a collection of a database.
type namespace struct {
	database, collection string
	options              bson.Raw
	count, bytes         int64
	indexes              []bson.Raw
}

func (n *namespace) name() string { return n.database + "." + n.collection }

// databases returns the user databases, or the one that the URL names.
func (d *database) databases(ctx context.Context) ([]string, error) {
	if d.name != "" {
		return []string{d.name}, nil
	}
	var answer struct {
		Databases []struct{ Name string }
	}
	command := tagged(bson.D{{Key: "listDatabases", Value: 1}, {Key: "nameOnly", Value: true}, {Key: "authorizedDatabases", Value: true}})
	if err := d.client.Database("admin").RunCommand(ctx, command).Decode(&answer); err != nil {
		return nil, fmt.Errorf("list the databases: %w", err)
	}
	var names []string
	for _, db := range answer.Databases {
		switch db.Name {
		case "admin", "config", "local":
		default:
			names = append(names, db.Name)
		}
	}
	return names, nil
}

// namespaces returns the user collections of a database, and the other ones.
func (d *database) namespaces(ctx context.Context, db string) (found []*namespace, left []string, err error) {
	command := bson.D{{Key: "listCollections", Value: 1}, {Key: "cursor", Value: bson.D{}}}
	err = d.run(ctx, db, command, func(raw bson.Raw) error {
		var c struct {
			Name, Type string
			Options    bson.Raw
		}
		if err := bson.Unmarshal(raw, &c); err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(c.Name, "system."):
		case c.Type == "timeseries":
			left = append(left, db+"."+c.Name+": not checked, it is a time series")
		case c.Type == "" || c.Type == "collection":
			found = append(found, &namespace{database: db, collection: c.Name, options: c.Options})
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list the collections of %s: %w", db, err)
	}
	for _, n := range found {
		if err := d.describe(ctx, n); err != nil {
			return nil, nil, err
		}
	}
	return found, left, nil
}

// describe asks for the sizes and the indexes of a collection. Users who may
// only read documents do not get the sizes, so the documents are counted.
func (d *database) describe(ctx context.Context, n *namespace) error {
	err := d.run(ctx, n.database, bson.D{
		{Key: "aggregate", Value: n.collection}, {Key: "cursor", Value: bson.D{}},
		{Key: "pipeline", Value: bson.A{bson.D{{Key: "$collStats", Value: bson.D{{Key: "storageStats", Value: bson.D{}}}}}}},
	}, func(raw bson.Raw) error {
		var stats struct{ StorageStats struct{ Count, Size int64 } }
		err := bson.Unmarshal(raw, &stats)
		n.count += stats.StorageStats.Count // of each shard
		n.bytes += stats.StorageStats.Size
		return err
	})
	if err != nil {
		var answer struct{ N int64 }
		if err := d.client.Database(n.database).RunCommand(ctx, tagged(bson.D{{Key: "count", Value: n.collection}}), options.RunCmd().SetReadPreference(d.preference)).Decode(&answer); err != nil {
			return fmt.Errorf("count the documents of %s: %w", n.name(), err)
		}
		n.count, n.bytes = answer.N, 0
	}
	err = d.run(ctx, n.database, bson.D{{Key: "listIndexes", Value: n.collection}, {Key: "cursor", Value: bson.D{}}}, func(raw bson.Raw) error {
		n.indexes = append(n.indexes, append(bson.Raw{}, raw...))
		return nil
	})
	if err != nil {
		return fmt.Errorf("list the indexes of %s: %w", n.name(), err)
	}
	return nil
}

// metadata is what mongodump writes about a collection.
func (n *namespace) metadata() (string, error) {
	indexes := n.indexes
	if indexes == nil {
		indexes = []bson.Raw{}
	}
	document := bson.D{{Key: "indexes", Value: indexes}, {Key: "collectionName", Value: n.collection}, {Key: "type", Value: "collection"}}
	if n.options != nil {
		document = append(bson.D{{Key: "options", Value: n.options}}, document...)
	}
	text, err := bson.MarshalExtJSON(document, true, false)
	if err != nil {
		return "", fmt.Errorf("describe %s: %w", n.name(), err)
	}
	return string(text), nil
}
