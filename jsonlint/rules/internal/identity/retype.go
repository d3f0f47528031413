package identity

import (
	"fmt"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// AsType returns a value in another type class, or nil if that would lose
// something.
func AsType(v *reshape.Value, to profile.Class) *reshape.Value {
	text := v.Text()
	switch to.TypeClass() {
	case profile.String:
		switch v.Kind() {
		case scan.Number, scan.Decimal, scan.ObjectID, scan.True, scan.False, scan.String:
			if text == "" {
				text = string(v.AppendJSON(nil))
			}
			return reshape.String(text)
		}
	case profile.Int:
		if v.Kind() == scan.Number {
			return v
		}
		if n, err := strconv.ParseInt(text, 10, 64); v.Kind() == scan.String && err == nil && strconv.FormatInt(n, 10) == text {
			return reshape.Int(n)
		}
	case profile.ObjectID:
		if v.Kind() == scan.String && profile.FormOf([]byte(text)) == profile.FormHex24 {
			return reshape.Object(reshape.Member{Name: "$oid", Value: reshape.String(text)})
		}
	}
	return nil
}

// Retyped shows the document at a position with the value at the path in
// another type.
func Retyped(p *check.Pass, c *model.Collection, path profile.Path, at profile.Pos, to profile.Class) []finding.Fix {
	return plans.Changed(p, c.Name, fmt.Sprintf("%s as %s", path, to.TypeName()), at, func(document *reshape.Value) bool {
		return document.Replace(path, func(v *reshape.Value) *reshape.Value { return AsType(v, to) })
	})
}
