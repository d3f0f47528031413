// Package described has maps whose keys nobody names by a type: comments, code
// that escapes dots, paths in variables and the values say what they are.
package described

import (
	"context"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Part struct {
	Size int `bson:"size"`
}

type Parts map[string]*Part

type Build struct {
	ID string `bson:"_id"`
	// Infos is a map of sharing ids to what is known of them.
	Infos map[string]Part `bson:"infos"` // want `infos uses sharing ids as field names`
	// Sent maps user IDs to what they sent.
	Sent map[string]Part `bson:"sent"` // want `sent uses user ids as field names`
	// Maps the variant to a list of tasks.
	Chosen map[string][]string `bson:"chosen"` // want `chosen uses data as field names`
	Images map[string]bool     `bson:"images"` // want `images uses data as field names`
	Hosts  map[string]int      `bson:"hosts"`  // want `hosts uses data as field names`
	Votes  map[string]int      `bson:"votes"`  // want `votes uses .*as field names`
	Parts  *Parts              `bson:"parts"`  // want `parts uses part ids as field names`
	Codes  map[string]string   `bson:"codes"`  // want `codes uses mail as field names`
	Shares map[string]string   `bson:"shares"` // want `shares uses emails as field names`
	Flags  map[string]bool     `bson:"flags"`
	Titles map[string]string   `bson:"titles"`
	Places map[string]Part     `bson:"places"` // want `places uses names as field names`
	Copied map[string]Part     `bson:"copied"`
	Kinds  map[string]Part     `bson:"kinds"`
	// RuleByRequester maps the requester type to a rule.
	RuleByRequester map[string]string `bson:"rule_by_requester"`
	Status          map[string]bool   `bson:"status"`
	Words           map[string]string `bson:"words"`
	Vendors         map[string]Part   `bson:"vendors"`
	Answers         map[string]Part   `bson:"answers"` // want `answers uses names as field names`
	Orders          map[string]Part   `bson:"orders"`  // want `orders uses names as field names`
	Links           Links             `bson:"links"`
	Releases        map[string]Part   `bson:"releases"` // want `releases uses data as field names`
	// playerId => what the player guessed
	Guesses map[string][]string `bson:"guesses"` // want `guesses uses player ids as field names`
	// lang -> text
	Texts map[string]Part `bson:"texts"`
}

// publish sets the entry of one release and that of the latest, which has a fixed name.
func publish(ctx context.Context, c *mongo.Collection, b *Build, tag string, part Part) {
	b.Releases["latest"], b.Releases[tag] = part, part
	c.UpdateOne(ctx, bson.M{"_id": b.ID}, bson.M{"$set": bson.M{"releases.latest": part, fmt.Sprintf("releases.%s", tag): part}})
}

type Links map[string]Part

func store(ctx context.Context, c *mongo.Collection, b Build) {
	c.InsertOne(ctx, b)
}

func change(ctx context.Context, c *mongo.Collection, b *Build, image, host, variant, word, partID string, on bool) {
	b.Images[image] = true
	b.Hosts[strings.ReplaceAll(host, ".", "_")] = 1
	b.Chosen[variant] = append(b.Chosen[variant], word)
	(*b.Parts)[partID] = &Part{}
	b.Status["ready"] = on
	b.Words[word] = word
	path := fmt.Sprintf("votes.%s", word)
	c.UpdateOne(ctx, bson.M{"_id": b.ID}, bson.M{"$inc": bson.M{path: 1}})
	path = path + ".more"
	c.UpdateOne(ctx, bson.M{"_id": b.ID}, bson.M{"$inc": bson.M{path: 1}})
}

type member struct{ Email, Instance string }

// find goes through the keys, and says by the name of the variable what they
// are; what share looks up was put into a variable before. A loop that goes
// through a closed set tells nothing.
func find(b *Build, wanted string) string {
	for mail, code := range b.Codes {
		if code == wanted {
			return mail
		}
	}
	for name, title := range b.Titles {
		fmt.Println(name, title)
	}
	return b.Titles["short"]
}

func share(b *Build, m member) string {
	key := m.Email
	if key == "" {
		key = m.Instance
	}
	return b.Shares[key]
}

func set(b *Build, name, locale string) {
	b.Places[name] = Part{}
	b.Kinds[locale] = Part{}
	b.RuleByRequester[name] = name
}

func clone(b *Build) *Build {
	c := &Build{Copied: map[string]Part{}}
	for name, part := range b.Copied {
		c.Copied[name] = part
	}
	return c
}

// closed sets each entry under the key that it has; others are constants.
func closed(links Links) *Build {
	for name, link := range links {
		link.Size = 0
		links[name] = link
	}
	links["forward"] = Part{}
	return &Build{Links: links}
}

const (
	acme  = "acme"
	other = "other"
)

type order struct{ Vendor, Name string }

// What comes to a map by way of fields, parameters and results is known if code
// spells all of it out.
func receive(b *Build, name string, first bool) {
	vendor := acme
	if !first {
		vendor = fallback()
	}
	take(b, order{Vendor: vendor, Name: acme})
	take(b, order{Vendor: acme, Name: name})
}

type SurveyRequest struct{ With map[string]string }

func answer(b *Build, r SurveyRequest) {
	for k := range r.With {
		b.Answers[k] = Part{}
	}
}

func fallback() string { return other }

func take(b *Build, o order) {
	b.Vendors[o.Vendor] = Part{}
	b.Orders[o.Name] = Part{}
}

// Release writes the names that its needs have into an index.
type Release struct {
	Needs map[string]any `bson:"needs"` // want `needs uses free names as field names`
	Notes map[string]any `bson:"notes"`
}

func (r Release) MarshalBSON() ([]byte, error) {
	names := make([]string, 0, len(r.Needs))
	for name := range r.Needs {
		names = append(names, name)
	}
	return bson.Marshal(bson.M{"needs": r.Needs, "needs_idx": names})
}

func release(ctx context.Context, c *mongo.Collection, r Release) {
	c.InsertOne(ctx, r)
}
