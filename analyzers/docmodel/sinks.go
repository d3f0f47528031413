package docmodel

import (
	"go/types"
	"iter"
	"slices"
	"strings"
	"sync"
)

// A sink is a database library's function that stores or reads documents.
type sink struct {
	pattern  string // part of the import path
	receiver string // of the receiver's type; "" for a function
	names    []string
	argument int // index of the argument with the document; negative: the type argument
	kind     sinkKind
	codec    Codec
}

type sinkKind uint8

const (
	writes sinkKind = iota + 1
	reads
	updates // the argument is an update, not a whole document
)

// sinks lists the functions of known libraries.
var sinks = []sink{
	{"mongo-driver", "Collection", []string{"InsertOne", "InsertMany"}, 1, writes, BSON},
	{"mongo-driver", "Collection", []string{"ReplaceOne", "FindOneAndReplace"}, 2, writes, BSON},
	{"mongo-driver", "InsertOneModel", []string{"SetDocument"}, 0, writes, BSON},
	{"mongo-driver", "ReplaceOneModel", []string{"SetReplacement"}, 0, writes, BSON},
	{"mongo-driver", "ClientInsertOneModel", []string{"SetDocument"}, 0, writes, BSON},
	{"mongo-driver", "ClientReplaceOneModel", []string{"SetReplacement"}, 0, writes, BSON},
	{"mongo-driver", "Collection", []string{"UpdateOne", "UpdateMany", "UpdateByID", "FindOneAndUpdate"}, 2, updates, BSON},
	{"mongo-driver", "UpdateOneModel", []string{"SetUpdate"}, 0, updates, BSON},
	{"mongo-driver", "UpdateManyModel", []string{"SetUpdate"}, 0, updates, BSON},
	{"mongo-driver", "SingleResult", []string{"Decode"}, 0, reads, BSON},
	{"mongo-driver", "Cursor", []string{"Decode"}, 0, reads, BSON},
	{"mongo-driver", "Cursor", []string{"All"}, 1, reads, BSON},

	{"qiniu/qmgo", "Collection", []string{"InsertOne", "InsertMany"}, 1, writes, BSON},
	{"qiniu/qmgo", "Collection", []string{"Upsert", "UpsertId", "ReplaceOne"}, 2, writes, BSON},
	{"qiniu/qmgo", "Query", []string{"One", "All"}, 0, reads, BSON},
	{"mgo", "Collection", []string{"Insert"}, 0, writes, BSON},
	{"mgo", "Collection", []string{"Upsert", "UpsertId", "Update", "UpdateId"}, 1, writes, BSON},
	{"mgo", "Query", []string{"One", "All"}, 0, reads, BSON},
	{"mgo", "Iter", []string{"Next", "All"}, 0, reads, BSON},
	{"kamva/mgm", "Collection", []string{"Create", "Update", "Save"}, 0, writes, BSON},
	{"kamva/mgm", "Collection", []string{"CreateWithCtx", "UpdateWithCtx"}, 1, writes, BSON},
	{"kamva/mgm", "Collection", []string{"FindByID", "First", "SimpleFind"}, 1, reads, BSON},

	{"go-zero/core/stores/monc", "Model", []string{"InsertOne"}, 2, writes, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"InsertOneNoCache"}, 1, writes, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"ReplaceOne", "FindOneAndReplaceNoCache"}, 3, writes, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"ReplaceOneNoCache"}, 2, writes, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"FindOneAndReplace"}, 4, writes, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"UpdateOne", "UpdateMany", "UpdateByID", "FindOneAndUpdateNoCache"}, 3, updates, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"UpdateOneNoCache", "UpdateManyNoCache", "UpdateByIDNoCache"}, 2, updates, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"FindOneAndUpdate"}, 4, updates, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"FindOne"}, 2, reads, BSON},
	{"go-zero/core/stores/monc", "Model", []string{"FindOneNoCache"}, 1, reads, BSON},
	{"go-zero/core/stores/mon", "Collection", []string{"InsertOne", "InsertMany"}, 1, writes, BSON},
	{"go-zero/core/stores/mon", "Collection", []string{"ReplaceOne"}, 2, writes, BSON},
	{"go-zero/core/stores/mon", "Collection", []string{"UpdateOne", "UpdateMany", "UpdateByID"}, 2, updates, BSON},
	{"go-zero/core/stores/mon", "Model", []string{"FindOneAndReplace"}, 3, writes, BSON},
	{"go-zero/core/stores/mon", "Model", []string{"FindOneAndUpdate"}, 3, updates, BSON},
	{"go-zero/core/stores/mon", "Model", []string{"Find", "FindOne"}, 1, reads, BSON},

	{"data/azcosmos", "ContainerClient", []string{"CreateItem", "UpsertItem"}, 2, writes, JSON},
	{"data/azcosmos", "ContainerClient", []string{"ReplaceItem"}, 3, writes, JSON},
	{"data/azcosmos", "TransactionalBatch", []string{"CreateItem", "UpsertItem"}, 0, writes, JSON},
	{"data/azcosmos", "TransactionalBatch", []string{"ReplaceItem"}, 1, writes, JSON},

	{"go/firestore", "DocumentRef", []string{"Create", "Set"}, 1, writes, Firestore},
	{"go/firestore", "CollectionRef", []string{"Add"}, 1, writes, Firestore},
	{"go/firestore", "WriteBatch", []string{"Create", "Set"}, 1, writes, Firestore},
	{"go/firestore", "Transaction", []string{"Create", "Set"}, 1, writes, Firestore},
	{"go/firestore", "BulkWriter", []string{"Create", "Set"}, 1, writes, Firestore},
	{"go/firestore", "DocumentSnapshot", []string{"DataTo"}, 0, reads, Firestore},

	{"dynamodb/attributevalue", "", []string{"MarshalMap", "MarshalMapWithOptions"}, 0, writes, DynamoDB},
	{"dynamodb/attributevalue", "", []string{"UnmarshalMap", "UnmarshalListOfMaps", "UnmarshalMapWithOptions", "UnmarshalListOfMapsWithOptions"}, 1, reads, DynamoDB},
	{"dynamodb/dynamodbattribute", "", []string{"MarshalMap"}, 0, writes, DynamoDB1},
	{"dynamodb/dynamodbattribute", "", []string{"UnmarshalMap", "UnmarshalListOfMaps"}, 1, reads, DynamoDB1},
	{"guregu/dynamo", "Table", []string{"Put"}, 0, writes, DynamoDB1},
	{"guregu/dynamo", "BatchWrite", []string{"Put"}, 0, writes, DynamoDB1},
	{"guregu/dynamo/v2", "Query", []string{"One", "All"}, 1, reads, DynamoDB1},
	{"guregu/dynamo/v2", "Scan", []string{"All"}, 1, reads, DynamoDB1},
	{"guregu/dynamo", "Query", []string{"One", "All"}, 0, reads, DynamoDB1},
	{"guregu/dynamo", "Query", []string{"OneWithContext", "AllWithContext"}, 1, reads, DynamoDB1},
	{"guregu/dynamo", "Scan", []string{"All"}, 0, reads, DynamoDB1},
	{"guregu/dynamo", "Scan", []string{"AllWithContext"}, 1, reads, DynamoDB1},

	{"couchbase/gocb", "Collection", []string{"Insert", "Upsert", "Replace"}, 1, writes, JSON},
	{"couchbase/gocb", "GetResult", []string{"Content"}, 0, reads, JSON},
	{"couchbase/gocb", "TransactionAttemptContext", []string{"Insert"}, 2, writes, JSON},
	{"couchbase/gocb", "TransactionAttemptContext", []string{"Replace"}, 1, writes, JSON},
	{"couchbase/gocb", "TransactionGetResult", []string{"Content"}, 0, reads, JSON},
	{"couchbase/gocb", "Bucket", []string{"Insert", "Upsert", "Replace"}, 1, writes, JSON}, // version 1
	{"couchbase/gocb", "Bucket", []string{"Get"}, 1, reads, JSON},
	{"go-kivik/kivik", "DB", []string{"Put"}, 2, writes, JSON},
	{"go-kivik/kivik", "DB", []string{"CreateDoc"}, 1, writes, JSON},
	{"go-kivik/kivik", "DB", []string{"BulkDocs"}, 1, writes, JSON},
	{"go-kivik/kivik", "Document", []string{"ScanDoc"}, 0, reads, JSON},
	{"go-kivik/kivik", "Row", []string{"ScanDoc"}, 0, reads, JSON},
	{"go-kivik/kivik", "ResultSet", []string{"ScanDoc"}, 0, reads, JSON},
	{"go-kivik/kivik", "Rows", []string{"ScanDoc"}, 0, reads, JSON},
}

