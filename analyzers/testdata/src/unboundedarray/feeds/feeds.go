package feeds

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Feed remembers each item of a page that it has passed on.
type Feed struct {
	ID     string   `bson:"_id"`
	Page   string   `bson:"page"`
	Sent   []Item   `bson:"sent"`   // want `sent grows without bound: every run of bot\.watch adds to the list in Feed`
	Passed []Item   `bson:"passed"` // want `passed grows without bound: every run of bot\.work adds to the list in Feed`
	Fresh  []string `bson:"fresh"`
}

type Item struct {
	ID string    `bson:"id"`
	At time.Time `bson:"at"`
}

// source hands out the collections of one database.
type source interface {
	Collection(name string) *mongo.Collection
}

type plain struct{ db *mongo.Database }

func (p plain) Collection(name string) *mongo.Collection { return p.db.Collection(name) }

// counted counts what another source hands out, which may be a counted one too.
type counted struct {
	inner source
	calls int
}

func (c *counted) Collection(name string) *mongo.Collection {
	c.calls++
	return c.inner.Collection(name)
}

type bot struct {
	source source
	read   func(page string) []Item
}

// watch groups the feeds by page before it looks for new items.
func (b bot) watch(ctx context.Context) {
	for {
		var all []Feed
		cursor, _ := b.source.Collection("feeds").Find(ctx, bson.M{})
		cursor.All(ctx, &all)
		grouped := make(map[string][]Feed)
		for _, feed := range all {
			grouped[feed.Page] = append(grouped[feed.Page], feed)
		}
		for page, feeds := range grouped {
			for _, feed := range feeds {
				for _, item := range b.read(page) {
					known := false
					for _, sent := range feed.Sent {
						if sent.ID == item.ID {
							known = true
						}
					}
					if !known {
						feed.Sent = append(feed.Sent, item)
					}
				}
				b.source.Collection("feeds").ReplaceOne(ctx, bson.M{"_id": feed.ID}, feed)
			}
		}
		time.Sleep(time.Minute)
	}
}

// share passes the feeds to a worker.
func (b bot) share(ctx context.Context) {
	var all []Feed
	cursor, _ := b.source.Collection("feeds").Find(ctx, bson.M{})
	cursor.All(ctx, &all)
	jobs := make(chan []Feed)
	go b.work(ctx, jobs)
	jobs <- all
}

func (b bot) work(ctx context.Context, jobs <-chan []Feed) {
	for feeds := range jobs {
		for _, feed := range feeds {
			for _, item := range b.read(feed.Page) {
				known := false
				for _, passed := range feed.Passed {
					if passed.ID == item.ID {
						known = true
					}
				}
				if !known {
					feed.Passed = append(feed.Passed, item)
				}
			}
			b.source.Collection("feeds").ReplaceOne(ctx, bson.M{"_id": feed.ID}, feed)
		}
	}
}

// renew stores new feeds, whose lists start anew.
func (b bot) renew(ctx context.Context, pages []string) {
	fresh := make(map[string]Feed)
	for _, page := range pages {
		fresh[page] = Feed{ID: page, Page: page}
	}
	for _, feed := range fresh {
		feed.Fresh = append(feed.Fresh, "first")
		b.source.Collection("feeds").ReplaceOne(ctx, bson.M{"_id": feed.ID}, feed)
	}
}
