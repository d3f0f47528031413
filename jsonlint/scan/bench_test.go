package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample is a document as services write them: mostly names and short strings,
// numbers, an occasional longer text.
func sample(indent string) []byte {
	var comments []any
	for i := range 20 {
		comments = append(comments, map[string]any{
			"id": i, "author": fmt.Sprintf("user-%d", i), "likes": 1.5 * float64(i), "at": map[string]any{"$date": "2020-01-02T03:04:05.678Z"},
			"text": strings.Repeat("Lorem ipsum dolor sit amet. ", i%4+1), "hidden": false, "parent": nil,
		})
	}
	text, err := json.MarshalIndent(map[string]any{
		"_id": map[string]any{"$oid": "507f1f77bcf86cd799439011"}, "title": "Voilà", "comments": comments,
		"point": []float64{-76.512016, 38.29697}, "tags": []string{"a", "bb", "ccc"},
	}, "", indent)
	if err != nil {
		panic(err)
	}
	return text
}

func BenchmarkParse(b *testing.B) {
	for name, indent := range map[string]string{"compact": "", "indented": "    "} {
		text := sample(indent)
		if indent == "" {
			text = []byte(strings.ReplaceAll(string(text), "\n", ""))
		}
		b.Run(name, func(b *testing.B) {
			var p Parser
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json-valid", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !json.Valid(text) {
					b.Fatal("invalid")
				}
			}
		})
	}
}

// BenchmarkParseCollection reads documents like those of a collection: with few
// structures that repeat.
func BenchmarkParseCollection(b *testing.B) {
	for _, name := range []string{"Observation", "resources", "bundles"} {
		text, err := os.ReadFile("../../testdata/accuracy/fhir/" + name + ".jsonl")
		require.NoError(b, err)
		docs := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		b.Run(name, func(b *testing.B) {
			var p Parser
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for _, doc := range docs {
					if _, err := p.Parse(doc); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkRecover(b *testing.B) {
	text := []byte(strings.Repeat("{\"a\": [\"b1, \"b2\"], 'c': ObjectId(\"507f1f77bcf86cd799439011\")}\n", 1000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Recover(text)
	}
}
