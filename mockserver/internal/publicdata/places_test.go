// Package publicdata holds tables of the server against public data: places, regions and telephone numbers against libphonenumber,
// CLDR and the time zone database. It is a folder of its own, so that modules which only use the server do not fetch those.
package publicdata_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
)

// summers are the offsets in January and in July 2026 from those of winter, in minutes, by the rule for summer time.
var summers = map[string][2]int{"": {}, "none": {}, "europe": {0, 60}, "america": {0, 60}, "australia": {60, 0}}

// Each place is one that public data knows: a region with a locale of CLDR for each of its languages, valid numbers of that region and of
// its time zone, and clocks that go as there.
func TestPlacesAgreeWithPublicData(t *testing.T) {
	text, err := os.ReadFile("../world/regions.json")
	if err != nil {
		t.Fatal(err)
	}
	var regions []struct {
		Region string
		Zones  []struct {
			Zone, Summer string
			Minutes      int
			Languages    map[string]float64
			Numbers      []string
		}
	}
	if err := json.Unmarshal(text, &regions); err != nil || len(regions) < 7 {
		t.Fatalf("%d regions, %v", len(regions), err)
	}
	numbers := 0
	for _, of := range regions {
		for _, in := range of.Zones {
			location, err := time.LoadLocation(in.Zone)
			if err != nil {
				t.Fatal(err)
			}
			for i, month := range []time.Month{time.January, time.July} {
				at := time.Date(2026, month, 15, 12, 0, 0, 0, time.UTC)
				if _, ahead := at.In(location).Zone(); ahead != 60*(in.Minutes+summers[in.Summer][i]) {
					t.Errorf("in %s clocks are ahead by %d seconds in %s", in.Zone, ahead, month)
				}
			}
			for spoken := range in.Languages {
				if _, exact := language.CompactIndex(language.Make(spoken + "-" + of.Region)); !exact {
					t.Errorf("CLDR has no locale %s-%s", spoken, of.Region)
				}
			}
			for _, list := range in.Numbers {
				prefix, span, _ := strings.Cut(list, " ")
				first, last, _ := strings.Cut(span, "-")
				head, codes, _ := strings.Cut(prefix, "{")
				codes, tail, _ := strings.Cut(codes, "}")
				var ends []string
				for code := range strings.SplitSeq(codes, ",") {
					ends = append(ends, head+code+tail+first, head+code+tail+last)
				}
				for _, number := range ends {
					numbers++
					parsed, err := phonenumbers.Parse(number, "")
					if err != nil || !phonenumbers.IsValidNumber(parsed) || phonenumbers.GetRegionCodeForNumber(parsed) != of.Region {
						t.Errorf("%s is no valid number of %s: %v", number, of.Region, err)
						continue
					}
					if zones, err := phonenumbers.GetTimezonesForNumber(parsed); err != nil || !slices.ContainsFunc(zones, func(zone string) bool {
						return sameClocks(t, zone, location)
					}) {
						t.Errorf("%s is in %v (%v), not in %s", number, zones, err, in.Zone)
					}
				}
			}
		}
	}
	if numbers < 100 {
		t.Errorf("%d numbers: the test sees little", numbers)
	}
}

// sameClocks reports whether clocks go in a zone as they do elsewhere.
func sameClocks(t *testing.T, zone string, as *time.Location) bool {
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	for _, month := range []time.Month{time.January, time.April, time.July, time.October} {
		at := time.Date(2026, month, 15, 12, 0, 0, 0, time.UTC)
		_, here := at.In(location).Zone()
		if _, there := at.In(as).Zone(); here != there {
			return false
		}
	}
	return true
}
