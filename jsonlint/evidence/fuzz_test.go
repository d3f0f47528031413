package evidence

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse checks that accepted files can be used and are written as they were
// read.
func FuzzParse(f *testing.F) {
	const head = `{"format":"shapevet evidence","version":1,"tools":["v1"],"from":"2026-01-31","until":"2026-01-31","parts":1,"collections":[{"name":"a","kinds":[{"documents":1,`
	f.Add([]byte(head + `"sizes":{"max":3,"min":1,"atMax":1,"sum":4,"buckets":[1,1,3,1]},"paths":[{"path":"","values":1,"types":{"object":1}},{"path":"x","values":1,"distinct":[1,2]}]}]}],"references":[]}`))
	f.Add([]byte(head + `"paths":[{"path":""},{"path":"m","folded":"map","names":3},{"path":"m{}","values":3},{"path":"l"},{"path":"l[]"}]}]}],"references":[{"from":"a","path":"m{}","to":"a","key":"x"}]}`))
	f.Add([]byte(`{"format":"shapevet evidence","version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse(text)
		if err != nil {
			return
		}
		first, err := file.Marshal()
		require.NoError(t, err)
		again, err := Parse(first)
		require.NoError(t, err, string(first))
		second, err := again.Marshal()
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
		file.Tables()
		merged, err := Merge(file, again)
		require.NoError(t, err)
		_, err = merged.Marshal()
		require.NoError(t, err)
	})
}
