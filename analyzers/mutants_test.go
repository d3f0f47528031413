package analyzers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An operator breaks code that stores documents well, in the way that a rule
// looks for; one without a rule changes what must not matter.
type operator struct {
	name, rule string
	find       *regexp.Regexp
	with       string
	also       string // added at the end
	needs      string // what the text has to hold besides
}

// operators are made for the packages of testdata/src/mutants and for the good
// models of the article, wherever their text matches.
var operators = []operator{
	{
		name: "remove $slice", rule: "unbounded-array",
		find: regexp.MustCompile(`bson\.M\{"\$each": bson\.A\{(\w+)\}, "\$slice": -\d+\}`), with: "$1",
	},
	{
		name: "remove the cut behind an append", rule: "unbounded-array",
		find: regexp.MustCompile(`(?s)\tif len\(p\.Remarks\) > \w+ \{\n[^}]*\}\n`), with: "",
	},
	{
		name: "append to the stored list in place of setting it, DynamoDB", rule: "unbounded-array",
		find: regexp.MustCompile(`SET #items = :items`), with: "SET #items = list_append(if_not_exists(#items, :none), :items)",
	},
	{
		name: "append to the stored list in place of setting it, Firestore", rule: "unbounded-array",
		find: regexp.MustCompile(`\[\]firestore\.Update\{\{Path: "items", Value: items\}\}`), with: `[]firestore.Update{{Path: "items", Value: firestore.ArrayUnion(items[0])}}`,
	},
	{
		name: "append in a merged map, Firestore", rule: "unbounded-array",
		find: regexp.MustCompile(`Update\(ctx, \[\]firestore\.Update\{\{Path: "items", Value: items\}\}\)`), with: `Set(ctx, map[string]any{"items": firestore.ArrayUnion(items[0])}, firestore.MergeAll)`,
	},
	{
		name: "append to the stored list in place of setting it, Couchbase", rule: "unbounded-array",
		find: regexp.MustCompile(`UpsertSpec\("items", items`), with: `ArrayAppendSpec("items", items[0]`,
	},
	{
		name: "append to the stored list in place of setting it, Cosmos DB", rule: "unbounded-array",
		find: regexp.MustCompile(`AppendSet\("/items", items`), with: `AppendAdd("/items/-", items[0]`,
	},
	{
		name: "leave the count out of the update", rule: "aggregate-drift",
		find: regexp.MustCompile(` ADD badgeCount :one|, "seatCount": firestore\.Increment\(1\)|, "\$inc": bson\.M\{"\w+": 1\}`), with: "",
	},
	{
		name: "replace a reference by the struct", rule: "whole-entity-embed, volatile-embed",
		find: regexp.MustCompile("StockID +string +`(\\w+):\"stockId\"`"), with: "Stock Stock `$1:\"stock\"`",
	},
	{
		name: "drop the type field", rule: "missing-discriminator",
		find: regexp.MustCompile("(?m)^\tType +string .*$|, Type: \"\\w+\"|Type: \"\\w+\", "), with: "",
	},
	{
		name: "change the type of a reference", rule: "reference-type-mismatch",
		find: regexp.MustCompile("(?m)(\tStockID|\tPublisherID|\tPostID)( +)(string|bson\\.ObjectID)( +`)"), with: "$1 int64 $4",
	},
	{
		name: "change the type of an id", rule: "reference-type-mismatch",
		find: regexp.MustCompile("(?s)(type (?:Stock|Publisher|Post) struct \\{\n\tID +)(?:string|bson\\.ObjectID)( +`)"), with: "${1}int64 $2", needs: "/bson\"",
	},
	{
		name: "add a collection of pairs", rule: "join-document",
		find: regexp.MustCompile(`(?s)(BookIDs .*\nfunc SaveAuthor\(ctx context\.Context, db \*mongo\.Database)`), with: "$1",
		also: "\ntype AuthorBook struct {\n\tID string `bson:\"_id\"`\n\tAuthorID string `bson:\"authorId\"`\n\tBookID string `bson:\"bookId\"`\n}\n\n" +
			"func Tie(ctx context.Context, db *mongo.Database, t AuthorBook) error {\n\t_, err := db.Collection(\"authorBooks\").InsertOne(ctx, t)\n\treturn err\n}\n",
	},
	{
		name: "turn a list into a map by id", rule: "dynamic-keys",
		find: regexp.MustCompile(`\[\](Holding|Score|Line) ( *` + "`" + `)`), with: "map[bson.ObjectID]$1 $2", needs: "/bson\"",
	},
	{
		name: "drop omitempty from _id", rule: "zero-object-id",
		find: regexp.MustCompile(`_id,omitempty`), with: "_id",
	},
	{
		name: "split one update in two", rule: "aggregate-drift",
		find: regexp.MustCompile(`(?m)^(\t_, err := )(.*UpdateOne\(ctx, bson\.M\{"_id": id\}, )bson\.M\{("\$push": bson\.M\{"\w+": \w+\}), ("\$inc": bson\.M\{"\w+": 1\})\}\)$`),
		with: "\t${2}bson.M{$3})\n${1}${2}bson.M{$4})",
	},
	{name: "add a comment to each struct", find: regexp.MustCompile(`(?m)^type (\w+) struct \{`), with: "// $1 is stored.\ntype $1 struct {"},
	{name: "add a label", find: regexp.MustCompile("(?m)^(\tID +.*`(bson|firestore|dynamodbav|json):.*)$"), with: "$1\n\tLabels map[string]string `$2:\"labels,omitempty\"`"},
	{name: "add a list of tags", find: regexp.MustCompile("(?m)^(\tID +.*`(bson|firestore|dynamodbav|json):.*)$"), with: "$1\n\tTags []string `$2:\"tags,omitempty\"`"},
	{name: "mark the items", find: regexp.MustCompile("(?m)^(\tItems +.*`(bson|firestore|dynamodbav|json):.*)$"), with: "$1\n\tMarks []int `$2:\"marks,omitempty\"`"},
	{name: "remove from the stored list, too", find: regexp.MustCompile(`"SET #items = :items"`), with: `"SET #items = :items REMOVE #items[0]"`},
	{name: "count what nobody lists", find: regexp.MustCompile(`"SET #items = :items"`), with: `"SET #items = :items ADD followerCount :one"`},
	{name: "rename the parameters", find: regexp.MustCompile(`\bctx\b`), with: "c0"},
}

