package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestSystemObjects checks documents whose id and type are in an object of the database, as
// Contentful exports them: fields and their types are those of the content type.
func TestSystemObjects(t *testing.T) {
	t.Parallel()
	link := func(to, id string) string {
		return fmt.Sprintf(`{"sys":{"type":"Link","linkType":%q,"id":%q}}`, to, id)
	}
	db := ruletest.Database{}
	for kind := range 24 {
		name := fmt.Sprintf("kind%c", 'A'+kind)
		db["contentTypes"] = append(db["contentTypes"], fmt.Sprintf(`{"sys":{"id":%q,"type":"ContentType"},"name":"Kind %d"}`, name, kind))
		db["editorInterfaces"] = append(db["editorInterfaces"], fmt.Sprintf(`{"sys":{"id":"default","contentType":%s},"controls":["a","b"]}`, link("ContentType", name)))
		for n := range 12 {
			tagline := fmt.Sprintf(`"Line %d of %d"`, n, kind)
			if kind%2 > 0 {
				tagline = `{"nodeType":"document","data":"x"}`
			}
			id, next := fmt.Sprintf("4Zn7mFL3uzPI6QPktP%02d%02d", kind, n), fmt.Sprintf("4Zn7mFL3uzPI6QPktP%02d%02d", (kind+1)%24, n)
			if kind == 7 && n == 2 {
				next = "5opwY6qn3OVnJ7rGCwOaS7"
			}
			db["entries"] = append(db["entries"], fmt.Sprintf(`{"sys":{"id":%q,"type":"Entry","contentType":%s},"fields":{"tagline":{"en-US":%s},"next":{"en-US":%s},"head%d":{"en-US":"A%d"},"foot%d":{"en-US":"B%d"}}}`,
				id, link("ContentType", name), tagline, link("Entry", next), kind, n, kind, n))
		}
	}
	for rule, want := range map[string]int{"dangling-reference": 1, "dynamic-keys": 0, "missing-id": 0, "mixed-types": 0} {
		assert.Len(t, ruletest.FindingsOf(t, rule, db, jsonlint.Options{}), want, rule)
	}
	found := ruletest.FindingsOf(t, "dangling-reference", db, jsonlint.Options{})
	require.NotEmpty(t, found)
	assert.Contains(t, found[0].Message, "5opwY6qn3OVnJ7rGCwOaS7")
}
