// Package publisher lists every book of a publisher in the publisher.
package publisher

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Publisher struct {
	ID    string   `dynamodbav:"id"`
	Name  string   `dynamodbav:"name"`
	Books []string `dynamodbav:"books"`
}

type Book struct {
	ID    string `dynamodbav:"id"`
	Title string `dynamodbav:"title"`
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

func AddBook(added string) expression.UpdateBuilder {
	return expression.Set(expression.Name("books"), expression.ListAppend(expression.Name("books"), expression.Value([]string{added})))
}
