package missingdiscriminator

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// TestBesides tells two types of one name apart by their packages.
func TestBesides(t *testing.T) {
	t.Parallel()
	note := &docmodel.Document{Name: "Note", PkgPath: "example.com/app/notes"}
	assert.Equal(t, "old.Note", besides(note, &docmodel.Document{Name: "Note", PkgPath: "example.com/app/old"}))
	assert.Equal(t, "Task", besides(note, &docmodel.Document{Name: "Task", PkgPath: "example.com/app/old"}))
}
