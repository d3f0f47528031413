package docmodel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An Actor is what causes code to run, which determines how often it runs.
type Actor struct {
	Kind ActorKind
	Name string // POST /comments, or the name of a function
}

// ActorKind says what kind of actor it is.
type ActorKind uint8

const (
	Caller   ActorKind = iota // unknown caller of the function
	Request                   // runs for each request, call or message
	Requests                  // runs for each of several kinds of request
	Job                       // runs in each round of an endless loop
)

// of returns the actor with the name of the function through which several
// actors come.
func (a Actor) of(r *routine) Actor {
	a.Name = funcName(r.fn)
	if a.Kind == Request {
		a.Kind = Requests
	}
	return a
}

// String returns a description for use in a sentence, such as: each request to
// POST /comments.
func (a Actor) String() string {
	switch {
	case a.Kind == Request && strings.ContainsRune(a.Name, '/'):
		return "each request to " + a.Name
	case a.Kind == Request:
		return "each request handled by " + a.Name
	case a.Kind == Job:
		return "every run of " + a.Name
	}
	return "each call of " + a.Name
}

// httpMethods are the methods with which web frameworks register handlers for
// an HTTP method.
var httpMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// route records functions that are registered under a path: r.POST("/comments",
// h.Add), mux.HandleFunc("POST /comments", add).
func (a *accumulation) route(s *site) {
	path, method := "", strings.ToUpper(calledName(s.call))
	if !slices.Contains(httpMethods, method) {
		method = ""
	}
	for _, arg := range s.call.Args {
		switch text, _ := s.in.pkg.Text(arg); {
		case slices.Contains(httpMethods, text):
			method = text
		case strings.HasPrefix(text, "/"):
			path = text
		case strings.Contains(text, " /"):
			method, path, _ = strings.Cut(text, " ")
		}
	}
	if path == "" {
		return
	}
	if method != "" {
		path = method + " " + path
	}
	for _, arg := range s.call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.Ident:
				if fn, ok := s.in.pkg.Info.Uses[n].(*types.Func); ok && a.answers(fn.Type().(*types.Signature)) && a.routes[fn.Origin()] == "" {
					a.routes[fn.Origin()] = path
				}
			}
			return true
		})
	}
}

// answers reports whether a web, RPC or queue framework calls a function,
// judging by its parameters: a request, a message or the context of one.
func (a *accumulation) answers(signature *types.Signature) bool {
	for i := range signature.Params().Len() {
		t := signature.Params().At(i).Type()
		t = Pointed(t)
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == "context" || a.program.Own(named) {
			continue
		}
		if slices.Contains(handlerTypes, named.Obj().Name()) {
			return true
		}
	}
	return remote(signature)
}

// remote reports whether a function has the shape of a remote procedure: a
// context and one request in, one response and an error out.
func remote(signature *types.Signature) bool {
	in, out := signature.Params(), signature.Results()
	if signature.Recv() == nil || in.Len() != 2 || out.Len() != 2 || types.TypeString(in.At(0).Type(), nil) != "context.Context" || !isError(out.At(1).Type()) {
		return false
	}
	for _, side := range []struct {
		t        types.Type
		suffixes []string
	}{{in.At(1).Type(), []string{"Request", "Req"}}, {out.At(0).Type(), []string{"Response", "Resp", "Reply", "Empty"}}} {
		pointer, ok := side.t.(*types.Pointer)
		if !ok {
			return false
		}
		named, ok := types.Unalias(pointer.Elem()).(*types.Named)
		if !ok || !slices.ContainsFunc(side.suffixes, func(s string) bool { return strings.HasSuffix(named.Obj().Name(), s) }) {
			return false
		}
	}
	return true
}

// actor returns what causes a function to run. If several calls lead to it,
// those in chain are preferred.
func (a *accumulation) actor(r *routine, pos token.Pos, chain []*site) Actor {
	if found, ok := a.entry(r, pos); ok {
		return found
	}
	for _, s := range chain {
		if found, ok := a.entry(s.in, s.call.Pos()); ok {
			return found
		}
	}
	seen := map[*routine]bool{r: true}
	level := []*routine{r}
	if len(chain) > 0 {
		level = []*routine{chain[len(chain)-1].in}
	}
	for range MaxCalls {
		var above []*routine
		var entries []Actor
		for _, r := range level {
			for _, s := range a.callers[r.fn] {
				if seen[s.in] {
					continue
				}
				seen[s.in] = true
				if found, ok := a.entry(s.in, s.call.Pos()); ok {
					entries = append(entries, found)
					continue
				}
				above = append(above, s.in)
			}
		}
		switch entries = slices.Compact(entries); {
		case len(entries) == 1:
			return entries[0]
		case len(entries) > 1: // name the function instead of all of them
			return Actor{entries[0].Kind, ""}.of(r)
		}
		level = above
	}
	return Actor{Caller, funcName(r.fn)}
}

// entry returns what causes the code at a position to run, if the function
// itself shows that.
func (a *accumulation) entry(r *routine, pos token.Pos) (Actor, bool) {
	if path := a.routes[r.fn]; path != "" {
		return Actor{Request, path}, true
	}
	if r.fn != nil && a.answers(r.fn.Type().(*types.Signature)) {
		return Actor{Request, funcName(r.fn)}, true
	}
	for _, lit := range r.literal {
		if lit.Pos() > pos || pos > lit.End() {
			continue
		}
		if signature, ok := r.pkg.Info.TypeOf(lit).(*types.Signature); ok && a.answers(signature) {
			return Actor{Request, funcName(r.fn)}, true
		}
	}
	if endless(r, pos) {
		return Actor{Job, funcName(r.fn)}, true
	}
	return Actor{}, false
}

// endless reports whether a position is in a loop without a condition, which
// waits for a clock or for messages.
func endless(r *routine, pos token.Pos) bool {
	found := false
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if loop, ok := n.(*ast.ForStmt); ok && loop.Cond == nil && loop.Pos() <= pos && pos <= loop.End() {
			found = true
		}
		if loop, ok := n.(*ast.RangeStmt); ok && loop.Pos() <= pos && pos <= loop.End() {
			if t := r.pkg.Info.TypeOf(loop.X); t != nil {
				_, channel := t.Underlying().(*types.Chan)
				found = found || channel && !r.closes(loop.X)
			}
		}
		return !found
	})
	return found
}

// closes reports whether the function itself closes a channel: it hands out a number of
// things to do, and waits for nothing else.
func (r *routine) closes(channel ast.Expr) bool {
	v := r.variable(channel)
	return v != nil && slices.ContainsFunc(r.calls, func(s *site) bool {
		return calledName(s.call) == "close" && len(s.call.Args) == 1 && r.variable(s.call.Args[0]) == v
	})
}

// funcName returns the name of a function, including its receiver type.
func funcName(fn *types.Func) string {
	if fn == nil {
		return "the program"
	}
	if receiver := receiverName(fn); receiver != "" {
		return fmt.Sprintf("%s.%s", receiver, fn.Name())
	}
	return fn.Name()
}