// database returns the database of the sink's library if the codec alone does
// not determine it.
func (s sink) database() string {
	switch {
	case strings.Contains(s.pattern, "azcosmos"), strings.Contains(s.pattern, "cosmosdb"): // cosmos alone is also a blockchain
		return "cosmosdb"
	case strings.Contains(s.pattern, "couchbase"):
		return "couchbase"
	}
	return s.codec.DB()
}

// keyed reports whether the argument before the document is its key. Where several
// types share a bucket, programs often begin the key with a word for the type.
func (s sink) keyed() bool {
	return s.kind == writes && s.argument > 0 && s.database() == "couchbase"
}

// A keyText is what code spells out of a document's key.
type keyText struct {
	text  string // its beginning, "" if nothing is constant
	whole bool   // it is the whole key
}

// within reports whether an import path is in a library, or in a fork of the
// driver, which keeps the repository's name.
func within(path, library string) bool {
	return strings.Contains(unforked(path), library)
}

func unforked(path string) string {
	return strings.Replace(path, "mongo-go-driver", "mongo-driver", 1)
}

// findSink looks up a function among the sinks.
func findSink(fn *types.Func) (sink, bool) {
	if fn.Pkg() == nil {
		return sink{}, false
	}
	fn = hidden(fn)
	path, receiver := fn.Pkg().Path(), receiverName(fn)
	return firstSink(func(s sink) bool {
		return slices.Contains(s.names, fn.Name()) && (s.receiver == receiver && within(path, s.pattern) || s.standsIn(fn))
	})
}

