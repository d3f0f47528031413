package schema

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/suggest"
)

// A resolver walks a schema and what it refers to.
type resolver struct {
	files   *files
	schema  *schema
	problem func(at finding.Location, message, hint string)
	seen    map[*Node]bool
}

// walk walks a schema and its subschemas. References are relative to base.
func (r *resolver) walk(n *Node, base string) {
	if r.seen[n] || !n.IsObject() {
		return
	}
	r.seen[n] = true
	within, ok := baseOf(n, base)
	if !ok {
		r.problem(n.KeyLocation("$id"), fmt.Sprintf("$id %q is not a URL", idOf(n)), "")
		return
	}
	if !r.usual(n.KeyLocation("$id"), "$id", idOf(n)) {
		return
	}
	if n != n.doc.root { // the root's id is already in the base
		base = within
	}
	if r.schema.mongodb {
		r.supported(n)
	}
	if properties := n.Get("properties"); properties.IsObject() && slices.ContainsFunc(properties.names(), isWrapper) {
		r.schema.written = true
	}
	for _, s := range subschemas(n) {
		r.walk(s.node, base)
	}
	if ref := n.member("$ref"); ref != nil && !r.schema.mongodb {
		if text, ok := ref.value.text(); ok {
			if target := r.follow(n, ref, text, base); target != nil {
				r.schema.refs[n] = target
			}
		}
	}
}

// usual reports whether a URL has the usual spelling, which the library needs
// to look up its parts. If not, it records a problem.
func (r *resolver) usual(at finding.Location, keyword, text string) bool {
	usual := respelled(text)
	if usual != "" {
		r.problem(at, fmt.Sprintf("%s %q is not in the usual form of a URL", keyword, text), fmt.Sprintf("write %q", usual))
	}
	return usual == ""
}

// wrapperNames are the members by which Extended JSON marks types.
var wrapperNames = []string{
	"$oid", "$date", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$uuid", "$timestamp", "$regularExpression",
	"$regex", "$minKey", "$maxKey", "$symbol", "$code", "$undefined",
}

func isWrapper(name string) bool { return slices.Contains(wrapperNames, name) }

// follow resolves a reference and walks its target. It returns nil if the
// target is a schema of the standard, or if there is a problem.
func (r *resolver) follow(n *Node, ref *member, text, base string) *Node {
	at := n.doc.tokenLocation(ref.value.token)
	parsed, err := url.Parse(text)
	if err != nil {
		r.problem(at, fmt.Sprintf("$ref %q is no reference", text), "")
		return nil
	}
	if !r.usual(at, "$ref", text) {
		return nil
	}
	target := resolve(base, parsed)
	fragment := target.Fragment
	target.Fragment, target.RawFragment = "", ""
	root, found := r.find(target, base, n.doc)
	if !found {
		if target.Host == "json-schema.org" {
			return nil
		}
		if target.Scheme == "file" {
			r.problem(at, fmt.Sprintf("$ref %q: there is no such file", text), "paths are relative to the file that refers")
		} else {
			r.problem(at, fmt.Sprintf("$ref %q leads to the network, and schemas are not fetched", text), "keep a copy beside this file and refer to that by its path")
		}
		return nil
	}
	if root == nil {
		return nil // already reported
	}
	meant := root
	switch {
	case strings.HasPrefix(fragment, "/"):
		meant = root.at(fragment)
	case fragment != "":
		meant = anchor(root, fragment)
	}
	if meant == nil {
		hint := ""
		if slash := strings.LastIndexByte(fragment, '/'); slash >= 0 {
			if parent := root.at(fragment[:slash]); parent != nil {
				hint = suggest.DidYouMean(unescape.Replace(fragment[slash+1:]), parent.names())
			}
		}
		r.problem(at, fmt.Sprintf("$ref %q leads nowhere", text), hint)
		return nil
	}
	r.walk(meant, target.String())
	return meant
}

// find returns the root of what a URL names: a schema with that id, a file, or
// a file next to one whose id is a URL. It is nil for an unreadable file.
func (r *resolver) find(target *url.URL, base string, from *document) (root *Node, found bool) {
	name := target.String()
	if n := r.files.byID[name]; n != nil {
		return n, true
	}
	if name == from.id || name == base && r.files.byID[base] == nil {
		return from.root, true
	}
	local := ""
	if target.Scheme == "file" {
		local = localPath(target.Path)
	} else if dir, ok := strings.CutSuffix(from.id, path.Base(from.id)); ok {
		if below, ok := strings.CutPrefix(name, dir); ok {
			local = filepath.Join(filepath.Dir(from.path), filepath.FromSlash(below))
		}
	}
	if local == "" {
		return nil, false
	}
	if info, err := os.Stat(local); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	d, err := r.files.document(local, beside(from, local))
	if err != nil {
		problem := finding.Problem{Message: err.Error(), Location: finding.Location{File: beside(from, local)}}
		if at, ok := err.(*fileError); ok {
			problem = at.problem
		}
		r.problem(problem.Location, problem.Message, problem.Hint)
		return nil, true
	}
	if d.id != name && r.files.byID[name] == nil {
		r.files.byID[name] = d.root
	}
	return d.root, true
}

func localPath(p string) string {
	if len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:] // a Windows drive
	}
	return filepath.FromSlash(p)
}

// beside returns a path in the form in which that of a document is shown.
func beside(d *document, local string) string {
	if relative, err := filepath.Rel(filepath.Dir(d.path), local); err == nil {
		return path.Join(path.Dir(d.shown), filepath.ToSlash(relative))
	}
	return local
}

// anchor finds the schema with the given anchor.
func anchor(n *Node, name string) *Node {
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if text, ok := n.Get(keyword).text(); ok && text == name {
			return n
		}
	}
	if text, ok := n.Get("$id").text(); ok && text == "#"+name {
		return n
	}
	for _, s := range subschemas(n) {
		if found := anchor(s.node, name); found != nil {
			return found
		}
	}
	return nil
}
