package rows_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func rated(event string, rate float64) world.Settings {
	return world.Settings{Rates: map[string]float64{event: rate}}
}

func TestRatesNameEventsOfTheSchemas(t *testing.T) {
	library := embedded(t)
	for _, event := range []string{"email_open", "push_opened", "inapp_clicked", "sms_bounced"} {
		must.Equal(t, rows.CheckSettings(library, rated(event, 0.5)), nil, "%s", event)
	}
	for event, want := range map[string]string{
		"email_opened": "there is no such event", "push_sent": "begins a message", "email_unsubscribed": "change of consent",
		"email_opens": "there is no such event, did you mean email_open?", "xyz": "there is no such event; the events",
	} {
		err := rows.CheckSettings(library, rated(event, 0.5))
		if err == nil || !strings.HasPrefix(err.Error(), "rates."+event) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "push_opened") {
			t.Errorf("%s: %v, want one that says %q and names the events", event, err, want)
		}
	}
	if err := rows.CheckSettings(library, rated("email_open", 7)); err == nil {
		t.Error("a rate of 7 is accepted")
	}
}

// Settings change the bytes of a file, its entity tag included, and what is promised with them keeps them.
func TestAFileHasTheSettingsOfItsRecord(t *testing.T) {
	library := embedded(t)
	spec := wholeFile(library, kind(t, library, "campaign.events"))
	spec.Profiles = 20_000
	usual := column(t, text(t, open(t, library, spec)), "event_type")
	spec.Settings = rated("push_opened", 0)
	never := column(t, text(t, open(t, library, spec)), "event_type")
	if !slices.Contains(usual, "push_opened") || slices.Contains(never, "push_opened") || !slices.Contains(never, "push_sent") {
		t.Errorf("%d rows as usual, %d without opens", len(usual), len(never))
	}
	spec.Settings = rated("push_opened", 2)
	if _, err := rows.NewRenderer(library).Open(spec); err == nil {
		t.Error("a file with a rate of 2 is opened")
	}
}

func TestSettingsAreChecked(t *testing.T) {
	library := embedded(t)
	place := world.Place{Region: "BR", Weight: 1, Zones: []world.Zone{{
		Zone: "America/Sao_Paulo", Minutes: -180, Weight: 1, Languages: map[string]float64{"pt": 1}, Numbers: []string{"+55119000 00-99"},
	}}}
	badly := func(change func(*world.Zone)) world.Settings {
		zone := place.Zones[0]
		change(&zone)
		return world.Settings{Places: []world.Place{{Region: "BR", Zones: []world.Zone{zone}}}}
	}
	for _, wrong := range []world.Settings{
		badly(func(z *world.Zone) { z.Summer = "brazil" }), badly(func(z *world.Zone) { z.Minutes = 900 }),
		badly(func(z *world.Zone) { z.Languages = nil }), badly(func(z *world.Zone) { z.Weight = 0 }),
		badly(func(z *world.Zone) { z.Numbers = []string{"+55 9-10"} }), {Places: []world.Place{place, place}},
		{Places: []world.Place{{Region: "br"}}}, {Places: []world.Place{{Region: "BR"}}},
		{Names: map[string]world.Names{"pt": {Given: []string{"João"}, Family: []string{"silva"}}}},
		{Names: map[string]world.Names{"pt": {Given: []string{"joao"}}}},
		{Regions: map[string]float64{"XX": 1}}, {Segments: map[string]float64{}}, {Rates: map[string]float64{"x": 2}},
	} {
		if err := rows.CheckSettings(library, wrong); err == nil {
			t.Errorf("%+v is not refused", wrong)
		}
	}
}
