package docmodel

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// A Directive is a comment that begins with //shapevet: and tells the rules
// something that the code alone does not show.
type Directive struct {
	Name      string // document, notdocument, ref, bounded, snapshot, ignore
	Arguments map[string]string
	Words     []string // arguments without "="
	Rules     []string // for ignore
	Reason    string   // for ignore
	Pos       token.Pos
	File      string
	Line      int

	lines []int // lines that an ignore applies to
	used  atomic.Bool
}

const directivePrefix = "//shapevet:"

// DirectiveNames are the names of all directives.
var DirectiveNames = []string{"document", "notdocument", "ref", "bounded", "snapshot", "ignore"}

var ruleName = lazyregexp.New(`^[a-z]+(-[a-z]+)*$`)

// directivesOf reads the directives of a file.
func (g *gatherer) directivesOf(file *ast.File) {
	var code map[int]bool
	for _, group := range file.Comments {
		for _, comment := range group.List {
			d := parseDirective(comment)
			if d == nil {
				continue
			}
			at := g.pkg.Fset.Position(comment.Pos())
			d.File, d.Line = at.Filename, at.Line
			if code == nil {
				code = g.codeLines(file)
			}
			d.lines = []int{at.Line}
			if !code[at.Line] { // a comment after code applies only to that line
				d.lines = append(d.lines, g.pkg.Fset.Position(group.End()).Line+1)
			}
			g.directives = append(g.directives, d)
		}
	}
}

// codeLines returns the lines of a file that have code.
func (g *gatherer) codeLines(file *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.File:
			return true
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		lines[g.pkg.Fset.Position(n.Pos()).Line] = true
		lines[g.pkg.Fset.Position(n.End()-1).Line] = true
		return true
	})
	return lines
}

func parseDirective(comment *ast.Comment) *Directive {
	text, ok := strings.CutPrefix(comment.Text, directivePrefix)
	if !ok {
		return nil
	}
	name, rest, _ := strings.Cut(text, " ")
	d := &Directive{Name: strings.TrimSpace(name), Arguments: map[string]string{}, Pos: comment.Pos()}
	words := strings.Fields(rest)
	if d.Name == "ignore" {
		if len(words) > 0 {
			d.Rules = strings.Split(words[0], ",")
			d.Reason = strings.Join(words[1:], " ")
		}
		return d
	}
	for _, word := range words {
		if key, value, ok := strings.Cut(word, "="); ok {
			d.Arguments[key] = value
		} else {
			d.Words = append(d.Words, word)
		}
	}
	return d
}

// Problem returns what is wrong with a directive, or "".
func (d *Directive) Problem() string {
	switch {
	case !slices.Contains(DirectiveNames, d.Name):
		return "unknown directive " + strconv.Quote(d.Name)
	case d.Name != "ignore":
		return ""
	case len(d.Rules) == 0 || !ruleName.MatchString(d.Rules[0]):
		return "name the rules to ignore: //shapevet:ignore RULE reason"
	case d.Reason == "":
		return "say why " + strings.Join(d.Rules, ", ") + " is ignored: //shapevet:ignore RULE reason"
	}
	return ""
}

// Suppresses reports whether the directive accepts a finding of a rule on a
// line.
func (d *Directive) Suppresses(rule, file string, line int) bool {
	return d.Name == "ignore" && d.Reason != "" && d.File == file &&
		slices.Contains(d.lines, line) && slices.Contains(d.Rules, rule)
}

// Use notes that the directive accepted a finding.
func (d *Directive) Use() { d.used.Store(true) }

// Used reports whether the directive accepted a finding.
func (d *Directive) Used() bool { return d.used.Load() }

func directivesIn(groups ...*ast.CommentGroup) []*Directive {
	var found []*Directive
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			if d := parseDirective(comment); d != nil {
				found = append(found, d)
			}
		}
	}
	return found
}
