package dynamodb

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
)

type Post struct {
	ID   string   `dynamodbav:"id"`
	Tags []string `dynamodbav:"tags"` // want `tags is stored as null while it is nil, but list_append fails on null`
	Rest []string `dynamodbav:"rest"`
}

func create(id string) {
	attributevalue.MarshalMap(Post{ID: id})
}

func update(tag string) expression.UpdateBuilder {
	return expression.Set(expression.Name("tags"), expression.ListAppend(expression.Name("tags"), expression.Value([]string{tag})))
}
