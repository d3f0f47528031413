// Package posts keeps all comments of a post in the post.
package posts

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Post struct {
	ID       string    `dynamodbav:"id"`
	Name     string    `dynamodbav:"name"`
	Summary  string    `dynamodbav:"summary"`
	Comments []Comment `dynamodbav:"comments"`
}

type Comment struct {
	ID     string `dynamodbav:"id"`
	Author string `dynamodbav:"author"`
	Text   string `dynamodbav:"text"`
}

func SavePost(ctx context.Context, db *dynamodb.Client, p Post) error {
	item, err := attributevalue.MarshalMap(p)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("posts"), Item: item})
	return err
}

func AddComment(added Comment) expression.UpdateBuilder {
	return expression.Set(expression.Name("comments"), expression.ListAppend(expression.Name("comments"), expression.Value([]Comment{added})))
}
