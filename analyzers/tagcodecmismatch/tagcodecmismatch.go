// Package tagcodecmismatch reports documents whose struct tags are for another
// codec than the one that stores them.
package tagcodecmismatch

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports documents without a tag of the codec that stores them whose
// tags for another codec give other names.
var Rule = check.Rule{Name: "tag-codec-mismatch", Run: run}

// others are the codecs whose tags may have been meant.
var others = []docmodel.Codec{docmodel.JSON, docmodel.BSON, docmodel.DynamoDB, docmodel.Firestore}

func run(p *check.Pass) {
	for _, d := range p.Documents() {
		if other, renamed := renames(p, d); len(renamed) > 0 {
			report(p, d, other, renamed)
		} else {
			slips(p, d)
		}
	}
}

// renames returns the fields of a document to which the tags of another codec
// give other names than they are stored under.
func renames(p *check.Pass, d *docmodel.Document) (docmodel.Codec, []*docmodel.Field) {
	if d.Codec == docmodel.DynamoDB1 || d.Codec.Marshals(d.Named) || reads(p, d.Codec) || len(d.Fields) < 2 {
		return "", nil
	}
	for _, other := range others {
		if other != d.Codec {
			// If one field has the right tag, the author knows it, unless queries use
			// the names in the other tags.
			known := slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return f.Tag.Key != "" })
			if renamed := mistagged(d, other); len(renamed) > 0 {
				if meant, both := asked(p, d, renamed, other); !known || sure(p, d, meant, both) {
					return other, renamed
				}
			}
		}
	}
	return "", nil
}

// slips reports the only field of a document with the tag of another codec, if
// all others have the right one.
func slips(p *check.Pass, d *docmodel.Document) {
	var slip *docmodel.Field
	tagged := 0
	for _, f := range d.Fields {
		switch {
		case f.Tag.Key != "":
			tagged++
		case slip != nil:
			return
		default:
			slip = f
		}
	}
	if slip == nil || tagged < 2 || slip.Promoted || reads(p, d.Codec) || d.OnlyRead() && len(p.Program.Values(slip)) > 0 { // code sets it after reading
		return
	}
	if _, malformed := slip.Unread(); malformed { // another rule says so
		return
	}
	for _, other := range others {
		tag := other.Tag(slip.RawTag)
		if other == d.Codec || tag.Key == "" || tag.Name == "" || tag.Name == "-" || tag.Name == slip.Name || p.Program.Spells(slip.Name) {
			continue
		}
		found := check.Finding{
			Field: slip, Confidence: 0.7,
			Message: fmt.Sprintf("%s has a %s tag where all other fields of %s have %s tags: it is stored as %q, not %q",
				slip.GoName(), other.TagKey(), d.Name, d.Codec.TagKey(), slip.Name, tag.Name),
			Advice: fmt.Sprintf("Give it a %s tag. A tag with the present name changes nothing; with %q, the field has to be renamed in the stored documents.", d.Codec.TagKey(), tag.Name),
		}
		meant, both := asked(p, d, []*docmodel.Field{slip}, other)
		mend(p, d, &found, other, meant, both)
		p.Report(found)
		return
	}
}

// reads reports whether the codec is set up to read the tags of another.
func reads(p *check.Pass, c docmodel.Codec) bool {
	o := p.Program.ClientOptions()
	return c == docmodel.BSON && o.JSONTags || c == docmodel.DynamoDB && o.TagKey != ""
}

// mistagged returns the fields to which the tags of another codec give other
// names than they are stored under.
func mistagged(d *docmodel.Document, other docmodel.Codec) []*docmodel.Field {
	var renamed []*docmodel.Field
	named := 0
	for _, f := range d.Fields {
		tag := other.Tag(f.RawTag)
		if f.Tag.Key == "" && (tag.Key == "" || tag.Name == "" || tag.Name == "-") {
			continue
		}
		named++
		if f.Tag.Key == "" && tag.Name != f.Name {
			renamed = append(renamed, f)
		}
	}
	if named < 2 || named*2 < len(d.Fields) {
		return nil
	}
	return renamed
}

