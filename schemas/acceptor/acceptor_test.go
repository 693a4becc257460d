package acceptor_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// bodies are honest requests, each with its schema.
var bodies = []struct{ schema, text string }{
	{"legacy/campaign.request.json", `{"from":"2026-01-01T00:00:00","to":"now","events":["push_sent","push_open"],"ids":["install_id","custom_id"]}`},
	{"legacy/transactional.request.json", `{"from":"now","to":"2024-02-29T23:59:59","events":["push_error"],"ids":["advertising_id"]}`},
	{"legacy/in-app-campaign.request.json", ` { "from" : "2026-01-01T00:00:00" , "to" : "now", "events":["inapp_clicked"], "ids":["install_id"] } `},
	{"legacy/reachability.request.json", `{"from":"2026-01-01T00:00:00","to":"now","ids":["install_id"]}`},
	{"legacy/userbase.request.json", `{"ids":["install_id","install_id"]}`},
	{"profiles/attributes.request.json", `{"export_type":"ATTRIBUTES","attributes":["$language","shoe_size"],"identifiers":["custom_id"],"filter":{"segment":"vip"}}`},
	{"profiles/attributes.request.json", `{"export_type":"ATTRIBUTES","identifiers":["installation_ids"]}`},
	{"profiles/events.request.json", `{"export_type":"EVENTS","from":"2026-01-01T00:00:00Z","to":"now","events":["email_sent","sms_delivered"],"identifiers":["custom_id"]}`},
	{"profiles/reachability.request.json", `{"export_type":"REACHABILITY","from":"2026-01-01T00:00:00.250Z","to":"now","channels":["push","email"],"identifiers":["installation_id"]}`},
}

