package rules

import "github.com/shapevet/shapevet/jsonlint/schema"

// OnSchemas returns the rules that also check schemas, sorted by name.
func OnSchemas() []schema.Rule {
	var out []schema.Rule
	for _, r := range All() {
		if r.OnSchema != nil {
			out = append(out, schema.Rule{Name: r.Name, Run: r.OnSchema})
		}
	}
	return out
}
