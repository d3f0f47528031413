package docmodel

import (
	"cmp"
	"go/ast"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// arrayCall matches a function of N1QL that adds an element to a list or
// removes one.
var arrayCall = lazyregexp.New("(?i)([\\w.`]+)\\s*=\\s*ARRAY_(APPEND|PREPEND|CONCAT|INSERT|PUT|REMOVE)\\s*\\(")

// arrayOperators are the functions that do more than add an element.
var arrayOperators = map[string]string{"PUT": "$addToSet", "REMOVE": "$pull"}

// aliased is the other name that a text of N1QL gives the documents it updates.
var aliased = lazyregexp.New("(?i)\\bUPDATE\\s+\\S+\\s+(?:AS\\s+)?(\\w+)\\s+(?:USE|SET)\\b")

// n1ql reads UPDATE hotels h SET h.stays = ARRAY_APPEND(h.stays, $stay) ….
func (g *gatherer) n1ql(expr ast.Expr, text string) {
	group, alias := &updateGroup{}, ""
	if found := aliased.FindStringSubmatch(text); found != nil {
		alias = found[1] + "."
	}
	for _, found := range arrayCall.FindAllStringSubmatch(text, -1) {
		op := cmp.Or(arrayOperators[strings.ToUpper(found[2])], "$push")
		u := g.newUpdate(op, strings.TrimPrefix(strings.ReplaceAll(found[1], "`", ""), alias), expr)
		u.Value = nil
		g.put(u, group)
	}
}
