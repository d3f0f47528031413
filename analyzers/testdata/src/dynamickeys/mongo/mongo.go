// Package mongo stores maps whose keys are data.
package mongo

import (
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Score struct {
	Points int `bson:"points"`
}

type Status string

const (
	Open Status = "open"
	Done Status = "done"
)

type UserID string

type Game struct {
	ID       bson.ObjectID           `bson:"_id,omitempty"`
	Players  map[bson.ObjectID]Score `bson:"players"`  // want `players uses ids as field names: no query, index or schema of Game can name them \(dynamic-keys\)`
	Teams    map[UserID]string       `bson:"teams"`    // want `teams uses ids as field names`
	ByDay    map[string]int          `bson:"byDay"`    // closed: no name before by
	Visits   map[string]int          `bson:"visits"`   // want `visits uses dates as field names`
	Mails    map[string]Score        `bson:"mails"`    // want `mails uses emails as field names`
	Rounds   map[int]Score           `bson:"rounds"`   // want `rounds uses numbers as field names`
	Points   map[string]int          `bson:"points"`   // want `points uses user ids as field names`
	Votes    map[string]Score        `bson:"votes"`    // want `votes uses data as field names`
	States   map[Status]int          `bson:"states"`   // the names are a closed set
	Stats    map[string]int          `bson:"stats"`    // changed by names of a closed set
	Labels   map[string]string       `bson:"labels"`   // free form
	Settings map[string]any          `bson:"settings"` // free form
	Parts    map[string]int          `bson:"parts"`    // indexed by constants
	Titles   map[string]string       `bson:"titles"`   // updated at names of a closed set
	Watchers map[string]string       `bson:"watchers"` // want `watchers uses ids as field names`
	Flags    map[string]string       `bson:"flags"`    // asked for by names of a closed set

	ScoresByPlayer map[string]Score `bson:"scoresByPlayer"` // want `scoresByPlayer uses players as field names`
	CountByStatus  map[string]int   `bson:"countByStatus"`

	ManagedByTenants *[]map[string]string        `bson:"managedByTenants"` // a list of tenants
	MovesByPlayer    map[string][]map[string]int `bson:"movesByPlayer"`    // want `movesByPlayer uses players as field names`

	Reactions map[string]int `bson:"reactions"`
	Badges    map[string]int `bson:"badges"` // want `badges uses data as field names`

	Traits     map[string]string `bson:"traits"` // want `traits uses free names as field names`
	TraitsKeys []string          `bson:"traitsKeys"`

	private map[bson.ObjectID]Score
	Cache   map[bson.ObjectID]Score `bson:"-"`
}

func translate(ctx context.Context, games *mongo.Collection, id bson.ObjectID, lang, title string) error {
	_, err := games.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{fmt.Sprintf("titles.%s", lang): title}})
	return err
}

func insert(ctx context.Context, db *mongo.Database, g *Game) error {
	g.Visits[time.Now().Format("2006-01-02")]++
	g.Parts["first"], g.Parts["second"] = 1, 2
	g.private = g.Cache
	_, err := db.Collection("games").InsertOne(ctx, g)
	return err
}

func index(ctx context.Context, games *mongo.Collection) error {
	_, err := games.Indexes().CreateMany(ctx, []mongo.IndexModel{{Keys: bson.D{{Key: "mails.$**", Value: 1}}}})
	return err
}

func watched(ctx context.Context, games *mongo.Collection, uID string) (g Game, err error) {
	err = games.FindOne(ctx, bson.M{"watchers." + uID: bson.M{"$exists": true}}).Decode(&g)
	return g, err
}

// Hall has a map of the same name as one that queries of another collection ask for.
type Hall struct {
	ID    bson.ObjectID     `bson:"_id"`
	Seats map[string]string `bson:"seats"`
}

func seated(ctx context.Context, db *mongo.Database, h Hall, userID string) error {
	if err := db.Collection("games").FindOne(ctx, bson.M{"seats." + userID: bson.M{"$exists": true}}).Decode(&Game{}); err != nil {
		return err
	}
	_, err := db.Collection("halls").InsertOne(ctx, h)
	return err
}

func titled(ctx context.Context, games *mongo.Collection, s Status) (g Game, err error) {
	err = games.FindOne(ctx, bson.M{"flags." + string(s): true}).Decode(&g)
	return g, err
}

func (g *Game) register(email string) { g.Mails[email] = Score{} }

func vote(ctx context.Context, db *mongo.Database, id bson.ObjectID, player string, userID string, s Status) error {
	_, err := db.Collection("games").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{
		fmt.Sprintf("votes.%s.points", player): 1,
		"points." + userID:                     1,
		"stats." + string(s):                   1,
	}})
	votes := map[string]Score{}
	votes[player] = Score{Points: 1}
	_ = Game{Votes: votes}
	return err
}

