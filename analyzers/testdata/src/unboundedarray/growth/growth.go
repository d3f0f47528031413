// Package growth tells lists that gain an element each time the program runs by
// from those that are put together, filled once or tended by their owner.
package growth

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Note struct {
	ID   string    `bson:"id"`
	At   time.Time `bson:"at"`
	Text string    `bson:"text"`
}

// Ticket is read, changed and written back.
type Ticket struct {
	ID      string   `bson:"_id"`
	Remarks []Note   `bson:"remarks"` // want `remarks grows without bound: each request to POST /remarks adds to the list in Ticket \(collection tickets\) \(t\.Remarks = append\(t\.Remarks, n\)\)`
	Parts   []string `bson:"parts"`
	Rules   []Rule   `bson:"rules"`
	Days    []Note   `bson:"days"`
	Queue   []Note   `bson:"queue"`
	Local   []Note   `bson:"local"` // want `local grows without bound`
	Set     []Note   `bson:"set"`   // want `set grows without bound`
	Keys    []Key    `bson:"keys"`
	Stars   []string `bson:"stars"`
	Talks   []Note   `bson:"talks"` // want `talks grows without bound`
	// The ids of comments say that they are documents, whatever the list is called.
	Comments []bson.ObjectID `bson:"comments"` // want `comments grows without bound`
	Nested   struct {
		Deep []Note `bson:"deep"` // want `deep grows without bound: every run of store.collect`
	} `bson:"nested"`
}

type Rule struct {
	ID string `bson:"id"`
}

type Key struct {
	Name string `bson:"name"`
}

type store struct{ tickets *mongo.Collection }

func open(db *mongo.Database) *store { return &store{db.Collection("tickets")} }

func (s *store) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /remarks", s.remark)
	mux.HandleFunc("POST /talks", s.talk)
	mux.HandleFunc("POST /comments", s.comment)
}

func (s *store) get(ctx context.Context, id string) (*Ticket, error) {
	var t Ticket
	if err := s.tickets.FindOne(ctx, bson.M{"_id": id}).Decode(&t); err != nil {
		return nil, err
	}
	return &t, nil
}

func (s *store) save(ctx context.Context, t *Ticket) {
	s.tickets.ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
}

// remark adds across saves, by way of a method.
func (s *store) remark(w http.ResponseWriter, r *http.Request) {
	t, err := s.get(r.Context(), r.FormValue("id"))
	if err != nil {
		return
	}
	t.add(Note{ID: r.FormValue("note")})
	s.save(r.Context(), t)
}

func (t *Ticket) add(n Note) {
	t.Remarks = append(t.Remarks, n)
}

// create puts a ticket together.
func (s *store) create(ctx context.Context, parts []string, rules map[string]Rule) {
	t := &Ticket{ID: bson.NewObjectID().Hex()}
	for _, part := range parts {
		t.Parts = append(t.Parts, part)
	}
	t.fill(rules)
	s.tickets.InsertOne(ctx, t)
}

func (t *Ticket) fill(rules map[string]Rule) {
	for _, r := range rules {
		t.Rules = append(t.Rules, r)
	}
}

// merge changes what is read and never stores it.
func (s *store) merge(ctx context.Context, others []Note) *Ticket {
	t, _ := s.get(ctx, "t")
	for _, o := range others {
		t.Days = append(t.Days, o)
	}
	return t
}

// compute fills a list anew each time.
func (s *store) compute(ctx context.Context, notes []Note) {
	t, _ := s.get(ctx, "t")
	t.Queue = t.Queue[:0]
	for _, n := range notes {
		t.Queue = append(t.Queue, n)
	}
	s.save(ctx, t)
}

// byLocal appends to a variable and stores that.
func (s *store) byLocal(ctx context.Context, n Note) {
	t, _ := s.get(ctx, "t")
	list := t.Local
	list = append(list, n)
	t.Local = list
	s.save(ctx, t)
}

// bySet sets the list to itself and more.
func (s *store) bySet(ctx context.Context, n Note) {
	t, _ := s.get(ctx, "t")
	s.tickets.UpdateOne(ctx, bson.M{"_id": t.ID}, bson.M{"$set": bson.M{"set": append(t.Set, n)}})
}

// addKey and dropKey are how the owner tends the keys.
func (s *store) addKey(ctx context.Context, k Key) {
	t, _ := s.get(ctx, "t")
	for _, known := range t.Keys {
		if known.Name == k.Name {
			return
		}
	}
	t.Keys = append(t.Keys, k)
	s.save(ctx, t)
}

func (s *store) dropKey(ctx context.Context, name string) {
	t, _ := s.get(ctx, "t")
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool { return k.Name == name })
	s.save(ctx, t)
}

func (s *store) star(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	s.tickets.UpdateOne(ctx, bson.M{"_id": "t"}, bson.M{"$addToSet": bson.M{"stars": r.FormValue("star")}})
}

func (s *store) unstar(ctx context.Context, star string) {
	s.tickets.UpdateOne(ctx, bson.M{"_id": "t"}, bson.M{"$pull": bson.M{"stars": star}})
}

// talk can be taken back; the next one comes all the same.
func (s *store) talk(w http.ResponseWriter, r *http.Request) {
	s.tickets.UpdateOne(r.Context(), bson.M{"_id": "t"}, bson.M{"$push": bson.M{"talks": Note{Text: r.FormValue("text")}}})
}

func (s *store) untalk(ctx context.Context, id string) {
	s.tickets.UpdateOne(ctx, bson.M{"_id": "t"}, bson.M{"$pull": bson.M{"talks": bson.M{"id": id}}})
}

