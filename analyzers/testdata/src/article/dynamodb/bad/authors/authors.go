// Package authors ties authors and books together in documents of their own.
package authors

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Author struct {
	ID   string `dynamodbav:"id"`
	Name string `dynamodbav:"name"`
}

type Book struct {
	ID    string `dynamodbav:"id"`
	Title string `dynamodbav:"title"`
}

type AuthorBook struct {
	ID       string `dynamodbav:"id"`
	AuthorID string `dynamodbav:"authorId"`
	BookID   string `dynamodbav:"bookId"`
}

func SaveAuthor(ctx context.Context, db *dynamodb.Client, a Author) error {
	item, err := attributevalue.MarshalMap(a)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("authors"), Item: item})
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

func SaveAuthorBook(ctx context.Context, db *dynamodb.Client, a AuthorBook) error {
	item, err := attributevalue.MarshalMap(a)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("authorBooks"), Item: item})
	return err
}
