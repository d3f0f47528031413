package evidence

import (
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

const (
	longestName  = 64   // bytes; a longer name is a text
	digitsInName = 6    // from here on, a name is a number such as a phone or an account
	mostNames    = 1024 // names per object; as many as a profile keeps
	variedNames  = 3    // least number of names whose variety means anything; two that occur once each do too
	variedShare  = 0.5  // names vary while the most frequent is in at most this share of the objects
	variedAlike  = 0.8  // share of the values with the same type
)

// isData reports whether a name is data, judging by the name alone.
func isData(name string) bool {
	if len(name) > longestName || model.IsDataName(name) {
		return true
	}
	switch profile.FormOf([]byte(name)) {
	case profile.FormEmail, profile.FormURL, profile.FormSlashDate, profile.FormRFC1123:
		return true
	}
	digits := 0
	for _, r := range name {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= digitsInName || strings.ContainsRune(name, '@') && len(name) > 1 && name[0] != '@'
}

// hide folds names that may be data. It considers all documents of a
// collection, because one kind may have too few.
func (c *Collection) hide(shared bool) {
	whole := c.Whole()
	whole.Root.hide(true)
	if shared {
		whole.Root.hideFew(true)
	}
	for _, k := range c.Kinds {
		k.Root.hide(true)
		k.Root.foldLike(whole.Root)
	}
}

// hide folds names that may be data, innermost first: single names that are
// data, and all names of an object if they vary like data. Top-level names are
// folded only one by one, because if they vary there are several kinds of
// document.
func (n *Node) hide(root bool) {
	for _, name := range n.FieldNames() {
		if isData(name) {
			n.leaveOut(name)
			n.Names.Least++
			n.Names.Most++
		}
	}
	switch {
	case n.Fold == Unfolded && (len(n.Fields) > mostNames || !root && n.varies()):
		n.fold(Varied)
	case n.Fold != Unfolded:
		n.fold(n.Fold)
	}
	for _, child := range n.children() {
		child.hide(false)
	}
}

// varies reports whether no name is in most objects, and the values are alike
// or most names occur once.
func (n *Node) varies() bool {
	if len(n.Fields) < 2 || n.Objects() < 2 {
		return false
	}
	var types [profile.NumClasses]int64
	once, total := 0, int64(0)
	for _, f := range n.Fields {
		if float64(f.Values) > variedShare*float64(n.Objects()) {
			return false
		}
		if f.Values == 1 {
			once++
		}
		for class := profile.Bool; class < profile.NumClasses; class++ {
			types[class.TypeClass()] += f.Types[class]
			total += f.Types[class]
		}
	}
	most := int64(0)
	for _, k := range types {
		most = max(most, k)
	}
	if len(n.Fields) < variedNames {
		return once == len(n.Fields)
	}
	return float64(most) >= variedAlike*float64(total) || 2*once >= len(n.Fields)
}

// fold omits all names.
func (n *Node) fold(why Fold) {
	k := int64(len(n.Fields))
	if n.Fold == Unfolded { // the names omitted so far are data themselves, and these are not
		n.Names.Least += k
		n.Names.Most += k
	} else {
		n.Names.add(Range{k, k})
	}
	n.Fold = max(n.Fold, why)
	for _, name := range n.FieldNames() {
		n.leaveOut(name)
	}
}

// leaveOut moves the values of a name to those of the omitted names.
func (n *Node) leaveOut(name string) {
	f := n.Fields[name]
	delete(n.Fields, name)
	f.uncount()
	n.child(profile.Step{Kind: profile.MapValues}).merge(f)
}

// uncount clears the counts of documents, because one document can hold several
// of the omitted names.
func (n *Node) uncount() {
	n.Docs = 0
	for _, child := range n.children() {
		child.uncount()
	}
}

// foldLike folds the names that the same node in another file folds.
func (n *Node) foldLike(o *Node) {
	if n == nil || o == nil {
		return
	}
	if fold := max(n.Fold, o.Fold); fold != Unfolded {
		n.fold(fold)
		rest := &Node{}
		if o.Rest != nil {
			rest.merge(o.Rest)
		}
		for _, f := range o.Fields {
			rest.merge(f)
		}
		n.Rest.foldLike(rest)
	} else {
		for name, f := range n.Fields {
			f.foldLike(o.Fields[name])
		}
		n.Rest.foldLike(o.Rest)
	}
	n.Elem.foldLike(o.Elem)
}
