package analyzers

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// TestRuleThatFails checks that a rule that panics is a problem and nothing more: the
// others run beside it.
func TestRuleThatFails(t *testing.T) {
	t.Parallel()
	packages := []*docmodel.Package{{Path: "shop", Fset: token.NewFileSet(), Types: types.NewPackage("shop", "shop"), Info: &types.Info{}}}
	checker := check.New(packages, check.Options{})
	var failing, other run
	failing.check(checker, packages, check.Rule{Name: "deep-nesting", Run: func(*check.Pass) { panic("no fields") }})
	other.check(checker, packages, check.Rule{Name: "id-tag", Run: func(p *check.Pass) { assert.Equal(t, "shop", p.Package.Path) }})
	assert.Equal(t, []finding.Problem{finding.RuleFailed("deep-nesting", "no fields")}, failing.problems)
	assert.Contains(t, failing.problems[0].Message, "deep-nesting: no fields")
	assert.Empty(t, other.problems)
}
