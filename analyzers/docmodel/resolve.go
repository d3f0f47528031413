package docmodel

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
)

type resolver struct {
	*Program
	candidates map[string]*candidate
}

func (r *resolver) keys() []string { return slices.Sorted(maps.Keys(r.candidates)) }

func (r *resolver) candidate(named *types.Named) *candidate {
	key := TypeKey(named)
	c := r.candidates[key]
	if c == nil {
		c = &candidate{named: named, key: key, collections: map[string]bool{}}
		r.candidates[key] = c
	}
	return c
}

// fromCalls finds the types that reach a call which stores or reads.
func (r *resolver) fromCalls() {
	for i := range r.calls {
		if call := &r.calls[i]; call.sink.kind == writes || r.whole && call.sink.kind == reads {
			r.stores[call.pkg.Module] = true
		}
	}
	for i := range r.calls {
		call := &r.calls[i]
		var collections []string
		find, aggregate, below := false, false, false
		for _, s := range r.flow.reach(call.handle) {
			switch s.trait.kind {
			case inCollection:
				collections, below = append(collections, s.trait.name), s.trait.below
			case fromFind:
				find = true
			case fromAggregate:
				aggregate = true
			}
		}
		direct := map[string]bool{}
		for _, s := range r.flow.within(call.in, call.documents) {
			if named := structNamed(s.typ); named != nil {
				direct[TypeKey(named)] = true
			}
		}
		for _, s := range r.flow.reach(call.documents) {
			named := structNamed(s.typ)
			if named == nil || !r.Own(named) || isHandle(named) || !global(named) || s.names != nil && r.passes(call, named) {
				continue
			}
			c := r.candidate(named)
			r.sawCall(c, call, s, aggregate && !find)
			// names of collections mix if documents pass through a helper
			if direct[TypeKey(named)] && len(collections) == 1 && call.sink.kind == writes {
				c.collections[collections[0]] = true
				c.below = c.below || below
			}
		}
	}
}

// global reports whether a type is declared outside functions.
func global(named *types.Named) bool {
	obj := named.Obj()
	return obj.Parent() == nil || obj.Pkg() == nil || obj.Parent() == obj.Pkg().Scope()
}

// passes reports whether a call takes what code writes out of a struct for something
// else than a document of that type: for a filter, or with the values of a request.
func (r *resolver) passes(call *sinkCall, named *types.Named) bool {
	return call.sink.kind != writes || r.calledAs(lexicon.MessageType, named.Obj().Name())
}

// fromInterfaces finds the types that calls store as values of an interface, where
// the code does not show which types these are: those that implement it and whose
// tags say how they are stored. A type around a stored one is another view of it,
// and what others embed is a part of them.
func (r *resolver) fromInterfaces() {
	written := map[string]bool{}
	for key, c := range r.candidates {
		written[key] = c.written
	}
	for i := range r.calls {
		call := &r.calls[i]
		stored := r.interfaceOf(call)
		if stored == nil {
			continue
		}
		found, parts := map[string]*TypeDecl{}, map[string]bool{}
		for _, key := range r.order {
			d := r.declared[key]
			if !types.Implements(types.NewPointer(d.Named), stored.Underlying().(*types.Interface)) || !hasTag(d.Named, call.sink.codec) {
				continue
			}
			if embedded := embeds(d.Named); !slices.ContainsFunc(embedded, func(key string) bool { return written[key] }) {
				found[key] = d
				for _, part := range embedded {
					parts[part] = true
				}
			}
		}
		for key, d := range found {
			if written[key] || parts[key] || d.Named.TypeParams().Len() > 0 || r.calledAs(lexicon.MessageType, d.Named.Obj().Name()) {
				continue
			}
			c := r.candidate(d.Named)
			c.written, c.db, c.stored, c.storedIn = true, call.sink.database(), call.pos, call.pkg
			c.say(sureMethod, call.sink.codec, "values of "+stored.Obj().Name()+" are stored here", call.pos)
		}
	}
}

