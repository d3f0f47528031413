package dynamodb

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

type Ticket struct {
	PK         string `dynamodbav:"pk"`
	Subject    string `dynamodbav:"subject"`
	State      string `dynamodbav:"state"`
	Screenshot []byte `dynamodbav:"screenshot"` // want `screenshot keeps a file inside every Ticket, as bytes, of which Amazon DynamoDB allows 400 KB a document`
}

// pair is converted to a Note: neither may gain a field.
type pair struct {
	PK, Subject, State string
	Recording          []byte
}

type Note struct {
	PK, Subject, State string
	Recording          []byte // want `Recording keeps a file`
}

func put(t Ticket, n pair) {
	attributevalue.MarshalMap(t)
	attributevalue.MarshalMap(Note(n))
}
