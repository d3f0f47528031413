package unboundedarray

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// backReference returns the reference from the list's targets to its document.
// The list then adds no information.
func (l *list) backReference() *model.Reference {
	if l.ref == nil || l.ref.To == l.e {
		return nil
	}
	for _, r := range l.p.DB.ReferencesTo(l.e) {
		if r.From == l.ref.To {
			return r
		}
	}
	return nil
}

// whole reports whether the list is in the document itself or in objects of it,
// so that the document is its parent.
func (l *list) whole() bool {
	return !slices.ContainsFunc(l.path, func(s profile.Step) bool { return s.Kind != profile.Field })
}

func (l *list) advice() string {
	if l.content == references {
		return l.referenceAdvice()
	}
	if l.content == numbers {
		return fmt.Sprintf("If values keep coming, store %s in one document per span of time, with the id of their %s; "+
			"if they are written once, keep them outside the document or packed as one binary value.", l.name, naming.Noun(l.e))
	}
	parent, child := naming.Noun(l.e), naming.SingularWords(l.name)
	ref := naming.BackReference(l.e, l.elem)
	if !l.whole() {
		parent = naming.SingularWords(cmp.Or(naming.ListName(outer(l.node)), l.e.Collection.Name))
		return fmt.Sprintf("Store each %s as a document with the id of its %s, and keep at most the newest few in the %s.",
			child, parent, parent)
	}
	advice := fmt.Sprintf("Store each %s as a document with %s, and keep in the %s only what is shown with it", child, ref, parent)
	if recent := l.recentName(); recent != "" {
		advice = fmt.Sprintf("Keep the newest %s in the %s as %s, and store each %s as a document with %s",
			quantity.Grouped(int64(l.p.Threshold("keep"))), parent, recent, child, ref)
	}
	switch l.p.Limits.Name {
	case "cosmosdb":
		advice += fmt.Sprintf("; with /%s as the partition key, one cheap query finds all of one %s", ref, parent)
	case "dynamodb":
		advice += fmt.Sprintf(", with %s as the partition key and the time or number as the sort key", ref)
	case "firestore":
		advice += fmt.Sprintf(", for instance in the subcollection %s/{id}/%s", l.e.Collection.Name, l.name)
	default:
		advice += fmt.Sprintf(", with an index on %s", ref)
	}
	if mean := l.elem.Bytes / max(1, l.elem.Count); mean < smallElement {
		advice += "; small elements may share a document, a hundred at a time"
	}
	return advice + "."
}

// smallElement is the length, in bytes as written, up to which a document per
// element is not worth its cost.
const smallElement = 150

// outer returns the node of the array or map around the list.
func outer(n *profile.Node) *profile.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.Step.Kind != profile.Field {
			return n
		}
	}
	return nil
}

func (l *list) referenceAdvice() string {
	parent, child := naming.Noun(l.e), l.childNoun()
	if back := l.backReference(); back != nil {
		return fmt.Sprintf("Drop %s: each %s already has %s, and a query on that, with an index, gives the same list.", l.name, child, back.Path)
	}
	ref := naming.BackReference(l.e, nil)
	share, known := l.ownership()
	switch {
	case known && share >= l.p.Threshold("owner-share"):
		return fmt.Sprintf("Store %[2]s in each %[1]s, and drop %[3]s from the %[4]s: %[5]s of the ids occur in only one %[6]s, so each %[7]s has one owner.",
			child, ref, l.name, parent, quantity.Percent(share), parent, child)
	case known:
		many := naming.StyleOf(l.e.Root()).Join(append(naming.NounWords(naming.EntityName(l.e)), "ids")...)
		return fmt.Sprintf("Keep the relation on the side where the list stays short: only %s of the ids occur in one %s alone. Let each %s list "+
			"its %s as %s, or, if both sides grow, store each pair as a small document with both ids.", quantity.Percent(share), parent, child,
			lexicon.Plural(parent), many)
	}
	return fmt.Sprintf("If each %s belongs to one %s, store %s in it and drop %s from the %s; if they are shared, keep the list on the side where it stays short.",
		child, parent, ref, l.name, parent)
}

// recentName returns a name for the bounded list that stays: recentComments. It
// is empty if nothing shows that elements have an order in time.
func (l *list) recentName() string {
	if _, ordered := times.RankFieldOf(l.elem); !ordered && !l.growing {
		return ""
	}
	holder := l.node.Parent
	return naming.StyleOf(holder).Join(append([]string{"recent"}, lexicon.Tokens(l.name)...)...)
}

// fix shows the proposed model with the smallest document that makes a good
// example, or returns nil.
func (l *list) fix() []finding.Fix {
	if !l.whole() || !l.probe.smallest.at.Known() || l.content == numbers {
		return nil
	}
	id := l.e.ID()
	if id == nil || len(id.Path) != 1 {
		return nil
	}
	d, err := l.p.Document(l.probe.smallest.at)
	if err != nil {
		return nil
	}
	document, shortened := plans.Shown(d.Document, int(l.p.Threshold("keep"))+2)
	if document == nil {
		return nil
	}
	var fix *finding.Fix
	if l.content == references {
		fix, err = l.turnRound(document, id.Path[0].Name)
	} else {
		fix, err = l.moveOut(document, id.Path[0].Name)
	}
	if err != nil || fix == nil {
		return nil
	}
	if shortened {
		fix.Title += " (shown with a shortened document)"
	}
	return []finding.Fix{*fix}
}

