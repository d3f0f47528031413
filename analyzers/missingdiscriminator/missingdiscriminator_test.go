package missingdiscriminator

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// TestQualified tells two types of one name apart by their packages.
func TestQualified(t *testing.T) {
	t.Parallel()
	note := &docmodel.Document{Name: "Note", PkgPath: "example.com/app/notes"}
	assert.Equal(t, "old.Note", qualified(note, &docmodel.Document{Name: "Note", PkgPath: "example.com/app/old"}))
	assert.Equal(t, "Task", qualified(note, &docmodel.Document{Name: "Task", PkgPath: "example.com/app/old"}))
}
