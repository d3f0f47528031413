// Package authors lists books in their authors and authors in their books.
package authors

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Author struct {
	ID      string   `dynamodbav:"id"`
	Name    string   `dynamodbav:"name"`
	BookIDs []string `dynamodbav:"bookIds"`
}

type Book struct {
	ID        string   `dynamodbav:"id"`
	Title     string   `dynamodbav:"title"`
	AuthorIDs []string `dynamodbav:"authorIds"`
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
