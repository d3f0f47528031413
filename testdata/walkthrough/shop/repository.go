package shop

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Repository keeps the types of this package in containers.
type Repository struct {
	wares, baskets, exhibitions, showings, invoices *azcosmos.ContainerClient
}

// NewRepository opens the containers.
func NewRepository(client *azcosmos.Client) (*Repository, error) {
	wares, err := client.NewContainer("kiln", "wares")
	if err != nil {
		return nil, err
	}
	baskets, err := client.NewContainer("kiln", "baskets")
	if err != nil {
		return nil, err
	}
	exhibitions, err := client.NewContainer("kiln", "exhibitions")
	if err != nil {
		return nil, err
	}
	showings, err := client.NewContainer("kiln", "showings")
	if err != nil {
		return nil, err
	}
	invoices, err := client.NewContainer("kiln", "invoices")
	if err != nil {
		return nil, err
	}
	return &Repository{wares, baskets, exhibitions, showings, invoices}, nil
}

// Offer adds a ware or changes it.
func (r *Repository) Offer(ctx context.Context, w Ware) error {
	item, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = r.wares.UpsertItem(ctx, azcosmos.NewPartitionKeyString(w.Maker), item, nil)
	return err
}

// Keep stores a basket.
func (r *Repository) Keep(ctx context.Context, b Basket) error {
	item, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = r.baskets.CreateItem(ctx, azcosmos.NewPartitionKeyString(b.Customer), item, nil)
	return err
}

// Open stores an exhibition.
func (r *Repository) Open(ctx context.Context, e Exhibition) error {
	item, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = r.exhibitions.UpsertItem(ctx, azcosmos.NewPartitionKeyString(e.ID), item, nil)
	return err
}

// Show puts a ware into an exhibition.
func (r *Repository) Show(ctx context.Context, s WareExhibition) error {
	item, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = r.showings.UpsertItem(ctx, azcosmos.NewPartitionKeyString(s.ExhibitionID), item, nil)
	return err
}

// Issue stores an invoice.
func (r *Repository) Issue(ctx context.Context, i Invoice) error {
	for _, line := range i.Lines {
		i.Total += line.Amount
	}
	item, err := json.Marshal(i)
	if err != nil {
		return err
	}
	_, err = r.invoices.CreateItem(ctx, azcosmos.NewPartitionKeyString(i.Customer), item, nil)
	return err
}
