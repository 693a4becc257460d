package world_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func TestRegionsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		regions map[string]int
		says    string // "": it is right
	}{
		"a region":       {map[string]int{"FR": 1, "DE": 0}, ""},
		"another":        {map[string]int{"FR": 1, "XX": 0}, `regions of "XX" has no meaning: the regions are AU, CA, `},
		"too much":       {map[string]int{"FR": 1001}, `has the weight 1001; it must be from 0 to 1000`},
		"less than none": {map[string]int{"FR": -1}, `has the weight -1`},
		"nothing":        {map[string]int{}, "have no weight above 0"},
		"zeros":          {map[string]int{"FR": 0}, "have no weight above 0"},
	} {
		t.Run(name, func(t *testing.T) {
			err := world.Settings{Regions: c.regions}.Check()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	settings := world.Settings{Regions: map[string]int{"FR": 1}}
	clone := settings.Clone()
	if settings.Regions["FR"] = 9; clone.Regions["FR"] != 1 {
		t.Error("a copy shares its regions")
	}
}

// TestRegions: people live in regions as often as their weights say, and in no others; region, language, time zone and telephone number
// agree, and people consent as often.
func TestRegions(t *testing.T) {
	for name, regions := range map[string]map[string]int{
		"landlines alone":         {"FR": 1},
		"mobile telephones alone": {"US": 1},
		"several":                 {"FR": 5, "DE": 4, "SE": 1},
	} {
		t.Run(name, func(t *testing.T) { regionsAgree(t, regions) })
	}
}

func regionsAgree(t *testing.T, regions map[string]int) {
	w, err := world.NewWith(14, 12_000, world.Settings{Regions: regions, SMS: new(0.5), Growth: new(0.0)})
	if err != nil {
		t.Fatal(err)
	}
	view := open(t, w, query(vocabulary.ViewProfiles))
	texts := func(name string) func(*world.Row) string {
		fact := factOf(t, w, name, world.Scope{View: view})
		return func(row *world.Row) string {
			if fact.Absent != nil && fact.Absent(row) {
				return ""
			}
			return string(fact.Text(nil, row))
		}
	}
	region, timezone, language, phone := texts("profile.region"), texts("profile.timezone"), texts("profile.language"), texts("profile.phone_number")
	consent := factOf(t, w, "profile.sms_marketing", world.Scope{View: view})
	lives, numbers, with, subscribed, prefixes := map[string]float64{}, map[string]bool{}, 0.0, 0.0, map[string]string{"FR": "+33", "US": "+1", "CA": "+1", "SE": "+46", "GB": "+44"}
	for _, row := range rowsOf(view) {
		is := func(of string, values ...string) bool { return of == "" || slices.Contains(values, of) }
		if !slices.ContainsFunc(places.All[:], func(p places.Place) bool {
			return is(region(&row), p.Region) && is(timezone(&row), p.TimeZone) && is(language(&row), p.Language, p.Minority)
		}) {
			t.Fatalf("in %s, %s, they speak %s", region(&row), timezone(&row), language(&row))
		}
		lives[region(&row)]++
		number := phone(&row)
		if number == "" {
			continue
		}
		if numbers[number] = true; !strings.HasPrefix(number, prefixes[region(&row)]) {
			t.Errorf("%s is no number of %s", number, region(&row))
		}
		with, subscribed = with+1, subscribed+float64(consent.Choice(&row))
	}
	if len(numbers) < 40 {
		t.Errorf("%d numbers: the test sees little", len(numbers))
	}
	near(t, "telephones", with/12_000, 0.5, 0.03)
	near(t, "consents", subscribed/with, world.DefaultSMSOptIn, 0.03)
	all := 0
	for _, weight := range regions {
		all += weight
	}
	if len(lives) != len(regions) {
		t.Errorf("people live in %v", lives)
	}
	for region, weight := range regions {
		near(t, region, lives[region]/12_000, float64(weight)/float64(all), 0.02)
	}
}
