package dynamodb

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
)

type Book struct {
	ID        string   `dynamodbav:"pk"`
	AuthorIDs []string `dynamodbav:"authorIds"` // want `authorIds refers to each author once, but addAuthor adds the id again`
}

func put(b Book) { attributevalue.MarshalMap(b) }

func addAuthor(author string) expression.UpdateBuilder {
	return expression.Set(expression.Name("authorIds"), expression.ListAppend(expression.Name("authorIds"), expression.Value([]string{author})))
}
