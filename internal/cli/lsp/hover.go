package lsp

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/report"
)

// hover describes the findings at a position.
func (s *server) hover(params hoverParams) (any, error) {
	d := s.open(params.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	offset := d.text.offset(params.Position)
	found := s.at(d, offset, offset)
	if len(found) == 0 {
		return nil, nil
	}
	parts := make([]string, 0, len(found))
	for _, f := range found {
		parts = append(parts, report.Hover(f.Finding))
	}
	kind := "markdown"
	if formats := s.client.Capabilities.TextDocument.Hover.ContentFormat; len(formats) > 0 && !slices.Contains(formats, kind) {
		kind = "plaintext"
	}
	return hover{
		Contents: markupContent{Kind: kind, Value: strings.Join(parts, "\n\n---\n\n")},
		Range:    d.text.rangeOf(found[0].start, found[0].end),
	}, nil
}
