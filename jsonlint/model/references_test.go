package model_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// database infers the picture of collections, given as JSON lines by name.
func database(t *testing.T, collections map[string][]string, settings model.Settings) *model.Database {
	t.Helper()
	settings.Lexicon = lexicon.Default()
	var parser scan.Parser
	var builder profile.Builder
	var profiles []*profile.Collection
	names := slices.Sorted(maps.Keys(collections))
	each := func(visit func(name string, file uint32, at int64, d *scan.Document)) {
		for file, name := range names {
			for n, text := range collections[name] {
				d, err := parser.Parse([]byte(text))
				require.NoError(t, err, text)
				visit(name, uint32(file), int64(n)<<16, d)
			}
		}
	}
	for _, name := range names {
		profiles = append(profiles, profile.NewCollection(name))
	}
	each(func(_ string, file uint32, at int64, d *scan.Document) { builder.Add(profiles[file], d, file, at) })
	db, err := model.Infer(t.Context(), profiles, settings, func(splitters []*model.Splitter) error {
		each(func(name string, file uint32, at int64, d *scan.Document) {
			for _, s := range splitters {
				if s.Collection.Name == name {
					builder.Add(s.Parts[s.Reader().Kind(&profile.Document{Document: d})], d, file, at)
				}
			}
		})
		return nil
	})
	require.NoError(t, err)
	return db
}

