// Package posts keeps the latest comments in the post and each comment in a document of its own.
package posts

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID             string    `bson:"_id"`
	Name           string    `bson:"name"`
	Summary        string    `bson:"summary"`
	RecentComments []Comment `bson:"recentComments"`
}

type Comment struct {
	ID     string `bson:"_id"`
	PostID string `bson:"postId"`
	Author string `bson:"author"`
	Text   string `bson:"text"`
}

// Show makes a comment the latest of its post.
func (p *Post) Show(c Comment) {
	p.RecentComments = append([]Comment{c}, p.RecentComments...)
	if len(p.RecentComments) > 3 {
		p.RecentComments = p.RecentComments[:3]
	}
}

func SavePost(ctx context.Context, db *mongo.Database, p Post) error {
	_, err := db.Collection("posts").InsertOne(ctx, p)
	return err
}

func SaveComment(ctx context.Context, db *mongo.Database, c Comment) error {
	_, err := db.Collection("comments").InsertOne(ctx, c)
	return err
}
