package rows_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var now = time.Date(2026, 3, 15, 10, 30, 0, 0, time.UTC)

func embedded(t testing.TB) *schemas.Library {
	t.Helper()
	return must.Get(schemas.Embedded())(t)
}

// wholeFile asks for everything that the request of an export can ask for.
func wholeFile(library *schemas.Library, export schemas.Export) exports.File {
	request := library.Schema(export.Request)
	return exports.File{
		Kind: export.Kind, Now: now, Window: exports.Window{From: now.Add(-30 * 24 * time.Hour), To: now},
		APIKey: "live_demo", Target: "spring", Seed: 11, Profiles: 1_000, WorldVersion: world.Version,
		SchemaDigest: export.Digest, PartSize: 100 << 20,
		Events: allowed(request, "events"), IDs: allowed(request, "ids"), Channels: allowed(request, "channels"),
		Identifiers: allowed(request, "identifiers"), Attributes: allowed(request, "attributes"),
	}
}

// allowed are the items that a list of a request may have; those of attributes and a custom attribute.
func allowed(request *jsonschema.Schema, name string) (items []string) {
	list := follow(request.Properties[name])
	if list == nil {
		return nil
	}
	var collect func(*jsonschema.Schema)
	collect = func(s *jsonschema.Schema) {
		if s = follow(s); s == nil {
			return
		}
		for _, value := range append(slices.Clone(s.Enum), s.Constant...) {
			items = append(items, value.(string))
		}
		for _, branch := range slices.Concat(s.AnyOf, s.OneOf, s.AllOf) {
			collect(branch)
		}
	}
	collect(list.Items2020)
	if name == "attributes" {
		items = append(items, "favourite_colour", "age")
	}
	return items
}

func follow(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

func open(t testing.TB, library *schemas.Library, spec exports.File) *rows.File {
	t.Helper()
	file, err := rows.NewRenderer(library).Open(spec)
	if err != nil {
		t.Fatalf("Open(%s): %v", spec.Kind, err)
	}
	return file
}

func text(t testing.TB, file *rows.File) []byte {
	t.Helper()
	var out bytes.Buffer
	if n, err := file.WriteTo(&out); err != nil || n != int64(out.Len()) {
		t.Fatalf("WriteTo = %d, %v; %d bytes came", n, err, out.Len())
	}
	return out.Bytes()
}

// partsOf writes the parts of a file.
func partsOf(t testing.TB, file *rows.File) (parts []rows.Part, texts [][]byte) {
	t.Helper()
	var all bytes.Buffer
	parts = must.Get(file.WriteParts(t.Context(), &all))(t)
	for i, part := range parts {
		if part.Number != i+1 || part.Size > int64(all.Len()) {
			t.Fatalf("part %d of %d bytes is the one after %d, and %d bytes are left", part.Number, part.Size, i, all.Len())
		}
		texts = append(texts, bytes.Clone(all.Next(int(part.Size))))
	}
	return parts, texts
}

func check(t testing.TB, library *schemas.Library, schema string, data []byte) int64 {
	t.Helper()
	summary := must.Get(library.CheckFile(schema, bytes.NewReader(data), func(fault schemas.Fault) bool {
		t.Errorf("%s line %d: %s: %s (%s)", schema, fault.Line, fault.Pointer, fault.Message, fault.Keyword)
		return !t.Failed()
	}))(t)
	return summary.Rows
}

func TestEveryRowOfEveryKindConforms(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		t.Run(export.Kind, func(t *testing.T) {
			file := open(t, library, wholeFile(library, export))
			data := text(t, file)
			parts, texts := partsOf(t, file)
			if found := check(t, library, export.Output, data); found < 5 || found != parts[0].Rows {
				t.Errorf("%d rows were checked, the part says %d; a few hundred were expected", found, parts[0].Rows)
			}
			if len(parts) != 1 || !bytes.Equal(texts[0], data) {
				t.Errorf("the part and the whole differ, or the size %d is not %d", parts[0].Size, len(data))
			}
		})
	}
}

