package twostores

import "github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

func put(t Task) { attributevalue.MarshalMap(t) }
