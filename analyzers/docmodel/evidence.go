package docmodel

// Evidence is what documents that are stored show of the types that store
// them. It is asked about every finding before that is handed in, and may be
// asked from several goroutines.
type Evidence interface {
	// Weigh compares a finding with the documents: it may raise or lower the
	// confidence and the severity, and say why.
	Weigh(p *Program, f *Finding)

	// Suspects reports whether documents alone show the mistake at a field, so
	// that a rule reports it whatever the code looks like.
	Suspects(p *Program, rule string, f *Field) bool
}

// Suspected reports whether documents show the mistake of the rule at a field,
// see [Evidence.Suspects].
func (p *Pass) Suspected(f *Field) bool {
	e := p.Program.options.Evidence
	return e != nil && e.Suspects(p.Program, p.Rule.Name, f)
}

// weigh asks the evidence about a finding.
func (p *Pass) weigh(f *Finding) {
	if e := p.Program.options.Evidence; e != nil && f.Document != nil {
		e.Weigh(p.Program, f)
	}
}
