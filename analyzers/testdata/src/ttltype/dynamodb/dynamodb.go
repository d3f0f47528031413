package dynamodb

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

type Item struct {
	ID  string    `dynamodbav:"id"`
	TTL time.Time `dynamodbav:"ttl"` // want `ttl is stored as an RFC 3339 string, by which DynamoDB never expires an item \(ttl-type\)`
}

type Session struct {
	ID        string    `dynamodbav:"id"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"` // want `expiresAt is stored as an RFC 3339 string`
	StartedAt time.Time `dynamodbav:"startedAt"`
}

type Text struct {
	ID  string `dynamodbav:"id"`
	TTL string `dynamodbav:"ttl"` // want `ttl is stored as a string`
}

type Millis struct {
	ID  string `dynamodbav:"id"`
	TTL int64  `dynamodbav:"ttl"` // want `ttl is set by UnixMilli\(\), but the database takes seconds since 1970: nothing expires`
}

type Good struct {
	ID  string    `dynamodbav:"id"`
	TTL time.Time `dynamodbav:"ttl,unixtime"`
}

type Seconds struct {
	ID  string `dynamodbav:"id"`
	TTL int64  `dynamodbav:"ttl"`
}

// Token says when it ends, beside the number by which it expires.
type Token struct {
	ID        string    `dynamodbav:"id"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
}

type TokenItem struct {
	TTL int64 `dynamodbav:"ttl"`
	Token
}

// A contract ends, but is not deleted.
type Contract struct {
	ID        string    `dynamodbav:"id"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
}

func store(i Item, s Session, t Text, g Good, c Contract) {
	attributevalue.MarshalMap(i)
	attributevalue.MarshalMap(s)
	attributevalue.MarshalMap(t)
	attributevalue.MarshalMap(g)
	attributevalue.MarshalMap(c)
	attributevalue.MarshalMap(Millis{ID: "a", TTL: time.Now().Add(time.Hour).UnixMilli()})
	attributevalue.MarshalMap(TokenItem{TTL: time.Now().Unix(), Token: Token{ID: "a", ExpiresAt: time.Now()}})
	attributevalue.MarshalMap(Seconds{ID: "a", TTL: time.Now().Add(time.Hour).Unix()})
}
