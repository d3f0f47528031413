// Package pages reads documents page by page.
package pages

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Garden struct {
	ID        string     `json:"id"`
	Waterings []Watering `json:"waterings"` // want `waterings grows without bound`
}

type Watering struct {
	Litres float64   `json:"litres"`
	At     time.Time `json:"at"`
}

// Plan is sent by who made it, and stored as it is.
type Plan struct {
	ID    string     `json:"id"`
	Beds  []Watering `json:"beds"`
	Owner string     `json:"owner"`
}

func put(ctx context.Context, c *azcosmos.ContainerClient, document any) {
	item, err := json.Marshal(document)
	if err == nil {
		c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	}
}

func water(ctx context.Context, c *azcosmos.ContainerClient) {
	pager := c.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString("x"), nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return
		}
		for _, item := range page.Items {
			var garden Garden
			if json.Unmarshal(item, &garden) != nil {
				return
			}
			garden.Waterings = append(garden.Waterings, Watering{Litres: 1, At: time.Now()})
			put(ctx, c, garden)
		}
	}
}

func plan(c *azcosmos.ContainerClient) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p Plan
		raw := []byte(r.FormValue("plan"))
		if json.Unmarshal(raw, &p) == nil {
			p.Beds = append(p.Beds, Watering{At: time.Now()})
			put(r.Context(), c, p)
		}
	}
}
