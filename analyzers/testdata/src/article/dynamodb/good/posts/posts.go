// Package posts keeps the latest comments in the post and each comment in a document of its own.
package posts

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Post struct {
	ID             string    `dynamodbav:"id"`
	Name           string    `dynamodbav:"name"`
	Summary        string    `dynamodbav:"summary"`
	RecentComments []Comment `dynamodbav:"recentComments"`
}

type Comment struct {
	ID     string `dynamodbav:"id"`
	PostID string `dynamodbav:"postId"`
	Author string `dynamodbav:"author"`
	Text   string `dynamodbav:"text"`
}

// Show makes a comment the latest of its post.
func (p *Post) Show(c Comment) {
	p.RecentComments = append([]Comment{c}, p.RecentComments...)
	if len(p.RecentComments) > 3 {
		p.RecentComments = p.RecentComments[:3]
	}
}

func SavePost(ctx context.Context, db *dynamodb.Client, p Post) error {
	item, err := attributevalue.MarshalMap(p)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("posts"), Item: item})
	return err
}

func SaveComment(ctx context.Context, db *dynamodb.Client, c Comment) error {
	item, err := attributevalue.MarshalMap(c)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("comments"), Item: item})
	return err
}
