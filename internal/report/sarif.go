package report

import (
	"fmt"
	"io"
	"math"
	"net/url"
	"path"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/rulebook"
)

// The part of SARIF 2.1.0 (OASIS Standard, errata 01) that we write.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string              `json:"id"`
		ShortDescription     *sarifMessage       `json:"shortDescription,omitempty"`
		FullDescription      *sarifMessage       `json:"fullDescription,omitempty"`
		HelpURI              string              `json:"helpUri,omitempty"`
		Help                 *sarifMessage       `json:"help,omitempty"`
		DefaultConfiguration *sarifConfiguration `json:"defaultConfiguration,omitempty"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Rank                float64           `json:"rank"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations"`
		PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Fixes               []sarifFix        `json:"fixes,omitempty"`
		Properties          map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		ID               int                    `json:"id,omitempty"`
		PhysicalLocation *sarifPhysicalLocation `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
		Message          *sarifMessage          `json:"message,omitempty"`
	}
	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
		Region           *sarifRegion          `json:"region,omitempty"`
	}
	sarifLogicalLocation struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
	sarifArtifactLocation struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int    `json:"startLine,omitempty"`
		StartColumn int    `json:"startColumn,omitempty"`
		EndLine     int    `json:"endLine,omitempty"`
		EndColumn   int    `json:"endColumn,omitempty"`
		ByteOffset  *int64 `json:"byteOffset,omitempty"`
		ByteLength  *int64 `json:"byteLength,omitempty"`
	}
	sarifFix struct {
		Description     sarifMessage          `json:"description"`
		ArtifactChanges []sarifArtifactChange `json:"artifactChanges"`
	}
	sarifArtifactChange struct {
		ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
		Replacements     []sarifReplacement    `json:"replacements"`
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion  `json:"deletedRegion"`
		InsertedContent sarifMessage `json:"insertedContent"`
	}
)

// fingerprintKey names the method of our fingerprints. Another method needs a
// new key (SARIF 2.1.0, section 3.27.17).
const fingerprintKey = "shapevet/v1"

var sarifLevels = map[finding.Severity]string{
	finding.Error: "error", finding.Warning: "warning", finding.Info: "note",
}

// GitHub's limits: it refuses a file with more results, and drops further
// locations of a result.
// https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit
const (
	maxSARIFResults = 25_000
	maxSARIFRelated = 99 // plus the finding's own location
)

func writeSARIF(w io.Writer, r *finding.Report, o Options) error {
	findings, left := gravest(r.Findings, maxSARIFResults)
	rules, index := sarifRules(findings, o.Pages())
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "shapevet", Version: strings.TrimPrefix(o.ToolVersion, "v"), InformationURI: homePage, Rules: rules,
		}},
		ColumnKind:  "utf16CodeUnits",
		Invocations: []sarifInvocation{{ExecutionSuccessful: len(r.Problems) == 0, Notifications: []sarifNotification{}}},
		Results:     []sarifResult{},
		Properties:  map[string]any{"summary": r.Summary},
	}
	for _, problem := range r.Problems {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
			Level: "error", Message: sarifMessage{Text: joinLines(problem.Message, problem.Hint)}, Locations: sarifLocations(problem.Location, nil),
		})
	}
	if left > 0 {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
			Level: "warning", Locations: []sarifLocation{},
			Message: sarifMessage{Text: fmt.Sprintf("%d findings more: the %d gravest are in this file, as many as GitHub takes", left, maxSARIFResults)},
		})
	}
	for _, f := range findings {
		run.Results = append(run.Results, sarifResultOf(f, index[f.Rule]))
	}
	return writeIndented(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// gravest keeps the n most severe findings in their order, and returns how many
// it dropped.
func gravest(findings []finding.Finding, n int) (kept []finding.Finding, left int) {
	if len(findings) <= n {
		return findings, 0
	}
	kept = arrange(findings, BySeverity)[:n]
	finding.Sort(kept)
	return kept, len(findings) - n
}

// sarifRules makes the catalogue from the pages and from reported rules without
// a page. It returns the index of each rule.
func sarifRules(findings []finding.Finding, pages []rulebook.Page) (rules []sarifRule, index map[string]int) {
	rules, index = []sarifRule{}, map[string]int{}
	for _, page := range pages {
		index[page.Name] = len(rules)
		rules = append(rules, sarifRule{
			ID:                   page.Name,
			ShortDescription:     &sarifMessage{Text: page.Summary},
			FullDescription:      &sarifMessage{Text: page.Summary},
			HelpURI:              pageURL(page.Name),
			Help:                 &sarifMessage{Text: page.Body, Markdown: page.Body},
			DefaultConfiguration: &sarifConfiguration{Level: sarifLevels[page.Severity]},
		})
	}
	for _, f := range findings {
		if _, ok := index[f.Rule]; !ok {
			index[f.Rule] = len(rules)
			rules = append(rules, sarifRule{ID: f.Rule})
		}
	}
	return rules, index
}

func sarifResultOf(f finding.Finding, ruleIndex int) sarifResult {
	f = complete(f)
	result := sarifResult{
		RuleID: f.Rule, RuleIndex: ruleIndex, Level: sarifLevels[f.Severity],
		Rank:             math.Round(f.Confidence*1000) / 10,
		Message:          sarifMessage{Text: joinLines(f.Message, f.Advice)},
		Locations:        sarifLocations(f.Location, &f.Subject),
		RelatedLocations: []sarifLocation{},
		Properties:       map[string]any{"confidence": f.Confidence, "subject": f.Subject, "evidence": f.Evidence},
	}
	if f.Fingerprint != "" {
		result.PartialFingerprints = map[string]string{fingerprintKey: f.Fingerprint}
	}
	for i, related := range f.Related[:min(len(f.Related), maxSARIFRelated)] {
		for _, location := range sarifLocations(related.Location, nil) {
			location.ID, location.Message = i+1, &sarifMessage{Text: related.Message}
			result.RelatedLocations = append(result.RelatedLocations, location)
		}
	}
	// A SARIF fix is a set of edits. Fixes without edits are documents to look at,
	// which go into a property.
	var plans []finding.Fix
	for _, fix := range f.Fixes {
		if len(fix.Edits) > 0 {
			result.Fixes = append(result.Fixes, sarifFixOf(fix))
		} else {
			plans = append(plans, fix)
		}
	}
	if plans != nil {
		result.Properties["plans"] = plans
	}
	return result
}

// sarifLocations returns no location for a finding without a file.
func sarifLocations(l finding.Location, subject *finding.Subject) []sarifLocation {
	if l.File == "" {
		return []sarifLocation{}
	}
	location := sarifLocation{PhysicalLocation: &sarifPhysicalLocation{ArtifactLocation: artifact(l.File)}}
	if l.Line > 0 {
		location.PhysicalLocation.Region = regionOf(l)
	}
	if subject != nil {
		switch {
		case subject.Symbol != "":
			location.LogicalLocations = []sarifLogicalLocation{{subject.Symbol, "member"}}
		case subject.Collection != "":
			name := strings.TrimSuffix(subject.Collection+":"+subject.Path, ":")
			location.LogicalLocations = []sarifLogicalLocation{{name, "property"}}
		}
	}
	if l.Document != "" {
		location.LogicalLocations = append(location.LogicalLocations, sarifLogicalLocation{l.Document, "object"})
	}
	return []sarifLocation{location}
}

func regionOf(l finding.Location) *sarifRegion {
	region := &sarifRegion{StartLine: l.Line}
	if l.Column > 0 {
		region.StartColumn = utf16Column(l, l.Column)
	}
	switch {
	case l.EndLine > l.Line: // the text of that line, and so the column, is unknown
		region.EndLine = l.EndLine
	case l.EndColumn > l.Column:
		region.EndLine, region.EndColumn = l.Line, utf16Column(l, l.EndColumn)
	}
	return region
}

func sarifFixOf(fix finding.Fix) sarifFix {
	out := sarifFix{Description: sarifMessage{Text: fix.Title}}
	index := map[string]int{}
	for _, edit := range fix.Edits {
		i, ok := index[edit.File]
		if !ok {
			i = len(out.ArtifactChanges)
			index[edit.File] = i
			out.ArtifactChanges = append(out.ArtifactChanges, sarifArtifactChange{ArtifactLocation: artifact(edit.File)})
		}
		length := edit.End - edit.Start
		out.ArtifactChanges[i].Replacements = append(out.ArtifactChanges[i].Replacements, sarifReplacement{
			DeletedRegion:   sarifRegion{ByteOffset: &edit.Start, ByteLength: &length},
			InsertedContent: sarifMessage{Text: edit.NewText},
		})
	}
	return out
}

// artifact turns a file path with slashes, or the URL of a database or an
// object, into a URI reference.
func artifact(file string) sarifArtifactLocation {
	if scheme, rest, ok := strings.Cut(file, "://"); ok {
		host, name, _ := strings.Cut(rest, "/")
		return sarifArtifactLocation{URI: (&url.URL{Scheme: scheme, Host: host, Path: "/" + name}).String()}
	}
	if path.IsAbs(file) {
		return sarifArtifactLocation{URI: (&url.URL{Scheme: "file", Path: file}).String()}
	}
	return sarifArtifactLocation{URI: (&url.URL{Path: file}).String(), URIBaseID: "%SRCROOT%"}
}