func TestPartsAreDocumentsThatHoldAllRows(t *testing.T) {
	library := embedded(t)
	for _, size := range []int64{1, 3_000, 50_000} {
		for _, export := range library.Exports() {
			spec := wholeFile(library, export)
			spec.PartSize = size
			parts, texts := partsOf(t, open(t, library, spec))
			var count, tags = int64(0), map[string]bool{}
			for i, part := range parts {
				data := texts[i]
				if part.Size > size && part.Rows > 1 {
					t.Fatalf("%s part %d: %d bytes with %d rows, the limit is %d", export.Kind, part.Number, part.Size, part.Rows, size)
				}
				if size > 1 {
					count += check(t, library, export.Output, data)
				} else {
					count += part.Rows
				}
				tags[part.ETag] = true
			}
			all, _ := partsOf(t, open(t, library, wholeFile(library, export)))
			whole := all[0]
			if count != whole.Rows || len(tags) != len(parts) {
				t.Errorf("%s in parts of %d: %d rows with %d tags, want %d with %d", export.Kind, size, count, len(tags), whole.Rows, len(parts))
			}
		}
	}
}

func TestMaxRows(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		for _, most := range []int64{0, 1, 7, 100} {
			spec := wholeFile(library, export)
			spec.MaxRows = &most
			file := open(t, library, spec)
			data := text(t, file)
			if _, texts := partsOf(t, file); !bytes.Equal(data, texts[0]) {
				t.Fatalf("%s of at most %d rows: the part and the whole differ", export.Kind, most)
			}
			all, _ := partsOf(t, open(t, library, wholeFile(library, export)))
			whole := all[0].Rows
			must.Equal(t, check(t, library, export.Output, data), min(most, whole), "rows of %s of at most %d", export.Kind, most)
		}
	}
}

func TestTheBytesDoNotDependOnTheProcessors(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.PartSize = 20_000
		write := func() (parts []rows.Part, whole []byte) {
			file := open(t, library, spec)
			parts, _ = partsOf(t, file)
			return parts, text(t, file)
		}
		before := runtime.GOMAXPROCS(1)
		parts, alone := write()
		runtime.GOMAXPROCS(before)
		if others, whole := write(); !bytes.Equal(whole, alone) || !reflect.DeepEqual(parts, others) {
			t.Errorf("%s differs between processor counts", export.Kind)
		}
	}
}

// column is one column of a CSV file.
func column(t testing.TB, data []byte, name string) (cells []string) {
	t.Helper()
	reader := csv.NewReader(bytes.NewReader(data))
	reader.Comma = ';'
	lines := must.Get(reader.ReadAll())(t)
	at := slices.Index(lines[0], name)
	for _, line := range lines[1:] {
		if at >= 0 {
			cells = append(cells, line[at])
		}
	}
	return cells
}

func TestTheRequestChoosesColumnsAndEvents(t *testing.T) {
	library := embedded(t)
	kinds := map[string]schemas.Export{}
	for _, export := range library.Exports() {
		kinds[export.Kind] = export
	}
	spec := wholeFile(library, kinds["campaign.events"])
	spec.Profiles = 20_000
	spec.IDs, spec.Events = []string{"custom_id"}, []string{"push_open"}
	data := text(t, open(t, library, spec))
	header, _, _ := strings.Cut(string(data), "\n")
	must.Equal(t, header, "custom_id;event_date;event_type", "header")
	if kinds := slices.Compact(slices.Sorted(slices.Values(column(t, data, "event_type")))); !slices.Equal(kinds, []string{"push_opened"}) {
		t.Errorf("push_open came out as %q", kinds)
	}

	spec = wholeFile(library, kinds["profiles.attributes"])
	spec.Attributes, spec.Identifiers = []string{"$language", "favourite_colour"}, nil
	var people []struct {
		Attributes  map[string]any
		Identifiers map[string]any
	}
	if err := json.Unmarshal(text(t, open(t, library, spec)), &people); err != nil || len(people) < 600 || len(people) > 1_000 {
		t.Fatalf("%d profiles, %v", len(people), err)
	}
	for _, person := range people {
		if len(person.Attributes) != 2 || len(person.Identifiers) != 1 || person.Identifiers["profile_id"] == nil {
			t.Fatalf("a profile with %v and %v", person.Attributes, person.Identifiers)
		}
	}

	spec = wholeFile(library, kinds["profiles.reachability"])
	spec.Channels = []string{"sms"}
	var changes []struct{ Event struct{ Channel string } }
	if err := json.Unmarshal(text(t, open(t, library, spec)), &changes); err != nil || len(changes) == 0 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	for _, change := range changes {
		must.Equal(t, change.Event.Channel, "SMS", "the channel of a change in an export of sms")
	}
}