func library(t testing.TB) *schemas.Library {
	t.Helper()
	made, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func compiled(t testing.TB, library *schemas.Library, name string) *acceptor.Acceptor {
	t.Helper()
	made, err := acceptor.Compile(library.Schema(name))
	if err != nil {
		t.Fatalf("Compile(%s): %v", name, err)
	}
	return made
}

// accepts is what an acceptor says of a text, which must be the same before and after it has tables for its patterns.
func accepts(t testing.TB, checker *acceptor.Acceptor, text string) bool {
	t.Helper()
	var document acceptor.Document
	first := checker.Accept([]byte(text), &document)
	for range 5 {
		if again := checker.Accept([]byte(text), &document); again != first {
			t.Errorf("%s: %v at first, and then %v", text, first, again)
		}
	}
	return first
}

// valid is what the validator says of a text.
func valid(library *schemas.Library, schema, text string) bool {
	value, err := schemas.Decode([]byte(text))
	return err == nil && library.Validate(schema, value) == nil
}

func TestHonestRequestsAreAccepted(t *testing.T) {
	library := library(t)
	for _, body := range bodies {
		if !valid(library, body.schema, body.text) {
			t.Errorf("the validator refuses %s", body.text)
		}
		if !accepts(t, compiled(t, library, body.schema), body.text) {
			t.Errorf("%s is not accepted: %s", body.schema, body.text)
		}
	}
}

func TestNothingIsAcceptedThatTheValidatorRefuses(t *testing.T) {
	library := library(t)
	substitutes := []string{"", "\"", ",", ":", "{", "}", "[", "]", "\\", "\x00", "\x80", "é", "0", "9", "-", " ", "null,", "T", "Z", "a", "\n"}
	var document acceptor.Document
	accepted := 0
	for _, body := range bodies {
		checker := compiled(t, library, body.schema)
		for at := range body.text {
			for _, substitute := range substitutes {
				text := body.text[:at] + substitute + body.text[at+1:]
				if checker.Accept([]byte(text), &document) {
					accepted++
					if !valid(library, body.schema, text) {
						t.Errorf("%s is accepted and not valid: %s", body.schema, text)
					}
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("no mutation was accepted: the test compares nothing")
	}
}

func FuzzAcceptor(f *testing.F) {
	library := library(f)
	checkers := map[string]*acceptor.Acceptor{}
	for _, body := range bodies {
		checkers[body.schema] = compiled(f, library, body.schema)
		f.Add(body.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var document acceptor.Document
		for schema, checker := range checkers {
			if checker.Accept([]byte(text), &document) && !valid(library, schema, text) {
				t.Errorf("%s is accepted and not valid: %q", schema, text)
			}
		}
	})
}

// keywordCases are schemas of every keyword that is known, with documents.
var keywordCases = []struct {
	schema   string
	accepted []string
	refused  []string
}{
	{`true`, []string{`1`, `{}`, `null`}, nil},
	{`false`, nil, []string{`1`, `{}`}},
	{`{"type":["integer","null"],"minimum":-3,"exclusiveMaximum":7}`, []string{`-3`, `6`, `0`, `null`}, []string{`-4`, `7`, `"1"`, `01`, `-0`, `1.0`, `1e0`, `[]`}},
	{`{"exclusiveMinimum":1,"maximum":3}`, []string{`2`, `3`, `"x"`}, []string{`1`, `4`}},
	{`{"enum":["a",1,null,true]}`, []string{`"a"`, `1`, `null`, `true`}, []string{`"b"`, `2`, `false`, `[]`, `{}`}},
	{`{"const":false}`, []string{`false`}, []string{`true`, `0`}},
	{`{"minLength":2,"maxLength":3}`, []string{`"ab"`, `"äöü"`, `5`}, []string{`"a"`, `"ä"`, `"abcd"`}},
	{`{"pattern":"^a+$"}`, []string{`"aa"`, `5`}, []string{`"ab"`, `""`, `"baa"`}},
	{`{"pattern":""}`, []string{`"a"`, `""`}, nil},
	{`{"pattern":"b"}`, []string{`"abc"`, `"ébc"`}, []string{`"ac"`, `"é"`, `""`}},
	{`{"format":"date-time"}`, []string{`"2026-02-28T01:02:03Z"`, `1`}, []string{`"2026-02-30T01:02:03Z"`, `"x"`}},
	{`{"items":{"type":"string"},"minItems":1,"maxItems":2}`, []string{`["a"]`, `["a","b"]`, `{}`}, []string{`[]`, `["a","b","c"]`, `[1]`}},
	{`{"required":["a"],"properties":{"a":{"type":"integer"}},"additionalProperties":false}`, []string{`{"a":1}`, `[]`}, []string{`{}`, `{"a":"x"}`, `{"a":1,"b":2}`, `{"a":1,"a":1}`}},
	{`{"properties":{"a":true},"patternProperties":{"^x":{"type":"null"}},"additionalProperties":{"type":"boolean"}}`, []string{`{"a":1,"xa":null,"b":true}`}, []string{`{"xa":1}`, `{"b":1}`}},
	{`{"minProperties":1,"maxProperties":1}`, []string{`{"a":{}}`, `{"a":[[],{}]}`}, []string{`{}`, `{"a":1,"b":2}`}},
	{`{"allOf":[{"minimum":1},{"maximum":2}]}`, []string{`1`}, []string{`0`, `3`}},
	{`{"anyOf":[{"type":"string"},{"minimum":5}]}`, []string{`"a"`, `5`}, []string{`4`}},
	{`{"oneOf":[{"minimum":1},{"minimum":5}]}`, []string{`1`}, []string{`0`, `5`, `"a"`}},
	{`{"not":{"type":"string"}}`, []string{`1`}, []string{`"a"`}},
	{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, []string{`{"a":1,"b":1}`, `{"c":1}`}, []string{`{"a":1}`, `{"b":1}`}},
	{`{"$defs":{"x":{"type":"integer"}},"$ref":"#/$defs/x"}`, []string{`1`}, []string{`"a"`}},
}

func TestSchemasOfEveryKeyword(t *testing.T) {
	for _, c := range keywordCases {
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat = true
		if err := compiler.AddResource("memory:schema", strings.NewReader(c.schema)); err != nil {
			t.Fatal(err)
		}
		schema := compiler.MustCompile("memory:schema")
		checker, err := acceptor.Compile(schema)
		if err != nil {
			t.Fatalf("%s: %v", c.schema, err)
		}
		for _, text := range c.accepted {
			if !accepts(t, checker, text) {
				t.Errorf("%s does not accept %s", c.schema, text)
			}
		}
		for _, text := range c.refused {
			if accepts(t, checker, text) {
				t.Errorf("%s accepts %s", c.schema, text)
			}
		}
	}
}

func TestUnknownKeywordsAcceptNothing(t *testing.T) {
	for _, schema := range []string{
		`{"uniqueItems":true}`, `{"multipleOf":2}`, `{"prefixItems":[true]}`, `{"contains":true}`, `{"propertyNames":true}`,
		`{"dependentRequired":{"a":["b"]}}`, `{"unevaluatedProperties":false}`, `{"const":{"a":1}}`, `{"minimum":0.5}`,
		`{"items":{"$ref":"#"}}`,
	} {
		checker, err := acceptor.Compile(jsonschema.MustCompileString("memory:schema", schema))
		if err == nil {
			t.Errorf("%s: no error", schema)
		}
		var document acceptor.Document
		if checker.Accept([]byte(`1`), &document) {
			t.Errorf("%s: accepts", schema)
		}
	}
}

func TestOnlyStrictJSONIsParsed(t *testing.T) {
	checker, err := acceptor.Compile(jsonschema.MustCompileString("memory:schema", `true`))
	if err != nil {
		t.Fatal(err)
	}
	var document acceptor.Document
	for _, text := range []string{``, ` `, `{`, `[1,]`, `[,1]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `"`, `tru`, `nulls`, `1 2`, `+1`, `"\u0041"`, "\"\x1f\"", "\"\xff\"", `[1 2]`, `{"a":1 "b":2}`, strings.Repeat("[", 100), `'a'`, "\ufeff1", `//`, `1234567890123456`} {
		if checker.Accept([]byte(text), &document) {
			t.Errorf("%q is accepted", text)
		}
	}
	for _, text := range []string{` 1 `, `[]`, `[ ]`, `{ }`, `[[],{}]`, `{"a":{"b":[1,-2,0]}}`, `"ü"`, "\t\r\n1"} {
		if !checker.Accept([]byte(text), &document) {
			t.Errorf("%q is not accepted", text)
		}
	}
}

func TestDocument(t *testing.T) {
	checker := compiled(t, library(t), "profiles/attributes.request.json")
	var document acceptor.Document
	if !checker.Accept([]byte(bodies[5].text), &document) {
		t.Fatal("not accepted")
	}
	if kind, found := document.String("export_type"); kind != "ATTRIBUTES" || !found {
		t.Errorf("export_type %q, %v", kind, found)
	}
	if segment, found := document.String("filter", "segment"); segment != "vip" || !found {
		t.Errorf("segment %q, %v", segment, found)
	}
	if names := fmt.Sprint(document.Strings("attributes")); names != "[$language shoe_size]" {
		t.Errorf("attributes %s", names)
	}
	if _, found := document.String("filter"); found || document.Has("from") || document.Strings("from") != nil || document.Has("export_type", "x") || !document.Has("filter") {
		t.Error("what is not there is found, or what is there is not")
	}
}

func TestNoMemoryIsAllocated(t *testing.T) {
	library := library(t)
	for _, body := range bodies {
		checker, text := compiled(t, library, body.schema), []byte(body.text)
		var document acceptor.Document
		for range 10 { // until there are tables
			checker.Accept(text, &document)
		}
		if allocations := testing.AllocsPerRun(100, func() { checker.Accept(text, &document) }); allocations > 0 {
			t.Errorf("%s: %v allocations", body.schema, allocations)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{`^(?:now|[0-9]{4}-(?:0[1-9]|1[0-2]))$`, `^\$?[a-z_]+$`, `a|^b|c$`, `^$`, ``, `(?i)^ab+c?$`, `^[^\n]*$`, `\bword\b`, `(?m)^x$`, `^.{2,4}$`} {
		for _, text := range []string{"", "now", "2026-12", "abc", "b", "ABBC", "a word", "y\nx", "é", "$x"} {
			f.Add(pattern, text)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		expression, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 50 || strings.ContainsAny(text, "\"\\") || strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0xfffd }) >= 0 {
			return
		}
		checker, err := acceptor.Compile(&jsonschema.Schema{Pattern: expression, MinLength: -1, MaxLength: -1, MinItems: -1, MaxItems: -1, MinProperties: -1, MaxProperties: -1})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := accepts(t, checker, `"`+text+`"`), expression.MatchString(text); got != want {
			t.Errorf("pattern %q, text %q: %v, the regexp package says %v", pattern, text, got, want)
		}
	})
}
