// Package azcosmos stands in for the client library of the same path.
package azcosmos

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

type Client struct{}

func (*Client) NewContainer(database, container string) (*ContainerClient, error) { return nil, nil }

type (
	ContainerClient struct{}
	PartitionKey    struct{}
	ItemResponse    struct{ Value []byte }
	PatchOperations struct{}
)

func NewPartitionKeyString(value string) PartitionKey { return PartitionKey{} }

func (*ContainerClient) CreateItem(ctx context.Context, pk PartitionKey, item []byte, o *struct{}) (ItemResponse, error) {
	return ItemResponse{}, nil
}
func (*ContainerClient) UpsertItem(ctx context.Context, pk PartitionKey, item []byte, o *struct{}) (ItemResponse, error) {
	return ItemResponse{}, nil
}
func (*ContainerClient) ReplaceItem(ctx context.Context, pk PartitionKey, id string, item []byte, o *struct{}) (ItemResponse, error) {
	return ItemResponse{}, nil
}
func (*ContainerClient) PatchItem(ctx context.Context, pk PartitionKey, id string, ops PatchOperations, o *struct{}) (ItemResponse, error) {
	return ItemResponse{}, nil
}
func (*PatchOperations) AppendAdd(path string, value any)         {}
func (*PatchOperations) AppendSet(path string, value any)         {}
func (*PatchOperations) AppendIncrement(path string, value int64) {}

type (
	DatabaseClient         struct{}
	PartitionKeyDefinition struct{ Paths []string }
	ContainerProperties    struct {
		ID                     string
		PartitionKeyDefinition PartitionKeyDefinition
	}
)

func (*DatabaseClient) CreateContainer(ctx context.Context, properties ContainerProperties, o *struct{}) (struct{}, error) {
	return struct{}{}, nil
}
func (*PatchOperations) AppendRemove(path string) {}

type QueryItemsResponse struct{ Items [][]byte }

func (*ContainerClient) NewQueryItemsPager(query string, pk PartitionKey, o *struct{}) *runtime.Pager[QueryItemsResponse] {
	return nil
}
