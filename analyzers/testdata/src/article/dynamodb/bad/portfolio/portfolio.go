// Package portfolio copies stocks into the holdings of persons.
package portfolio

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Person struct {
	ID        string    `dynamodbav:"id"`
	FirstName string    `dynamodbav:"firstName"`
	LastName  string    `dynamodbav:"lastName"`
	Holdings  []Holding `dynamodbav:"holdings"`
}

type Holding struct {
	NumberHeld int   `dynamodbav:"numberHeld"`
	Stock      Stock `dynamodbav:"stock"`
}

type Stock struct {
	ID     string  `dynamodbav:"id"`
	Symbol string  `dynamodbav:"symbol"`
	Open   float64 `dynamodbav:"open"`
	High   float64 `dynamodbav:"high"`
	Low    float64 `dynamodbav:"low"`
}

func SavePerson(ctx context.Context, db *dynamodb.Client, p Person) error {
	item, err := attributevalue.MarshalMap(p)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("persons"), Item: item})
	return err
}

func SaveStock(ctx context.Context, db *dynamodb.Client, s Stock) error {
	item, err := attributevalue.MarshalMap(s)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("stocks"), Item: item})
	return err
}
