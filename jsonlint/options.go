package jsonlint

import (
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// DefaultMemory is about what a run takes that has no memory to spare for what
// temporary files can hold: see docs/speed.md.
const DefaultMemory = 128 << 20

// Options of [Check]. The zero value checks every rule with its defaults.
type Options struct {
	Source      source.Options
	DB          string // generic (the default; mongodb where documents are BSON), cosmosdb, mongodb, dynamodb, firestore, couchbase
	Rules       map[string]RuleOptions
	Collections map[string]CollectionOptions
	References  []Reference
	Schemas     *schema.Set         // of collections; nil without
	Lexicon     map[string][]string // words added to the lists, by list name
	Strict      bool                // report guesses too
	Jobs        int                 // workers; 0 means one
	Memory      int64               // bytes, beyond which what is remembered of all documents goes to temporary files; 0 means DefaultMemory
	Progress    func(done, total int64)
	Picture     bool // draw what there is, into the report

	// Observe is shown what the documents look like, before the rules are; nil
	// for nobody. It must not change it.
	Observe func(*model.Database)

	// Keep is given the documents once they are checked, to find places in
	// them; whoever takes them closes them. nil for nobody.
	Keep func(*Documents)

	// Part has one of several processes read its share of the documents, or merge
	// what they have gathered; nil where one process does all. While there is more
	// to gather, the error is [ErrShardDone] or an [*UnfinishedError].
	Part *Part
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

// thresholds are those of the rule's page, changed by the configuration.
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
