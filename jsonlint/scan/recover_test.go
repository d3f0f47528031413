package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// render writes the value at i in a short form: "~" marks a container in
// which something was left out, "?" a scalar that could not be read.
func render(d *Document, i int) string {
	t := d.Tokens[i]
	mark := ""
	if t.Flags&Elided != 0 {
		mark = "~"
	}
	if t.Flags&Opaque != 0 {
		mark = "?"
	}
	var parts []string
	switch t.Kind {
	case Object:
		for k, v := range d.Members(i) {
			parts = append(parts, d.String(k)+":"+render(d, v))
		}
		return mark + "{" + strings.Join(parts, " ") + "}"
	case Array:
		for _, v := range d.Elements(i) {
			parts = append(parts, render(d, v))
		}
		return mark + "[" + strings.Join(parts, " ") + "]"
	case String:
		return fmt.Sprintf("%s%q", mark, d.Text(i))
	}
	names := map[Kind]string{ObjectID: "oid ", Date: "date ", Binary: "binary ", Decimal: "decimal ", Timestamp: "timestamp ", Special: "special "}
	return mark + names[t.Kind] + string(d.Text(i))
}

func renderAll(docs []Recovered) string {
	var out []string
	for i := range docs {
		s := render(&docs[i].Doc, 0)
		if docs[i].Label != "" {
			s = docs[i].Label + "=" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func codes(list []Diagnostic) string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s@%d-%d", d.Code, d.Start, d.End))
	}
	return strings.Join(out, " ")
}

// mended applies the edits.
func mended(src string, list []Diagnostic) string {
	var b strings.Builder
	at := 0
	for _, d := range list {
		if d.Edit != nil && d.Edit.Start >= at {
			b.WriteString(src[at:d.Edit.Start] + d.Edit.Text)
			at = d.Edit.End
		}
	}
	return b.String() + src[at:]
}

func TestRecover(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src   string
		docs, diags string
		mended      string // the text with all edits; empty if there are none
	}{
		{"nothing wrong", "{\"a\":1}\n{\"a\":2}{\"a\":3}",
			`{a:1} {a:2} {a:3}`,
			"",
			""},
		{"array of documents", `[{"a":1},{"a":2}]`,
			`{a:1} {a:2}`,
			"",
			""},
		{"empty array", `[]`,
			"",
			"",
			""},
		{"name lacks its closing quote", `{"email: "thomas@andersen.com", "b": 1}`,
			`{email:"thomas@andersen.com" b:1}`,
			`missing-quote@1-7`,
			`{"email": "thomas@andersen.com", "b": 1}`},
		{"name lacks its quote before a number", `{"a: 1, "b": 2}`,
			`{a:1 b:2}`,
			`missing-quote@1-3`,
			`{"a": 1, "b": 2}`},
		{"name lacks its quote before an empty string", `{"a: "", "b": 2}`,
			`{a:"" b:2}`,
			`missing-quote@1-3`,
			`{"a": "", "b": 2}`},
		{"name lacks its quote and nothing follows", `{"a: 1}`,
			`{a:1}`,
			`missing-quote@1-3`,
			`{"a": 1}`},
		{"element lacks its closing quote", `{"a":["b1, "b2", "b3"]}`,
			`{a:["b1" "b2" "b3"]}`,
			`missing-quote@6-9`,
			`{"a":["b1", "b2", "b3"]}`},
		{"element lacks its quote before an empty one", `{"a":["b1, "", "b3"]}`,
			`{a:["b1" "" "b3"]}`,
			`missing-quote@6-9`,
			`{"a":["b1", "", "b3"]}`},
		{"value lacks its closing quote", `{"a": "x, "b": 2}`,
			`{a:"x" b:2}`,
			`missing-quote@6-8`,
			`{"a": "x", "b": 2}`},
		{"value lacks its quote at the end of the line", "{\"a\": \"x,\n \"b\": 2}",
			`{a:"x" b:2}`,
			`missing-quote@6-8`,
			"{\"a\": \"x\",\n \"b\": 2}"},
		{"value lacks its quote at the end", `{"a": "x}`,
			`{a:"x"}`,
			`missing-quote@6-8`,
			`{"a": "x"}`},
		{"last element lacks its quote", "{\"a\": [\"x\", \"y]\n}",
			`{a:["x" "y"]}`,
			`missing-quote@12-14`,
			"{\"a\": [\"x\", \"y\"]\n}"},
		{"quotes inside a string", `{"a": "say "hi" to all", "b": 1}`,
			"{a:\"say \\\"hi\\\" to all\" b:1}",
			`unescaped-quote@11-12`,
			"{\"a\": \"say \\\"hi\" to all\", \"b\": 1}"},
		{"comma missing between members", "{\"postId\": \"1\"\n \"comments\": []}",
			`{postId:"1" comments:[]}`,
			`missing-comma@14-14`,
			"{\"postId\": \"1\",\n \"comments\": []}"},
		{"comma missing on one line", `{"a":1 "b":2}`,
			`{a:1 b:2}`,
			`missing-comma@6-6`,
			`{"a":1, "b":2}`},
		{"comma missing between elements", "{\"a\":[{\"b\":1}\n{\"b\":2} 3 \"x\"]}",
			`{a:[{b:1} {b:2} 3 "x"]}`,
			`missing-comma@13-13 missing-comma@21-21 missing-comma@23-23`,
			"{\"a\":[{\"b\":1},\n{\"b\":2}, 3, \"x\"]}"},
		{"comma missing between documents of an array", "[{\"a\":1}\n{\"a\":2}]",
			`{a:1} {a:2}`,
			`missing-comma@8-8`,
			"[{\"a\":1},\n{\"a\":2}]"},
		{"trailing commas", `{"a":[1,],"b":{"c":1,},}`,
			`{a:[1] b:{c:1}}`,
			`trailing-comma@7-8 trailing-comma@20-21 trailing-comma@22-23`,
			`{"a":[1],"b":{"c":1}}`},
		{"trailing comma of an array of documents", `[{"a":1},]`,
			`{a:1}`,
			`trailing-comma@8-9`,
			`[{"a":1}]`},
		{"extra commas", `{,"a":[,1,,2]}`,
			`{a:[1 2]}`,
			`extra-comma@1-2 extra-comma@7-8 extra-comma@10-11`,
			`{"a":[1,2]}`},
		{"commas between documents", "{\"a\":1},\n{\"a\":2},\n{\"a\":3}",
			`{a:1} {a:2} {a:3}`,
			`document-comma@7-8`,
			"{\"a\":1}\n{\"a\":2},\n{\"a\":3}"},
		{"elision among elements", `{"a":[1, 2, ..., 100, ..., 1000]}`,
			`{a:~[1 2 100 1000]}`,
			`elision@12-15 elision@22-25`,
			`{"a":[1, 2,  100,  1000]}`},
		{"elision on a line", "{\"a\":[{\"b\":1},\n…\n{\"b\":2}\n...\n{\"b\":3}]}",
			`{a:~[{b:1} {b:2} {b:3}]}`,
			`elision@15-18 elision@27-30`,
			"{\"a\":[{\"b\":1},\n\n{\"b\":2}\n,\n{\"b\":3}]}"},
		{"elision at the ends", `{"a":[..., 1, …]}`,
			`{a:~[1]}`,
			`elision@6-9 elision@14-17`,
			`{"a":[ 1]}`},
		{"elision among members", `{"a":1, ...}`,
			`~{a:1}`,
			`elision@8-11`,
			`{"a":1}`},
		{"elision for a value", `{"a": …}`,
			`~{a:?…}`,
			`elision@6-9`,
			""},
		{"elision in a comment", "{\"a\":[1, // ...\n 2, /* … */ 3]}",
			`{a:~[1 2 3]}`,
			`elision@9-15 elision@20-29`,
			"{\"a\":[1, \n 2,  3]}"},
		{"elision between documents", "{\"a\":1}\n...\n{\"a\":2}",
			`{a:1} {a:2}`,
			`elision@8-11`,
			"{\"a\":1}\n\n{\"a\":2}"},
		{"elision in an array of documents", `[{"a":1}, ..., {"a":2}]`,
			`{a:1} {a:2}`,
			`elision@10-13`,
			`[{"a":1},  {"a":2}]`},
		{"dots in strings", `{"a":"http://....png","b":"....."}`,
			`{a:"http://....png" b:"....."}`,
			"",
			""},
		{"opaque value", `{"id": ∞ + 1, "b": 2}`,
			`{id:?∞ + 1 b:2}`,
			`opaque-value@7-14`,
			""},
		{"opaque values", `{"a": some text, "b": 12 MB, "c": 2020-01-02, "d": f(x, y), "e":[1 + 2, x]}`,
			`{a:?some text b:?12 MB c:?2020-01-02 d:?f(x, y) e:[?1 + 2 ?x]}`,
			`opaque-value@6-15 opaque-value@22-27 opaque-value@34-44 opaque-value@51-58 opaque-value@65-70 opaque-value@72-73`,
			""},
		{"captions", "Post documents:\n{\"a\":1}\n\n## Recent comment items:\n{\"b\":1}\n{\"b\":2}\nJoining documents: {\"c\":1}",
			`post={a:1} recentComment={b:1} recentComment={b:2} joining={c:1}`,
			`caption@0-15 caption@25-49 caption@66-84`,
			"\n{\"a\":1}\n\n\n{\"b\":1}\n{\"b\":2}\n {\"c\":1}"},
		{"captions that name nothing", "The document:\n{\"a\":1}\nDocument 2:\n{\"a\":2}",
			`{a:1} {a:2}`,
			`caption@0-13 caption@22-33`,
			"\n{\"a\":1}\n\n{\"a\":2}"},
		{"no caption", "Here is what a person looks like in this case:\n{\"a\":1}",
			`{a:1}`,
			`text@0-46`,
			""},
		{"not finite", `{"a":NaN,"b":Infinity,"c":-Infinity,"d":+inf}`,
			`{a:NaN b:Infinity c:-Infinity d:inf}`,
			`not-finite@5-8 not-finite@13-21 not-finite@26-35 not-finite@40-44`,
			`{"a":null,"b":null,"c":null,"d":null}`},
		{"numbers", `{"a":+1,"b":.5,"c":5.,"d":007,"e":0x1F,"f":-.5e3,"g":1.5.2,"h":-}`,
			`{a:1 b:.5 c:5. d:007 e:?0x1F f:-.5e3 g:?1.5.2 h:?-}`,
			`number@5-7 number@12-14 number@19-21 number@26-29 number@34-38 number@43-48 opaque-value@53-58 opaque-value@63-64`,
			`{"a":1,"b":0.5,"c":5.0,"d":7,"e":0x1F,"f":-0.5e3,"g":1.5.2,"h":-}`},
		{"literals", `{"a":True,"b":None,"c":FALSE,"d":undefined}`,
			`{a:True b:None c:FALSE d:undefined}`,
			`literal@5-9 literal@14-18 literal@23-28 literal@33-42`,
			`{"a":true,"b":null,"c":false,"d":null}`},
		{"single quotes", `{'a':'it is','b':"x"}`,
			`{a:"it is" b:"x"}`,
			`single-quotes@1-4 single-quotes@5-12 single-quotes@13-16`,
			`{"a":"it is","b":"x"}`},
		{"apostrophe", `{'a':'it's here','b':1}`,
			`{a:"it's here" b:1}`,
			`single-quotes@1-4 single-quotes@5-16 unescaped-quote@8-9 single-quotes@17-20`,
			`{"a":"it's here","b":1}`},
		{"backticks", "{\"a\":`x`}",
			`{a:"x"}`,
			`single-quotes@5-8`,
			`{"a":"x"}`},
		{"word processor quotes", `{“a”: “b”, “c“: 1}`,
			`{a:"b" c:1}`,
			`single-quotes@1-8 single-quotes@10-17 single-quotes@19-26`,
			`{"a": "b", "c": 1}`},
		{"names without quotes", `{a: 1, b_c$: 2, "d": 3, -e: 4}`,
			`{a:1 b_c$:2 d:3 -e:4}`,
			`unquoted-name@1-2 unquoted-name@7-11 unquoted-name@24-26`,
			`{"a": 1, "b_c$": 2, "d": 3, "-e": 4}`},
		{"comments", "{\"a\":1, // one\n/* two */ \"b\":2 # three\n}",
			`{a:1 b:2}`,
			`comment@8-14 comment@15-24 comment@31-38`,
			"{\"a\":1, \n \"b\":2 \n}"},
		{"mongo shell", `{ "_id" : ObjectId("50b59cd75bed76f46522c34e"), at: ISODate("2012-11-20T20:05:45.390Z"), "n" : NumberLong(5), 'q' : new Date(12), r: /a,b/i, u: UUID("00112233-4455-6677-8899-aabbccddeeff"), b: BinData(0,"QQ=="), t: Timestamp(1, 2), m: MinKey, d: NumberDecimal("1.10") }`,
			`{_id:oid 50b59cd75bed76f46522c34e at:date 2012-11-20T20:05:45.390Z n:5 q:date 12 r:special a,b u:binary 00112233-4455-6677-8899-aabbccddeeff b:binary QQ== t:timestamp 1, 2 m:special MinKey d:decimal 1.10}`,
			`mongo-shell@10-46`,
			""},
		{"mongo shell with wrong arguments", `{"a":ObjectId("xyz"), "b":ISODate(), "c":DBRef("x", 1)}`,
			`{a:?ObjectId("xyz") b:?ISODate() c:?DBRef("x", 1)}`,
			`mongo-shell@5-20`,
			""},
		{"control characters in a string", "{\"a\":\"x\ty\",\"b\":\"\x00\x00\"}",
			"{a:\"x\\ty\" b:\"\\x00\\x00\"}",
			`control-character@7-8 control-character@16-18`,
			"{\"a\":\"x\\ty\",\"b\":\"\\u0000\\u0000\"}"},
		{"line break in a string", "{\"a\":\"line one\nline two\",\"b\":1}",
			"{a:\"line one\\nline two\" b:1}",
			`control-character@14-15`,
			"{\"a\":\"line one\\nline two\",\"b\":1}"},
		{"control characters outside", "{\"a\":\x00\x001}",
			`{a:1}`,
			`control-character@5-7`,
			`{"a":1}`},
		{"odd white space", "{\"a\":\u00a01,\u200b\"b\":2}",
			`{a:1 b:2}`,
			`odd-space@5-7 odd-space@9-12`,
			`{"a": 1, "b":2}`},
		{"invalid UTF-8", "{\"a\":\"x\xffy\xfe\"}",
			"{a:\"x\\xffy\\xfe\"}",
			`invalid-utf8@7-8`,
			""},
		{"bad escapes", "{\"a\":\"\\x41\",\"b\":\"it\\'s\",\"c\":\"\\u12\",\"d\":\"\\é\"}",
			"{a:\"\\\\x41\" b:\"it\\\\'s\" c:\"\\\\u12\" d:\"\\\\é\"}",
			`bad-escape@6-8 bad-escape@19-21 bad-escape@29-31 bad-escape@40-43`,
			"{\"a\":\"\\\\x41\",\"b\":\"it's\",\"c\":\"\\\\u12\",\"d\":\"\\\\é\"}"},
		{"cut off in a string", "{\"a\":1}\n{\"a\":\"some te",
			`{a:1}`,
			`cut-off@21-21`,
			""},
		{"cut off in an object", `{"a":{"b":1,`,
			"",
			`cut-off@12-12`,
			""},
		{"cut off in an array", "{\"a\":[1,2\n",
			"",
			`cut-off@9-10`,
			""},
		{"cut off after a name", `{"a"`,
			"",
			`cut-off@4-4`,
			""},
		{"cut off in an array of documents", `[{"a":1},{"a":2}`,
			`{a:1} {a:2}`,
			`cut-off@16-16`,
			""},
		{"cut off in a comment", `{"a":1, /* x`,
			"",
			`cut-off@12-12`,
			""},
		{"array not closed", `{"a":[1,2,"b"}`,
			`{a:[1 2 "b"]}`,
			`missing-closer@13-13`,
			`{"a":[1,2,"b"]}`},
		{"object not closed", `{"a":[{"b":1],"c":2}`,
			`{a:[{b:1}] c:2}`,
			`missing-closer@12-12`,
			`{"a":[{"b":1}],"c":2}`},
		{"object not closed before the next", "{\"a\":{\"b\":1}\n{\"a\":2}",
			`{a:{b:1}} {a:2}`,
			`missing-closer@12-12`,
			"{\"a\":{\"b\":1}}\n{\"a\":2}"},
		{"object not closed in an array of documents", `[{"a":1]`,
			`{a:1}`,
			`missing-closer@7-7`,
			`[{"a":1}]`},
		{"closers of nothing", "}}\n{\"a\":1}]\n{\"b\":[1]}}",
			`{a:1} {b:[1]}`,
			`unbalanced@0-2 unbalanced@10-11 unbalanced@21-22`,
			"\n{\"a\":1}\n{\"b\":[1]}"},
		{"closing bracket of nothing inside", `{"a":1]}`,
			`{a:1}`,
			`unbalanced@6-7`,
			`{"a":1}`},
		{"text around", "connected to db\nsecond line\n{\"a\":1}\n-- 1 row\n",
			`{a:1}`,
			`text@0-27 text@36-44`,
			""},
		{"text before on the line", `db.posts.insert({"a":1});`,
			`{a:1}`,
			`text@0-16 text@23-25`,
			""},
		{"only text", "SELECT a, b\nFROM c",
			"",
			`text@0-18`,
			""},
		{"semicolon and equals sign", `{"a"=1; "b"=>2}`,
			`{a:1 b:2}`,
			`wrong-separator@4-5 wrong-separator@6-7 wrong-separator@11-13`,
			`{"a":1, "b":2}`},
		{"colon missing", `{"a" 1, "b" "c"}`,
			`{a:1 b:"c"}`,
			`missing-colon@4-4 missing-colon@11-11`,
			`{"a": 1, "b": "c"}`},
		{"value missing", `{"a":, "b", "c":}`,
			`{a:? b:? c:?}`,
			`missing-value@1-4 missing-value@7-10 missing-value@12-15`,
			""},
		{"opening brace missing in an array", `{"a":["b":1]}`,
			`{a:[{b:1}]}`,
			`missing-opener@6-9 missing-closer@11-11`,
			`{"a":[{"b":1}]}`},
		{"opening brace missing in an object", `{"a":"b":1,"c":{}},"d":2}`,
			`{a:{b:1 c:{}} d:2}`,
			`missing-opener@5-8`,
			`{"a":{"b":1,"c":{}},"d":2}`},
		{"opening brace missing at the beginning", "\"a\":1,\"b\":[]}\n{\"a\":2}",
			`{a:1 b:[]} {a:2}`,
			`missing-opener@0-0`,
			"{\"a\":1,\"b\":[]}\n{\"a\":2}"},
		{"members without an object", "\"a\": [{\"b\":1}],\n\"c\": 2\n",
			``,
			`missing-opener@0-0 cut-off@22-23`,
			"{\"a\": [{\"b\":1}],\n\"c\": 2\n"},
		{"closing brackets too many", `{"a":{"b":1}},"c":2}},"d":3}`,
			`{a:{b:1} c:2 d:3}`,
			`unbalanced@12-13 unbalanced@19-20 unbalanced@20-21`,
			`{"a":{"b":1},"c":2,"d":3}`},
		{"closing bracket and comma too many", `{"a":1,}"b":2}`,
			`{a:1 b:2}`,
			`unbalanced@7-8`,
			`{"a":1,"b":2}`},
		{"text after a document on its line", "{\"a\":1} x {\"b\":2}\n{\"c\":3}",
			`{a:1} {c:3}`,
			`text@8-17`,
			""},
		{"name lacks its opening quote", `{a": 1, b.c": 2, "d": {e":3}}`,
			`{a:1 b.c:2 d:{e:3}}`,
			`missing-quote@1-3 missing-quote@8-12 missing-quote@23-25`,
			`{"a": 1, "b.c": 2, "d": {"e":3}}`},
		{"value lacks its opening quote", `{"a":some, text", "b": /x/y", "c":["d", e"]}`,
			`{a:"some, text" b:"/x/y" c:["d" "e"]}`,
			`missing-quote@5-16 missing-quote@23-28 missing-quote@40-42`,
			`{"a":"some, text", "b": "/x/y", "c":["d", "e"]}`},
		{"text between name and colon", `{"a"x: 1, "b"]: 2}`,
			`{a:1 b:2}`,
			`text@4-5 text@13-14`,
			`{"a": 1, "b": 2}`},
		{"brackets that do not add up", "{\"a\":[{\"b\":1]},{\"c\":2}]}\n{\"d\":1}",
			`{d:1}`,
			`unreadable@0-24 missing-closer@12-12`,
			"{\"a\":[{\"b\":1}]},{\"c\":2}]}\n{\"d\":1}"},
		{"object in an object", `{"a":1 {"b":2}}`,
			``,
			`unreadable@0-15`,
			""},
		{"two colons", `{"a"::1}`,
			`{a:1}`,
			`text@5-6`,
			`{"a":1}`},
		{"scalars", "1\n\"two\"\nnull\n{\"_id\":1}",
			`{_id:1}`,
			`not-a-document@0-1 not-a-document@2-7 not-a-document@8-12`,
			""},
		{"elements that are no documents", `[1, {"a":1}, "x", [2]]`,
			`{a:1}`,
			`not-a-document@1-2 not-a-document@13-16 not-a-document@18-19 not-a-document@19-20`,
			""},
		{"array of arrays", `[[{"a":1}],[{"a":2}]]`,
			`{a:1} {a:2}`,
			`not-a-document@1-2`,
			""},
		{"values beside an array", "[{\"a\":1}]\n{\"b\":1}",
			`{a:1} {b:1}`,
			`second-value@10-11`,
			""},
		{"wrapper for a document", `{"$oid":"507f1f77bcf86cd799439011"}`,
			"",
			`not-a-document@0-35`,
			""},
		{"git-lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:66bc\nsize 12\n",
			"",
			`git-lfs@0-67`,
			""},
		{"UTF-16", "\xff\xfe{\x00}\x00",
			"",
			`encoding@0-2`,
			""},
		{"byte order mark", "\ufeff{\"a\":1}",
			`{a:1}`,
			"",
			""},
		{"nothing", ``,
			"",
			`empty@0-0`,
			""},
		{"white space", " \n",
			"",
			`empty@0-2`,
			""},
		{"junk in a document", `{"a":1, @@@ ???, "b":2 ***}`,
			`{a:1 b:?2 ***}`,
			`text@8-15 opaque-value@21-26`,
			""},
		{"template", `{{name}}`,
			"",
			`unreadable@0-8`,
			""},
		{"hopeless", "{\"a\":1,?,?,?,?,?,?,?,?,?,?,?,?,?,?}\n{\"b\":1}",
			`{b:1}`,
			`unreadable@0-35 text@7-8 text@9-10 text@11-12 text@13-14 text@15-16 text@17-18 text@19-20 text@21-22 text@23-24 text@25-26 text@27-28`,
			""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			docs, diagnostics := Recover([]byte(test.src))
			checkDiagnostics(t, []byte(test.src), diagnostics)
			assert.Equal(t, test.docs, renderAll(docs))
			assert.Equal(t, test.diags, codes(diagnostics))
			want := test.mended
			if want == "" {
				want = test.src
			}
			assert.Equal(t, want, mended(test.src, diagnostics))
		})
	}
}
