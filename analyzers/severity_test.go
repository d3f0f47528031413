package analyzers

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSeverities: a finding for which only a name speaks that may mean something
// else is no error, a list that less probably grows is no warning, and neither is a
// reference that code converts, nor the same mistake in the next type, nor one that only a
// name shows. One that no query joins is no error.
func TestSeverities(t *testing.T) {
	t.Parallel()
	s := testdataStage(t)
	severities, confidences := map[string]string{}, map[string]float64{}
	for _, f := range s.load(t, "ttltype/dynamodb", "referencetypemismatch/converted", "referencetypemismatch/mongo", "referencetypemismatch/repeated", "unboundedarray/growth").check(false) {
		severities[f.Subject.Symbol], confidences[f.Subject.Symbol] = f.Severity.String(), f.Confidence
	}
	assert.Equal(t, "error", severities["ttltype/dynamodb.Item.TTL"])
	assert.Equal(t, "warning", severities["ttltype/dynamodb.Session.ExpiresAt"])
	assert.Equal(t, "info", severities["referencetypemismatch/converted.Game.TeamID"])
	assert.Equal(t, "info", severities["referencetypemismatch/converted.Coach.TeamID"])
	assert.Equal(t, "info", severities["referencetypemismatch/repeated.Answer.AuthorID"])
	assert.InDelta(t, 0.7, confidences["referencetypemismatch/repeated.Answer.AuthorID"], 0.01)
	assert.Equal(t, "warning", severities["referencetypemismatch/repeated.Letter.AuthorID"])
	assert.InDelta(t, 0.9, confidences["referencetypemismatch/repeated.Letter.AuthorID"], 0.01)
	assert.Equal(t, "info", severities["referencetypemismatch/repeated.Review.AuthorID"])
	assert.Equal(t, "info", severities["referencetypemismatch/repeated.Comment.AuthorID"])
	assert.Equal(t, "info", severities["referencetypemismatch/repeated.Like.AuthorID"])
	assert.Equal(t, "error", severities["referencetypemismatch/mongo.Post.TagIDs"])
	assert.Equal(t, "info", severities["unboundedarray/growth.Run.Report.History"])
	assert.Equal(t, "warning", severities["unboundedarray/growth.Ticket.Comments"])
}