// references writes what was found as "from.path -> to.key", sorted, without
// the kinds.
func references(db *model.Database) []string {
	var out []string
	for _, r := range db.References {
		out = append(out, fmt.Sprintf("%s.%s -> %s.%s", r.From.Collection.Name, r.Path, r.To.Collection.Name, r.Key.Path))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestReferences(t *testing.T) {
	t.Parallel()
	ids := func(n int, format string) []string { return repeated(n, `{"id":"`+format+`","name":"thing %[1]d"}`) }
	ints := func(n int) []string { return repeated(n, `{"id":%d,"name":"thing %[1]d"}`) }
	var blocks []string
	for _, first := range []int{1, 5000, 10000, 100000} {
		for i := range 60 {
			blocks = append(blocks, fmt.Sprintf(`{"id":%d,"name":"thing %d %d"}`, first+i, first, i))
		}
	}
	// Two in eleven numbers are no products, and neither are two in eleven elements.
	var products []string
	for i := range 300 {
		if i%11 > 1 {
			products = append(products, fmt.Sprintf(`{"id":%d,"name":"thing %[1]d"}`, i+1))
		}
	}
	carts := func(largest int) (out []string) {
		for i := range 90 {
			out = append(out, fmt.Sprintf(`{"id":"c%d","products":[{"id":%d,"price":1,"n":2},{"id":%d,"price":3,"n":4}]}`, i, i*37%largest+1, i*53%largest+1))
		}
		return out
	}
	for name, tc := range map[string]struct {
		collections map[string][]string
		want        []string
	}{
		"numbers with gaps, up to the last": {
			map[string][]string{"products": products, "carts": carts(300)},
			[]string{"carts.products[].id -> products.id"},
		},
		"numbers with gaps, up to any other": {
			map[string][]string{"products": products, "carts": carts(100)},
			nil,
		},
		"all numbers from the first key to the last": {
			map[string][]string{"categories": repeated(16, `{"id":%d,"name":"thing %[1]d"}`)[8:], "exercises": slices.Concat(repeated(16, `{"id":"e%d","category":%[1]d}`)[8:], repeated(16, `{"id":"f%d","category":%[1]d}`)[8:])},
			[]string{"exercises.category -> categories.id"},
		},
		"all numbers up to the last key": {
			map[string][]string{"categories": ints(8), "exercises": slices.Concat(repeated(8, `{"id":"e%d","category":%[1]d}`), repeated(8, `{"id":"f%d","category":%[1]d}`))},
			nil,
		},
		"the id of a collection that is one of another": {
			map[string][]string{"accounts": ids(30, "5ff45a0a5cc02020389cd5%02[1]d"), "banks": repeated(20, `{"_id":"b%[1]d","bank_id":"5ff45a0a5cc02020389cd5%02[1]d"}`)},
			[]string{"banks.bank_id -> accounts.id"},
		},
		"the id of a collection, and of one that is part of its name": {
			map[string][]string{
				"territories":          repeated(53, `{"_id":"t%[1]d","TerritoryID":7%[1]d00071,"name":"thing %[1]d"}`),
				"employee-territories": repeated(49, `{"_id":"e%[1]d","EmployeeID":"x","TerritoryID":7%[1]d00071}`),
			},
			[]string{"employee-territories.TerritoryID -> territories.TerritoryID"},
		},
		"a key by its name": {
			map[string][]string{"posts": ints(9), "comments": repeated(9, `{"id":%d,"postId":%[1]d,"text":"text %[1]d"}`)},
			[]string{"comments.postId -> posts.id"},
		},
		"the wrong type": {
			map[string][]string{"stocks": ids(9, "%d"), "persons": repeated(9, `{"id":"p%d","holdings":[{"stockId":%[1]d}]}`)},
			[]string{"persons.holdings[].stockId -> stocks.id"},
		},
		"snake and kebab case, a role": {
			map[string][]string{"users": ids(9, "u%d"), "posts": repeated(9, `{"id":"p%d","owner_user_id":"u%[1]d","user-id":"u%[1]d"}`)},
			[]string{"posts.owner_user_id -> users.id", "posts.user-id -> users.id"},
		},
		"an abbreviation": {
			map[string][]string{"publishers": ids(3, "press%d"), "books": repeated(3, `{"id":"b%d","pub-id":"press%[1]d"}`)},
			[]string{"books.pub-id -> publishers.id"},
		},
		"an abbreviation and small integers": {
			map[string][]string{"carts": ints(30), "rentals": repeated(30, `{"id":"r%d","carId":%[1]d}`)},
			nil,
		},
		"amounts of what is numbered in blocks": {
			map[string][]string{"metals": blocks, "buildings": {`{"id":"b1","cost":5000}`, `{"id":"b2","cost":10000}`, `{"id":"b3","cost":250000}`, `{"id":"b4","cost":100000}`}},
			nil,
		},
		"ids out of blocks": {
			map[string][]string{"metals": blocks, "buildings": {`{"id":"b1","metalId":5002}`, `{"id":"b2","metalId":10000}`, `{"id":"b3","metalId":100023}`, `{"id":"b4","metalId":100007}`}},
			[]string{"buildings.metalId -> metals.id"},
		},
		"a list named after its target": {
			map[string][]string{"books": ids(9, "b%d"), "authors": repeated(3, `{"id":"a%d","books":["b%[1]d","b5"]}`)},
			[]string{"authors.books[] -> books.id"},
		},
		"a list of integers named after its target": {
			map[string][]string{"books": ids(9, "%d"), "publishers": {`{"id":"p","books":[1,2,3,7]}`}},
			[]string{"publishers.books[] -> books.id"},
		},
		"quantities": {
			map[string][]string{
				"products": ints(50), "ratings": ints(9), "stocks": ints(60), "levels": ints(9),
				"carts": repeated(20, `{"id":"c%d","totalProducts":3,"products":%[1]d,"stock":%[1]d,"ratings":[3,4,5],"level":2}`),
			},
			nil,
		},
		"a reference that is unique is no key": {
			map[string][]string{
				"users":  repeated(2, `{"_id":{"$oid":"65a1b2c3d4e5f60718293a%02d"},"name":"n"}`),
				"quotes": repeated(12, `{"_id":{"$oid":"75a1b2c3d4e5f60718293a%02[1]d"},"userId":"65a1b2c3d4e5f60718293a%02[1]d"}`),
				"reviews": slices.Concat(repeated(9, `{"_id":{"$oid":"85a1b2c3d4e5f60718293a%02[1]d"},"userId":{"$oid":"65a1b2c3d4e5f60718293a%02[1]d"}}`),
					repeated(9, `{"_id":{"$oid":"95a1b2c3d4e5f60718293a%02[1]d"},"userId":{"$oid":"65a1b2c3d4e5f60718293a%02[1]d"}}`)),
			},
			[]string{"quotes.userId -> users._id", "reviews.userId -> users._id"},
		},
		"a word of the collection's name": {
			map[string][]string{"author_books": repeated(40, `{"id":%d,"authorId":7,"bookId":%[1]d}`)},
			nil,
		},
		"the own id under a longer name": {
			map[string][]string{"users": repeated(9, `{"id":"u%d","userId":"u%[1]d"}`)},
			nil,
		},
		"the own id under a name without a stem": {
			map[string][]string{"users": append(repeated(20, `{"_id":"k-%d","uid":"k-%[1]d"}`), repeated(4, `{"_id":"m-%d"}`)...)},
			nil,
		},
		"the same field of another kind": {
			map[string][]string{"big_crates": append(
				repeated(20, `{"id":"b%d","type":"set","crate_code":"k-%[1]d","title":"T"}`),
				repeated(30, `{"id":"e%d","type":"part","crate_code":"k-%[1]d","weight":3,"stock":1,"unit":"kg"}`)...)},
			nil,
		},
		"digits and a word for a missing value": {
			map[string][]string{"players": ints(90), "weapons": append(
				repeated(40, `{"id":"w%d","strength":"%[1]d","age":"%[1]d","dose":"%[1]d"}`),
				repeated(12, `{"id":"v%d","strength":"unknown","age":"n/a","dose":"none"}`)...)},
			nil,
		},
		"digits, decimals and other texts": {
			map[string][]string{"players": ints(90), "weapons": append(
				repeated(40, `{"id":"w%d","strength":"%[1]d"}`), `{"id":"w77","strength":"3.5"}`, `{"id":"w78","strength":"7 to 9"}`,
				`{"id":"w79","strength":"1,000"}`, `{"id":"w80","strength":"8.5"}`, `{"id":"w81","strength":"9.5"}`, `{"id":"w82","strength":"very strong"}`)},
			nil,
		},
		"digits under the name of the target": {
			map[string][]string{"players": ints(90), "weapons": append(
				repeated(40, `{"id":"w%d","player_id":"%[1]d"}`), `{"id":"w77","player_id":"unknown"}`)},
			[]string{"weapons.player_id -> players.id"},
		},
		"prose": {
			map[string][]string{
				"addresses": repeated(30, `{"_id":"ad%d","fullAddress":"%[1]d Long Street, Ward %[1]d, City %[1]d"}`),
				"orders":    repeated(20, `{"_id":"o%d","shipping":{"address":"%[1]d Long Street, Ward %[1]d, City %[1]d"}}`),
			},
			nil,
		},
		"names of several words": {
			map[string][]string{
				"books": repeated(30, `{"_id":"b%d","title":"The Book of %[1]d"}`), "orders": repeated(20, `{"_id":"o%d","book":"The Book of %[1]d"}`),
			},
			[]string{"orders.book -> books.title"},
		},
		"an enumeration": {
			map[string][]string{
				"userType": {`{"_id":"individual","occupation":"x"}`},
				"users":    append(repeated(7, `{"_id":"u%d","userType":"individual"}`), `{"_id":"u8","userType":"institution"}`),
			},
			nil,
		},
		"one document by its id": {
			map[string][]string{"author": {`{"_id":"a1","name":"x"}`}, "books": repeated(7, `{"_id":"b%d","author":"a1"}`)},
			[]string{"books.author -> author._id"},
		},
		"by value": {
			map[string][]string{"players": ids(9, "k-%d"), "weapons": repeated(30, `{"id":"w%d","bearer":"k-5"}`)},
			nil, // one value says nothing
		},
		"by many values": {
			map[string][]string{"players": ids(9, "k-%d"), "weapons": repeated(9, `{"id":"w%d","bearer":"k-%[1]d"}`)},
			[]string{"weapons.bearer -> players.id"},
		},
		"dense integers by value": {
			map[string][]string{"players": ints(90), "weapons": repeated(40, `{"id":"w%d","strength":%[1]d}`)},
			nil,
		},
		"integers far apart by value": {
			map[string][]string{
				"players": repeated(40, `{"id":1%d31,"name":"thing %[1]d"}`), "weapons": repeated(40, `{"id":"w%d","bearer":1%[1]d31}`),
			},
			[]string{"weapons.bearer -> players.id"},
		},
		"days": {
			map[string][]string{
				"reports": repeated(9, `{"id":"2026-01-0%d","total":3}`), "visits": repeated(9, `{"id":"v%d","day":"2026-01-0%[1]d"}`),
			},
			nil,
		},
		"two targets by value": {
			map[string][]string{
				"players": ids(9, "k-%d"), "statistics": ids(9, "k-%d"), "weapons": repeated(9, `{"id":"w%d","bearer":"k-%[1]d"}`),
			},
			nil,
		},
		"a target and what extends it": {
			map[string][]string{
				"players": ids(12, "k-%d"), "statistics": ids(10, "k-%d"), "weapons": repeated(9, `{"id":"w%d","bearer":"k-%[1]d"}`),
			},
			[]string{"weapons.bearer -> players.id"},
		},
		"a path": {
			map[string][]string{
				"type": ints(9), "contest-type": ints(9),
				"move": repeated(9, `{"id":%d,"contest_type":{"url":"/api/contest-type/%[1]d/"},"type":{"url":"/api/type/%[1]d/"}}`),
			},
			[]string{"move.contest_type.url -> contest-type.id", "move.type.url -> type.id"},
		},
		"a path to another collection": {
			map[string][]string{"type": ints(9), "move": repeated(9, `{"id":%d,"contest_type":{"url":"/api/contest-type/%[1]d/"}}`)},
			nil,
		},
		"a urn": {
			map[string][]string{
				"patients":     repeated(9, `{"id":"f81d4fae-7dec-11d0-a765-00a0c91e6b0%d"}`),
				"observations": repeated(9, `{"id":"o%d","subject":{"reference":"urn:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6B0%[1]d"}}`),
			},
			[]string{"observations.subject.reference -> patients.id"},
		},
		"ObjectIds and their digits": {
			map[string][]string{
				"users": repeated(9, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`),
				"posts": repeated(9, `{"_id":"p%d","userId":"5a9427648b0beebeb695000%[1]d"}`),
			},
			[]string{"posts.userId -> users._id"},
		},
		"a DBRef and a typed pointer": {
			map[string][]string{
				"users": ids(9, "u%d"),
				"posts": repeated(9, `{"_id":"p%d","author":{"$ref":"users","$id":"u%[1]d"},"editor":{"_ref":"u%[1]d","_type":"reference"}}`),
			},
			[]string{"posts.author.$id -> users.id", "posts.editor._ref -> users.id"},
		},
		"a natural key": {
			map[string][]string{
				"countries": repeated(9, `{"_id":"c%d","cca3":"A%[1]dA","borders":["A1A","A2A","A3A","A4A","A%[1]dA"]}`),
			},
			[]string{"countries.borders[] -> countries.cca3"},
		},
		"a key one level down": {
			map[string][]string{
				"legislators": repeated(9, `{"id":{"bioguide":"B00%d"},"name":"n%[1]d"}`),
				"votes":       repeated(9, `{"_id":"v%d","voters":["B00%[1]d","B001","B002","B003","B004"]}`),
			},
			[]string{"votes.voters[] -> legislators.id.bioguide"},
		},
		"an id of its own name": {
			map[string][]string{
				"accounts":  repeated(40, `{"_id":"x%d","account_id":1%[1]d77}`),
				"customers": repeated(40, `{"_id":"c%d","accounts":[1%[1]d77]}`),
			},
			[]string{"customers.accounts[] -> accounts.account_id"},
		},
		"a zero beside an amount": {
			map[string][]string{
				"films":     append(repeated(40, `{"_id":"f%d","takings":1%[1]d00317}`), `{"_id":"z","takings":0}`),
				"donations": repeated(40, `{"_id":"d%d","loans":"0"}`),
			},
			nil,
		},
		"an attribute of two collections": {
			map[string][]string{
				"talks":    repeated(20, `{"_id":"t%d","image":"https://example.org/%[1]d.jpg"}`),
				"speakers": append(repeated(20, `{"_id":"s%d","image":"https://example.org/%[1]d.jpg"}`), repeated(5, `{"_id":"u%d","image":"https://example.org/%[1]d.jpg"}`)...),
			},
			nil,
		},
		"ids of a former scheme beside those of today": {
			map[string][]string{
				"users": repeated(9, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`),
				"enrolments": append(repeated(4, `{"_id":"e%d","user":{"$oid":"5a9427648b0beebeb695000%[1]d"}}`),
					repeated(30, `{"_id":"f%d","user":"12%[1]d"}`)...),
			},
			[]string{"enrolments.user -> users._id"},
		},
		"a copy beside the reference": {
			map[string][]string{
				"users": repeated(9, `{"id":%d,"username":"name-%[1]d"}`),
				"posts": repeated(9, `{"id":"p%d","user":{"id":%[1]d,"username":"name-%[1]d"}}`),
			},
			[]string{"posts.user.id -> users.id"},
		},
		"another document beside the reference": {
			map[string][]string{
				"airports": repeated(30, `{"id":"a%d","code":"Q%02[1]dX"}`),
				"flights": append(repeated(20, `{"id":"f%d","toAirportId":"a%[1]d","fromAirport":"Q%02[1]dX"}`),
					repeated(9, `{"id":"g%d","toAirportId":"a%[1]d","fromAirport":"Q2%[1]dX"}`)...),
			},
			[]string{"flights.fromAirport -> airports.code", "flights.toAirportId -> airports.id"},
		},
		"its code beside the reference": {
			map[string][]string{
				"airports": repeated(30, `{"id":"a%d","code":"Q%02[1]dX"}`),
				"flights":  repeated(20, `{"id":"f%d","toAirportId":"a%[1]d","toAirport":"Q%02[1]dX"}`),
			},
			[]string{"flights.toAirportId -> airports.id"},
		},
		"the same attribute in two collections": {
			map[string][]string{
				"users":       repeated(9, `{"id":"u%d","email":"a%[1]d@example.org"}`),
				"subscribers": repeated(9, `{"id":"s%d","email":"a%[1]d@example.org"}`),
			},
			nil,
		},
		"the same quantity in two collections": {
			map[string][]string{
				"stocks":  repeated(40, `{"code":"q%02dx","currentPrice":1%02[1]d7%02[1]d00}`),
				"signals": repeated(40, `{"_id":"s%d","price":1%02[1]d7%02[1]d00}`),
			},
			nil,
		},
		"an id of another system": {
			map[string][]string{"stripe": ids(9, "s%d"), "users": repeated(9, `{"id":"u%d","stripeId":"x%[1]d"}`)},
			nil,
		},
		"a role in the same collection": {
			map[string][]string{"categories": repeated(20, `{"id":%d,"parentId":%[1]d}`)},
			[]string{"categories.parentId -> categories.id"},
		},
		"a parent of some": {
			map[string][]string{"comments": append(
				repeated(30, `{"_id":"5a9427648b0beebeb69500%02d"}`), repeated(10, `{"_id":"5a9427648b0beebeb69600%02d","parent":"5a9427648b0beebeb69500%02[1]d"}`)...)},
			[]string{"comments.parent -> comments._id"},
		},
		"an answer": {
			map[string][]string{"comments": append(
				repeated(30, `{"_id":"5a9427648b0beebeb69500%02d"}`), repeated(10, `{"_id":"5a9427648b0beebeb69600%02d","answers":"5a9427648b0beebeb69500%02[1]d"}`)...)},
			[]string{"comments.answers -> comments._id"},
		},
		"kinds in one collection": {
			map[string][]string{"items": append(
				repeated(20, `{"id":"b%d","type":"brewery","city":"c","country":"x","phone":"1"}`),
				repeated(20, `{"id":"e%d","type":"beer","abv":5,"style":"s","brewery_id":"b%[1]d"}`)...)},
			[]string{"items.brewery_id -> items.id"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.want, references(database(t, tc.collections, model.Settings{})))
		})
	}
}

func TestReferenceCounts(t *testing.T) {
	t.Parallel()
	db := database(t, map[string][]string{
		"stocks":  repeated(10, `{"id":"%d"}`),
		"persons": repeated(12, `{"id":"p%d","stockId":%[1]d}`),
	}, model.Settings{})
	require.Len(t, db.References, 1)
	r := db.References[0]
	assert.Equal(t, []int{12, 10, 0}, []int{r.Tested, r.Found, r.SameType})
	assert.InDelta(t, 10.0/12, r.Resolved(), 1e-9)
	assert.True(t, r.Stem && !r.Many() && !r.Owned())
}

// TestReferenceLeadsToAllKinds: a value may be the key of any kind of
// document of the target's collection.
func TestReferenceLeadsToAllKinds(t *testing.T) {
	t.Parallel()
	var things []string
	for i, kind := range []string{"car", "boat", "plane"} {
		for n := range 10 {
			things = append(things, fmt.Sprintf(`{"id":"t%d%d","type":%q,"%s1":1,"%s2":2,"%s3":3}`, i, n, kind, kind, kind, kind))
		}
	}
	var rentals []string
	for i := range 30 {
		rentals = append(rentals, fmt.Sprintf(`{"id":"r%d","thingId":"t%d%d"}`, i, i%3, i/3))
	}
	db := database(t, map[string][]string{"things": things, "rentals": rentals}, model.Settings{})
	require.Len(t, db.References, 1)
	r := db.References[0]
	assert.Equal(t, 30, r.Found)
	assert.Len(t, r.Targets(), 3)
	assert.Len(t, r.To.Collection.Entities, 3)
}

// TestReferenceOfFewValues: a kind with a value or two refers to what its
// siblings refer to.
func TestReferenceOfFewValues(t *testing.T) {
	t.Parallel()
	var items []string
	for i := range 30 {
		items = append(items, fmt.Sprintf(`{"id":"i%d","type":"note","text":"x","length":4,"bearer":"k-%d"}`, i, i%9))
	}
	for i := range 9 {
		items = append(items, fmt.Sprintf(`{"id":"j%d","type":"photo","width":1,"height":1,"camera":"c","bearer":"k-1"}`, i))
	}
	db := database(t, map[string][]string{"items": items, "players": repeated(9, `{"id":"k-%d"}`)}, model.Settings{})
	var from []string
	for _, r := range db.References {
		from = append(from, r.From.Word())
	}
	assert.ElementsMatch(t, []string{"note", "photo"}, from)
}

// TestReferenceAmongManyKeys: a number that occurs once among the sparse keys of one
// collection refers to it, if there are few. Of hundreds, some have it by accident.
func TestReferenceAmongManyKeys(t *testing.T) {
	t.Parallel()
	for collections, want := range map[int]bool{2: true, 300: false} {
		all := map[string][]string{"towns": {`{"name":"Bridgetown","population":98511}`}}
		for c := range collections {
			var codes []string
			for i := range 60 {
				codes = append(codes, fmt.Sprintf(`{"code":"%d"}`, 98511-17*c*c-1511*i))
			}
			all[fmt.Sprintf("codes%d", c)] = codes
		}
		db := database(t, all, model.Settings{})
		require.Len(t, db.References, 1)
		assert.Equal(t, want, db.References[0].Odds.Sum() >= model.Sure, "%d collections", collections)
	}
}

// TestSiblingsConfirm: what a kind with one value refers to is as sure as in all
// kinds, unless these refer to something else.
func TestSiblingsConfirm(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		others string // what documents of the other kind hold
		sure   bool
	}{"the same": {"team-%d", true}, "something else": {"squad-%d", false}} {
		items := repeated(20, `{"id":"j%d","type":"photo","width":1,"height":1,"camera":"c","side":"team-1"}`)
		for i := range 20 {
			items = append(items, fmt.Sprintf(`{"id":"i%d","type":"note","text":"x","length":4,"side":"`+tc.others+`"}`, i, i%9))
		}
		db := database(t, map[string][]string{"items": items, "sides": repeated(9, `{"id":"s%d","name":"team-%[1]d"}`)}, model.Settings{})
		for _, r := range db.References {
			if r.From.Word() == "photo" {
				assert.Equal(t, tc.sure, r.Odds.Sum() >= model.Sure, name)
			}
		}
	}
}

