package docmodel

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// adds is the operator of DynamoDB that adds to a number or to a set, depending
// on the field.
const adds = "ADD"

// builderOperators are the functions and methods that build an update for
// DynamoDB.
var builderOperators = map[string]string{"Set": "$set", "Add": adds, "Delete": "$pull", "Remove": "$unset"}

// expression reads expression.Set(expression.Name("f"), expression.ListAppend(…)).
func (g *gatherer) expression(call *ast.CallExpr, name string) {
	op := builderOperators[name]
	at := len(call.Args) - 2
	if op == "$unset" {
		at = len(call.Args) - 1
	}
	if op == "" || at < 0 {
		return
	}
	target, ok := ast.Unparen(call.Args[at]).(*ast.CallExpr)
	if !ok || calledName(target) != "Name" || len(target.Args) != 1 {
		return
	}
	path, parts := g.path(target.Args[0])
	if path == "" {
		return
	}
	value := call.Args[len(call.Args)-1]
	for n := range ast.Preorder(value) {
		if inner, ok := n.(*ast.CallExpr); ok {
			switch calledName(inner) {
			case "ListAppend":
				op = "$push"
			case "Plus", "Minus":
				op = "$inc"
			}
		}
	}
	g.addUpdate(op, path, value, parts...)
}

// expressionValues reads the values of an expression, {":m": {M: made}}. A map that code
// makes of a struct for one of them is what an attribute is set to, and no item.
func (g *gatherer) expressionValues(n *ast.CompositeLit) {
	for _, element := range n.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok || !g.uses("dynamo") {
			return
		}
		if name, _ := g.constantString(pair.Key); !strings.HasPrefix(name, ":") {
			return
		}
		for value := range ast.Preorder(pair.Value) {
			if id, ok := value.(*ast.Ident); ok {
				made := g.locals[g.pkg.Info.ObjectOf(id)]
				g.calls = slices.DeleteFunc(g.calls, func(c sinkCall) bool { return made != nil && c.node == made })
			}
		}
	}
}

// clauses are the parts of an update expression, each with a list of changes.
var clauses = lazyregexp.New(`(?i)(?:^|\s)(SET|ADD|REMOVE|DELETE)\s`)

// updateExpression reads the text of a DynamoDB update: SET #log =
// list_append(#log, :new) ADD tags :t. All its changes happen at once.
func (g *gatherer) updateExpression(expr ast.Expr, text string) {
	group := &updateGroup{}
	add := func(op, path string) {
		path, parts, ok := g.attribute(path)
		if !ok {
			return
		}
		u := g.newUpdate(op, path, expr)
		u.Value, u.Dynamic, u.Parts = nil, len(parts) > 0, parts
		g.put(u, group)
	}
	starts := clauses.FindAllStringIndex(text, -1)
	for i, at := range starts {
		rest := text[at[1]:]
		if i+1 < len(starts) {
			rest = text[at[1]:starts[i+1][0]]
		}
		for _, change := range split(rest) {
			words := strings.Fields(change)
			switch clause := strings.ToUpper(strings.TrimSpace(text[at[0]:at[1]])); {
			case clause == "SET":
				if target, value, ok := strings.Cut(change, "="); ok {
					add(setOperator(value), strings.TrimSpace(target))
				}
			case clause == "REMOVE" && len(words) == 1:
				add(removeOperator(words[0]), words[0])
			case len(words) == 2 && strings.HasPrefix(words[1], ":"):
				add(map[string]string{"ADD": adds, "DELETE": "$pull"}[clause], words[0])
			}
		}
	}
	numbers, lists := g.conditions(g.conditionBeside(expr))
	for _, u := range group.updates {
		u.Sliced = slices.Contains(lists, u.Path) || slices.ContainsFunc(numbers, u.limitedBy)
	}
}

// below matches the parts of a condition that require a number, or the length of a
// list, to be below a bound.
var below = lazyregexp.New(`(size\s*\(\s*)?'?([#\w.]+)'?\s*\)?\s*<=?\s*[:?\d]`)

// conditions returns the paths that a condition requires to be below a bound, and
// those of lists whose length it so requires.
func (g *gatherer) conditions(text string) (numbers, lists []string) {
	for _, match := range below.FindAllStringSubmatch(text, -1) {
		path, parts, ok := g.attribute(match[2])
		switch {
		case !ok || len(parts) > 0:
		case match[1] != "":
			lists = append(lists, path)
		default:
			numbers = append(numbers, path)
		}
	}
	return numbers, lists
}

