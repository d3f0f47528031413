// Package table stores items in DynamoDB well; tests break it.
package table

import (
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
)

type Account struct {
	ID          string   `dynamodbav:"pk"`
	Name        string   `dynamodbav:"name"`
	Items       []Entry  `dynamodbav:"items"`
	Followers   []string `dynamodbav:"followers,omitempty"`
	FollowCount int      `dynamodbav:"followerCount"`
	//shapevet:bounded max=20
	Badges     []string `dynamodbav:"badges,omitempty"`
	BadgeCount int      `dynamodbav:"badgeCount"`
}

type Entry struct {
	ID   string `dynamodbav:"id"`
	Text string `dynamodbav:"text"`
	At   int64  `dynamodbav:"createdAt"`
}

type Input struct {
	Update string
	Names  map[string]string
}

func Save(a Account) (map[string]attributevalue.AttributeValue, error) {
	return attributevalue.MarshalMap(a)
}

// Show stores the few items that are left, which the caller has cut.
func Show(items []Entry) Input {
	return Input{Update: "SET #items = :items", Names: map[string]string{"#items": "items"}}
}

func Award(badge string) Input {
	return Input{Update: "SET #badges = list_append(#badges, :badge) ADD badgeCount :one", Names: map[string]string{"#badges": "badges"}}
}
