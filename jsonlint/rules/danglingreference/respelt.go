package danglingreference

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// respelt says which values that are no key differ from one in nothing but case and
// the white space around it. Then the document exists, whether or not the sample
// has all others, provided that the field refers to such documents at all.
func respelt(p *check.Pass, d *dangling, missing []missingKey, raw *check.Raw) {
	if d.Key.Node.Types[profile.String] == 0 || d.Tail || d.inCommon() {
		return
	}
	keys := map[string]string{}
	for _, to := range d.Targets() {
		for v := range to.Key.Node.Scalars.Values.Texts() {
			if key, ok := keys[respelling(v.Text)]; !ok || v.Text < key {
				keys[respelling(v.Text)] = v.Text
			}
		}
	}
	var value, key string
	count := int64(0)
	for _, v := range missing {
		document, i, ok := places.TokenOf(p, v.at.Pos())
		if !ok {
			continue
		}
		text := document.String(i)
		if k, known := keys[respelling(text)]; known {
			if count++; count == 1 {
				value, key = text, k
			}
		}
	}
	if count == 0 {
		return
	}
	raw.Severity = max(raw.Severity, finding.Warning)
	raw.Confidence = max(raw.Confidence, 0.9)
	raw.Message += fmt.Sprintf("; %q is %q there", value, key)
	if count > 1 {
		raw.Message += "; " + quantity.Of(count-1, "more value") + " like it"
	}
	raw.Advice = fmt.Sprintf("Write %s as in %s: a look-up that compares them exactly finds nothing. ", d.Path, d.To.Collection.Name) + raw.Advice
}

func respelling(text string) string { return strings.ToLower(strings.TrimSpace(text)) }
