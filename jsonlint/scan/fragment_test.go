package scan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPartsAreNoDocuments checks that objects in a broken document do not count
// as documents, but those after it do.
func TestPartsAreNoDocuments(t *testing.T) {
	t.Parallel()
	broken := "{\n  \"id\": 1,\n  \"note\": \"x\"\n}\n  \"more\": [\n    1\n  ],\n  \"events\": [\n    {\n      \"time\": 1\n    }\n  ]\n}\n  \"last\": {\n    \"by\": 2\n  }\n  {\n    \"at\": 3\n  }\n"
	whole := func(text string) string {
		docs, _ := Recover([]byte(text))
		return renderAll(docs)
	}
	assert.Equal(t, `~{id:1 note:"x"}`, whole(broken))
	assert.Equal(t, `~{id:1 note:"x"} {id:2}`, whole(broken+"{\n  \"id\": 2\n}\n"))
	assert.Equal(t, `{id:1} {id:2}`, whole("{\"id\": 1}\n  {\"id\": 2}\n"), "nothing fell apart")
}
