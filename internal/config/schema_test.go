package config_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/rulebook"
)

func TestSchemaKnowsTheRulebook(t *testing.T) {
	t.Parallel()
	text, err := config.Schema()
	require.NoError(t, err)
	var schema struct {
		Properties struct {
			Rules struct {
				Properties map[string]struct {
					Else struct {
						Properties struct {
							Thresholds struct {
								Properties map[string]struct{ Default float64 }
							}
						}
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	rules := schema.Properties.Rules.Properties
	assert.Len(t, rules, len(rulebook.All()))
	for _, page := range rulebook.All() {
		thresholds := rules[page.Name].Else.Properties.Thresholds.Properties
		assert.Len(t, thresholds, len(page.Thresholds), page.Name)
		for name, threshold := range page.Thresholds {
			assert.InDelta(t, threshold.Default, thresholds[name].Default, 0, "%s %s", page.Name, name)
		}
	}
}
