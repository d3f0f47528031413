// Package publisher names the publisher of a book in the book.
package publisher

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Publisher struct {
	ID   string `dynamodbav:"id"`
	Name string `dynamodbav:"name"`
}

type Book struct {
	ID          string `dynamodbav:"id"`
	PublisherID string `dynamodbav:"publisherId"`
	Title       string `dynamodbav:"title"`
}

func SavePublisher(ctx context.Context, db *dynamodb.Client, p Publisher) error {
	item, err := attributevalue.MarshalMap(p)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("publishers"), Item: item})
	return err
}

func SaveBook(ctx context.Context, db *dynamodb.Client, b Book) error {
	item, err := attributevalue.MarshalMap(b)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("books"), Item: item})
	return err
}
