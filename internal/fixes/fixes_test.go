package fixes_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
)

func fix(safety finding.Safety, edits ...finding.Edit) finding.Finding {
	return finding.Finding{Fixes: []finding.Fix{{Safety: safety, Edits: edits}}}
}

func reader(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	read := reader(map[string]string{"a.txt": "0123456789", "b.txt": "xyz"})
	insert := finding.Edit{File: "a.txt", Start: 2, End: 2, NewText: "-"}
	findings := []finding.Finding{
		fix(finding.Safe, insert),
		fix(finding.Safe, insert), // the same edit is made once
		fix(finding.Unsafe, finding.Edit{File: "a.txt", Start: 4, End: 6, NewText: "="}, finding.Edit{File: "b.txt", Start: 0, End: 1}),
		fix(finding.Safe, finding.Edit{File: "a.txt", Start: 2, End: 4, NewText: "/"}),
		fix(finding.Safe, finding.Edit{File: "b.txt", Start: 3, End: 3, NewText: "!"}, finding.Edit{File: "a.txt", Start: 3, End: 5, NewText: "?"}),
		fix(finding.Plan, finding.Edit{File: "b.txt", Start: 0, End: 3}),
		fix(finding.Safe),
		{},
	}
	safe, err := fixes.Apply(findings, read, finding.Safe)
	require.NoError(t, err)
	assert.Equal(t, 3, safe.Applied)
	assert.Equal(t, 1, safe.Conflicts)
	require.Len(t, safe.Files, 1, "a fix that conflicts in one file leaves the others alone")
	assert.Equal(t, "01-/456789", string(safe.Files["a.txt"]))

	all, err := fixes.Apply(findings, read, finding.Safe, finding.Unsafe)
	require.NoError(t, err)
	assert.Equal(t, 4, all.Applied)
	assert.Equal(t, "01-/=6789", string(all.Files["a.txt"]))
	assert.Equal(t, "yz", string(all.Files["b.txt"]))
}

func TestApplyFormats(t *testing.T) {
	t.Parallel()
	const clean, own = "package p\n\ntype T struct {\n\tA int\n}\n", "package p\n\ntype T struct {\n A int\n}\n"
	read := reader(map[string]string{"clean.go": clean, "own.go": own})
	r, err := fixes.Apply([]finding.Finding{
		fix(finding.Safe, finding.Edit{File: "clean.go", Start: 33, End: 33, NewText: "\n\tLong int"}),
		fix(finding.Safe, finding.Edit{File: "own.go", Start: 33, End: 33, NewText: "\n Long int"}),
	}, read, finding.Safe)
	require.NoError(t, err)
	assert.Equal(t, "package p\n\ntype T struct {\n\tA    int\n\tLong int\n}\n", string(r.Files["clean.go"]))
	assert.Equal(t, "package p\n\ntype T struct {\n A int\n Long int\n}\n", string(r.Files["own.go"]))
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]finding.Finding{
		"a file that is gone":      fix(finding.Safe, finding.Edit{File: "gone.txt"}),
		"a file that is shorter":   fix(finding.Safe, finding.Edit{File: "a.txt", Start: 5, End: 7}),
		"code that does not parse": fix(finding.Safe, finding.Edit{File: "a.go", Start: 0, End: 1}),
	} {
		_, err := fixes.Apply([]finding.Finding{f}, reader(map[string]string{"a.txt": "abc", "a.go": "package p\n"}), finding.Safe)
		assert.Error(t, err, name)
	}
}
