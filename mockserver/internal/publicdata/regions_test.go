package publicdata_test

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	_ "time/tzdata" // zones wherever the test runs

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/regions"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var updateRegions = flag.Bool("update-regions", false, "write the table of regions anew, from the metadata and /usr/share/zoneinfo")

// TestRegions holds the table of regions against public data: calling codes against libphonenumber, regions and
// zones against CLDR and the time zone database.
//
//	go test ./mockserver/internal/publicdata -run TestRegions -update-regions
func TestRegions(t *testing.T) {
	if *updateRegions {
		writeRegions(t)
	}
	table := regions.All()
	if len(table) < 200 {
		t.Fatalf("only %d regions", len(table))
	}
	for region, facts := range table {
		if parsed, err := language.ParseRegion(region); err != nil || !parsed.IsCountry() {
			t.Errorf("%s is no region: %v", region, err)
		}
		if code := phonenumbers.GetCountryCodeForRegion(region); code != 0 && fmt.Sprint(code) != facts.CallingCode {
			t.Errorf("%s has the calling code %d, the table says %s", region, code, facts.CallingCode)
		}
		for _, zone := range facts.Zones {
			if _, err := time.LoadLocation(zone); err != nil {
				t.Errorf("%s: %v", region, err)
			}
		}
	}
	for region := range phonenumbers.GetSupportedRegions() {
		must.Hold(t, table[region].CallingCode != "", "the table lacks %s", region)
	}
}

func writeRegions(t *testing.T) {
	zones := map[string]map[string]bool{}
	for _, name := range []string{"/usr/share/zoneinfo/zone.tab", "/usr/share/zoneinfo/zone1970.tab"} {
		file := must.Get(os.Open(name))(t)
		defer file.Close()
		for scanner := bufio.NewScanner(file); scanner.Scan(); {
			fields := strings.Split(scanner.Text(), "\t")
			if strings.HasPrefix(fields[0], "#") || len(fields) < 3 {
				continue
			}
			for _, region := range strings.Split(fields[0], ",") {
				if zones[region] == nil {
					zones[region] = map[string]bool{}
				}
				zones[region][fields[2]] = true
			}
		}
	}
	for region := range phonenumbers.GetSupportedRegions() {
		if zones[region] == nil {
			zones[region] = map[string]bool{}
		}
	}
	text := "# region, calling code, time zones. Made by TestRegions -update-regions.\n"
	for _, region := range slices.Sorted(maps.Keys(zones)) {
		code := "-"
		if number := phonenumbers.GetCountryCodeForRegion(region); number != 0 {
			code = fmt.Sprint(number)
		}
		if parsed, err := language.ParseRegion(region); err != nil || !parsed.IsCountry() {
			continue
		}
		text += strings.TrimSpace(region+" "+code+" "+strings.Join(slices.Sorted(maps.Keys(zones[region])), " ")) + "\n"
	}
	must.Do(t, os.WriteFile("../check/regions/regions.txt", []byte(text), 0o644))
	t.Log("the table was written: run the test again, it is compiled in")
}
