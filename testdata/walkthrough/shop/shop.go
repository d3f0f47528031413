// Package shop sells what members make, one of a kind, and keeps it in Azure
// Cosmos DB.
package shop

// Ware is a piece that is for sale.
type Ware struct {
	ID     string `json:"id"`
	Maker  string `json:"maker"`
	Title  string `json:"title"`
	Price  int    `json:"price"` // in cents
	Status string `json:"status"`
}

// Basket is a ware that a customer is about to buy.
type Basket struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Ware     Ware   `json:"ware"`
	Until    string `json:"until"`
}

// Exhibition is a room, for some weeks.
type Exhibition struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Room  string `json:"room"`
	From  string `json:"from"`
	Until string `json:"until"`
}

// WareExhibition says that a ware is in an exhibition.
type WareExhibition struct {
	ID           string `json:"id"`
	WareID       string `json:"wareId"`
	ExhibitionID string `json:"exhibitionId"`
}

// Invoice is what a customer has to pay.
type Invoice struct {
	ID       string `json:"id"`
	Customer string `json:"customer"`
	Issued   string `json:"issued"`
	Lines    []Line `json:"lines"`
	Total    int    `json:"total"` // in cents
}

// Line is a row of an invoice.
type Line struct {
	Text   string `json:"text"`
	Amount int    `json:"amount"` // in cents
}