// conditionBeside returns the condition of the request whose literal contains an
// update expression.
func (g *gatherer) conditionBeside(expr ast.Expr) (text string) {
	if g.function == nil {
		return ""
	}
	ast.Inspect(g.function.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && contains(lit, expr) {
			if condition := SetTo(lit, "ConditionExpression"); condition != nil {
				text, _ = g.constantString(condition)
			}
		}
		return n != nil && contains(n, expr)
	})
	return text
}

// refusals notes, for the calls in a chain, whether a condition in it refuses the
// update once a number that it increments, or the list that the call adds to, is too
// large: Append("list", x).Add("count", 1).If("count < ?", 100).
func (g *gatherer) refusals(outermost *ast.CallExpr) {
	if _, known := g.refused[outermost]; known {
		return
	}
	on := map[*ast.CallExpr]string{}
	var numbers, lists, raised []string
	for link := outermost; link != nil; link = receiverCall(link) {
		if len(link.Args) > 0 {
			on[link], _ = g.constantString(link.Args[0])
		}
		switch calledName(link) {
		case "If":
			n, l := g.conditions(on[link])
			numbers, lists = append(numbers, n...), append(lists, l...)
		case "Add":
			raised = append(raised, on[link])
		}
	}
	rises := slices.ContainsFunc(raised, func(path string) bool { return slices.Contains(numbers, path) })
	for link, path := range on {
		g.refused[link] = rises || slices.Contains(lists, path)
	}
}

// receiverCall returns the call whose result a method is called on, or nil.
func receiverCall(call *ast.CallExpr) *ast.CallExpr {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	inner, _ := ast.Unparen(selector.X).(*ast.CallExpr)
	return inner
}

// setOperator returns the operator that a SET of a value corresponds to.
func setOperator(value string) string {
	switch {
	case strings.Contains(value, "list_append("):
		return "$push"
	case strings.ContainsAny(value, "+-"):
		return "$inc"
	}
	return "$set"
}

// removeOperator returns the operator that removes one element of a list, or a field.
func removeOperator(path string) string {
	if strings.HasSuffix(path, "]") {
		return "$pull"
	}
	return "$unset"
}

// split divides a text at the commas outside parentheses.
func split(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth == 0
	})
}

// attribute returns the path that an update expression spells, with
// placeholders replaced by the names that they stand for. A name that is not
// constant is one of the parts.
func (g *gatherer) attribute(text string) (path string, parts []ast.Expr, ok bool) {
	for _, name := range strings.Split(text, ".") {
		name, _, _ = strings.Cut(name, "[")
		if strings.HasPrefix(name, "#") {
			value := g.standsFor(name)
			if value == nil {
				return "", nil, false
			}
			var more []ast.Expr
			name, more = g.pattern(value)
			parts = append(parts, more...)
		}
		if name == "" || strings.ContainsAny(name, ":%() ") {
			return "", nil, false
		}
		path = join(path, name)
	}
	return path, parts, true
}

// standsFor returns the value that the current function gives a placeholder
// such as #log: {"#log": "log"}, names["#log"] = aws.String("log").
func (g *gatherer) standsFor(name string) (value ast.Expr) {
	if g.function == nil {
		return nil
	}
	is := func(key ast.Expr) bool {
		text, ok := g.constantString(key)
		return ok && text == name
	}
	for n := range ast.Preorder(g.function.Body) {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if is(n.Key) {
				value = n.Value
			}
		case *ast.AssignStmt:
			if index, ok := ast.Unparen(n.Lhs[0]).(*ast.IndexExpr); ok && is(index.Index) {
				value = n.Rhs[0]
			}
		}
		if value != nil {
			break
		}
	}
	if call, ok := value.(*ast.CallExpr); ok && calledName(call) == "String" && len(call.Args) == 1 {
		return call.Args[0]
	}
	return value
}

// stringConstant reads constants that contain updates of DynamoDB and of
// Couchbase, and those that may be paths of fields.
func (g *gatherer) stringConstant(lit *ast.BasicLit) {
	text, _ := g.pkg.Text(lit)
	if g.uses("dynamo") && startsWithClause(text) {
		g.updateExpression(lit, text)
	} else if strings.Contains(text, "list_append(") { // code adds the rest before it
		g.updateExpression(lit, "SET "+text)
	} else if g.uses("couchbase/gocb") {
		g.n1ql(lit, text)
	}
	if path, ok := strings.CutPrefix(text, "$"); ok && strings.Contains(path, ".") { // what a stage reads, and no operator
		text = path
	}
	if dottedPath.MatchString(text) {
		g.spelled[text] = true
	}
}

func startsWithClause(text string) bool {
	at := clauses.FindAllStringIndex(text, 1)
	return len(at) > 0 && at[0][0] == 0
}
