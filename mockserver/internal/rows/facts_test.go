package rows_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Every source of the vocabulary is a fact, but the one that is the same for all
// rows of a file, and those of answers. That a dataset has the fact too, the compiler sees to.
func TestEverySourceIsAFact(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Enum []string `json:"enum"`
		} `json:"properties"`
	}
	must.Do(t, json.Unmarshal(embedded(t).Source("vocabulary.json"), &schema))
	people := must.Get(world.New(1, 10, world.Settings{}))(t)
	view := must.Get(people.View(world.Query{View: vocabulary.ViewProfiles, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}))(t)
	sources := schema.Properties["x-source"].Enum
	if len(sources) < 50 {
		t.Fatalf("the vocabulary has %d sources", len(sources))
	}
	for _, name := range sources {
		of, _, _ := strings.Cut(name, ".")
		if name == vocabulary.APIKey || slices.Contains([]string{"record", "file", "page", "error", "problem"}, of) {
			continue
		}
		if _, known := view.Fact(name); !known {
			t.Errorf("%s is a source of the vocabulary and no fact of the world", name)
		}
	}
}

// A person has one day of birth, whatever it is called, and the age that follows from it at the instant of the export.
func TestAgeFollowsFromTheBirthDate(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		if export.Kind != "profiles.attributes" {
			continue
		}
		for _, year := range []int{2025, 2026, 2027} {
			spec := wholeFile(library, export)
			spec.Now = time.Date(year, 2, 28, 12, 0, 0, 0, time.UTC)
			spec.Attributes = []string{"age", "birth_date", "birthday", "date_of_birth"}
			data := text(t, open(t, library, spec))
			check(t, library, export.Output, data)
			var profiles []struct {
				Attributes struct {
					Age       *int   `json:"age"`
					BirthDate string `json:"birth_date"`
					Birthday  string `json:"birthday"`
					Date      string `json:"date_of_birth"`
				} `json:"attributes"`
			}
			must.Do(t, json.Unmarshal(data, &profiles))
			known := 0
			for _, p := range profiles {
				if p.Attributes.Birthday != p.Attributes.BirthDate || p.Attributes.Date != p.Attributes.BirthDate ||
					(p.Attributes.Age == nil) != (p.Attributes.BirthDate == "") {
					t.Errorf("%d: %+v", year, p.Attributes)
				}
				if p.Attributes.Age == nil {
					continue
				}
				known++
				born := must.Get(time.Parse(time.DateOnly, p.Attributes.BirthDate))(t)
				// AddDate moves a leap day to the first of March.
				age := 0
				for !born.AddDate(age+1, 0, 0).After(spec.Now) {
					age++
				}
				if *p.Attributes.Age != age || age < 16 {
					t.Errorf("%d: born on %s and %d, want %d", year, p.Attributes.BirthDate, *p.Attributes.Age, age)
				}
			}
			if known == 0 || known == len(profiles) {
				t.Errorf("%d: %d of %d tell their age", year, known, len(profiles))
			}
		}
	}
}
