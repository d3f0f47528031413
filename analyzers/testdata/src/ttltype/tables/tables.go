// Package tables turns on expiry for one of its tables.
package tables

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

type Session struct {
	ID        string    `dynamodbav:"id"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"` // want `expiresAt is stored as an RFC 3339 string`
}

type Invite struct {
	ID        string    `dynamodbav:"id"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
}

func store(s Session, i Invite) {
	session, _ := attributevalue.MarshalMap(s)
	invite, _ := attributevalue.MarshalMap(i)
	_ = dynamodb.PutItemInput{TableName: aws.String("sessions"), Item: session}
	_ = dynamodb.PutItemInput{TableName: aws.String("invites"), Item: invite}
	_ = dynamodb.UpdateTimeToLiveInput{TableName: aws.String("sessions")}
}
