package jsonlint

import (
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// DefaultMemory is roughly the memory of a run that keeps everything it can in
// temporary files: see docs/speed.md.
const DefaultMemory = 128 << 20

// Options configures [Check]. The zero value checks every rule with its
// defaults.
type Options struct {
	Source      source.Options
	DB          string // generic (the default; mongodb where documents are BSON), cosmosdb, mongodb, dynamodb, firestore, couchbase
	Rules       map[string]RuleOptions
	Collections map[string]CollectionOptions
	References  []Reference
	Schemas     *schema.Set         // schemas of collections; may be nil
	Lexicon     map[string][]string // words added to each list, by list name
	Strict      bool                // report guesses too
	Jobs        int                 // workers; 0 means one
	Memory      int64               // bytes; data about all documents beyond this goes to temporary files; 0 means DefaultMemory
	Progress    func(done, total int64)
	Picture     bool // draw a picture of the database into the report

	// Observe, if not nil, is called with the model of the database before the
	// rules run. It must not change it.
	Observe func(*model.Database)

	// Keep, if not nil, receives the documents after the check, to find places in
	// them. The receiver closes them.
	Keep func(*Documents)

	// Part makes this process one of several: it reads its share of the documents,
	// or merges what they have gathered. It is nil if one process does all. While
	// there is more to gather, the error is [ErrShardDone] or an
	// [*UnfinishedError].
	Part *Part
}

// RuleOptions configures one rule.
type RuleOptions struct {
	Disabled   bool
	Severity   finding.Severity // replaces the rule's severity; 0 keeps it
	Thresholds map[string]float64
}

// CollectionOptions states facts about a collection that its documents do not
// show.
type CollectionOptions struct {
	Complete     bool   // the sample is the whole collection
	PartitionKey string // path of the partition key: /postId
	ID           string // field that identifies a document, if not id or _id
}

// A Reference declares that the field at Path in documents of From holds keys
// of documents of To. Key is the field of To that it holds; the default is its
// id.
type Reference struct {
	From, Path, To, Key string
}

// thresholds returns the thresholds on the rule's page as changed by the
// configuration.
func (o *Options) thresholds(rule string) map[string]float64 {
	out := map[string]float64{}
	if front, ok := rulebook.FrontOf(rule); ok {
		for name, t := range front.Thresholds {
			out[name] = t.Default
		}
	}
	for name, v := range o.Rules[rule].Thresholds {
		out[name] = v
	}
	return out
}
