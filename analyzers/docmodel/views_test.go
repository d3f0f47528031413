package docmodel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestViews tells fields that queries fill from those that are stored.
func TestViews(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body string
		view bool
	}{
		"lookup":              {`func f() { c.Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "comments", "as": "comments"}}}) }`, true},
		"lookup by variable":  {`func f() { as := "comments"; c.Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "comments", "as": as}}}) }`, true},
		"lookup by parameter": {`func stage(as string) bson.M { return bson.M{"$lookup": bson.M{"as": as}} }; func f() { c.Aggregate(ctx, []bson.M{stage("comments")}) }`, true},
		"elsewhere":           {`func f() { c.Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "comments", "as": "others"}}}) }`, false},
		"appended":            {`func f(d *Doc) { c.Aggregate(ctx, []bson.M{{"$lookup": bson.M{"as": "comments"}}}); d.Comments = append(d.Comments, Comment{}) }`, false},
		"filled from a query": {`func all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }; func get() (d Doc) { c.FindOne(ctx, nil).Decode(&d); d.Comments = all(); return d }`, true},
		"filled, by interface": {`type repo interface{ all() []Comment }; type store struct{}; func (store) all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }
func get(s repo) (d Doc) { c.FindOne(ctx, nil).Decode(&d); found := s.all(); d.Comments = found; return d }`, true},
		"filled, another stored": {`func all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }; func get() { var d Doc; c.FindOne(ctx, nil).Decode(&d); d.Comments = all(); c.InsertOne(ctx, Comment{}) }`, true},
		"copied and stored":      {`func all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }; func copy(d Doc) { d.Comments = all(); c.InsertOne(ctx, d) }`, false},
		"made with it":           {`func f(l []Comment) { c.InsertOne(ctx, Doc{Comments: l}) }`, false},
		"put back and returned":  {`func all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }; func show() []Doc { r, _ := c.Find(ctx, nil); var l []Doc; r.All(ctx, &l); for i, d := range l { d.Comments = all(); l[i] = d }; return l }; func page() { use(show()) }; func use([]Doc) {}`, true},
		"stored by the caller":   {`func read() (d Doc) { c.FindOne(ctx, nil).Decode(&d); d.Comments = []Comment{{}}; return d }; func f() { d := read(); c.ReplaceOne(ctx, nil, d) }`, false},
		"stored at once":         {`func read() (d Doc) { c.FindOne(ctx, nil).Decode(&d); d.Comments = []Comment{{}}; return d }; func f() { store1(read()) }`, false},
		"other result stored":    {`func read() (d, other Doc) { c.FindOne(ctx, nil).Decode(&d); d.Comments = []Comment{{}}; return d, other }; func f() { _, other := read(); c.InsertOne(ctx, other) }`, true},
		"kept in a receiver":     {`type batch struct { docs []Doc }; func (b *batch) add() { var d Doc; c.FindOne(ctx, nil).Decode(&d); d.Comments = []Comment{{}}; b.docs = append(b.docs, d) }`, false},
		"made elsewhere":         {`func all() (l []Comment) { r, _ := c.Find(ctx, nil); r.All(ctx, &l); return l }; func f(d *Doc) { d.Comments = all() }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := one(t, mongoHead+"type Doc struct { ID string; Comments []Comment }; type Comment struct { Text string }; func store1(d Doc) { c.InsertOne(ctx, d) }\n"+test.body)
			d := document(p, "Doc")
			require.NotNil(t, d)
			assert.Equal(t, test.view, field(d, "comments").View)
			assert.Equal(t, test.view, field(d, "comments").Fields[0].View, "what is in it")
		})
	}
}
