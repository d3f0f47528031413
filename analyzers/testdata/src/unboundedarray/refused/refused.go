// Package refused adds to lists under conditions that refuse more elements.
package refused

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo"
)

// Parcel is closed when its weight reaches a bound.
type Parcel struct {
	ID        string   `dynamo:"id"`
	RecordIDs []string `dynamo:"recordIds,set"`
	Weight    int      `dynamo:"weight"`
}

// Shelf is only touched while it is open.
type Shelf struct {
	ID       string   `dynamo:"id"`
	EventIDs []string `dynamo:"eventIds,set"` // want `eventIds grows without bound`
	Weight   int      `dynamo:"weight"`
	Height   int      `dynamo:"height"`
}

// Crate counts on its own list.
type Crate struct {
	ID         string   `dynamo:"id"`
	MessageIDs []string `dynamo:"messageIds,set"`
}

func pack(db *dynamo.DB, parcel Parcel, shelf Shelf, crate Crate, order string, weight int) {
	parcels := db.Table("parcels")
	parcels.Put(parcel).Run()
	parcels.Update("id", parcel.ID).AddStringsToSet("recordIds", order).Add("weight", weight).If("weight < ? AND 'open' = ?", 30, true).Run()
	shelves := db.Table("shelves")
	shelves.Put(shelf).Run()
	shelves.Update("id", shelf.ID).AddStringsToSet("eventIds", order).Add("height", weight).If("weight < ?", 30).Run()
	crates := db.Table("crates")
	crates.Put(crate).Run()
	crates.Update("id", crate.ID).If("size(messageIds) < ?", 30).AddStringsToSet("messageIds", order).Run()
}

type Basket struct {
	ID     string  `dynamodbav:"pk"`
	Events []Event `dynamodbav:"events"`
}

type Drawer struct {
	ID    string `dynamodbav:"pk"`
	Posts []Post `dynamodbav:"posts"`
	Count int    `dynamodbav:"count"`
}

type Attic struct {
	ID       string    `dynamodbav:"pk"`
	Comments []Comment `dynamodbav:"comments"` // want `comments grows without bound`
}

type Event struct {
	ID string `dynamodbav:"id"`
}

type Post struct {
	ID string `dynamodbav:"id"`
}

type Comment struct {
	ID string `dynamodbav:"id"`
}

func put(basket Basket, drawer Drawer, attic Attic) {
	attributevalue.MarshalMap(basket)
	attributevalue.MarshalMap(drawer)
	attributevalue.MarshalMap(attic)
}

func fill(ctx context.Context, client *dynamodb.Client) {
	client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		UpdateExpression:         aws.String("SET #e = list_append(#e, :e)"),
		ConditionExpression:      aws.String("size(#e) < :most"),
		ExpressionAttributeNames: map[string]string{"#e": "events"},
	})
	client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		UpdateExpression:    aws.String("SET posts = list_append(posts, :p) ADD count :one"),
		ConditionExpression: aws.String("count < :most"),
	})
	client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		UpdateExpression:    aws.String("SET comments = list_append(comments, :c)"),
		ConditionExpression: aws.String("attribute_exists(pk) AND opened < :now"),
	})
}