// hidden returns the method of a library's type that a method takes the place of, because
// its struct embeds that type and its parameters are the same. Otherwise it returns the
// method itself.
func hidden(fn *types.Func) *types.Func {
	receiver := fn.Signature().Recv()
	if receiver == nil {
		return fn
	}
	outer, ok := Pointed(receiver.Type()).Underlying().(*types.Struct)
	if !ok {
		return fn
	}
	for v := range outer.Fields() {
		if !v.Embedded() {
			continue
		}
		if path, _ := TypeName(Pointed(v.Type())); !isSDK(path) {
			continue
		}
		found, _, _ := types.LookupFieldOrMethod(v.Type(), true, fn.Pkg(), fn.Name())
		if inner, ok := found.(*types.Func); ok && types.Identical(inner.Signature().Params(), fn.Signature().Params()) {
			return inner
		}
	}
	return fn
}

func firstSink(is func(sink) bool) (sink, bool) {
	if i := slices.IndexFunc(sinks, is); i >= 0 {
		return sinks[i], true
	}
	return sink{}, false
}

// standsIn reports whether a function is a method of an interface that a
// program declares in place of the library's type, for tests: it takes a value
// and its signature mentions types of the library.
func (s sink) standsIn(fn *types.Func) bool {
	signature := fn.Signature()
	if s.receiver == "" || !isInterfaceMethod(fn) || within(fn.Pkg().Path(), s.pattern) || s.argument >= signature.Params().Len() {
		return false
	}
	if argument := signature.Params().At(s.argument).Type(); s.codec != JSON && !isAny(takeApart(argument).elem) || !opaque(argument) {
		return false
	}
	for v := range tuples(signature) {
		if named, ok := types.Unalias(takeApart(v.Type()).elem).(*types.Named); ok && within(pathOf(named), s.pattern) {
			return true
		}
	}
	return false
}