func TestStaleFilesAreRefused(t *testing.T) {
	library := embedded(t)
	renderer := rows.NewRenderer(library)
	spec := wholeFile(library, library.Exports()[0])
	for _, change := range []func(*exports.File){
		func(f *exports.File) { f.WorldVersion = 7 },
		func(f *exports.File) { f.SchemaDigest = "other" },
	} {
		stale := spec
		change(&stale)
		var refused *rows.StaleError
		if _, err := renderer.Open(stale); !errors.As(err, &refused) {
			t.Errorf("Open = %v, want a *StaleError", err)
		}
	}
	spec.Kind = "nothing"
	if _, err := renderer.Open(spec); err == nil {
		t.Error("an unknown kind is opened")
	}
}

// overlay changes one schema file by replacing text in it.
func overlay(t *testing.T, library *schemas.Library, name string, replace ...string) fstest.MapFS {
	t.Helper()
	source := string(library.Source(name))
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(source, replace[i]) {
			t.Fatalf("%s does not contain %q", name, replace[i])
		}
		source = strings.Replace(source, replace[i], replace[i+1], 1)
	}
	return fstest.MapFS{name: {Data: []byte(source)}}
}

// profileEvents are the rows of a file of profile events, which conforms.
func profileEvents(t *testing.T, library *schemas.Library) (events []map[string]any) {
	t.Helper()
	for _, export := range library.Exports() {
		if export.Kind != "profiles.events" {
			continue
		}
		data := text(t, open(t, library, wholeFile(library, export)))
		check(t, library, export.Output, data)
		must.Do(t, json.Unmarshal(data, &events))
	}
	return events
}

func TestAMemberWithoutASourceGetsAConformantValue(t *testing.T) {
	members := map[string]string{
		"enum":             `{"enum": ["gold", "silver;or \"bronze\"", ""]}`,
		"const":            `{"const": "always"}`,
		"pattern":          `{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3,5}(?:x|yz)?$"}`,
		"length":           `{"type": "string", "minLength": 3, "maxLength": 5}`,
		"uuid":             `{"type": "string", "format": "uuid"}`,
		"date":             `{"type": "string", "format": "date-time"}`,
		"integer":          `{"type": "integer", "minimum": 10, "maximum": 20, "multipleOf": 5}`,
		"number":           `{"type": "number", "exclusiveMinimum": 0, "maximum": 1}`,
		"negative":         `{"type": "integer", "maximum": -5}`,
		"boolean":          `{"type": "boolean"}`,
		"nullable":         `{"type": ["integer", "null"]}`,
		"array":            `{"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2}`,
		"object":           `{"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "string"}}, "required": ["x"], "additionalProperties": false}`,
		"free form":        `{"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}}}`,
		"choice":           `{"anyOf": [{"type": "null"}, {"type": "string", "pattern": "^v[0-9]$"}]}`,
		"true":             `true`,
		"email":            `{"type": "string", "format": "email"}`,
		"several keywords": `{"allOf": [{"minLength": 4}, {"type": "string", "pattern": "^[a-f]+$"}]}`,
	}
	library := embedded(t)
	var added strings.Builder
	for name, schema := range members {
		fmt.Fprintf(&added, "%q: %s, ", name, schema)
	}
	changed := must.Get(schemas.Open(overlay(t, library, "profiles/events.output.json", `"ab_testing_status": {`,
		added.String()+`"ab_testing_status": {`)))(t)
	events := profileEvents(t, changed)
	for name := range members {
		seen := map[string]bool{}
		for _, event := range events {
			value, is := event[name]
			if !is {
				t.Fatalf("an event without %q", name)
			}
			seen[fmt.Sprint(value)] = true
		}
		if name != "const" && len(seen) < 2 {
			t.Errorf("%q is %v in every event", name, seen)
		}
	}
}

func TestASchemaThatCannotBeGeneratedIsNamed(t *testing.T) {
	library := embedded(t)
	cases := map[string]string{
		"no such value":  `{"type": "string", "x-source": "profile.shoe_size"}`,
		"was found":      `{"type": "string", "pattern": "^a$", "minLength": 2}`,
		"list of things": `{"type": "string", "x-source": "profile.installations"}`,
	}
	for want, schema := range cases {
		changed, err := schemas.Open(overlay(t, library, "profiles/events.output.json", `"ab_testing_status": {`,
			`"shoe_size": `+schema+`, "ab_testing_status": {`))
		if err != nil {
			continue // the schemas package may see it earlier
		}
		for _, export := range changed.Exports() {
			if export.Kind == "profiles.events" {
				if _, err := rows.NewRenderer(changed).Open(wholeFile(changed, export)); err == nil || !strings.Contains(err.Error(), "shoe_size") ||
					!strings.Contains(err.Error(), export.Output) {
					t.Errorf("Open = %v, want an error that names the file and shoe_size (%s)", err, want)
				}
			}
		}
	}
}
