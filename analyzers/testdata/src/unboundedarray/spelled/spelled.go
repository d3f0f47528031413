// Package spelled adds elements to lists that the code spells out, and ids that
// are numbers.
package spelled

import (
	"context"
	"net/http"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Account struct {
	ID            bson.ObjectID `bson:"_id"`
	BadgeHistory  []string      `bson:"badge_history"` // each badge once
	PlanHistory   []string      `bson:"plan_history"`
	RoleHistory   []string      `bson:"role_history"`
	TierHistory   []string      `bson:"tier_history"`
	StateHistory  []string      `bson:"state_history"`  // want `state_history grows without bound`
	SearchHistory []string      `bson:"search_history"` // want `search_history grows without bound`
	LevelHistory  []string      `bson:"level_history"`  // want `level_history grows without bound`
	PageHistory   []string      `bson:"page_history"`   // want `page_history grows without bound`
	TagHistory    []string      `bson:"tag_history"`    // want `tag_history grows without bound`
	OrderHistory  []string      `bson:"order_history"`  // want `order_history grows without bound`
	KindHistory   []string      `bson:"kind_history"`   // want `kind_history grows without bound`
	Watching      []int64       `bson:"watching"`       // want `watching grows without bound`
	Scores        []int64       `bson:"scores"`
}

type accounts struct{ c *mongo.Collection }

func (a accounts) create(ctx context.Context, account Account) { a.c.InsertOne(ctx, account) }

func (a accounts) once(ctx context.Context, id bson.ObjectID, update bson.M) {
	a.c.UpdateOne(ctx, bson.M{"_id": id}, update)
}

func (a accounts) Award(ctx context.Context, id bson.ObjectID, first bool) {
	a.once(ctx, id, bson.M{"$addToSet": bson.M{"badge_history": "novice"}})
	if first {
		a.once(ctx, id, bson.M{"$addToSet": bson.M{"badge_history": "first win"}})
	}
	a.once(ctx, id, bson.M{"$push": bson.M{"state_history": "rewarded"}}) // whatever it has
}

func (a accounts) Choose(w http.ResponseWriter, r *http.Request) {
	id, _ := bson.ObjectIDFromHex(r.PathValue("id"))
	plan, role, tier := r.FormValue("plan"), r.FormValue("role"), r.FormValue("tier")
	plans := map[string]bool{"monthly": true, "yearly": true}
	if !plans[plan] {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"plan_history": plan}})
	roles := map[string]int{"reader": 1, "writer": 2}
	if _, ok := roles[role]; !ok {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"role_history": role}})
	known := []string{"free", "paid"}
	if !slices.Contains(known, tier) {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"tier_history": tier}})
}

func (a accounts) Search(w http.ResponseWriter, r *http.Request, allowed map[string]bool) {
	id, _ := bson.ObjectIDFromHex(r.PathValue("id"))
	text, level, page := r.FormValue("text"), r.FormValue("level"), r.FormValue("page")
	if !allowed[text] { // how many these are is not known here
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"search_history": text}})
	levels := map[string]bool{"low": true, r.FormValue("more"): true}
	if !levels[level] {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"level_history": level}})
	pages := map[string]bool{"home": true}
	if !pages[page] {
		w.WriteHeader(http.StatusAccepted)
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"page_history": page}})
}

func (a accounts) Order(w http.ResponseWriter, r *http.Request) {
	id, _ := bson.ObjectIDFromHex(r.PathValue("id"))
	order, kind, other, tag := r.FormValue("order"), r.FormValue("kind"), r.FormValue("other"), r.FormValue("tag")
	tags := map[string]bool{}
	for _, text := range r.Form["allowed"] {
		tags[text] = true
	}
	if !tags[tag] {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"tag_history": tag}})
	known := map[string]bool{"small": true}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"order_history": order}})
	if !known[order] { // too late
		return
	}
	if !known[other] {
		return
	}
	a.once(r.Context(), id, bson.M{"$addToSet": bson.M{"kind_history": kind}})
}

func (a accounts) Watch(ctx context.Context, id bson.ObjectID, accountID, points int64) {
	a.once(ctx, id, bson.M{"$push": bson.M{"watching": accountID, "scores": points}})
}
