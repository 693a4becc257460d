package rows_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// withColumns adds required columns to the userbase.
func withColumns(t *testing.T, columns ...string) *schemas.Library {
	t.Helper()
	library := embedded(t)
	var properties, names strings.Builder
	for i, schema := range columns {
		fmt.Fprintf(&properties, `"c%d": %s, `, i, schema)
		fmt.Fprintf(&names, `"c%d", `, i)
	}
	changed := must.Get(schemas.Open(overlay(t, library, "legacy/userbase.row.json",
		`"required": [`, `"required": [`+names.String(), `"properties": {`, `"properties": {`+properties.String())))(t)
	return changed
}

// eachRow visits the added columns of every row of a file of userbase.
func eachRow(t *testing.T, library *schemas.Library, columns int, change func(*exports.File), visit func(cells []string)) {
	t.Helper()
	var at []int
	eachRecord(t, library, change, func(header []string) {
		for i := range columns {
			at = append(at, slices.Index(header, fmt.Sprintf("c%d", i)))
		}
	}, func(record []string) {
		cells := make([]string, columns)
		for i := range cells {
			cells[i] = record[at[i]]
		}
		visit(cells)
	})
}

// eachCell visits one column of a file of userbase.
func eachCell(t *testing.T, library *schemas.Library, name string, change func(*exports.File), visit func(cell string)) {
	t.Helper()
	at := -1
	eachRecord(t, library, change, func(header []string) { at = slices.Index(header, name) }, func(record []string) { visit(record[at]) })
}

// eachRecord reads a file of userbase.
func eachRecord(t *testing.T, library *schemas.Library, change func(*exports.File), begin, visit func(record []string)) {
	t.Helper()
	for _, export := range library.Exports() {
		if export.Kind != "userbase" {
			continue
		}
		spec := wholeFile(library, export)
		change(&spec)
		out, in := io.Pipe()
		file := open(t, library, spec)
		go func() {
			_, err := file.WriteTo(in)
			in.CloseWithError(err)
		}()
		reader := csv.NewReader(out)
		reader.Comma, reader.ReuseRecord = ';', true
		header := must.Get(reader.Read())(t)
		begin(header)
		for {
			record, err := reader.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			visit(record)
		}
	}
}

func TestWeightsAreKept(t *testing.T) {
	cases := []struct {
		schema string
		shares map[string]float64
	}{
		{`{"enum": ["north", "south;west"], "x-weights": {"north": 3, "south;west": 1}}`, map[string]float64{"north": 0.75, "south;west": 0.25}},
		{`{"enum": ["a", "b", "c"]}`, map[string]float64{"a": 1. / 3, "b": 1. / 3, "c": 1. / 3}},
		{`{"enum": ["rare", "usual", "never"], "x-weights": {"rare": 0.001, "usual": 0.999, "never": 0}}`, map[string]float64{"rare": 0.001, "usual": 0.999, "never": 0}},
		{`{"type": "string", "enum": ["here", ""], "x-null-share": 0.1}`, map[string]float64{"here": 0.45, "": 0.55}},
	}
	var columns []string
	for _, c := range cases {
		columns = append(columns, c.schema)
	}
	library := withColumns(t, columns...)
	wanted := testlevel.Count(100_000, 100_000, 1_000_000)
	total, counts := 0.0, make([]map[string]float64, len(cases))
	for i := range counts {
		counts[i] = map[string]float64{}
	}
	eachRow(t, library, len(cases), func(spec *exports.File) { spec.Profiles, spec.Settings.Growth = int64(wanted), new(0.) }, func(cells []string) {
		for i, cell := range cells {
			counts[i][cell]++
		}
		total++
	})
	if total < float64(wanted) {
		t.Fatalf("%v rows are too few", total)
	}
	for i, c := range cases {
		found := counts[i]
		for value, share := range c.shares {
			if sigma := math.Sqrt(total * share * (1 - share)); math.Abs(found[value]-total*share) > 4*sigma {
				t.Errorf("%s: %q comes %v times in %v, want %v of them", c.schema, value, found[value], total, share)
			}
			delete(found, value)
		}
		must.Hold(t, len(found) == 0, "%s: values %v", c.schema, found)
	}
}