// react takes back a reaction, whose kind it has read, before it counts the next.
func react(ctx context.Context, reactions, games *mongo.Collection, id bson.ObjectID, s Status) error {
	var old struct {
		Given string `bson:"given"`
	}
	if err := reactions.FindOne(ctx, bson.M{"game": id}).Decode(&old); err != nil {
		return err
	}
	_, err := games.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{
		"reactions." + old.Given: -1,
		"reactions." + string(s): 1,
		"badges." + old.Given:    1,
	}})
	return err
}

type Count struct {
	Total int `bson:"total"`
}

// A Clinic holds counts that are computed elsewhere.
type Clinic struct {
	ID      bson.ObjectID    `bson:"_id,omitempty"`
	Wards   map[string]Count `bson:"wards"`   // want `wards uses names as field names`
	Periods map[string]Count `bson:"periods"` // a query names an entry
	Stages  map[string]Count `bson:"stages"`  // nothing says what a step is

	Rights map[string][]bson.ObjectID `bson:"rights"`
	Guests map[string][]bson.ObjectID `bson:"guests"` // want `guests uses names as field names`
}

type call interface {
	Method() string
	GuestName() string
}

func (c *Clinic) rights(r call) ([]bson.ObjectID, []bson.ObjectID) {
	c.Rights[r.Method()], c.Guests[r.GuestName()] = nil, nil
	return c.Rights[r.Method()], c.Guests[r.GuestName()]
}

func refresh(ctx context.Context, db *mongo.Database, wardName, step, period string) error {
	c := Clinic{Wards: map[string]Count{}, Periods: map[string]Count{}, Stages: map[string]Count{}}
	c.Wards[wardName] = Count{}
	c.Stages[step] = Count{}
	c.Periods[period] = Count{}
	_, err := db.Collection("clinics").InsertOne(ctx, c)
	return err
}

func busy(ctx context.Context, db *mongo.Database) (*mongo.Cursor, error) {
	return db.Collection("clinics").Find(ctx, bson.M{"periods.7d.total": bson.M{"$gt": 0}})
}

// Grant says who may do what.
type Grant struct {
	ID     string           `bson:"_id"`
	Rights map[string]Right `bson:"rights"` // want `rights uses user ids as field names`
}

type Right struct {
	Read bool `bson:"read"`
}

type token struct{ user string }

func (t token) GetUserID() string { return t.user }

func may(ctx context.Context, c *mongo.Collection, t token) bool {
	var g Grant
	c.FindOne(ctx, bson.M{"_id": "g"}).Decode(&g)
	c.InsertOne(ctx, g)
	return g.Rights[t.GetUserID()].Read
}

// Course is what the program works on, and StoredCourse what it stores.
type Course struct {
	ID   string
	Done map[string]time.Time
	Tags map[string]string
}

type StoredCourse struct {
	ID   string               `bson:"_id"`
	Done map[string]time.Time `bson:"done"` // want `done uses module ids as field names`
	Tags map[string]string    `bson:"tags"`
}

func (c *Course) finish(moduleID string) { c.Done[moduleID] = time.Now() }

func (c *Course) begin() { c.Tags["state"] = "begun" }

func (c *Course) store(ctx context.Context, courses *mongo.Collection) {
	stored := &StoredCourse{ID: c.ID, Done: c.Done}
	stored.Tags = c.Tags
	courses.InsertOne(ctx, stored)
}

// Report is by tasks, which say their own names.
type Report struct {
	ID    string           `bson:"_id"`
	Times map[string]Count `bson:"times"` // want `times uses names as field names`
	Modes map[string]Count `bson:"modes"`
	Codes map[string]Count `bson:"codes"`
	Waits map[string]Count `bson:"waits"` // want `waits uses job ids as field names`
}

type task struct{ name string }

func (t *task) String() string { return t.name }

type number struct{ day, n int }

func (n number) String() string { return fmt.Sprint(n.day, n.n) }

type code string

func (c code) String() string { return string(c) }

func (r *Report) run(ctx context.Context, c *mongo.Collection, t *task, mode string, jobID number, c2 code) {
	r.Codes[c2.String()] = Count{}
	r.Waits[jobID.String()] = Count{}
	key := t.String()
	r.Times[key] = Count{}
	r.Modes[mode] = Count{}
	c.InsertOne(ctx, r)
}

// Usage is kept under days and months. Names of weekdays come back.
type Usage struct {
	ID     string             `bson:"_id"`
	Costs  map[string]float64 `bson:"costs"`  // want `costs uses dates as field names`
	Visits map[string]int     `bson:"visits"` // want `visits uses dates as field names`
	Rains  map[string]int     `bson:"rains"`
}

func bill(ctx context.Context, c *mongo.Collection, u *Usage, at time.Time, cost float64) {
	month := at.Format("200601")
	spend(ctx, c, u.ID, month, cost)
	day := at.Format(time.DateOnly)
	u.Visits[day]++
	weekday := at.Format("Monday")
	u.Rains[weekday]++
	c.InsertOne(ctx, u)
}

func spend(ctx context.Context, c *mongo.Collection, id, month string, cost float64) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"costs." + month: cost}})
}
