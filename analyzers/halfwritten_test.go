package analyzers

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/dynamickeys"
)

// Code that is being written may lack an argument.
func TestKeyWithoutALayout(t *testing.T) {
	t.Parallel()
	s := testdataStage(t)
	s.overlay[filepath.Join(s.dir, "src", "halfwritten", "halfwritten.go")] = []byte(`package halfwritten

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Usage struct {
	ID     string         ` + "`bson:\"_id\"`" + `
	Visits map[string]int ` + "`bson:\"visits\"`" + `
}

func visit(ctx context.Context, c *mongo.Collection, u *Usage, at time.Time) {
	day := at.Format()
	u.Visits[day]++
	c.InsertOne(ctx, u)
}
`)
	scene := s.load(t, "halfwritten")
	require.NotEmpty(t, scene.errors["halfwritten"])
	assert.NotPanics(t, func() { scene.check(false, dynamickeys.Rule) })
}
