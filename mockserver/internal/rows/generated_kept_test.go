package rows_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// The dates that all files share are patterns, and are drawn as dates nevertheless.
func TestPatternsOfDatesHaveBounds(t *testing.T) {
	const bounds = `"x-earliest": "2026-01-01T00:00:00Z", "x-latest": "2026-02-01T00:00:00Z"`
	layouts := []string{"2006-01-02T15:04:05", "2006-01-02T15:04:05Z", time.DateOnly}
	library := withColumns(t,
		`{"$ref": "../common/dates.json#/$defs/legacyDateTime", `+bounds+`}`,
		`{"$ref": "../common/dates.json#/$defs/utcDateTime", `+bounds+`}`,
		`{"type": "string", "pattern": "^[0-9]{4}-[01][0-9]-[0-3][0-9]$", `+bounds+`}`)
	count := 0
	eachRow(t, library, len(layouts), func(*exports.File) {}, func(cells []string) {
		count++
		for i, layout := range layouts {
			at, err := time.Parse(layout, cells[i])
			if err != nil || at.Before(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) || at.After(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)) {
				t.Fatalf("%q is no date like %s in January: %v", cells[i], layout, err)
			}
		}
	})
	must.Hold(t, count >= 100, "%d rows", count)
}

// memberValues counts the values, as JSON, of members that are added to profile events.
func memberValues(t *testing.T, members ...string) (counts []map[string]int, total int) {
	t.Helper()
	var added strings.Builder
	for i, schema := range members {
		fmt.Fprintf(&added, `"n%d": %s, `, i, schema)
		counts = append(counts, map[string]int{})
	}
	const before = `"ab_testing_status": {`
	changed, err := schemas.Open(overlay(t, embedded(t), "profiles/events.output.json", before, added.String()+before))
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range profileEvents(t, changed) {
		total++
		for i := range members {
			text := must.Get(json.Marshal(event[fmt.Sprintf("n%d", i)]))(t)
			counts[i][string(text)]++
		}
	}
	return counts, total
}

func TestNullsHaveTheirShare(t *testing.T) {
	cases := []struct {
		schema string
		share  float64
	}{
		{`{"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}`, 0.1},
		{`{"oneOf": [{"type": "string", "format": "date"}, {"type": "null"}]}`, 0.1},
		{`{"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}`, 0.1},
		{`{"type": ["string", "null"], "enum": ["x", "y", null], "x-null-share": 0.3}`, 0.3},
		{`{"type": ["string", "null"], "enum": ["x", "y", null]}`, 1. / 3},
		{`{"type": "string", "format": "date"}`, 0},
	}
	var members []string
	for _, c := range cases {
		members = append(members, c.schema)
	}
	counts, total := memberValues(t, members...)
	for i, c := range cases {
		if share := float64(counts[i]["null"]) / float64(total); share < c.share*0.7 || share > c.share*1.3 {
			t.Errorf("%s is null in %.3f of %d values, want %.3f", c.schema, share, total, c.share)
		}
	}
}

func TestAddressesAreMany(t *testing.T) {
	counts, total := memberValues(t, `{"type": "string", "format": "ipv4"}`, `{"type": "string", "format": "ipv6"}`)
	for i, found := range counts {
		if len(found) < total*9/10 {
			t.Errorf("member %d has %d values in %d events", i, len(found), total)
		}
	}
}

// What the name of an attribute says of its values is kept, however awkward texts are.
func TestTexturesKeepTheTypesOfAttributes(t *testing.T) {
	library, err := schemas.Open(overlay(t, embedded(t), "profiles/attributes.output.json",
		`"x-attribute-types": [`, `"x-attribute-types": [{"name": "^favourite_dish$", "schema": {"enum": ["pasta", "rice"]}}, {"name": "^member_number$", "schema": {"type": "integer", "minimum": 1, "x-unique": true}},`))
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]any{"favourite_dish": {"pasta", "rice"}, "favouriteDish": {"pasta", "rice"},
		"plan": {"bronze", "gold", "silver", nil}, "isPremium": {true, false, nil}}
	for _, level := range texture.Levels() {
		spec := wholeFile(library, kind(t, library, "profiles.attributes"))
		spec.Settings.Texture = level
		spec.Attributes = append(slices.Sorted(maps.Keys(allowed)), "member_number")
		var profiles []struct{ Attributes map[string]any }
		must.Do(t, json.Unmarshal(text(t, open(t, library, spec)), &profiles))
		numbers := map[any]bool{}
		for _, profile := range profiles {
			numbers[profile.Attributes["member_number"]] = true
			for name, values := range allowed {
				if !slices.Contains(values, profile.Attributes[name]) {
					t.Fatalf("%s: %s is %v, want one of %v", level, name, profile.Attributes[name], values)
				}
			}
		}
		if len(profiles) < 100 || len(numbers) != len(profiles) {
			t.Errorf("%d profiles have %d numbers of members", len(profiles), len(numbers))
		}
	}
}

// What cannot be made is refused with what to write instead.
func TestColumnsThatCannotBeMade(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type": "number"}`: "write the type string, with a pattern",
		`{"type": "string", "minLength": 9, "maxLength": 3}`: "its bounds leave none",
	} {
		library := withColumns(t, schema)
		if _, err := rows.NewRenderer(library).Open(wholeFile(library, kind(t, library, "userbase"))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
	}
}
