// Package circles has types, values and calls that lead back to themselves.
package circles

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type T []T
type M map[string]M
type P *P
type F func(F) F
type Tree struct {
	ID       string           `bson:"_id"`
	Self     *Tree            `bson:"self"`
	Children []*Tree          `bson:"children"`
	ByName   map[string]*Tree `bson:"by_name"`
	T        T                `bson:"t"`
	M        M                `bson:"m"`
	P        P                `bson:"p"`
	F        F                `bson:"-"`
	Any      any              `bson:"any"`
	Nodes    Nodes[Tree]      `bson:"nodes"`
	*Tree2   `bson:",inline"`
	Log      []Entry         `bson:"log"`
	IDs      []bson.ObjectID `bson:"ids"`
	Count    int             `bson:"count"`
}
type Tree2 struct{ *Tree3 }
type Tree3 struct {
	*Tree2
	X int
}
type Nodes[X any] struct {
	Of   []X
	More *Nodes[Nodes[string]]
}
type Entry struct {
	ID string
	At time.Time
	Up *Tree
}
type I interface {
	I2
	Do(I) I
}
type I2 interface{ Do2(I) I }

func (t *Tree) Do(i I) I  { return i.Do(t.Do2(i)) }
func (t *Tree) Do2(i I) I { return t.Do(i.Do2(t)) }

func id[X any](x X) X { return id(id(x)) }

func (t *Tree) get() *Tree { return t.get().get() }

func (t *Tree) Logs() []Entry { return t.Logs() }

func even(t *Tree, n int) *Tree {
	t = odd(t, n)
	t = even(odd(t, n), n)
	return even(t, n)
}
func odd(t *Tree, n int) *Tree {
	t = even(t, n)
	t = t
	t, u := t, t
	u = t.get()
	t = u
	u = id(u)
	return odd(u, n)
}

var global = func() *Tree { return global2 }()
var global2 = &Tree{Self: &Tree{}}

type store struct {
	c *mongo.Collection
	s *store
}

func (s *store) load(ctx context.Context, id string) (t *Tree, err error) {
	t = new(Tree)
	err = s.c.FindOne(ctx, bson.M{"_id": id}).Decode(t)
	if err != nil {
		return s.load(ctx, id)
	}
	t2 := Tree(*t)
	t2 = Tree(t2)
	t2.Log = append(t2.Log, Entry{})
	t = &t2
	*t = *t
	return
}

func (s *store) save(ctx context.Context, t *Tree) error {
	if t == nil {
		return s.save(ctx, t.Self)
	}
	_, err := s.c.ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
	return err
}

type U struct {
	Log []Entry
	IDs []string
	U   *U
}

func toU(t *Tree) *U {
	u := &U{Log: t.Log}
	u.Log = u.Log
	u.U = toU(t)
	u = u.with(t)
	return u
}
func (u *U) with(t *Tree) *U {
	u = u.with(t)
	u.Log = t.Logs()
	for _, e := range u.Log {
		u.Log = append(u.Log, e)
	}
	return u.with(t).with(t)
}
func fromU(u *U) *Tree {
	t := &Tree{Log: u.Log}
	t.Log = logs(t.Log, u)
	t = fromU(toU(fromU(toU(t))))
	return t
}
func logs(l []Entry, u *U) []Entry {
	l = logs(l, u)
	l = append(l, logs(u.Log, u)...)
	return logs(append(l, l...), u)
}

func (s *store) handle(w http.ResponseWriter, r *http.Request) {
	var h func(w http.ResponseWriter, r *http.Request)
	h = func(w http.ResponseWriter, r *http.Request) { h(w, r); s.handle(w, r) }
	t, _ := s.load(r.Context(), r.URL.Path)
	t = even(t, 1)
	u := toU(t)
	u = u.with(t)
	u.Log = append(u.Log, Entry{})
	t = fromU(u)
	t.Log = append(t.Log, Entry{})
	t.Log, t.Children = append(t.Log, t.Log...), append(t.Children, t)
	update := bson.M{"$push": bson.M{"log": Entry{}}}
	update["$push"] = update
	update = bson.M{"$set": update}
	pipe := bson.A{}
	pipe = append(pipe, pipe)
	pipe = bson.A{pipe, update, bson.D{{Key: "$lookup", Value: bson.M{"from": "x", "as": "log"}}}}
	s.c.UpdateMany(r.Context(), update, update)
	s.c.UpdateOne(r.Context(), update, update)
	b, _ := json.Marshal(t)
	_ = json.Unmarshal(b, &t)
	s.save(r.Context(), t)
	http.HandleFunc("/x", s.handle)
	http.HandleFunc("/y", h)
}
