// Package table puts encoded documents into a named table. No call inserts the
// struct itself.
package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Post struct {
	ID   string   `dynamodbav:"id"`
	Tags []string `dynamodbav:"tags"`
}

func (p *Post) fill() {
	if p.Tags == nil {
		p.Tags = []string{}
	}
}

func create(ctx context.Context, db *dynamodb.Client, id string) error {
	post := &Post{ID: id}
	post.fill()
	item, err := attributevalue.MarshalMap(post)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("posts"), Item: item})
	return err
}

func blank(id string) *Post { return &Post{ID: id} }

func update(tag string) expression.UpdateBuilder {
	return expression.Set(expression.Name("tags"), expression.ListAppend(expression.Name("tags"), expression.Value([]string{tag})))
}
