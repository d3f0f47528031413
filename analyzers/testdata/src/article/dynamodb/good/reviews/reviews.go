// Package reviews stores books and their reviews side by side, each with its type.
package reviews

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Book struct {
	ID    string `dynamodbav:"id"`
	Type  string `dynamodbav:"type"`
	Title string `dynamodbav:"title"`
	Pages int    `dynamodbav:"pages"`
}

type Review struct {
	ID      string `dynamodbav:"id"`
	Type    string `dynamodbav:"type"`
	BookID  string `dynamodbav:"bookId"`
	Content string `dynamodbav:"content"`
	Stars   int    `dynamodbav:"stars"`
}

func SaveBook(ctx context.Context, db *dynamodb.Client, id, title string, pages int) error {
	b := Book{ID: id, Type: "book", Title: title, Pages: pages}
	item, err := attributevalue.MarshalMap(b)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("library"), Item: item})
	return err
}

func SaveReview(ctx context.Context, db *dynamodb.Client, id, book, content string, stars int) error {
	r := Review{ID: id, Type: "review", BookID: book, Content: content, Stars: stars}
	item, err := attributevalue.MarshalMap(r)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("library"), Item: item})
	return err
}

func Library(ctx context.Context, db *dynamodb.Client) (*dynamodb.ScanOutput, error) {
	return db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("library")})
}
