package dynamodb

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
)

type Alert struct {
	ID         string     `dynamodbav:"pk"`
	Deliveries []Delivery `dynamodbav:"deliveries"` // want `deliveries grows without bound`
}

type Delivery struct {
	Success bool
	Message string
}

func put(a Alert) (map[string]attributevalue.AttributeValue, error) {
	return attributevalue.MarshalMap(a)
}

func delivered(d Delivery) expression.UpdateBuilder {
	return expression.Set(expression.Name("deliveries"), expression.ListAppend(expression.Name("deliveries"), expression.Value([]Delivery{d})))
}