// TestReferenceThatTellsKinds: a value that leads nowhere is a kind of its own where
// the field tells the kinds, and refers as the others do; a field that does not tell
// them may mean something else in one.
func TestReferenceThatTellsKinds(t *testing.T) {
	t.Parallel()
	goods := slices.Concat(repeated(20, `{"id":"g%d","shelfId":"shelf-1","zoneId":"zone-1","edge":1,"grip":2,"reach":3}`),
		repeated(20, `{"id":"h%d","shelfId":"shelf-2","zoneId":"zone-2","size":1,"lining":2,"plates":3}`),
		repeated(20, `{"id":"k%d","shelfId":"shelf-77","zoneId":"high","pages":1,"cover":2,"author":3}`))
	db := database(t, map[string][]string{"goods": goods, "shelves": repeated(9, `{"id":"shelf-%d"}`), "zones": repeated(9, `{"id":"zone-%d"}`)}, model.Settings{})
	require.Equal(t, "shelfId", db.Collections[0].Discriminator.Path.String())
	found := map[string]int{}
	for _, r := range db.References {
		found[r.Path.String()+" "+r.From.Word()] = r.Found
	}
	assert.Equal(t, map[string]int{"shelfId shelf-1": 1, "shelfId shelf-2": 1, "shelfId shelf-77": 0, "zoneId shelf-1": 1, "zoneId shelf-2": 1}, found)
}

