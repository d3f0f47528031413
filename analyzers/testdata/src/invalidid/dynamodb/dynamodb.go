package dynamodb

import "github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

type key struct {
	Tenant string `dynamodbav:"tenant"`
	Order  string `dynamodbav:"order"`
}

type Order struct {
	Key   key    `dynamodbav:"pk"` // want `the key pk is stored as object, but DynamoDB accepts only strings, numbers and bytes as keys`
	Sort  string `dynamodbav:"sk"`
	Buyer string `dynamodbav:"buyer"`
}

type Invoice struct {
	Key  string `dynamodbav:"pk"`
	Sort int    `dynamodbav:"sk"`
}

func put(o Order, i Invoice) {
	attributevalue.MarshalMap(o)
	attributevalue.MarshalMap(i)
}