// collect runs for ever.
func (s *store) collect(ctx context.Context, notes <-chan Note) {
	for n := range notes {
		t, _ := s.get(ctx, "t")
		t.Nested.Deep = append(t.Nested.Deep, n)
		s.save(ctx, t)
	}
}

// Room refuses more than a number of members.
type Room struct {
	ID      string `bson:"_id"`
	Members []Note `bson:"members"`
	Guests  []Note `bson:"guests"`
}

type rooms struct{ rooms *mongo.Collection }

func maxMembers() int { return 10 }

func (s *rooms) join(ctx context.Context, n Note) error {
	var room Room
	s.rooms.FindOne(ctx, bson.M{"_id": "r"}).Decode(&room)
	if len(room.Members) >= maxMembers() {
		return context.Canceled
	}
	room.Members = append(room.Members, n)
	room.Guests = append(room.Guests, n)
	if err := room.validate(); err != nil {
		return err
	}
	_, err := s.rooms.ReplaceOne(ctx, bson.M{"_id": "r"}, room)
	return err
}

func (r Room) validate() error {
	if len(r.Guests) > 50 {
		return context.Canceled
	}
	return nil
}

func (s *store) comment(w http.ResponseWriter, r *http.Request) {
	id, _ := bson.ObjectIDFromHex(r.FormValue("id"))
	s.tickets.UpdateOne(r.Context(), bson.M{"_id": "t"}, bson.M{"$push": bson.M{"comments": id}})
}

func (s *store) uncomment(ctx context.Context, id bson.ObjectID) {
	s.tickets.UpdateOne(ctx, bson.M{"_id": "t"}, bson.M{"$pull": bson.M{"comments": id}})
}

// Build is stored with its report when it is over: nothing here adds to it.
type Build struct {
	ID     string `bson:"_id"`
	Report Report `bson:"report"`
}

type Report struct {
	History []Rule `bson:"history"`
}

// Run is stored by another program.
type Run struct {
	ID     string `bson:"_id"`
	Report struct {
		History []Rule `bson:"history"` // want `history grows without bound`
	} `bson:"report"`
}

func builds(ctx context.Context, db *mongo.Database, b Build) (r Run) {
	db.Collection("builds").InsertOne(ctx, b)
	db.Collection("runs").FindOne(ctx, bson.M{}).Decode(&r)
	return r
}

// Account has remarks of which each request replaces one.
type Account struct {
	ID      string `bson:"_id"`
	Remarks []Note `bson:"remarks"`
	Visits  []Note `bson:"visits"` // want `visits grows without bound`
}

func (s *store) change(w http.ResponseWriter, r *http.Request) {
	var a Account
	if err := s.tickets.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&a); err != nil {
		return
	}
	a.addRemark(Note{ID: "new"})
	a.addVisit(Note{ID: "new"})
	if r.FormValue("forget") != "" {
		a.dropVisit("old")
	}
	if err := a.dropRemark("old"); err != nil {
		return
	}
	s.tickets.ReplaceOne(r.Context(), bson.M{"_id": a.ID}, a)
}

func (a *Account) addRemark(n Note) { a.Remarks = append(a.Remarks, n) }

func (a *Account) addVisit(n Note) { a.Visits = append(a.Visits, n) }

func (a *Account) dropRemark(id string) error {
	for i, c := range a.Remarks {
		if c.ID == id {
			a.Remarks = append(a.Remarks[:i], a.Remarks[i+1:]...)
		}
	}
	return nil
}

func (a *Account) dropVisit(id string) {
	for i, c := range a.Visits {
		if c.ID == id {
			a.Visits = append(a.Visits[:i], a.Visits[i+1:]...)
		}
	}
}

// Pool has a list of ids that others take out by cutting off the last.
type Pool struct {
	ID     string          `bson:"_id"`
	Active []bson.ObjectID `bson:"active"`
	Used   []bson.ObjectID `bson:"used"` // want `used grows without bound`
}

func (s *store) work(ctx context.Context, ids chan bson.ObjectID) {
	for id := range ids {
		var p Pool
		if err := s.tickets.FindOne(ctx, bson.M{"_id": "p"}).Decode(&p); err != nil {
			return
		}
		p.Active = append(p.Active, id)
		p.Used = append(p.Used, id)
		s.tickets.ReplaceOne(ctx, bson.M{"_id": p.ID}, p)
	}
}

func (p *Pool) release(id bson.ObjectID) {
	for i, active := range p.Active {
		if active == id {
			last := len(p.Active) - 1
			p.Active[i] = p.Active[last]
			p.Active = p.Active[:len(p.Active)-1]
		}
	}
}

// Job has a list of faults that is cut whenever it is stored.
type Job struct {
	ID     string `bson:"_id"`
	Faults []Note `bson:"faults"`
	Events []Note `bson:"events"` // want `events grows without bound`
}

func (s *store) run(w http.ResponseWriter, r *http.Request) {
	var j Job
	if err := s.tickets.FindOne(r.Context(), bson.M{"_id": "j"}).Decode(&j); err != nil {
		return
	}
	j.Faults = append(j.Faults, Note{ID: r.FormValue("fault")})
	j.Events = append(j.Events, Note{ID: r.FormValue("event")})
	kept, cut := latest(j.Faults, 100)
	if cut {
		j.Faults = kept
	}
	s.tickets.ReplaceOne(r.Context(), bson.M{"_id": j.ID}, j)
}

func latest(list []Note, most int) ([]Note, bool) {
	if len(list) <= most {
		return list, false
	}
	return list[len(list)-most:], true
}