func TestDeclaredReference(t *testing.T) {
	t.Parallel()
	collections := map[string][]string{
		"stocks":  repeated(9, `{"id":%d,"symbol":"S%[1]d"}`),
		"persons": repeated(9, `{"id":"p%d","favourite":%[1]d,"second":"S%[1]d"}`),
	}
	assert.Empty(t, strings.Join(references(database(t, map[string][]string{"stocks": collections["stocks"], "persons": repeated(9, `{"id":"p%d","favourite":%[1]d}`)}, model.Settings{})), " "))
	db := database(t, collections, model.Settings{Declared: []model.Declared{
		{From: "persons", Path: "favourite", To: "stocks"}, {From: "persons", Path: "second", To: "stocks", Key: "symbol"},
	}})
	assert.Equal(t, []string{"persons.favourite -> stocks.id", "persons.second -> stocks.symbol"}, references(db))
	assert.True(t, db.References[0].Declared)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		document string
		declared string
		want     string // path of the id
	}{
		"id":                  {`{"id":"%d","sku":"s%[1]d"}`, "", "id"},
		"_id":                 {`{"_id":"%d","uuid":"s%[1]d"}`, "", "_id"},
		"the collection's id": {`{"thingId":"%d","sku":"s%[1]d"}`, "", "thingId"},
		"a plain id":          {`{"uuid":"%d","n":1}`, "", "uuid"},
		"declared":            {`{"code":"%d","uuid":"s%[1]d"}`, "code", "code"},
		"none":                {`{"name":"same","n":%d.5}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database(t, map[string][]string{"things": repeated(20, tc.document)}, model.Settings{IDs: map[string]string{"things": tc.declared}})
			var path string
			if id := db.Collections[0].Entities[0].ID(); id != nil {
				path = id.Path.String()
				assert.True(t, id.ID)
			}
			assert.Equal(t, tc.want, path)
		})
	}
}

// TestReferencesLikewise has people with a number that no name calls an id, visits
// that refer to all of them, and purchases of which most have other numbers.
func TestReferencesLikewise(t *testing.T) {
	t.Parallel()
	people := func(key string) []string { return repeated(60, `{"`+key+`":"E%03d","name":"Person %[1]d"}`) }
	visits := func(n int, field string) []string {
		return repeated(n, `{"at":"Room %d",`+field+`"E%03[1]d"`+strings.Repeat("}", strings.Count(field, "{")+1))
	}
	purchases := func(known int, field string) []string {
		end := strings.Repeat("}", strings.Count(field, "{")+1)
		return append(repeated(known, `{"paid":%d,`+field+`"E%03[1]d"`+end), repeated(50-known, `{"paid":%d,`+field+`"E00%02[1]d"`+end)...)
	}
	for name, c := range map[string]struct {
		key       string
		visits    int
		field     string
		known     int // purchases of somebody
		purchases string
		want      bool
	}{
		"the same name":                 {"cedula", 60, `"cedula_patient":`, 19, `"cedula_patient":`, true},
		"another name":                  {"cedula", 60, `"cedula_patient":`, 19, `"folder":`, false},
		"the name of the key":           {"cedula", 60, `"cedula":`, 19, `"cedula":`, false},
		"the name of the key in a part": {"slug", 60, `"patient":{"slug":`, 40, `"seller":{"slug":`, false},
		"a name that any pointer has":   {"cedula", 60, `"patient":{"ref":`, 40, `"seller":{"ref":`, false},
		"the same name in a part":       {"cedula", 60, `"patient":{"cedula_patient":`, 19, `"seller":{"cedula_patient":`, true},
		"what is alone with that name":  {"cedula", 60, `"folder":`, 19, `"cedula_patient":`, false},
		"one visit of nobody":           {"cedula", 61, `"cedula_patient":`, 19, `"cedula_patient":`, false},
		"too few visits to show it":     {"cedula", 3, `"cedula_patient":`, 19, `"cedula_patient":`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database(t, map[string][]string{"patients": people(c.key), "visits": visits(c.visits, c.field), "purchases": purchases(c.known, c.purchases)}, model.Settings{})
			assert.Equal(t, c.want, slices.ContainsFunc(db.References, func(r *model.Reference) bool { return r.From.Collection.Name == "purchases" && r.Likewise > 0 }))
		})
	}
}

// TestReferencesThrough has users, their settings with the id of the user as a key,
// and sessions with ids of users. The settings are those of all users of the sessions.
func TestReferencesThrough(t *testing.T) {
	t.Parallel()
	id := `5dc9a7a157737d226cca95%02x`
	users := repeated(60, `{"_id":{"$oid":"`+id+`"},"name":"Person %[1]d"}`)
	advisors := repeated(40, `{"_id":"slots-%d","advisorId":"`+strings.ReplaceAll(id, "%02", "%02[1]")+`","days":%[1]d}`)
	advised := `","advisorId":"` + strings.ReplaceAll(id, "%02", "%02[1]") + `"}`
	sessions := join(repeated(30, `{"_id":"first-%d`+advised), repeated(30, `{"_id":"second-%d`+advised))
	leads := func(db *model.Database) string {
		for _, r := range db.References {
			if r.From.Collection.Name == "sessions" {
				return r.To.Collection.Name + "." + r.Key.Path.String()
			}
		}
		return ""
	}
	all := map[string][]string{"users": users, "advisor_slots": advisors, "sessions": sessions}
	assert.Equal(t, "users._id", leads(database(t, all, model.Settings{})))
	assert.Equal(t, "advisor_slots.advisorId", leads(database(t, all, model.Settings{Declared: []model.Declared{{From: "sessions", Path: "advisorId", To: "advisor_slots", Key: "advisorId"}}})))
	all["users"] = users[:28]
	assert.Equal(t, "advisor_slots.advisorId", leads(database(t, all, model.Settings{})), "two users are not there")
	// The slots refer to users by a handle, which is no id.
	all = map[string][]string{
		"users":         repeated(60, `{"_id":"user-%d","handle":"h%03[1]d.x","name":"Person %[1]d"}`),
		"advisor_slots": repeated(40, `{"_id":"slots-%d","advisorHandle":"h%03[1]d.x","days":%[1]d}`),
		"sessions":      join(repeated(30, `{"_id":"first-%d","advisorHandle":"h%03[1]d.x"}`), repeated(30, `{"_id":"second-%d","advisorHandle":"h%03[1]d.x"}`)),
	}
	assert.Equal(t, "advisor_slots.advisorHandle", leads(database(t, all, model.Settings{})))
}

// TestOfTwoKeysThatAFieldNames has cities beside whose code of the country stands its
// name. Only the field that leads to more countries refers to them; the other is a
// copy. An id refers even if more names lead somewhere.
func TestOfTwoKeysThatAFieldNames(t *testing.T) {
	t.Parallel()
	country := func(i int) (code, name string) {
		return string([]byte{'A' + byte(i%26), 'A' + byte(i/26)}), fmt.Sprintf("Land %c%d", 'A'+i%26, i)
	}
	var countries []string
	for i := range 250 {
		code, name := country(i)
		countries = append(countries, fmt.Sprintf(`{"_id":"n-%d","code":"%s","name":"%s","people":%d}`, i, code, name, i*i))
	}
	for name, c := range map[string]struct {
		field                 string
		wrongCodes, wrongName int
		want                  string
	}{
		"both lead to the same": {"iso_country", 0, 0, "cities.country_name -> countries.name"},
		"two misspelt names":    {"iso_country", 0, 2, "cities.iso_country -> countries.code"},
		"two codes of nothing":  {"country_code", 2, 0, "cities.country_name -> countries.name"},
		"two wrong ids":         {"country_id", 2, 0, "cities.country_id -> countries._id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var cities []string
			for i := range 1000 {
				key, name := country(i % 250)
				if c.field == "country_id" {
					key = fmt.Sprintf("n-%d", i%250)
				}
				if i < c.wrongCodes {
					key = key[:1] + "0" + key[1:]
				}
				if i < c.wrongName {
					name += "x"
				}
				cities = append(cities, fmt.Sprintf(`{"_id":"c-%d","%s":"%s","country_name":"%s"}`, i, c.field, key, name))
			}
			db := database(t, map[string][]string{"countries": countries, "cities": cities}, model.Settings{})
			assert.Equal(t, []string{c.want}, references(db))
		})
	}
}