// TestMutants breaks fixtures that store documents well and looks whether the
// rule sees it. It prints what it found by operator: -v shows it.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("checks some hundred packages")
	}
	t.Parallel()
	s := testdataStage(t)
	root := filepath.Join(s.dir, "src")
	files, err := filepath.Glob(filepath.Join(root, "article", "*", "good", "*", "*.go"))
	require.NoError(t, err)
	own, err := filepath.Glob(filepath.Join(root, "mutants", "*", "*.go"))
	require.NoError(t, err)
	files = append(files, own...)

	type mutant struct {
		operator
		path, from string
	}
	var mutants []mutant
	var paths []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(file, string(filepath.Separator)+"mutants"+string(filepath.Separator)) {
			from, err := filepath.Rel(root, filepath.Dir(file))
			require.NoError(t, err)
			mutants = append(mutants, mutant{operator{name: "leave as it is"}, filepath.ToSlash(from), filepath.ToSlash(from)})
		}
		for i, o := range operators {
			changed := o.find.ReplaceAllString(string(text), o.with) + o.also
			if !o.find.Match(text) || !strings.Contains(string(text), o.needs) {
				continue
			}
			from, err := filepath.Rel(root, filepath.Dir(file))
			require.NoError(t, err)
			m := mutant{o, fmt.Sprintf("mutated/m%d/%s", i, filepath.ToSlash(from)), filepath.ToSlash(from)}
			s.overlay[filepath.Join(root, filepath.FromSlash(m.path), "mutant.go")] = []byte(changed)
			mutants = append(mutants, m)
		}
	}
	for _, m := range mutants {
		paths = append(paths, m.path)
	}
	scene := s.load(t, paths...)
	seen, of := map[string]int{}, map[string]int{}
	for _, m := range mutants {
		require.Empty(t, scene.errors[m.path], "%s of %s does not compile", m.name, m.from)
		var rules []string
		for _, f := range scene.only(func(path string) bool { return path == m.path }).check(false) {
			rules = append(rules, f.Rule)
		}
		of[m.name]++
		switch {
		case m.rule == "":
			assert.Empty(t, rules, "%s of %s", m.name, m.from)
		case slices.ContainsFunc(rules, func(rule string) bool { return strings.Contains(m.rule, rule) }):
			seen[m.name]++
		default:
			t.Logf("%s of %s is not seen: %v", m.name, m.from, rules)
		}
	}
	const floor = 0.8
	all, found := 0, 0
	for _, o := range operators {
		if o.rule == "" {
			require.Positive(t, of[o.name], o.name)
			continue
		}
		t.Logf("%-36s %d of %d", o.name, seen[o.name], of[o.name])
		require.Positive(t, of[o.name], "%s: no fixture", o.name)
		assert.Positive(t, seen[o.name], "%s is never seen", o.name)
		all, found = all+of[o.name], found+seen[o.name]
	}
	assert.GreaterOrEqual(t, float64(found), floor*float64(all), "%d of %d mutants are seen", found, all)
}
