// Package built puts updates together step by step.
package built

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Remark struct {
	Text string    `bson:"text"`
	At   time.Time `bson:"at"`
}

type Kiln struct {
	ID       string   `bson:"_id"`
	Firings  []Remark `bson:"firings"`  // want `firings grows without bound: .* \(push\["firings"\] = remark\)`
	Repairs  []Remark `bson:"repairs"`  // want `repairs grows without bound`
	Loads    []Remark `bson:"loads"`    // want `loads grows without bound`
	Glazes   []Remark `bson:"glazes"`   // want `glazes grows without bound`
	Helpers  []string `bson:"helpers"`  // want `helpers grows without bound`
	Visits   []Remark `bson:"visits"`   // want `visits grows without bound: each request handled by kilns.visit adds to the list`
	Before   []Remark `bson:"before"`   // want `before grows without bound: .* \(k\.Before = append\(\[\]Remark\{remark\}, k\.Before\.\.\.\)\)`
	Inserted []Remark `bson:"inserted"` // want `inserted grows without bound`
	Copied   []Remark `bson:"copied"`
	Owners   []string `bson:"owners"`
}

type kilns struct{ c *mongo.Collection }

func (s kilns) create(ctx context.Context, k Kiln) { s.c.InsertOne(ctx, k) }

// patch has maps for what is changed, which it puts into the update in the end.
func (s kilns) patch(w http.ResponseWriter, r *http.Request) {
	remark := Remark{Text: r.FormValue("text"), At: time.Now()}
	push := bson.M{}
	if r.FormValue("firing") != "" {
		push["firings"] = remark
	}
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$push": push})

	update := make(bson.M)
	update["$push"] = bson.M{"repairs": remark}
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, update)

	var list bson.D
	list = append(list, bson.E{"$push", bson.D{{"loads", remark}}})
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, list)

	entry := bson.E{Key: "$push", Value: bson.D{{"glazes", remark}}}
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.D{entry})
}

// change is told what to do.
func (s kilns) change(ctx context.Context, op, name string) {
	s.c.UpdateOne(ctx, bson.M{"_id": "a"}, bson.M{op: bson.M{"helpers": name}})
}

func (s kilns) help(w http.ResponseWriter, r *http.Request) {
	s.change(r.Context(), "$push", r.FormValue("user"))
}

type operation string

const put operation = "$push"

func (s kilns) alter(ctx context.Context, op operation, remark Remark) {
	s.c.UpdateOne(ctx, bson.M{"_id": "a"}, bson.M{string(op): bson.M{"visits": remark}})
}

func (s kilns) visit(w http.ResponseWriter, r *http.Request) {
	s.alter(r.Context(), put, Remark{Text: r.FormValue("text"), At: time.Now()})
}

// own tells it to set the owners.
func (s kilns) own(ctx context.Context, op string, names []string) {
	s.c.UpdateOne(ctx, bson.M{"_id": "a"}, bson.M{op: bson.M{"owners": names}})
}

func (s kilns) buy(w http.ResponseWriter, r *http.Request) {
	s.own(r.Context(), "$set", []string{r.FormValue("user")})
}

// note reads a kiln, adds to its lists and stores it again.
func (s kilns) note(w http.ResponseWriter, r *http.Request) {
	var k Kiln
	s.c.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&k)
	remark := Remark{Text: r.FormValue("text"), At: time.Now()}
	k.Before = append([]Remark{remark}, k.Before...)
	k.Inserted = slices.Insert(k.Inserted, 0, remark)
	k.Copied = append([]Remark{}, k.Copied...)
	s.c.ReplaceOne(r.Context(), bson.M{"_id": "a"}, k)
}

// Hour holds what came in an hour, two hundred at most.
type Hour struct {
	ID    string    `bson:"_id"`
	Start time.Time `bson:"start"`
	Count int       `bson:"count"`
	Heats []Remark  `bson:"heats"`
	Cools []Remark  `bson:"cools"`
	Waits []Remark  `bson:"waits"` // want `waits grows without bound`
}

func (s kilns) open(ctx context.Context, h Hour) { s.c.InsertOne(ctx, h) }

func (s kilns) heat(w http.ResponseWriter, r *http.Request) {
	remark := Remark{At: time.Now()}
	s.c.UpdateOne(r.Context(), bson.M{"start": remark.At, "count": bson.M{"$lt": 200}}, bson.M{"$push": bson.M{"heats": remark}, "$inc": bson.M{"count": 1}})
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a", "cools.199": bson.M{"$exists": false}}, bson.M{"$push": bson.M{"cools": remark}})
	s.c.UpdateOne(r.Context(), bson.M{"start": bson.M{"$lt": remark.At}}, bson.M{"$push": bson.M{"waits": remark}, "$inc": bson.M{"count": 1}})
}

// Shelf is only ever written out entry by entry.
type Shelf struct {
	ID    string   `bson:"_id"`
	Moves []Remark `bson:"moves"` // want `moves grows without bound`
}

func (s kilns) hang(ctx context.Context, id string) {
	shelf := bson.M{"_id": id}
	shelf["moves"] = []Remark{}
	s.c.InsertOne(ctx, shelf)
}

func (s kilns) move(w http.ResponseWriter, r *http.Request) {
	var shelf Shelf
	s.c.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&shelf)
	shelf.Moves = append(shelf.Moves, Remark{At: time.Now()})
	s.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$set": bson.M{"moves": shelf.Moves}})
}