func tuples(signature *types.Signature) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for _, side := range []*types.Tuple{signature.Params(), signature.Results()} {
			for v := range side.Variables() {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// findUnresolved looks up a method by name alone, for packages whose imports
// could not be loaded.
func findUnresolved(name string, imports []string) (sink, bool) {
	return firstSink(func(s sink) bool {
		return slices.Contains(s.names, name) && slices.ContainsFunc(imports, func(path string) bool { return within(path, s.pattern) })
	})
}

func receiverName(fn *types.Func) string {
	if receiver := fn.Signature().Recv(); receiver != nil {
		if named := Named(Pointed(receiver.Type())); named != nil {
			return named.Obj().Name()
		}
	}
	return ""
}

// storageWords in an import path show that a package accesses a document
// database.
var storageWords = map[string]Codec{
	"mongo": BSON, "mongodb": BSON, "mgo": BSON, "mongoutil": BSON, "mongox": BSON, "qmgo": BSON, "mgm": BSON,
	"cosmosdb": JSON, "cosmos": JSON, "documentdb": JSON, "couchbase": JSON, "couchdb": JSON,
	"dynamodb": DynamoDB, "dynamo": DynamoDB, "firestore": Firestore,
}

// storagePackage reports whether the last elements of a path show that the
// package is about a document database.
func storagePackage(path string) (Codec, bool) {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0 && i >= len(elements)-3; i-- {
		for _, word := range strings.FieldsFunc(elements[i], func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if codec, ok := storageWords[strings.ToLower(word)]; ok {
				return codec, true
			}
		}
	}
	return "", false
}

var writeVerbs = []string{"Insert", "Create", "Upsert", "Replace", "Save", "Put", "Store"}

// createVerbs begin the names of functions that store a document only if it is new.
var createVerbs = []string{"Insert", "Create", "Add"}

var readVerbs = []string{"Find", "Get", "Query", "List", "Decode", "Load", "Read"}

// removeVerbs begin the names of functions that return a list without some
// elements, as in slices and similar libraries.
var removeVerbs = []string{"Delete", "Remove", "Without", "Difference", "Reject"}

func hasVerb(name string, verbs []string) bool {
	return slices.ContainsFunc(verbs, func(verb string) bool { return strings.HasPrefix(name, verb) })
}

// guessSink recognises functions of a library without source by parameters and
// name: a function of a storage package that inserts and takes a value.
func guessSink(fn *types.Func) (sink, bool) {
	if fn.Pkg() == nil {
		return sink{}, false
	}
	kind := writes
	switch {
	case hasVerb(fn.Name(), writeVerbs):
	case hasVerb(fn.Name(), []string{"Update"}):
		kind = updates
	case strings.HasPrefix(fn.Name(), "Aggregate"):
		return sink{}, false
	case hasVerb(fn.Name(), readVerbs) && !isSDK(fn.Pkg().Path()): // SDK functions are known; Find takes a filter
		kind = reads
	default:
		return sink{}, false
	}
	parameters := slices.Collect(fn.Signature().Params().Variables())
	codec, storage := storagePackage(fn.Pkg().Path())
	if !storage {
		codec = BSON
		if !slices.ContainsFunc(parameters, func(v *types.Var) bool { return isHandle(takeApart(v.Type()).elem) }) {
			return sink{}, false
		}
	}
	s := sink{pattern: fn.Pkg().Path(), argument: -1, kind: kind, codec: codec}
	if kind == reads && fn.Signature().TypeParams().Len() > 0 {
		return s, true
	}
	for i, v := range parameters {
		t := v.Type()
		if fn.Signature().Variadic() && i == len(parameters)-1 && !types.IsInterface(takeApart(t).elem) {
			continue
		}
		if named := structNamed(t); named != nil && !isHandle(named) && named.Obj().Pkg() != fn.Pkg() || isAny(takeApart(t).elem) || ownInterface(t, fn) {
			s.argument = i // the last one, because filters and keys come first
		}
	}
	return s, s.argument >= 0
}

// ownInterface reports whether a type is an interface declared in a function's
// package for the values it stores.
func ownInterface(t types.Type, fn *types.Func) bool {
	named := Named(t)
	return named != nil && types.IsInterface(named) && named.Obj().Pkg() == fn.Pkg() && !isHandle(named)
}

func isAny(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// isHandle reports whether a type is a database library's handle for stored
// documents: a collection, a cursor, a snapshot.
func isHandle(t types.Type) bool {
	path, name := TypeName(t)
	if name == "Model" && within(path, goZero) {
		return true
	}
	if !slices.Contains(handleNames, name) {
		return false
	}
	_, storage := storagePackage(path)
	return storage || isSDK(path)
}

// goZero is where go-zero keeps its two clients for MongoDB, mon and monc.
const goZero = "go-zero/core/stores/mon"

var handleNames = []string{
	"Collection", "CollectionRef", "CollectionGroupRef", "DocumentRef", "DocumentSnapshot", "DocumentIterator", "Query",
	"Cursor", "SingleResult", "ContainerClient", "Table", "Col", "DB", "Database", "Iter", "Pipe", "ItemResponse", "GetResult", "Bucket", "IndexView",
}

// libraries are the import paths of the sinks, each once.
var libraries = sync.OnceValue(func() []string { return distinctPatterns(sinks) })

func distinctPatterns(of []sink) []string {
	var patterns []string
	for _, s := range of {
		patterns = append(patterns, s.pattern)
	}
	slices.Sort(patterns)
	return slices.Compact(patterns)
}

// isSDK reports whether an import path belongs to a database library.
func isSDK(path string) bool {
	path = unforked(path)
	return slices.ContainsFunc(libraries(), func(pattern string) bool { return strings.Contains(path, pattern) })
}

// IsLibrary reports whether a package can access a document database: its path
// is that of a database library, or is named like one. Packages with only
// document types, such as bson, do not count.
func IsLibrary(path string) bool {
	return PartOfLibrary(path) && !isBSONPackage(path)
}

// PartOfLibrary reports whether a package belongs to a database library,
// whatever it is for.
func PartOfLibrary(path string) bool {
	if strings.Contains(path, "service/dynamodb") || mgoPath.MatchString(path) {
		return true
	}
	return slices.ContainsFunc(sinks, func(s sink) bool { return s.pattern != "mgo" && strings.Contains(path, s.pattern) })
}

// NamedForDatabase reports whether the path of a package names a document
// database. The repository's owner does not count, because database vendors
// make other things too.
func NamedForDatabase(path string) bool {
	if host, rest, _ := strings.Cut(path, "/"); strings.Contains(host, ".") {
		_, rest, _ = strings.Cut(rest, "/")
		path = rest
	}
	_, named := storagePackage(path)
	return named && !isBSONPackage(path)
}

// marshalArgument returns the index of the argument that a function encodes or
// copies, or -1.
func marshalArgument(fn *types.Func) int {
	if fn.Pkg() == nil {
		return -1
	}
	path := fn.Pkg().Path()
	encodes := path == "encoding/json" || strings.HasSuffix(path, "/bson") || strings.Contains(path, "json-iterator") ||
		strings.HasSuffix(path, "attributevalue") || strings.HasSuffix(path, "dynamodbattribute") || strings.HasSuffix(path, "goccy/go-json") || path == "encoding/json/v2"
	if encodes && strings.HasPrefix(fn.Name(), "Marshal") {
		return 0
	}
	return -1
}

// encoded reports whether a struct is part of an encoded document: an attribute
// value, an element of bson.D.
func encoded(named *types.Named) bool {
	name := named.Obj().Name()
	return name == "AttributeValue" || (name == "E" || name == "DocElem") && isBSONPackage(pathOf(named))
}

// encodedResult reports whether a type is an encoded document.
func encodedResult(t types.Type) bool {
	path, name := TypeName(t)
	return isBSONPackage(path) && (name == "D" || name == "M" || name == "Raw")
}
