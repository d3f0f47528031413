package scan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// conformanceCases are the texts of JSONTestSuite (MIT, see its LICENSE) by
// name. Two large, regular ones are generated here.
func conformanceCases(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/jsontestsuite/test_parsing/*.json")
	require.NoError(t, err)
	cases := map[string][]byte{
		"n_structure_100000_opening_arrays": []byte(strings.Repeat("[", 100_000)),
		"n_structure_open_array_object":     []byte(strings.Repeat(`[{"":`, 50_000) + "\n"),
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		cases[strings.TrimSuffix(filepath.Base(path), ".json")] = text
	}
	return cases
}

func TestConformance(t *testing.T) {
	t.Parallel()
	count := map[byte]int{}
	for name, text := range conformanceCases(t) {
		count[name[0]]++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p Parser
			doc, err := p.Parse(text)
			docs, diagnostics := Recover(text)
			checkDiagnostics(t, text, diagnostics)
			switch name[0] {
			case 'y':
				require.NoError(t, err)
				checkTape(t, doc)
			case 'n':
				var syntax *SyntaxError
				require.True(t, errors.As(err, &syntax))
				assert.GreaterOrEqual(t, syntax.Offset, 0)
				assert.LessOrEqual(t, syntax.Offset, len(text))
				assert.NotEmpty(t, syntax.Message)
				assert.NotEmpty(t, diagnostics)
			}
			for i := range docs {
				assert.Equal(t, Object, docs[i].Doc.Tokens[0].Kind)
			}
		})
	}
	assert.Equal(t, map[byte]int{'y': 95, 'n': 188, 'i': 35}, count)
}

func checkDiagnostics(t *testing.T, text []byte, list []Diagnostic) {
	t.Helper()
	last := 0
	for _, d := range list {
		require.LessOrEqual(t, last, d.Start, "sorted")
		require.LessOrEqual(t, d.Start, d.End)
		require.LessOrEqual(t, d.End, len(text))
		require.Less(t, d.Opened, len(text)+1)
		require.NotEmpty(t, d.Code)
		require.NotEmpty(t, d.Message)
		require.Less(t, len(d.Message)+len(d.Hint), 500)
		for _, c := range d.Message + d.Hint {
			require.GreaterOrEqual(t, c, ' ', d.Message)
		}
		if d.Edit != nil {
			require.LessOrEqual(t, 0, d.Edit.Start)
			require.LessOrEqual(t, d.Edit.Start, d.Edit.End)
			require.LessOrEqual(t, d.Edit.End, len(text))
		}
		last = d.Start
	}
}

// checkTape checks that the tokens nest, lie in the text, and have correct
// counts.
func checkTape(t *testing.T, d *Document) {
	t.Helper()
	require.NotEmpty(t, d.Tokens)
	require.Empty(t, tapeFault(d), "%q", d.Src)
}

// tapeFault returns what is wrong with the tape. It uses plain comparisons,
// because it runs on very many tapes.
func tapeFault(d *Document) string {
	if d.Next(0) != len(d.Tokens) {
		return "tokens after the document"
	}
	type open struct{ start, end, next int }
	stack := []open{{0, len(d.Src), len(d.Tokens)}}
	for i, tok := range d.Tokens {
		for len(stack) > 1 && stack[len(stack)-1].next == i {
			stack = stack[:len(stack)-1]
		}
		around := stack[len(stack)-1]
		switch {
		case tok.Start > tok.End || int(tok.Start) < around.start || int(tok.End) > around.end:
			return fmt.Sprintf("token %d does not lie in the value around it", i)
		case tok.Kind == Invalid || tok.Kind > Array:
			return fmt.Sprintf("token %d has kind %d", i, tok.Kind)
		case tok.Kind < Object:
			if tok.Start > tok.A || tok.A > tok.B || tok.B > tok.End {
				return fmt.Sprintf("the payload of token %d does not lie in it", i)
			}
			continue
		case int(tok.A) <= i || int(tok.A) > around.next:
			return fmt.Sprintf("token %d ends at token %d", i, tok.A)
		}
		n := 0
		for k, v := range d.Members(i) {
			if n++; d.Tokens[k].Flags&Key == 0 || d.Tokens[v].Flags&Key != 0 {
				return fmt.Sprintf("token %d is no name, or token %d is one", k, v)
			}
		}
		for _, v := range d.Elements(i) {
			if n++; d.Tokens[v].Flags&Key != 0 {
				return fmt.Sprintf("element %d is a name", v)
			}
		}
		if n != d.Len(i) {
			return fmt.Sprintf("token %d has %d items, not %d", i, n, d.Len(i))
		}
		stack = append(stack, open{int(tok.Start), int(tok.End), int(tok.A)})
	}
	return ""
}