// interfaceOf returns the interface of the program, with methods, that a call which
// writes takes the document as. It is nil if there is none.
func (r *resolver) interfaceOf(call *sinkCall) *types.Named {
	if call.sink.kind != writes || call.node == nil || call.sink.argument < 0 || call.sink.argument >= len(call.node.Args) {
		return nil
	}
	named := Named(takeApart(orInvalid(call.pkg.Info.TypeOf(call.node.Args[call.sink.argument]))).elem)
	if named == nil || !r.Own(named) {
		return nil
	}
	if iface, ok := named.Underlying().(*types.Interface); !ok || iface.NumMethods() == 0 {
		return nil
	}
	return named
}

// hasTag reports whether a field of a struct has a tag that a codec reads.
func hasTag(named *types.Named, codec Codec) bool {
	s := named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if codec.Tag(s.Tag(i)).Key != "" {
			return true
		}
	}
	return false
}

// embeds returns the structs that a struct embeds.
func embeds(named *types.Named) (keys []string) {
	for v := range named.Underlying().(*types.Struct).Fields() {
		if inner := structNamed(v.Type()); v.Embedded() && inner != nil {
			keys = append(keys, TypeKey(inner))
		}
	}
	return keys
}

func (r *resolver) sawCall(c *candidate, call *sinkCall, s source, view bool) {
	pos := s.at
	if !pos.IsValid() {
		pos = call.pos
	}
	c.uses = append(c.uses, pos)
	if c.db == "" {
		c.db = call.sink.database()
	}
	c.mgo = c.mgo || call.sink.pattern == "mgo"
	c.driver = c.driver || call.sink.pattern != "mgo" && !call.guessed
	switch call.sink.kind {
	case writes:
		sure := sureWritten
		if call.guessed {
			sure = sureGuessed
		}
		c.wordings = append(c.wordings, s.names)
		c.written = true
		c.sawReplacement(call)
		c.changed = c.changed || call.node != nil && !hasVerb(calledName(call.node), createVerbs)
		c.keys = append(c.keys, call.key)
		c.say(sure, call.sink.codec, "a value of it is stored here", pos)
		if !c.stored.IsValid() {
			c.stored, c.storedIn = pos, call.pkg
		}
	case reads:
		if view {
			c.readView = true
			c.say(sureView, call.sink.codec, "it is the result of a computed query", pos)
			return
		}
		c.readStored, c.readWhole = true, c.readWhole || !selects(call.node)
		sure := sureRead
		if call.guessed {
			sure = sureTag
		}
		c.say(sure, call.sink.codec, "stored documents are read into it here", pos)
		if !c.stored.IsValid() {
			c.stored, c.storedIn = pos, call.pkg
		}
	case updates:
		if r.calledAs(lexicon.PartialType, c.named.Obj().Name()) {
			return
		}
		sure := sureAlone
		if call.upsert {
			sure = sureMethod
			c.written = true
		}
		c.changed = true
		c.say(sure, call.sink.codec, "it is set as a whole here", pos)
	}
}

// calledAs reports whether the last word in the name of a type is on a list.
func (r *resolver) calledAs(list lexicon.List, name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && r.Words().HasWord(list, tokens[len(tokens)-1])
}

// nameMethods return where values of a type are stored.
var nameMethods = []string{"TableName", "CollectionName", "DocType", "KindName", "DDBKeys", "DocumentType", "Collection", "GetCollectionName", "GetTableName"}

var modelSegments = []string{"model", "models", "entity", "entities", "domain", "document", "documents", "store", "storage", "repo",
	"repository", "schema", "db", "persistence"}