// moveOut keeps the newest elements and makes documents of all.
func (l *list) moveOut(document *reshape.Value, id string) (*finding.Fix, error) {
	keys := []string{id}
	for _, k := range l.p.Limits.IDKeys {
		if k != id {
			keys = append(keys, k)
		}
	}
	split := reshape.Split{
		Path: l.path, ParentID: id, ChildRef: naming.BackReference(l.e, l.elem), IDKeys: keys,
		RecentName: l.recentName(), Keep: int(l.p.Threshold("keep")), Bucket: int(l.p.Threshold("bucket")),
	}
	if f, ok := times.RankFieldOf(l.elem); ok {
		split.NewestBy = reshape.By(profile.Path{{Kind: profile.Field, Name: f.Name}})
	}
	parent, children, err := reshape.SplitArray(document, split)
	if err != nil {
		return nil, err
	}
	collection := naming.ChildCollection(l.e, l.name)
	fix := &finding.Fix{
		Title:  fmt.Sprintf("store each of the %s in %s", l.name, collection),
		Safety: finding.Plan, Before: document.AppendJSON(nil),
		After: []finding.DocumentInPlace{{Collection: l.e.Collection.Name, Document: parent.AppendJSON(nil)}},
	}
	if split.Bucket > 0 {
		fix.Title = fmt.Sprintf("store the %s in %s, %d to a document", l.name, collection, split.Bucket)
	}
	if split.RecentName != "" {
		fix.Title = fmt.Sprintf("keep %s, %s", split.RecentName, fix.Title)
	}
	for _, c := range children {
		fix.After = append(fix.After, finding.DocumentInPlace{Collection: collection, Document: c.AppendJSON(nil)})
	}
	return fix, nil
}

// turnRound removes the list of ids from the parent and makes the children
// refer to it. For children that are not in the sample, it shows only the
// change.
func (l *list) turnRound(document *reshape.Value, id string) (*finding.Fix, error) {
	share, known := l.ownership()
	back := l.backReference()
	owned := known && share >= l.p.Threshold("owner-share")
	if !owned && back == nil {
		return nil, nil // shared children: a person has to decide which side keeps the list
	}
	lists := document.Select(l.path)
	parentID := document.Get(id)
	if len(lists) != 1 || lists[0].Kind() != scan.Array || parentID == nil || parentID.Kind() >= scan.Object {
		return nil, fmt.Errorf("no list or no id")
	}
	linkPath := l.link.Path()[len(l.path)+1:]
	collection, key := lexicon.StyleOf(l.e.Collection.Name).Join(lexicon.Tokens(naming.ChildTarget(l.name))...), id
	if l.ref != nil {
		if l.ref.Tail {
			return nil, nil
		}
		collection, key = l.ref.To.Collection.Name, l.ref.Key.Path[0].Name
	}
	field := naming.BackReference(l.e, nil)
	if l.ref != nil {
		field = naming.BackReference(l.e, l.ref.To.Root())
	}
	if back != nil {
		if len(back.Path) != 1 {
			return nil, nil
		}
		field = back.Path[0].Name
	}
	after := document.Clone()
	holder := after
	if above := l.path[:len(l.path)-1]; len(above) > 0 {
		holder = after.Select(above)[0]
	}
	holder.Remove(l.path[len(l.path)-1].Name)
	fix := &finding.Fix{
		Title: fmt.Sprintf("drop %s, let each %s carry %s", l.name, naming.SingularWords(collection), field), Safety: finding.Plan,
		Before: document.AppendJSON(nil),
		After:  []finding.DocumentInPlace{{Collection: l.e.Collection.Name, Document: after.AppendJSON(nil)}},
	}
	for _, element := range lists[0].Elements() {
		child, err := l.child(element, linkPath, key)
		if err != nil {
			return nil, err
		}
		child.AddAfterID([]string{key}, field, parentID.Clone())
		fix.After = append(fix.After, finding.DocumentInPlace{Collection: collection, Document: child.AppendJSON(nil)})
	}
	return fix, nil
}

// childNoun returns the word for the elements of the list: the target, the last
// but one segment of its URLs, or a word from its own name.
func (l *list) childNoun() string {
	if l.ref != nil {
		return naming.Noun(l.ref.To)
	}
	if prefixes := l.link.Scalars.Prefixes().Values(); len(prefixes) == 1 {
		if words := lexicon.Tokens(path.Base(strings.TrimRight(prefixes[0].Text, "/:"))); len(words) > 0 {
			return naming.SingularWords(strings.Join(words, " "))
		}
	}
	return naming.SingularWords(naming.ChildTarget(l.name))
}

// child returns the document that an element refers to, or as much of it as the
// element shows.
func (l *list) child(element *reshape.Value, link profile.Path, key string) (*reshape.Value, error) {
	values := element.Select(link)
	if len(values) != 1 || values[0].Kind() >= scan.Object {
		return nil, fmt.Errorf("an element without id")
	}
	if at, ok := relations.FindKey(l.children, profile.HashText([]byte(values[0].Text()))); ok {
		d, err := l.p.Document(at)
		if err != nil {
			return nil, err
		}
		if short, _ := plans.Shown(d.Document, 3); short != nil && short.Has(key) {
			return short, nil
		}
	}
	child := reshape.Object(reshape.Member{Name: key, Value: values[0].Clone()})
	if element.Kind() == scan.Object {
		for _, m := range element.Members() {
			if !child.Has(m.Name) && !(len(link) == 1 && m.Name == link[0].Name) {
				child.Set(m.Name, m.Value.Clone())
			}
		}
	}
	return child, nil
}
