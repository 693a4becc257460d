package rows_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func kind(t testing.TB, library *schemas.Library, name string) schemas.Export {
	t.Helper()
	for _, export := range library.Exports() {
		if export.Kind == name {
			return export
		}
	}
	t.Fatalf("there is no kind %s", name)
	return schemas.Export{}
}

type person struct {
	Attributes, Identifiers map[string]any
}

func people(t testing.TB, library *schemas.Library, spec exports.File) (list []person) {
	t.Helper()
	if err := json.Unmarshal(text(t, open(t, library, spec)), &list); err != nil || len(list) == 0 {
		t.Fatalf("%d profiles, %v", len(list), err)
	}
	return list
}

func TestAttributesMayBeNamedLikeMembers(t *testing.T) {
	library := embedded(t)
	export := kind(t, library, "profiles.attributes")
	names := []string{"attributes", "identifiers", "profile_id", "x-source", "a/b", `say "x"`, "é", ""}
	spec := wholeFile(library, export)
	spec.Attributes = names[:len(names)-1]
	for _, each := range people(t, library, spec) {
		for _, name := range spec.Attributes {
			switch value := each.Attributes[name].(type) {
			case map[string]any:
				t.Fatalf("attribute %q is %v", name, value)
			}
			if _, is := each.Attributes[name]; !is {
				t.Fatalf("a profile without %q: %v", name, each.Attributes)
			}
		}
	}
	check(t, library, export.Output, text(t, open(t, library, spec)))
}

func TestACustomAttributeOfAPersonDoesNotChangeWithTime(t *testing.T) {
	library := embedded(t)
	spec := wholeFile(library, kind(t, library, "profiles.attributes"))
	spec.Attributes = []string{"favourite_shop", "birth_date"}
	before := map[any]map[string]any{}
	for _, each := range people(t, library, spec) {
		before[each.Identifiers["profile_id"]] = each.Attributes
	}
	spec.Now = spec.Now.Add(31 * time.Hour)
	different, known := false, 0
	for _, after := range people(t, library, spec) {
		attributes, is := before[after.Identifiers["profile_id"]]
		if !is {
			continue // created since
		}
		if known++; fmt.Sprint(attributes) != fmt.Sprint(after.Attributes) {
			t.Fatalf("%v became %v", attributes, after.Attributes)
		}
		different = different || after.Attributes["birth_date"] != after.Attributes["favourite_shop"]
	}
	if !different || known != len(before) {
		t.Errorf("%d of %d people are there later, or two attributes have the same value for everybody", known, len(before))
	}
}

func TestManyAttributesCostLittle(t *testing.T) {
	library := embedded(t)
	spec := wholeFile(library, kind(t, library, "profiles.attributes"))
	spec.Attributes, spec.Profiles = nil, 2
	for i := range 1_000 {
		spec.Attributes = append(spec.Attributes, fmt.Sprintf("attribute_%d", i))
	}
	must.Equal(t, len(people(t, library, spec)[0].Attributes), 1_000, "attributes")
}

func TestAKeyThatNeedsEscaping(t *testing.T) {
	library := embedded(t)
	export := kind(t, library, "profiles.events")
	spec := wholeFile(library, export)
	spec.APIKey = `li"ve\`
	data := text(t, open(t, library, spec))
	check(t, library, export.Output, data)
	if !strings.Contains(string(data), `"api_key":"li\"ve\\"`) {
		t.Error("the key is not written as it is")
	}
}

// What schema files ask for and no file can hold is an error that names them, at the latest when the file is opened.
func TestSchemasThatNoFileCanBeMadeOf(t *testing.T) {
	library := embedded(t)
	cases := []struct{ about, file, replaced, by, kind, want string }{
		{"an object in a column", "legacy/userbase.row.json", `"smart_segment": {`, `"address": {"type": "object", "properties": {"x": true}}, "smart_segment": {`, "userbase", "address"},
		{"a number in a column", "legacy/userbase.row.json", `"smart_segment": {`, `"age": {"type": "integer"}, "smart_segment": {`, "userbase", "age"},
		{"an event that contains itself", "profiles/events.output.json", `"ab_testing_status": {`, `"parent": {"$ref": "#/items"}, "ab_testing_status": {`, "profiles.events", "parent"},
		{"a platform that is not allowed", "profiles/reachability.output.json", `"enum": ["iOS", "Android", "Webpush"]`, `"enum": ["iOS", "Android"]`, "profiles.reachability", "Webpush"},
		{"a channel without its reason", "profiles/reachability.output.json", `"SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH", "PUSH_TOKEN_ADDED"`, `"SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH"`, "profiles.reachability", "PUSH_TOKEN_ADDED"},
	}
	for _, c := range cases {
		t.Run(c.about, func(t *testing.T) {
			changed, err := schemas.Open(overlay(t, library, c.file, c.replaced, c.by))
			if err != nil {
				must.Hold(t, strings.Contains(err.Error(), c.file), "Open = %v, want an error that names %s", err, c.file)
				return
			}
			_, err = rows.NewRenderer(changed).Open(wholeFile(changed, kind(t, changed, c.kind)))
			if err == nil || !strings.Contains(err.Error(), c.file) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Open = %v, want an error that names %s and %s", err, c.file, c.want)
			}
		})
	}
}

func TestAFileWithoutColumnsIsAnError(t *testing.T) {
	library := embedded(t)
	var row map[string]any
	must.Do(t, json.Unmarshal(library.Source("legacy/userbase.row.json"), &row))
	columns := row["properties"].(map[string]any)
	for _, column := range row["required"].([]any) {
		delete(columns, column.(string))
	}
	row["required"] = []any{}
	row["x-csv"].(map[string]any)["columns"] = []any{"install_id", "custom_id", "advertising_id"}
	source := must.Get(json.Marshal(row))(t)
	changed := must.Get(schemas.Open(fstest.MapFS{"legacy/userbase.row.json": {Data: source}}))(t)
	spec := wholeFile(changed, kind(t, changed, "userbase"))
	spec.IDs = nil
	if _, err := rows.NewRenderer(changed).Open(spec); err == nil {
		t.Error("a file without columns is opened")
	}
}