func report(p *check.Pass, d *docmodel.Document, other docmodel.Codec, renamed []*docmodel.Field) {
	meant, both := asked(p, d, renamed, other)
	first := renamed[max(0, slices.IndexFunc(renamed, func(f *docmodel.Field) bool { return meant != nil && meant.Name == other.Tag(f.RawTag).Name }))]
	var names []string
	for _, f := range renamed {
		names = append(names, f.Name+", not "+other.Tag(f.RawTag).Name)
	}
	found := check.Finding{
		Document: d,
		Message: fmt.Sprintf("%s has %s tags but is stored by %s, which does not read them: %s is stored as %q, not %q",
			d.Name, other.TagKey(), d.Codec.Library(), first.GoName(), first.Name, other.Tag(first.RawTag).Name),
		Advice:   fmt.Sprintf("Give the fields %s tags. Tags with the present names change nothing; with the %s names, the fields have to be renamed in the stored documents.", d.Codec.TagKey(), other.TagKey()),
		Evidence: []finding.Evidence{{Name: "fields with another name", Value: names}},
	}
	if sure(p, d, meant, both) {
		found.Confidence = 0.9
	} else { // the program reads what it writes
		found.Severity, found.Confidence = finding.Info, 0.4
	}
	if o := p.Program.ClientOptions(); o.Unknown || !p.Program.Whole() {
		found.Confidence = min(found.Confidence, 0.5)
	}
	mend(p, d, &found, other, meant, both)
	p.Report(found)
}

// asked looks for queries by the name in the tag, in the packages that declare
// and store the document, and reports whether code uses stored names as well.
func asked(p *check.Pass, d *docmodel.Document, renamed []*docmodel.Field, other docmodel.Codec) (meant *docmodel.Mention, both bool) {
	known, sent := false, false
	for _, f := range renamed {
		both = both || slices.ContainsFunc(p.Program.Mentions(f.Name), func(m docmodel.Mention) bool { return p.Program.Concerns(m, d) })
		// a single word may mean something else elsewhere
		known = known || len(lexicon.Tokens(f.GoName())) > 1 && p.Program.Spells(f.Name)
		for _, m := range p.Program.Mentions(other.Tag(f.RawTag).Name) {
			if !sent && p.Program.Concerns(m, d) && !stores(p, d, m) && (meant == nil || p.Program.SentTo(m, d)) {
				meant, sent = &m, p.Program.SentTo(m, d)
			}
		}
	}
	return meant, both || known && !sent
}

// sure reports whether code means the names in the tags. Code that uses stored names
// proves that its author knows them, unless the query is sent to these documents.
func sure(p *check.Pass, d *docmodel.Document, meant *docmodel.Mention, both bool) bool {
	return meant != nil && (!both || p.Program.SentTo(*meant, d))
}

// stores reports whether another document has the field that a query names, and the
// query may mean that document.
func stores(p *check.Pass, d *docmodel.Document, m docmodel.Mention) bool {
	return slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) bool {
		return other != d && (p.Program.SentTo(m, other) || !p.Program.SentTo(m, d)) && slices.ContainsFunc(other.Fields, func(f *docmodel.Field) bool { return f.Name == m.Name })
	})
}

// mend adds a fix that writes the stored names into the tags, so that they are
// visible, or the names that queries use. If code uses both, people decide: one
// name in the tag would make the other look like a mistake.
func mend(p *check.Pass, d *docmodel.Document, found *check.Finding, other docmodel.Codec, meant *docmodel.Mention, both bool) {
	key := d.Codec.TagKey()
	found.Fix = &check.Fix{Title: "show the stored names in " + key + " tags", Safety: finding.Safe}
	if p.Program.ClientOptions().Unknown { // the client may read the other tags
		found.Fix.Safety = finding.Unsafe
	}
	if meant != nil {
		found.Related = append(found.Related, check.Related{Pos: meant.Pos, Message: "code uses the name in the " + other.TagKey() + " tag here"})
		found.Fix.Title, found.Fix.Safety = "store the fields under the names in the "+other.TagKey()+" tags", finding.Unsafe
		if both {
			found.Message += "; code uses names of both kinds"
			found.Fix = check.Plan("decide which names the documents should have")
			return
		}
	}
	for _, f := range d.Fields {
		if f.Owner == nil || f.Var.Embedded() || docmodel.TypeKey(f.Owner) != d.Key || f.Tag.Key != "" {
			continue
		}
		name := f.Name
		if tag := other.Tag(f.RawTag); meant != nil && tag.Name != "" && tag.Name != "-" {
			name = tag.Name
		}
		edit, ok := p.SetTag(f, key, name)
		if !ok {
			found.Fix = found.Fix.Plan()
			return
		}
		found.Fix.Edits = append(found.Fix.Edits, edit)
	}
	if len(found.Fix.Edits) == 0 {
		found.Fix = found.Fix.Plan()
	}
}
