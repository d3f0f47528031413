package together

import (
	"context"
	"encoding/json"
	"fmt"

	"cloud.google.com/go/firestore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/couchbase/gocb/v2"
)

type Pen struct {
	ID    string `json:"id"`
	Owner string `json:"owner"`
	Ink   string `json:"ink"`
}

type Pad struct {
	ID    string `json:"id"`
	Owner string `json:"owner"`
	Pages int    `json:"pages"`
	Ruled bool   `json:"ruled"`
}

func desk(ctx context.Context, client *azcosmos.Client, pen Pen, pad Pad) {
	desk, _ := client.NewContainer("office", "desk")
	item, _ := json.Marshal(pen)
	desk.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	other, _ := json.Marshal(pad)
	desk.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), other, nil)
	query := fmt.Sprintf("SELECT * FROM c WHERE c.owner = 'me' AND c.ink = '%s'", pen.Ink)
	desk.NewQueryItemsPager(query, azcosmos.NewPartitionKeyString("x"), nil)
	desk.NewQueryItemsPager("SELECT * FROM c WHERE c.id = @id", azcosmos.NewPartitionKeyString("x"), nil)
}

type Clip struct { // want `Clip shares the collection box with Stamp`
	ID    string `json:"id"`
	Owner string `json:"owner"`
	Wire  string `json:"wire"`
	Bends int    `json:"bends"`
}

type Stamp struct { // want `Stamp shares the collection box with Clip`
	ID    string `json:"id"`
	Owner string `json:"owner"`
	Motif string `json:"motif"`
	Price int    `json:"price"`
}

func box(ctx context.Context, client *azcosmos.Client, clip Clip, stamp Stamp) {
	box, _ := client.NewContainer("office", "box")
	item, _ := json.Marshal(clip)
	box.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	other, _ := json.Marshal(stamp)
	box.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), other, nil)
	box.NewQueryItemsPager("SELECT * FROM c WHERE c.motif = @m OR c.wire = @m", azcosmos.NewPartitionKeyString("x"), nil)
}

type Rose struct {
	Owner  string `firestore:"owner"`
	Petals int    `firestore:"petals"`
	Thorns int    `firestore:"thorns"`
}

type Fern struct {
	Owner  string `firestore:"owner"`
	Fronds int    `firestore:"fronds"`
	Height int    `firestore:"height"`
}

func bed(ctx context.Context, client *firestore.Client, rose Rose, fern Fern) {
	bed := client.Collection("bed")
	bed.Doc("a").Set(ctx, rose)
	bed.Doc("b").Set(ctx, fern)
	bed.Where("petals", ">", 5).Documents(ctx)
}

type Cat struct { // want `Cat shares the collection house with Dog`
	Name string `dynamodbav:"name"`
	Meow string `dynamodbav:"meow"`
	Fur  string `dynamodbav:"fur"`
}

type Dog struct { // want `Dog shares the collection house with Cat`
	Name string `dynamodbav:"name"`
	Bark string `dynamodbav:"bark"`
	Tail string `dynamodbav:"tail"`
}

type Cow struct {
	Name string `dynamodbav:"name"`
	Milk int    `dynamodbav:"milk"`
	Horn string `dynamodbav:"horn"`
}

type Hen struct {
	Name string `dynamodbav:"name"`
	Eggs int    `dynamodbav:"eggs"`
	Comb string `dynamodbav:"comb"`
}

func animals(ctx context.Context, client *dynamodb.Client, cat Cat, dog Dog, cow Cow, hen Hen) {
	a, _ := attributevalue.MarshalMap(cat)
	client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("house"), Item: a})
	b, _ := attributevalue.MarshalMap(dog)
	client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("house"), Item: b})
	c, _ := attributevalue.MarshalMap(cow)
	client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("barn"), Item: c})
	d, _ := attributevalue.MarshalMap(hen)
	client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("barn"), Item: d})
	client.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("house")})
	client.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("barn")})
}

type Song struct { // want `Song shares the collection records with Film`
	ID    string `json:"id"`
	Tune  string `json:"tune"`
	Words string `json:"words"`
}

type Film struct { // want `Film shares the collection records with Song`
	ID   string `json:"id"`
	Reel string `json:"reel"`
	Cast string `json:"cast"`
}

func records(cluster *gocb.Cluster, from string, s Song, f Film) {
	records := cluster.Bucket("records").DefaultCollection()
	records.Upsert(s.ID, s, nil)
	records.Upsert(f.ID, f, nil)
	cluster.Query("SELECT * FROM "+from, nil)
}
