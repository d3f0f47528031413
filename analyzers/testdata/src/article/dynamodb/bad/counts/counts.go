// Package counts counts the books of an author and forgets to.
package counts

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Author struct {
	ID   string `dynamodbav:"id"`
	Name string `dynamodbav:"name"`
	//shapevet:bounded max=50
	Books        []string `dynamodbav:"books"`
	CountOfBooks int      `dynamodbav:"countOfBooks"`
}

func SaveAuthor(ctx context.Context, db *dynamodb.Client, a Author) error {
	item, err := attributevalue.MarshalMap(a)
	if err != nil {
		return err
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("authors"), Item: item})
	return err
}

func AddBook(added string) expression.UpdateBuilder {
	return expression.Set(expression.Name("books"), expression.ListAppend(expression.Name("books"), expression.Value([]string{added})))
}