// fromDeclarations finds what the declarations of types show.
func (r *resolver) fromDeclarations() {
	for _, key := range r.order {
		d := r.declared[key]
		if d.Package.Foreign {
			continue
		}
		alone := func(confidence float64) float64 { return r.alone(d.Package, confidence) }
		name := d.Named.Obj().Name()
		s := d.Named.Underlying().(*types.Struct)
		if directive := typeDirective(d, "notdocument"); directive != nil {
			r.candidate(d.Named).never = true
			continue
		}
		if directive := typeDirective(d, "document"); directive != nil {
			c := r.candidate(d.Named)
			c.say(sureDirective, codecOf(directive.Arguments["db"]), "//shapevet:document says so", directive.Pos)
			c.db = cmp.Or(directive.Arguments["db"], c.db)
			c.partition = strings.Trim(directive.Arguments["partition"], "/")
			if collection := directive.Arguments["collection"]; collection != "" {
				c.collections[collection] = true
			}
		}
		if r.sent(s) {
			continue
		}
		if method, collection := r.naming(d); method != "" {
			c := r.candidate(d.Named)
			c.say(alone(sureMethod), "", "its method "+method+" names where it is stored", d.Named.Obj().Pos())
			if collection != "" {
				c.collections[collection] = true
			}
		}
		if d.Struct != nil && (!r.calledAs(lexicon.MessageType, name) || r.candidates[key] != nil) { // type copy Order has the tags of Order
			r.fromTags(d, s, alone)
		}
	}
}

// alone returns how certain it is that a type is a document if only its
// declaration says so. If the program is seen to store or to read, stored types
// reach a call, and other declarations are those of requests, tokens and
// results.
func (r *resolver) alone(pkg *Package, confidence float64) float64 {
	switch {
	case !r.stores[pkg.Module] || r.whole && r.broken[pkg.Module]:
		return min(confidence, sureAlone)
	case r.whole:
		return min(confidence, sureView)
	}
	return confidence
}

func typeDirective(d *TypeDecl, name string) *Directive {
	for _, directive := range directivesIn(d.doc...) {
		if directive.Name == name {
			return directive
		}
	}
	return nil
}

func codecOf(db string) Codec {
	switch db {
	case "mongodb":
		return BSON
	case "dynamodb":
		return DynamoDB
	case "firestore":
		return Firestore
	case "cosmosdb", "couchbase":
		return JSON
	}
	return ""
}

var sentTags = lazyregexp.New(`\b(form|uri|query|url|header|env|envconfig|protobuf|parquet|mapstructure|gorm|db|sql|xml|position|binding):"`)

// sent reports whether tags say that a type is for requests, settings or
// another kind of database.
func (r *resolver) sent(s *types.Struct) bool {
	sent := false
	for i := range s.NumFields() {
		for _, key := range []string{"bson", "dynamodbav", "firestore", "dynamo", "collection"} {
			if _, ok := LookupTag(s.Tag(i), key); ok {
				return false
			}
		}
		sent = sent || sentTags.MatchString(s.Tag(i))
	}
	return sent
}

// naming returns the method by which a type names its collection, and the name.
func (r *resolver) naming(d *TypeDecl) (method, collection string) {
	for m := range d.Named.Methods() {
		in, out := m.Signature().Params(), m.Signature().Results()
		if !slices.Contains(nameMethods, m.Name()) || in.Len() > 0 || out.Len() == 0 || !IsText(out.At(0).Type()) {
			continue
		}
		if text, ok := r.returned(d.Package, m); ok || m.Name() == "DDBKeys" {
			return m.Name(), text
		}
	}
	return "", ""
}

// returned returns the constant string that a method returns.
func (r *resolver) returned(pkg *Package, m *types.Func) (text string, ok bool) {
	fn := pkg.Function(m.Pos())
	if fn == nil || fn.Body == nil {
		return "", false
	}
	for n := range ast.Preorder(fn.Body) {
		if ret, isReturn := n.(*ast.ReturnStmt); isReturn && len(ret.Results) > 0 {
			if found, isText := pkg.Text(ret.Results[0]); isText {
				text, ok = found, true
			}
		}
	}
	return text, ok
}

