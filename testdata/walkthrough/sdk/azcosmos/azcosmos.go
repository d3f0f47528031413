// Package azcosmos stands in for the client library of the same path.
package azcosmos

import "context"

type Client struct{}

func (*Client) NewContainer(database, container string) (*ContainerClient, error) { return nil, nil }

type (
	ContainerClient struct{}
	PartitionKey    struct{}
	ItemOptions     struct{}
	ItemResponse    struct{ Value []byte }
)

func NewPartitionKeyString(value string) PartitionKey { return PartitionKey{} }

func (*ContainerClient) CreateItem(ctx context.Context, pk PartitionKey, item []byte, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, nil
}

func (*ContainerClient) UpsertItem(ctx context.Context, pk PartitionKey, item []byte, o *ItemOptions) (ItemResponse, error) {
	return ItemResponse{}, nil
}
