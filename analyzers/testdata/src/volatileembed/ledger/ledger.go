package ledger

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
)

// Account lives in its owner alone: each balance follows from the one before.
type Account struct {
	ID        string    `firestore:"id"`
	Balance   float64   `firestore:"balance"`
	UpdatedAt time.Time `firestore:"updated_at"`
}

type Owner struct {
	Name      string    `firestore:"name"`
	UpdatedAt time.Time `firestore:"updated_at"`
	Accounts  []Account `firestore:"accounts"`
}

// Position takes its balance from elsewhere.
type Position struct {
	ID        string    `firestore:"id"`
	Balance   float64   `firestore:"balance"`
	UpdatedAt time.Time `firestore:"updated_at"`
}

type Portfolio struct {
	Name      string     `firestore:"name"`
	UpdatedAt time.Time  `firestore:"updated_at"`
	Positions []Position `firestore:"positions"` // want `positions keeps values that change often in Portfolio`
}

func transfer(ctx context.Context, doc *firestore.DocumentRef, o *Owner, from, to int, amount float64) {
	o.Accounts[from].Balance = o.Accounts[from].Balance - amount
	o.Accounts[to].Balance = o.Accounts[to].Balance + amount
	doc.Set(ctx, o)
}

func revalue(ctx context.Context, doc *firestore.DocumentRef, p *Portfolio, i int, balance float64) {
	p.Positions[i].Balance = balance
	doc.Set(ctx, p)
}