func (r *resolver) fromTags(d *TypeDecl, s *types.Struct, alone func(float64) float64) {
	at := d.Named.Obj().Pos()
	tagged := map[string]int{}
	for i := range s.NumFields() {
		v, raw := s.Field(i), s.Tag(i)
		if collection, ok := LookupTag(raw, "collection"); ok && v.Embedded() {
			c := r.candidate(d.Named)
			c.say(max(alone(sureMethod), sureAlone), BSON, "a tag names its collection", v.Pos()) // requests have no such tag
			c.collections[collection] = true
		}
		for _, key := range []string{"bson", "dynamodbav", "firestore", "dynamo", "json"} {
			if _, ok := LookupTag(raw, key); ok {
				tagged[key]++
			}
		}
		if v.Embedded() {
			switch types.TypeString(v.Type(), nil) {
			case "github.com/kamva/mgm/v3.DefaultModel", "github.com/qiniu/qmgo/field.DefaultField":
				r.candidate(d.Named).say(alone(sureKeyTag), BSON, "it embeds "+v.Name(), at)
			}
		}
		if name, _ := LookupTag(raw, "dynamodbav"); isKeyName(name) {
			r.candidate(d.Named).say(alone(sureKeyTag), DynamoDB, "a tag names the key of an item", v.Pos())
		}
		if name, ok := LookupTag(raw, "dynamo"); ok && strings.Contains(name, ",hash") {
			r.candidate(d.Named).say(alone(sureTag), DynamoDB1, "a tag names the key of an item", v.Pos())
		}
	}
	if hasObjectKey(s, 0) {
		r.candidate(d.Named).say(alone(sureTag), BSON, "a tag names the field _id", at)
	}
	if tagged["firestore"] >= 2 {
		r.candidate(d.Named).say(alone(sureKeyTag), Firestore, "its fields are tagged for Firestore", at)
	}
	if tagged["json"] > 0 && r.stores[d.Package.Module] && !r.calledAs(lexicon.MessageType, d.Named.Obj().Name()) && modelPackage(d.Package.Path) {
		for i := range s.NumFields() {
			if name, _ := LookupTag(s.Tag(i), "json"); name == "id" || strings.HasPrefix(name, "id,") {
				r.candidate(d.Named).say(sureName, JSON, "it has an id and is in a package for models", at)
			}
		}
	}
}

func isKeyName(tag string) bool {
	name, _, _ := strings.Cut(tag, ",")
	switch strings.ToLower(name) {
	case "pk", "hash", "hashkey", "partitionkey":
		return true
	}
	return false
}

func modelPackage(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return slices.Contains(modelSegments, s) })
}

// hasObjectKey reports whether a struct, or one that it embeds, has a field
// stored as _id.
func hasObjectKey(s *types.Struct, depth int) bool {
	for i := range s.NumFields() {
		v, tag := s.Field(i), BSON.Tag(s.Tag(i))
		if tag.Name == "_id" && tag.Key == "bson" {
			return true
		}
		inner, isStruct := Pointed(v.Type()).Underlying().(*types.Struct)
		if isStruct && depth < 4 && BSON.inlines(v, tag) && hasObjectKey(inner, depth+1) {
			return true
		}
	}
	return false
}

func (r *resolver) fromConfiguration() {
	for _, declared := range r.options.Documents {
		d := r.declared[declared.Type]
		if d == nil {
			continue
		}
		c := r.candidate(d.Named)
		c.say(sureDirective, codecOf(declared.DB), "the configuration says so", d.Named.Obj().Pos())
		c.db = cmp.Or(declared.DB, c.db)
		c.partition = strings.Trim(declared.PartitionKey, "/")
		if declared.Collection != "" {
			c.collections[declared.Collection] = true
		}
	}
}

