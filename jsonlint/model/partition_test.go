package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

const (
	book   = `{"id":"b%[1]d","title":"t%[1]d","pages":%[1]d,"isbn":"i%[1]d"}`
	review = `{"id":"r%[1]d","stars":%[1]d,"content":"c%[1]d","reviewer":"r%[1]d"}`
	author = `{"id":"a%[1]d","email":"e%[1]d","firstName":"f%[1]d","born":%[1]d}`
)

// TestPartition checks in which part of what the first documents show the
// others are, and which kind the parts turn out to be.
func TestPartition(t *testing.T) {
	t.Parallel()
	typed := func(n int, kind, format string) []string {
		return repeated(n, fmt.Sprintf(`{"type":%q,`, kind)+format[1:])
	}
	tests := []struct {
		name        string
		first, then []string
		none        bool // the first documents seem to be of one kind
		ok          bool // each part is of one kind in the end
	}{
		{name: "one kind", first: repeated(60, book), none: true},
		{name: "a field", first: slices.Concat(typed(30, "book", book), typed(30, "review", review)), then: typed(30, "author", author), ok: true},
		{name: "shapes", first: slices.Concat(repeated(30, book), repeated(30, review)), ok: true},
		{name: "shapes, one later", first: slices.Concat(repeated(30, book), repeated(30, review)), then: repeated(30, author), ok: true},
		{
			name:  "shapes, and then a field",
			first: slices.Concat(repeated(5, book), repeated(5, review)),
			then:  slices.Concat(typed(150, "book", book), typed(150, "review", review)),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			seen := profiled(t, test.first, inOrder(len(test.first)), 1)
			seen.Settle()
			by := model.Seeming(seen, lexicon.Default())
			if test.none {
				require.Nil(t, by)
				return
			}
			require.NotNil(t, by)
			all := slices.Concat(test.first, test.then)
			reader := by.Reader()
			parts := map[uint64][]int{}
			var parser scan.Parser
			for i, text := range all {
				d, err := parser.Parse([]byte(text))
				require.NoError(t, err)
				part := reader.Part(&profile.Document{Document: d})
				parts[part] = append(parts[part], i)
			}
			_, err := model.Infer(t.Context(), []*profile.Collection{profiled(t, all, inOrder(len(all)), 1)}, model.Settings{Lexicon: lexicon.Default()},
				func(splitters []*model.Splitter) error {
					kinds := splitters[0].Reader()
					for part, documents := range parts {
						kind, ok := splitters[0].KindOf(by, part)
						require.Equal(t, test.ok, ok)
						if !ok {
							continue
						}
						for _, i := range documents {
							d, err := parser.Parse([]byte(all[i]))
							require.NoError(t, err)
							require.Equal(t, kinds.Kind(&profile.Document{Document: d}), kind, all[i])
						}
					}
					return nil
				})
			require.NoError(t, err)
		})
	}
}
