package publicdata_test

import (
	"math"
	"testing"
	"time"

	"github.com/nyaruka/phonenumbers"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// people calls visit with what a world says of everybody who has a telephone number.
func people(t *testing.T, w *world.World, names []string, visit func(number *phonenumbers.PhoneNumber, facts []string)) {
	t.Helper()
	view, err := w.View(world.Query{View: vocabulary.ViewProfiles, Now: time.Date(2026, 3, 15, 10, 30, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) world.Fact {
		fact, known := w.Fact(name, world.Scope{View: view})
		if !known {
			t.Fatalf("there is no fact %s", name)
		}
		return fact
	}
	telephone, facts := of("profile.phone_number"), make([]world.Fact, len(names))
	for i, name := range names {
		facts[i] = of(name)
	}
	texts := make([]string, len(names))
	var rows []world.Row
	for unit := range view.Units() {
		rows = view.Append(rows[:0], unit)
		for _, row := range rows {
			if telephone.Absent(&row) {
				continue
			}
			for i := range facts {
				switch fact := &facts[i]; {
				case fact.Absent != nil && fact.Absent(&row):
					texts[i] = ""
				case fact.Choice != nil:
					texts[i] = fact.Names[fact.Choice(&row)]
				default:
					texts[i] = string(fact.Text(nil, &row))
				}
			}
			visit(parse(t, string(telephone.Text(nil, &row))), texts)
		}
	}
}

// A person's region, time zone and number belong together.
func TestPeopleLiveWhereTheyTelephone(t *testing.T) {
	for _, seed := range []uint64{0, 9} {
		numbers := 0
		people(t, world.New(seed, 20_000), []string{"profile.region", "profile.phone_country", "profile.timezone"}, func(number *phonenumbers.PhoneNumber, facts []string) {
			if numbers++; numbers%17 > 0 {
				return // the library is slow
			}
			where := phonenumbers.GetRegionCodeForNumber(number)
			zones, err := phonenumbers.GetTimezonesForNumber(number)
			if where != facts[0] || where != facts[1] || err != nil || zones[0] != facts[2] {
				t.Fatalf("%v is a number of %s and %v; the profile is in %v", number, where, zones, facts)
			}
		})
		if numbers < 5_000 {
			t.Errorf("%d numbers: the test sees little", numbers)
		}
	}
}

// Whoever consents to SMS has a number that may be that of a mobile telephone, unless more
// are to consent than have one.
func TestSMSGoToMobileTelephones(t *testing.T) {
	for _, settings := range []world.Settings{{}, {SMS: new(0.9), SMSOptIn: new(0.9), EmailOnly: new(0.0)}} {
		w, err := world.NewWith(41, 20_000, settings)
		if err != nil {
			t.Fatal(err)
		}
		var phones, consenting, landlines float64
		regions := map[string]int{}
		people(t, w, []string{"profile.sms_marketing"}, func(number *phonenumbers.PhoneNumber, facts []string) {
			phones++
			if facts[0] != "subscribed" {
				return
			}
			consenting++
			regions[phonenumbers.GetRegionCodeForNumber(number)]++
			if !takesSMS(number) {
				landlines++
			}
		})
		want := world.DefaultSMSOptIn
		if settings.SMSOptIn != nil {
			want = *settings.SMSOptIn
		}
		if got := consenting / phones; math.IsNaN(got) || math.Abs(got-want) > 0.03 {
			t.Errorf("the share of telephones with consent is %.4f, want %.4f within 0.03", got, want)
		}
		if settings.SMSOptIn == nil && landlines > 0 || settings.SMSOptIn != nil && landlines == 0 {
			t.Errorf("of %v with consent, %v have a landline (%v)", consenting, landlines, regions)
		}
	}
}
