package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/rulebook"
)

func decode(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}

func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	schema, err := compiler.Compile("testdata/sarif.schema.json")
	require.NoError(t, err)
	for name, r := range map[string]*finding.Report{"full": fixture(), "empty": {}} {
		text := write(t, "sarif", r, report.Options{ToolVersion: "v0.1.0", Pages: rulebook.All})
		assert.NoError(t, schema.Validate(decode(t, text)), name)
	}
}

// TestSARIFRuleIndex checks that every result points at its rule.
func TestSARIFRuleIndex(t *testing.T) {
	t.Parallel()
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
			}
		}
	}
	text := write(t, "sarif", fixture(), report.Options{Pages: rulebook.All})
	require.NoError(t, json.Unmarshal([]byte(text), &log))
	require.NotEmpty(t, log.Runs[0].Results)
	for _, result := range log.Runs[0].Results {
		assert.Equal(t, result.RuleID, log.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID)
	}
}

// TestSARIFColumns checks that columns count UTF-16 code units.
func TestSARIFColumns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		location   finding.Location
		start, end int
	}{
		{"ASCII", finding.Location{Column: 3, EndColumn: 5, Snippet: "abcdef", SnippetColumn: 1}, 3, 5},
		{"two bytes, one unit", finding.Location{Column: 4, EndColumn: 5, Snippet: "éxyz", SnippetColumn: 1}, 3, 4},
		{"four bytes, two units", finding.Location{Column: 5, EndColumn: 6, Snippet: "😀xyz", SnippetColumn: 1}, 3, 4},
		{"bytes that are not UTF-8", finding.Location{Column: 3, EndColumn: 4, Snippet: "\xff\xffx", SnippetColumn: 1}, 3, 4},
		{"part of a long line", finding.Location{Column: 104, EndColumn: 105, Snippet: "éxyz", SnippetColumn: 101}, 103, 104},
		{"beyond the snippet", finding.Location{Column: 7, EndColumn: 9, Snippet: "éé", SnippetColumn: 1}, 5, 7},
		{"no snippet", finding.Location{Column: 7, EndColumn: 9}, 7, 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			location := test.location
			location.File, location.Line, location.EndLine = "a.json", 1, 1
			text := write(t, "sarif", &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Location: location}}}, report.Options{})
			var log struct {
				Runs []struct {
					Results []struct {
						Locations []struct {
							PhysicalLocation struct {
								Region struct{ StartColumn, EndColumn int }
							}
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(text), &log))
			region := log.Runs[0].Results[0].Locations[0].PhysicalLocation.Region
			assert.Equal(t, test.start, region.StartColumn)
			assert.Equal(t, test.end, region.EndColumn)
		})
	}
}

// TestSARIFArtifacts checks that input read from a URL is not a file of the
// project.
func TestSARIFArtifacts(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"dump/a b.json":           `{"uri":"dump/a%20b.json","uriBaseId":"%SRCROOT%"}`,
		"/dump/a.json":            `{"uri":"file:///dump/a.json"}`,
		"s3://bucket/dump/a b#1":  `{"uri":"s3://bucket/dump/a%20b%231"}`,
		"mongodb://a,b/shop#cart": `{"uri":"mongodb://a,b/shop%23cart"}`,
	} {
		location := finding.Location{File: file, Line: 1, Column: 1}
		text := write(t, "sarif", &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Location: location}}}, report.Options{})
		var log struct {
			Runs []struct {
				Results []struct {
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation json.RawMessage }
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &log))
		assert.JSONEq(t, want, string(log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation))
	}
}
