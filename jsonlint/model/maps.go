package model

import (
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Map is a path whose objects are used as maps: their names are data. In
// the profile of the entity the names are folded into one step, {}.
type Map struct {
	Node       *profile.Node
	Distinct   float64 // distinct names, estimated if several objects have very many
	Objects    int64
	PerObject  *profile.Histogram // names per object
	Entropy    float64            // of the names, in nats
	IDLike     float64            // share of the names that look like ids, dates or numbers
	Numeric    float64            // share of the names that no programmer would choose: numbers, dates, ids
	Opaque     float64            // share of the names that are dates or ids, without plain numbers
	Fresh      float64            // estimated share of future names that are new
	Presence   float64            // median share of the objects that have a name
	Core       float64            // share of the names that nearly all of the objects have
	Similarity float64            // how alike the values are, 0 to 1
	Names      []string           // the first names, up to 64
	Of         *Collection        // whose documents have the names as ids, or nil
	First      profile.Pos        // the first name
	ID         *profile.Node      // the id of documents that are maps, which is no entry, or nil
	Beside     []*profile.Node    // other fields that are no entries
}

const (
	mapObjects   = 10  // objects from which ratios count
	mapNames     = 20  // distinct names from which variety alone is a sign
	mapNumeric   = 0.9 // share of numeric names that no programmer would choose
	mapIDLike    = 0.6
	mapPresence  = 0.1
	mapCore      = 0.8 // presence of a name that nearly all objects have
	mapEntropy   = 1.0 // nats; Spoth et al., SIGMOD 2021
	mapAlike     = 0.8
	mapFewNames  = 3    // names from which a single object can be judged
	mapFewNumber = 5    // numeric names from which a single object can be judged
	mapFresh     = 0.2  // share of new names from which more can always follow
	mapNamesKept = 64   // of a map, for examples and to compare them with ids
	mapIDs       = 10   // ids of documents from which names that are such ids are data
	mapRows      = 100  // objects of one shape that nobody declares as fields
	coreShare    = 4    // names of an object for each that most values have, from which they are different things
	fixedNames   = 12   // names up to which a set that every object has in full is a record
	fixedShare   = 0.95 // presence of the names of such a set
)

// foldMaps finds the objects used as maps and folds their names, outermost
// first, so that the contents of a map are examined once. An object that says of which
// type it is has the fields of that type.
func foldMaps(n *profile.Node, lex *lexicon.Lexicon) []*Map {
	var maps []*Map
	n.Walk(func(n *profile.Node) bool {
		if n.Object == nil {
			return true
		}
		if m := findMap(n); m != nil && !slices.ContainsFunc(n.Object.Fields(), func(f *profile.Node) bool { return m.always(f) && lex.Has(lexicon.Discriminator, f.Step.Name) }) {
			maps = append(maps, m)
			n.Fold(append(m.Beside, m.ID)...)
		}
		return true
	})
	return maps
}

// foldElsewhere folds the objects of each kind that are maps in another kind of the
// collection, if their values are alike. A few objects do not show by themselves that
// their names are data.
func foldElsewhere(c *Collection) {
	maps := map[string][]*profile.Node{} // by path
	for _, e := range c.Entities {
		for _, m := range e.Maps {
			path := m.Node.Path().String()
			maps[path] = append(maps[path], m.Node)
		}
	}
	if len(maps) == 0 || len(c.Entities) < 2 {
		return
	}
	for _, e := range c.Entities {
		e.foldIf(func(m *Map, _ []*profile.Node) bool { return len(maps[m.Node.Path().String()]) > 0 })
	}
}

// foldNamedByIDs folds the objects whose names are the ids of documents, of which the
// next adds a name.
func (db *Database) foldNamedByIDs() {
	for _, e := range db.Entities() {
		for _, m := range e.Maps {
			m.Of = db.idsOf(m.Names)
		}
		e.foldIf(func(m *Map, entries []*profile.Node) bool {
			m.Of = db.idsOf(namesOf(entries))
			return m.Of != nil
		})
	}
}

// idsOf returns the collection whose documents have the names as ids, or nil.
func (db *Database) idsOf(names []string) *Collection {
	if len(names) < mapIDs {
		return nil
	}
	for _, e := range db.Entities() {
		if id := e.ID(); id != nil && !slices.ContainsFunc(names, func(name string) bool {
			count, _, known := id.Node.Scalars.Values.Lookup(profile.HashText([]byte(name)))
			return !known || count == 0
		}) {
			return e.Collection
		}
	}
	return nil
}

// foldIf folds the objects in documents that isMap takes for maps, if their values are
// alike.
func (e *Entity) foldIf(isMap func(m *Map, entries []*profile.Node) bool) {
	e.Profile.Root.Walk(func(n *profile.Node) bool {
		if n.Object == nil || n.Depth == 0 || slices.ContainsFunc(e.Maps, func(m *Map) bool { return m.Node == n }) {
			return true
		}
		m, entries := newMap(n)
		if !isMap(m, entries) {
			return true
		}
		if m.measure(entries); m.Similarity >= mapAlike && (m.Of == nil || m.Core < 0.5) {
			n.Fold()
			e.Maps = append(e.Maps, m)
		}
		return true
	})
}

// newMap returns the objects at a node as a map, and its entries.
func newMap(n *profile.Node) (m *Map, entries []*profile.Node) {
	o := n.Object
	entries = o.Fields()
	m = &Map{
		Node: n, Distinct: max(o.Distinct(), float64(o.Keys.Max)), Objects: n.Types[profile.Object], PerObject: &o.Keys,
		First: n.First(profile.Object),
	}
	if i := slices.IndexFunc(entries, func(f *profile.Node) bool { return f.IsDocumentID() && f.Present() == m.Objects }); i >= 0 {
		m.ID = entries[i]
		m.Distinct--
		m.PerObject = o.Keys.Less(1)
		entries = slices.Concat(entries[:i], entries[i+1:])
	}
	return m, entries
}

func findMap(n *profile.Node) *Map {
	o := n.Object
	m, fields := newMap(n)
	if o.Rest == nil && len(fields) < mapFewNames && (len(fields) == 0 || !isID(fields[0].Step.Name)) {
		return nil
	}
	fields, generated := m.setAside(fields)
	m.measure(fields)
	if generated {
		m.IDLike, m.Numeric, m.Opaque = 1, 1, 1
	}
	if !m.decide(o.Sampled(), fields) {
		return nil
	}
	return m
}

// setAside returns the names that a database generated, if these are most of the names.
// They are data, whatever fields are beside them. A few look like words by accident, but
// are as long as the others. Of other names it leaves out the fields that all objects
// have and that hold something else.
func (m *Map) setAside(fields []*profile.Node) (names []*profile.Node, generated bool) {
	one := slices.IndexFunc(fields, func(f *profile.Node) bool { return isID(f.Step.Name) })
	var beside []*profile.Node
	for _, f := range fields {
		if one >= 0 && (isID(f.Step.Name) || len(f.Step.Name) == len(fields[one].Step.Name)) {
			names = append(names, f)
			continue
		}
		beside = append(beside, f)
	}
	generated = len(names) >= mapFewNames && len(names) >= len(beside)
	if !generated {
		names, beside = m.constant(fields)
	}
	often := int64(0)
	for _, f := range beside {
		often += f.Count
	}
	if often > 0 {
		m.Beside = beside
		m.Distinct -= float64(len(beside))
		m.PerObject = m.PerObject.Less(often / m.Objects)
	}
	return names, generated
}

// constant separates the fields that nearly all objects have, and whose values are unlike
// those of the many other names, from these. If people wrote each of these for one object,
// a field with values like theirs is one more name, but says nothing.
func (m *Map) constant(fields []*profile.Node) (names, beside []*profile.Node) {
	names = slices.DeleteFunc(slices.Clone(fields), m.always)
	if len(names) < mapNames || m.Objects < mapObjects || m.Node.Depth == 0 { // the other fields of documents are optional
		return fields, nil
	}
	class, _ := commonClass(names)
	apart := !slices.ContainsFunc(names, func(f *profile.Node) bool { return f.Count > 1 || !strings.Contains(f.Step.Name, " ") })
	for _, f := range fields {
		if !m.always(f) {
			continue
		}
		if own, _ := commonClass([]*profile.Node{f}); own != class || class == profile.Object && !hasCommon(f, names) {
			beside = append(beside, f)
		}
	}
	if apart {
		return names, beside
	}
	return slices.DeleteFunc(slices.Clone(fields), func(f *profile.Node) bool { return slices.Contains(beside, f) }), beside
}

// always reports whether nearly all of several objects have a field.
func (m *Map) always(f *profile.Node) bool {
	return m.Objects >= mapObjects && float64(f.Count) >= fixedShare*float64(m.Objects)
}

// hasCommon reports whether an object has a name that most of the others have.
func hasCommon(f *profile.Node, others []*profile.Node) bool {
	return slices.ContainsFunc(f.Object.Fields(), func(g *profile.Node) bool {
		having := 0
		for _, o := range others {
			if o.Object != nil && o.Object.Field(g.Step.Name) != nil {
				having++
			}
		}
		return 2*having > len(others)
	})
}

func (m *Map) measure(fields []*profile.Node) {
	presence := make([]float64, 0, len(fields))
	total, once, core, ids, numeric, opaque := int64(0), int64(0), int64(0), 0, 0, 0
	m.Names = namesOf(fields)
	for _, f := range fields {
		total += f.Count
		if mapCore*float64(m.Objects) <= float64(f.Count) {
			core += f.Count
		}
		if f.Count == 1 {
			once++
		}
		presence = append(presence, float64(f.Count)/float64(m.Objects))
		switch form := profile.FormOf([]byte(f.Step.Name)); {
		case OpaqueName(f.Step.Name):
			opaque++
			numeric++
			ids++
		case isNumber(form) || strings.IndexAny(f.Step.Name, "0123456789") == 0:
			numeric++
			ids++
		case form.IDLike() || form == profile.FormURL || isDomain(f.Step.Name):
			ids++
		}
	}
	m.Core = float64(core) / float64(max(1, total))
	for _, f := range fields {
		p := float64(f.Count) / float64(total)
		m.Entropy -= p * math.Log(p)
	}
	if n := len(fields); n > 0 {
		m.IDLike, m.Numeric, m.Opaque = float64(ids)/float64(n), float64(numeric)/float64(n), float64(opaque)/float64(n)
		slices.Sort(presence)
		m.Presence = presence[n/2]
		if m.Objects > 1 {
			// The share of names seen once estimates the chance that the next
			// one is new (Good, "The population frequencies of species",
			// Biometrika 40, 1953).
			m.Fresh = float64(once) / float64(total)
		}
	}
	if m.Similarity = Alike(fields); m.Numeric >= mapNumeric {
		_, m.Similarity = commonClass(fields) // the values may be maps themselves, of different names
	}
}

func namesOf(fields []*profile.Node) (names []string) {
	for _, f := range fields[:min(len(fields), mapNamesKept)] {
		names = append(names, f.Step.Name)
	}
	return names
}

// isID reports whether a name is generated by a database. If all names are, a
// single one shows that they are data, whatever the values look like.
func isID(name string) bool { return profile.FormOf([]byte(name)).IsGenerated() }

// isNumber and isOpaque report whether a name has a form that no programmer
// would give a field.
func isNumber(f profile.Form) bool {
	return f == profile.FormInteger || f == profile.FormLeadingZero || f == profile.FormDecimal
}

// OpaqueName reports whether only a program would generate a name. It may have a
// prefix and as many digits as a date: ORD-690158e4c7bc38.39827686.
func OpaqueName(name string) bool {
	const shortest, many = 16, 8
	if isOpaque(profile.FormOf([]byte(name))) {
		return true
	}
	digits := 0
	for i := range len(name) {
		if '0' <= name[i] && name[i] <= '9' {
			digits++
		}
	}
	return len(name) >= shortest && digits >= many
}

func isOpaque(f profile.Form) bool {
	switch f {
	case profile.FormHex24, profile.FormHex, profile.FormUUID, profile.FormRandom, profile.FormDate, profile.FormDateTime, profile.FormDateTimeZone, profile.FormSpacedTime, profile.FormEmail:
		return true
	}
	return false
}

// IsDataName reports whether a name is data rather than the name of a field: an
// ObjectID, a UUID, a date, a number, a generated id.
func IsDataName(name string) bool {
	return OpaqueName(name) || isNumber(profile.FormOf([]byte(name)))
}

// isDomain reports whether a name is that of a host: example.com.
func isDomain(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot < 3 {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r != '.' && r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) < 0
}

// Alike returns how alike the values of different names are, 0 to 1: the share
// that has the most frequent type, times, for objects, how alike their names
// are.
func Alike(fields []*profile.Node) float64 {
	class, share := commonClass(fields)
	if class == profile.Object {
		share *= objectSimilarity(fields)
	}
	return share
}

// commonClass returns the most frequent type of the values, and its share.
func commonClass(fields []*profile.Node) (top profile.Class, share float64) {
	var types [profile.NumClasses]int64
	total := int64(0)
	for _, f := range fields {
		for _, c := range f.TypeClasses() {
			types[c.Class] += c.Count
			total += c.Count
		}
	}
	for c, n := range types {
		if n > types[top] {
			top = profile.Class(c)
		}
	}
	return top, float64(types[top]) / float64(max(1, total))
}

// objectSimilarity returns the share of the values that have the names that
// most values have in common, or 0 if there are none.
func objectSimilarity(fields []*profile.Node) float64 {
	having := map[string]int{}
	objects, names := 0, 0
	for _, f := range fields {
		if f.Object == nil {
			continue
		}
		if f.Object.Sampled() || len(f.Object.Fields()) == 0 {
			continue
		}
		objects++
		for _, g := range f.Object.Fields() {
			having[g.Step.Name]++
			names++
		}
	}
	if objects == 0 {
		return 1
	}
	core, held := 0, 0
	for _, n := range having {
		if 10*n >= 8*objects {
			core++
			held += n
		}
	}
	if core == 0 || objects < mapRows && coreShare*core*objects < names {
		return 0
	}
	return float64(held) / float64(core*objects)
}

// decide applies the tests of dynamic keys. Entropy and a common type alone
// would also accept optional fields, so two more signs are needed. Names that
// nobody would give a field are sufficient.
func (m *Map) decide(sampled bool, fields []*profile.Node) bool {
	if m.Opaque == 1 && slices.ContainsFunc(fields, func(f *profile.Node) bool { return isID(f.Step.Name) }) {
		return true
	}
	if m.Similarity < mapAlike {
		return sampled && m.undeclared(fields)
	}
	if len(fields) >= mapRows && sameShape(fields) {
		return true
	}
	if m.fixed() {
		return false
	}
	if m.Numeric >= mapNumeric && len(fields) >= mapFewNumber || m.Opaque >= mapNumeric && len(fields) >= mapFewNames {
		return true
	}
	if m.Objects < mapObjects {
		return m.fewObjects(fields)
	}
	if m.Entropy < mapEntropy || m.Core >= 0.5 || m.IDLike < mapIDLike && m.ofKinds(fields) {
		return false // all objects have most of the names: a record with some additional names
	}
	most := float64(m.PerObject.Max)
	signs := 0
	if m.Distinct >= max(mapNames, 2*most) || m.Distinct >= mapObjects && m.Distinct >= 5*most {
		signs++
	}
	if m.IDLike >= mapIDLike {
		signs++
	}
	if m.Presence <= mapPresence {
		signs++
	}
	if m.Fresh >= mapFresh {
		signs++
	}
	return signs >= 2 && m.Distinct > 1.5*float64(m.PerObject.Quantile(0.5))
}

// undeclared reports whether very many names with unlike values are no fields: objects have
// different ones, or the entries are objects of several kinds.
func (m *Map) undeclared(fields []*profile.Node) bool {
	class, share := commonClass(fields)
	return class >= profile.Object && share >= mapAlike || m.Distinct > 2*float64(m.PerObject.Quantile(0.95))
}

// ofKinds reports whether the names come in sets, fewer than there are names, that recur:
// the fields of several kinds of object. The names in maps come each on its own, and an
// object with a single name shows no set.
func (m *Map) ofKinds(fields []*profile.Node) bool {
	const recurs = 3
	shapes := m.Node.Object.Shapes
	if shapes == nil || !shapes.Exact() {
		return false
	}
	sets := len(shapes.All())
	return sets < len(fields) && int64(recurs*sets) <= m.Objects && m.PerObject.Quantile(0.5) > 1
}

// fixed reports whether every object has the same few names: a record with
// names that look like data, such as the stars of a rating, or answers q1 to
// q25.
func (m *Map) fixed() bool {
	return m.Objects > 1 && m.Presence >= fixedShare &&
		(m.Distinct <= fixedNames || m.Opaque == 0 && m.PerObject.Min == m.PerObject.Max && m.Distinct == float64(m.PerObject.Max) && m.Numeric < mapNumeric)
}

// fewObjects judges objects that are too few for ratios to mean anything. It
// relies on names that look like ids, or on very many names over objects of one
// shape.
func (m *Map) fewObjects(fields []*profile.Node) bool {
	switch {
	case m.IDLike >= mapIDLike && len(fields) >= 2*mapFewNames && (m.Numeric > 0 || m.Distinct >= mapNames):
		return differentPrefixes(fields)
	case m.Distinct >= mapNames:
		return m.Similarity >= 0.9 && sameShape(fields)
	}
	return false
}

// differentPrefixes guards against numbered fields: line1, line2, line3.
func differentPrefixes(fields []*profile.Node) bool {
	prefixes := map[string]bool{}
	for _, f := range fields {
		prefixes[strings.TrimRight(f.Step.Name, "0123456789")] = true
	}
	return len(prefixes) >= mapFewNames || prefixes[""]
}

// sameShape reports whether the values are objects with at least two names in
// common, or lists of objects that have half of their names in common.
func sameShape(fields []*profile.Node) bool {
	common := map[string]int{}
	names, lists := 0, false
	for _, f := range fields {
		if f.Object == nil && f.Array != nil {
			f, lists = f.Array.Elem, true
		}
		if f.Object == nil || f.Object.Sampled() {
			return false
		}
		for _, g := range f.Object.Fields() {
			common[g.Step.Name]++
			names++
		}
	}
	shared := 0
	for _, n := range common {
		if 10*n >= 9*len(fields) {
			shared++
		}
	}
	return shared >= 2 && (!lists || 2*shared*len(fields) >= names)
}
