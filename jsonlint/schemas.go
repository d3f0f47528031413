package jsonlint

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/rules"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// violated is the rule for documents that do not match their schema. It has no
// folder because validation is part of reading, for documents of every kind.
const violated = "schema-violation"

// schemas holds everything about the collections' schemas in one run. It is
// empty without schemas.
type schemas struct {
	set       *schema.Set
	validator *schema.Validator
	declared  map[string]*schema.Declared
	findings  []finding.Finding // about the schemas themselves
	broken    []finding.Problem // unreadable metadata of dumps
}

// CheckSchemas checks schemas without documents. It fills in only the findings
// and problems of the report.
func CheckSchemas(o Options) (*finding.Report, error) {
	lex, err := lexicon.Default().With(o.Lexicon)
	if err != nil {
		return nil, err
	}
	e := &engine{lexicon: lex}
	found := e.validate(o)
	return &finding.Report{Findings: found.findings, Problems: found.problems()}, nil
}

// validate compiles the schemas, prepares the workers to validate documents,
// and checks the schemas themselves.
func (e *engine) validate(o Options) *schemas {
	s := &schemas{set: o.Schemas}
	if o.Schemas == nil {
		return s
	}
	s.validator = o.Schemas.Validator()
	s.declared = o.Schemas.Declared()
	s.findings = o.Schemas.Lint(schema.LintOptions{
		Lexicon: e.lexicon, DB: o.DB,
		Rules:     slices.DeleteFunc(rules.OnSchemas(), func(r schema.Rule) bool { return o.Rules[r.Name].Disabled }),
		Threshold: func(rule, name string) float64 { return o.thresholds(rule)[name] },
	})
	for i := range s.findings {
		if severity := o.Rules[s.findings[i].Rule].Severity; severity != 0 {
			s.findings[i].Severity = severity
		}
	}
	if !o.Rules[violated].Disabled {
		for range e.jobs {
			e.validating = append(e.validating, s.validator.Observer())
		}
	}
	return s
}

func (s *schemas) problems() []finding.Problem {
	if s.set == nil {
		return s.broken
	}
	return slices.Concat(s.broken, s.set.Problems(), s.validator.Failed())
}

// violations returns the findings for documents that do not match their schema,
// one per place in the schema.
func (s *schemas) violations(e *engine) []check.Raw {
	if s.set == nil {
		return nil
	}
	for _, seen := range e.validated {
		s.validator.Add(seen)
	}
	var out []check.Raw
	for _, v := range s.validator.Violations() {
		what := v.Keyword
		if what == "" {
			what = "false"
		}
		r := check.Raw{
			Finding: finding.Finding{
				Rule: violated, Severity: finding.Error, Confidence: 1, Message: v.Message,
				Advice:  fmt.Sprintf("Mend the documents, or what writes them; where they are right, change the schema (%s:%d).", v.Location.File, v.Location.Line),
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: v.Collection, Path: v.Path},
				Evidence: []finding.Evidence{
					{Name: "documents", Value: v.Of}, {Name: "documents.violating", Value: v.Documents}, {Name: "keyword", Value: what},
				},
				Fingerprint: violated + ":" + v.Collection + ":" + v.Path + ":" + what,
			},
			At:      v.At[0],
			Outside: []finding.Related{{Message: fmt.Sprintf("%s in the schema of %s", what, v.Collection), Location: v.Location}},
		}
		for _, at := range v.At[1:] {
			r.Related = append(r.Related, check.RawRelated{Message: "another one", At: at})
		}
		out = append(out, r)
	}
	return out
}

// withSchemas adds the findings on schemas. If documents already show the same
// problem at a path, the two become one finding that also points into the
// schema.
func withSchemas(findings, onSchemas []finding.Finding) []finding.Finding {
	for _, f := range onSchemas {
		i := slices.IndexFunc(findings, func(o finding.Finding) bool {
			return o.Rule == f.Rule && o.Subject.Collection == f.Subject.Collection && o.Subject.Path == f.Subject.Path
		})
		if i < 0 {
			findings = append(findings, f)
			continue
		}
		findings[i].Related = append(findings[i].Related, finding.Related{Message: "the schema: " + f.Message, Location: f.Location})
	}
	return findings
}
