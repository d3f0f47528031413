package mocks

import (
	"context"

	"github.com/stretchr/testify/mock"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Store stands for the real one in tests.
type Store struct{ mock.Mock }

func (m *Store) Add(ctx context.Context, db *mongo.Database, name string, value int) error {
	m.Called(name, value)
	s, err := Find(ctx, db, name)
	if err != nil {
		return err
	}
	s.Samples = append(s.Samples, Sample{value})
	return Save(ctx, db, s)
}