func TestGeneratedValuesAreDistinct(t *testing.T) {
	library := withColumns(t,
		`{"type": "string", "format": "uuid"}`,
		`{"type": "string"}`,
		`{"type": "string", "format": "uuid", "x-unique": true}`,
		`{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$", "x-unique": true}`,
		`{"type": "string", "x-unique": true, "maxLength": 5}`,
		`{"type": "string", "format": "email", "x-unique": true}`,
	)
	total, seen := 0, make([]map[string]bool, 6)
	for i := range seen {
		seen[i] = map[string]bool{}
	}
	eachRow(t, library, len(seen), func(spec *exports.File) { spec.Profiles, spec.Settings.Growth = 50_000, new(0.) }, func(cells []string) {
		for i, cell := range cells {
			seen[i][cell] = true
		}
		total++
	})
	for i := range seen {
		if len(seen[i]) != total || total < 50_000 {
			t.Errorf("column %d has %d values in %d rows", i, len(seen[i]), total)
		}
	}
}

func TestValuesThatCannotBeDistinctAreRefused(t *testing.T) {
	cases := map[string]string{
		`{"type": "string", "pattern": "^[0-9]{2}$", "x-unique": true}`:         "x-unique: the schema allows 100 values, and this world has",
		`{"type": "string", "pattern": "^a*b*$", "x-unique": true}`:             "x-unique: different draws may give the same value",
		`{"type": "string", "minLength": 1, "x-null-share": 0.5}`:               "x-null-share: the member is required",
		`{"type": "string", "pattern": "^[0-9]$", "not": {"pattern": "[0-9]"}}`: "no value that conforms",
	}
	for schema, want := range cases {
		library := withColumns(t, schema)
		for _, export := range library.Exports() {
			if export.Kind != "userbase" {
				continue
			}
			if _, err := rows.NewRenderer(library).Open(wholeFile(library, export)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "c0") {
				t.Errorf("%s: Open = %v, want an error about c0 that says %q", schema, err, want)
			}
		}
	}
}

// The same installation has the same value in every file of a seed, and another one in the files of other seeds.
func TestGeneratedValuesBelongToASeed(t *testing.T) {
	library := withColumns(t, `{"type": "string", "format": "uuid"}`)
	values := map[string]int{}
	for _, seed := range []uint64{1, 2, 1} {
		eachCell(t, library, "c0", func(spec *exports.File) { spec.Seed, spec.IDs = seed, []string{"install_id"} }, func(cell string) { values[cell]++ })
	}
	counts := map[int]int{}
	for _, count := range values {
		counts[count]++
	}
	if counts[1] == 0 || counts[2] == 0 || len(counts) != 2 {
		t.Errorf("values come %v times, want those of seed 1 twice and those of seed 2 once", counts)
	}
}

func TestDatesHaveBounds(t *testing.T) {
	library := withColumns(t,
		`{"type": "string", "format": "date", "x-earliest": "1990-02-27", "x-latest": "1990-03-02"}`,
		`{"type": "string", "format": "date-time", "x-earliest": "1999-12-31T23:59:58Z", "x-latest": "2000-01-01T00:00:00Z"}`,
		`{"type": "string", "format": "date"}`,
	)
	want := []string{
		"1990-02-27 1990-02-28 1990-03-01 1990-03-02",
		"1999-12-31T23:59:58Z 1999-12-31T23:59:59Z 2000-01-01T00:00:00Z",
	}
	for i, want := range want {
		seen := map[string]bool{}
		eachCell(t, library, fmt.Sprintf("c%d", i), func(*exports.File) {}, func(cell string) { seen[cell] = true })
		must.Equal(t, len(seen), strings.Count(want, " ")+1, "values of column %d, %v of %s", i, seen, want)
		for value := range seen {
			must.Hold(t, strings.Contains(want, value), "column %d has %s, want %s", i, value, want)
		}
	}
	eachCell(t, library, "c2", func(*exports.File) {}, func(cell string) {
		must.Hold(t, cell >= "2020-01-01" && cell <= "2023-12-31", "the date %s", cell)
	})
}

