// Package declared names its partition keys itself.
package declared

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

//shapevet:document collection=reviews db=cosmosdb partition=/bookId
type Review struct {
	ID     string `json:"id"`
	BookID string `json:"bookId,omitempty"` // want `the partition key bookId is left out if it is empty`
}

//shapevet:document collection=votes db=cosmosdb partition=/book/id
type Vote struct {
	ID   string `json:"id"`
	Book struct {
		ID *string `json:"id"` // want `the partition key book.id is a pointer`
	} `json:"book"`
}

//shapevet:document collection=orders db=cosmosdb partition=/customer
type Order struct {
	ID       string   `json:"id"`
	Customer customer `json:"customer"` // want `the partition key customer is stored as an object, which counts as no value`
}

type customer struct {
	ID string `json:"id"`
}

//shapevet:document collection=payments db=cosmosdb partition=/tenant
type Payment struct {
	ID     string `json:"id"`
	Tenant string `json:"tenant"` // want `the partition key tenant is a string in Payment and a number in Refund`
}

//shapevet:document collection=payments db=cosmosdb partition=/tenant
type Refund struct {
	ID     string `json:"id"`
	Tenant int    `json:"tenant"` // want `the partition key tenant is a number in Refund and a string in Payment`
}

//shapevet:document collection=tickets db=cosmosdb partition=/status
type Ticket struct {
	ID     string `json:"id"`
	Status string `json:"status"` // want `the partition key status divides Ticket into few partitions` `status is the partition key, but code changes it`
}

//shapevet:document collection=users db=cosmosdb partition=/id
type User struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func closeTicket(ctx context.Context, c *azcosmos.ContainerClient, t Ticket) {
	var patch azcosmos.PatchOperations
	patch.AppendSet("/status", "closed")
	c.PatchItem(ctx, azcosmos.NewPartitionKeyString(t.Status), t.ID, patch, nil)
}