// document infers a document from the evidence for one type.
func (r *resolver) document(c *candidate) *Document {
	if c.never || c.confidence == 0 || structNamed(c.named) == nil || scalar(c.named) || operators(c.named) || !c.written && atWork(c.named) {
		return nil
	}
	d := &Document{
		Named: c.named, Key: c.key, Name: c.named.Obj().Name(), Codec: c.codec, DB: c.db, Partition: c.partition,
		Collections: slices.Sorted(maps.Keys(c.collections)), Confidence: c.confidence, Reasons: c.reasons, Written: c.written,
		View: c.readView && !c.readStored && !c.written && c.confidence < sureDirective, Stored: c.stored, storedIn: c.storedIn, uses: c.uses, declared: r.declared[c.key],
		read: c.readStored || c.readView, ReadWhole: c.readWhole, tagOnly: c.tagOnly(), mgo: c.mgo, driver: c.driver, keys: c.keys, below: c.below,
		wording: c.wording(),
	}
	d.changed = c.changed || c.replaced != nil
	if c.alwaysReplaced || c.readStored || r.decoded[c.key] {
		d.Replaced = c.replaced
	}
	if pkg := c.named.Obj().Pkg(); pkg != nil {
		d.PkgPath = pkg.Path()
	}
	if d.View {
		d.Confidence = min(d.Confidence, sureView)
	}
	if d.Codec == "" {
		d.Codec = r.codec(c.named)
	}
	d.DB = cmp.Or(d.DB, d.Codec.DB(), r.options.DB)
	if d.declared != nil {
		d.Pos = c.named.Obj().Pos()
		d.Doc = r.Comment(c.named)
		d.Generated = r.generated[r.fset.Position(d.Pos).Filename]
		if typeDirective(d.declared, "document") == nil && r.envelope(d) && !c.written {
			return nil
		}
	}
	if d.Codec.Marshals(d.Named) {
		d.Confidence *= 0.8
	}
	return d
}

// scalar reports whether a struct is stored as a single value.
func scalar(named *types.Named) bool {
	return hasMethod(named, "MarshalText") || hasMethod(named, "MarshalBSONValue") && !hasMethod(named, "MarshalBSON")
}

// atWork reports whether a struct contains a database client: it stores
// documents and is not one.
func atWork(named *types.Named) bool {
	for v := range named.Underlying().(*types.Struct).Fields() {
		if path, name := TypeName(Pointed(v.Type())); name == "Client" && isSDK(path) {
			return true
		}
	}
	return false
}

// operators reports whether a struct is an update or a query: all its names are
// operators such as $set.
func operators(named *types.Named) bool {
	s := named.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if !strings.HasPrefix(BSON.Tag(s.Tag(i)).Name, "$") {
			return false
		}
	}
	return s.NumFields() > 0
}

// envelope reports whether a type is a page of a list: a count or a token next
// to one list of structs.
func (r *resolver) envelope(d *Document) bool {
	lists, counts, others, words := 0, 0, 0, r.Words()
	for v := range d.Named.Underlying().(*types.Struct).Fields() {
		t := takeApart(v.Type())
		switch {
		case t.lists > 0 && structNamed(t.elem) != nil:
			lists++
		case slices.ContainsFunc(lexicon.Tokens(v.Name()), func(token string) bool { return words.HasWord(lexicon.PageField, token) }):
			counts++
		default:
			others++
		}
	}
	return lists == 1 && counts >= 1 && others == 0
}

// codec guesses the codec of a type from its tags.
func (r *resolver) codec(named *types.Named) Codec {
	s := named.Underlying().(*types.Struct)
	for _, c := range []Codec{BSON, DynamoDB, Firestore} {
		for i := range s.NumFields() {
			if _, ok := LookupTag(s.Tag(i), string(c)); ok {
				return c
			}
		}
	}
	if c := codecOf(r.options.DB); c != "" {
		return c
	}
	return JSON
}