func TestAttributesAreTypedByTheirNames(t *testing.T) {
	library := embedded(t)
	kinds := map[string]string{
		"is_premium": "bool", "newsletter": "bool", "age": "float64", "loyalty_points": "float64", "last_basket": "float64", "interests": "[]interface {}",
		"birth_date": "string", "subscribed_at": "string", "favourite_shop": "string", "plan": "string", "crm_id": "string",
	}
	for _, export := range library.Exports() {
		if export.Kind != "profiles.attributes" {
			continue
		}
		spec := wholeFile(library, export)
		spec.Attributes = nil
		for name := range kinds {
			spec.Attributes = append(spec.Attributes, name)
		}
		data := text(t, open(t, library, spec))
		check(t, library, export.Output, data)
		var profiles []struct{ Attributes map[string]any }
		must.Do(t, json.Unmarshal(data, &profiles))
		for name, kind := range kinds {
			found := map[string]int{}
			for _, profile := range profiles {
				found[fmt.Sprintf("%T", profile.Attributes[name])]++
			}
			if found[kind] == 0 || found["<nil>"] == 0 || len(found) != 2 {
				t.Errorf("%s has values of types %v, want %s and a few nulls", name, found, kind)
			}
		}
	}
}

func TestNumbersHaveBounds(t *testing.T) {
	library := embedded(t)
	members := []struct {
		schema    string
		low, high float64
		distinct  int
	}{
		{`{"type": "integer", "minimum": 10, "maximum": 20, "multipleOf": 5}`, 10, 20, 3},
		{`{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.3, "multipleOf": 0.1}`, 0.1, 0.2, 2},
		{`{"type": "number", "minimum": -0.5, "maximum": 0.5, "multipleOf": 0.25}`, -0.5, 0.5, 5},
		{`{"type": "integer", "minimum": 1.5, "maximum": 3.5}`, 2, 3, 2},
		{`{"type": "integer", "minimum": 9007199254740991, "maximum": 9007199254740991}`, 9007199254740991, 9007199254740991, 1},
	}
	var added strings.Builder
	for i, m := range members {
		fmt.Fprintf(&added, `"n%d": %s, `, i, m.schema)
	}
	changed, err := schemas.Open(overlay(t, library, "profiles/events.output.json", `"ab_testing_status": {`, added.String()+`"ab_testing_status": {`))
	if err != nil {
		t.Fatal(err)
	}
	events := profileEvents(t, changed)
	for i, m := range members {
		seen := map[float64]bool{}
		for _, event := range events {
			value, _ := event[fmt.Sprintf("n%d", i)].(float64)
			if value < m.low || value > m.high {
				t.Fatalf("%s: %v", m.schema, value)
			}
			seen[value] = true
		}
		must.Equal(t, len(seen), m.distinct, "values of %s, %v", m.schema, seen)
	}
}

// An event type that no condition speaks of has the members of its channel, whether or not it has a step.
func TestANewEventTypeHasTheMembersOfItsChannel(t *testing.T) {
	library := embedded(t)
	changed, err := schemas.Open(overlay(t, library, "common/events.json",
		`"push_sent", "push_bounced", "push_open"
      ]`, `"push_sent", "push_bounced", "push_open", "push_dismissed", "newsletter_read", "sms_forwarded"
      ]`,
		`{"event": "sms_sent", "channel": "sms"`, `{"event": "newsletter_read", "after": "email_delivered", "rate": 0.2}, {"event": "sms_sent", "channel": "sms"`))
	if err != nil {
		t.Fatal(err)
	}
	channelOf := map[string][]string{
		"push_dismissed":  {"platform", "is_push_opt_in"},
		"newsletter_read": {"email_address", "mailbox_provider"},
		"sms_forwarded":   {"phone_number", "phone_country", "sms_parts"},
	}
	common := []string{
		"ab_testing_status", "ab_testing_variant", "api_key", "event_date", "event_type", "message_language", "orchestration_id", "orchestration_name",
		"sent_id", "step_id", "step_name", "identifiers",
	}
	events := profileEvents(t, changed)
	seen := map[string]bool{}
	for _, event := range events {
		kind, _ := event["event_type"].(string)
		own, isNew := channelOf[kind]
		if !isNew {
			continue
		}
		seen[kind] = true
		if event[own[0]] == nil {
			t.Fatalf("%s without %s: %v", kind, own[0], event)
		}
		for name := range event {
			if !slices.Contains(own, name) && !slices.Contains(common, name) {
				t.Fatalf("%s with %s: %v", kind, name, event)
			}
		}
	}
	must.Equal(t, len(seen), len(channelOf), "the channels, %v", seen)
}
