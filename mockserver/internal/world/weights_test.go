package world_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func weigh(column string, weights map[string]int) world.Settings {
	return world.Settings{Weights: map[string]map[string]int{column: weights}}
}

func TestValueWeightsAreChecked(t *testing.T) {
	many := map[string]int{}
	for i := range world.MaxWeighted + 1 {
		many[strings.Repeat("x", i%world.MaxWeightedText+1)+string(rune('a'+i/world.MaxWeightedText))] = 1
	}
	for name, c := range map[string]struct {
		settings world.Settings
		says     string // "": it is right
	}{
		"a platform":            {weigh("platform", map[string]int{"web": 1}), ""},
		"another column":        {weigh("colour", map[string]int{"red": 1}), `Weights of "colour" has no meaning: the columns whose values have weights are bounce_code, `},
		"another value":         {weigh("platform", map[string]int{"web": 1, "tv": 0}), `has a weight for "tv"; a value must be one of ios, android, web`},
		"too much":              {weigh("platform", map[string]int{"web": 1001}), `has the weight 1001 for "web"; each is from 0 to 1000`},
		"less than none":        {weigh("platform", map[string]int{"web": -1}), `has the weight -1 for "web"`},
		"nothing":               {weigh("platform", map[string]int{}), "has no weight above 0; it must have one at least, such as ios:1"},
		"zeros":                 {weigh("cta", map[string]int{"service.deeplink": 0}), "has no weight above 0"},
		"too many":              {weigh("mailbox_provider", many), "has 201 values; it must have at most 200"},
		"a name":                {weigh("mailbox_provider", map[string]int{"Post & Telegraph: the 2nd, of 3": 1}), ""},
		"a quote":               {weigh("mailbox_provider", map[string]int{`the "best"`: 1}), "without quotes"},
		"a space at the end":    {weigh("cta", map[string]int{"a": 1, "a ": 1}), "without spaces before and behind"},
		"spaces within":         {weigh("cta", map[string]int{"vote,  now !": 1}), ""},
		"a semicolon":           {weigh("cta", map[string]int{"a;b": 1}), "without quotes, semicolons"},
		"a backslash":           {weigh("cta", map[string]int{`a\b`: 1}), "and backslashes"},
		"no text":               {weigh("cta", map[string]int{"": 1}), "1 to 100 letters"},
		"a code of e-mails":     {weigh("bounce_code", map[string]int{"5.7.1": 1, "4.2.2": 1}), ""},
		"a code of nothing":     {weigh("bounce_code", map[string]int{"9.9.9": 1}), "or another code of e-mails"},
		"no parts":              {weigh("sms_parts", map[string]int{"0": 1}), "must be a whole number"},
		"a position":            {weigh("cta_position", map[string]int{"0": 1, "12": 3}), ""},
		"a written number":      {weigh("cta_position", map[string]int{"01": 1}), "must be a whole number"},
		"a place of two kinds":  {world.Settings{Weights: map[string]map[string]int{"region": {"CA": 1, "FR": 1}, "language": {"en": 1, "fr": 3}}}, ""},
		"a language of no home": {world.Settings{Weights: map[string]map[string]int{"region": {"FR": 1}, "language": {"sv": 1}}}, `Weights of "region" cannot be true: it gives "FR" 100 %`},
		"too few who speak it":  {world.Settings{Weights: map[string]map[string]int{"region": {"DE": 1, "FR": 1}, "language": {"fr": 9, "de": 1}}}, "cannot be true"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.settings.Check()
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			var wrong *world.SettingsError
			if err != nil && (!errors.As(err, &wrong) || wrong.Field != "Weights" || c.settings.Weights[wrong.Event] == nil) {
				t.Errorf("%v names no column", err)
			}
		})
	}
	settings := weigh("platform", map[string]int{"web": 1})
	clone := settings.Clone()
	if settings.Weights["platform"]["web"] = 9; clone.Weights["platform"]["web"] != 1 {
		t.Error("a copy shares its weights")
	}
}

func TestParseWeights(t *testing.T) {
	wants := map[string]string{"platform=ios:3;android:1": "platform map[android:1 ios:3]", "cta=a:b: 3 ;c:1": "cta map[a:b:3 c:1]"}
	for text, says := range map[string]string{
		"platform=ios:3;android:1": "", "cta=a:b: 3 ;c:1": "", "platform": "must be a column", "=ios:1": "must be a column", "platform=ios": `of platform says "ios"`,
		"platform=ios:x": `gives "ios" the weight "x"`, "platform=ios:-1": "from 0 to 1000", "platform=ios:1;ios:2": `gives "ios" two weights`,
	} {
		column, weights, err := world.ParseWeights(text)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want %q", text, err, says)
		}
		if err == nil {
			if got := fmt.Sprint(column, " ", weights); got != wants[text] {
				t.Errorf("%s: got %s, want %s", text, got, wants[text])
			}
		}
	}
}

// shownBy counts the values of a fact in the rows of a view.
func shownBy(t *testing.T, w *world.World, q world.Query, name string) map[string]float64 {
	t.Helper()
	view := open(t, w, q)
	fact := factOf(t, w, name, world.Scope{View: view})
	counts, all := map[string]float64{}, 0.0
	for _, row := range rowsOf(view) {
		if fact.Absent != nil && fact.Absent(&row) {
			continue
		}
		text := ""
		switch {
		case fact.Choice != nil:
			text = fact.Names[fact.Choice(&row)]
		case fact.Number != nil:
			text = string(rune('0' + fact.Number(&row)))
		default:
			text = string(fact.Text(nil, &row))
			if fact.Length != nil && fact.Length(&row) != len(text) {
				t.Fatalf("%s: %q has not the length %d", name, text, fact.Length(&row))
			}
		}
		counts[text]++
		all++
	}
	for value := range counts {
		counts[value] /= all
	}
	return counts
}

// TestValueWeights: values come as often as their weights say, and no others.
func TestValueWeights(t *testing.T) {
	people, devices := query(vocabulary.ViewProfiles), query(vocabulary.ViewInstallations)
	for _, c := range []struct {
		column, fact string
		of           world.Query
		weights      map[string]int
	}{
		{"platform", "installation.platform", devices, map[string]int{"ios": 1, "web": 3, "android": 0}},
		{"region", "profile.region", people, map[string]int{"FR": 5, "DE": 4, "SE": 1}},
		{"timezone", "profile.timezone", people, map[string]int{"America/Phoenix": 2, "America/Halifax": 3}},
		{"language", "profile.language", people, map[string]int{"es": 3, "cy": 1, "fr": 6}},
		{"mailbox_provider", "profile.mailbox_provider", people, map[string]int{"Postbox": 2, "Big Mail & Co": 5, "Other": 3}},
		{"cta_position", "event.cta_position", profileEvents(now, 60), map[string]int{"0": 1, "2": 3}},
		{"cta", "event.cta", profileEvents(now, 60), map[string]int{"service.dismiss": 3, "service.other": 7}},
		{"sms_parts", "event.sms_parts", profileEvents(now, 60), map[string]int{"1": 6, "3": 4}},
	} {
		t.Run(c.column, func(t *testing.T) {
			w, err := world.NewWith(11, 20_000, weigh(c.column, c.weights))
			if err != nil {
				t.Fatal(err)
			}
			got, all := shownBy(t, w, c.of, c.fact), 0
			for _, weight := range c.weights {
				all += weight
			}
			for value, weight := range c.weights {
				near(t, value, got[value], float64(weight)/float64(all), 0.02)
			}
			if unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(got)), func(value string) bool { return c.weights[value] > 0 }); len(unknown) > 0 {
				t.Errorf("there are also %v", unknown)
			}
		})
	}
}

// TestWeightsBesideOthers: what is drawn beside something else, or by kinds, comes as often as weights say.
func TestWeightsBesideOthers(t *testing.T) {
	messages := profileEvents(now, 60)
	part := func(column string, weights map[string]int, q world.Query, fact string) map[string]float64 {
		w, err := world.NewWith(12, 20_000, weigh(column, weights))
		if err != nil {
			t.Fatal(err)
		}
		return shownBy(t, w, q, fact)
	}
	got := part("message_language", map[string]int{"default": 1, "other": 3}, messages, "event.message_language")
	near(t, "messages for all", got["default"], 0.25, 0.01)
	if got["fr"] == 0 || got["en"] == 0 {
		t.Errorf("no others: %v", got)
	}
	got = part("smart_segment", map[string]int{"migrated": 3, "other": 7}, query(vocabulary.ViewInstallations), "installation.smart_segment")
	near(t, "migrated installations", got["migrated"], 0.3, 0.02)
	if got["active"] == 0 || got["inactive"] == 0 {
		t.Errorf("no others: %v", got)
	}
	// Of e-mails those that may be delivered later; of others the usual ones.
	w, err := world.NewWith(13, 20_000, weigh("bounce_code", map[string]int{"4.7.1": 3, "4.2.2": 1, "5.7.1": 1}))
	if err != nil {
		t.Fatal(err)
	}
	view := open(t, w, messages)
	code, kind := factOf(t, w, "event.bounce_code", world.Scope{View: view}), factOf(t, w, "event.bounce_type", world.Scope{View: view})
	counts := map[string]float64{}
	for _, row := range rowsOf(view) {
		if strings.HasSuffix(life[row.Event].Event, "bounced") {
			counts[life[row.Event].Event+" "+string(kind.Text(nil, &row))+" "+string(code.Text(nil, &row))]++
		}
	}
	near(t, "full mailboxes among those that come again", counts["email_bounced soft 4.2.2"]/(counts["email_bounced soft 4.2.2"]+counts["email_bounced soft 4.7.1"]), 0.25, 0.05)
	for _, some := range []string{"email_bounced hard 5.7.1", "sms_bounced soft absent_subscriber", "push_bounced hard unregistered"} {
		if counts[some] == 0 {
			t.Errorf("there is no %s: %v", some, counts)
		}
	}
	if counts["email_bounced soft 4.4.1"]+counts["email_bounced hard 5.1.1"] > 0 {
		t.Errorf("there are others: %v", counts)
	}
}

// TestHomesAgree: wherever weights let people live, their region, language, time zone and telephone number agree, and they consent as
// often; and with Phones none nobody has the number of another.
func TestHomesAgree(t *testing.T) {
	for name, weights := range map[string]map[string]map[string]int{
		"landlines alone":         {"region": {"FR": 1}},
		"mobile telephones alone": {"region": {"US": 1}},
		"few lines":               {"timezone": {"Europe/Stockholm": 9, "Pacific/Honolulu": 1}},
		"a minority":              {"language": {"cy": 1, "es": 1}},
		"several":                 {"region": {"CA": 6, "FR": 3, "US": 1}, "language": {"fr": 7, "en": 3}, "timezone": {"Europe/Paris": 3, "America/Toronto": 5, "America/Regina": 1, "America/Chicago": 1}},
	} {
		for _, phones := range []world.Phones{world.PhonesNone, world.PhonesRepeat} {
			t.Run(name+", "+string(phones), func(t *testing.T) { homesAgree(t, weights, phones) })
		}
	}
}

func homesAgree(t *testing.T, weights map[string]map[string]int, phones world.Phones) {
	w, err := world.NewWith(14, 12_000, world.Settings{Weights: weights, Phones: phones, SMS: new(0.5), Growth: new(0.0)})
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
	numbers, with, subscribed, prefixes := map[string]bool{}, 0.0, 0.0, map[string]string{"FR": "+33", "US": "+1", "CA": "+1", "SE": "+46", "GB": "+44"}
	for _, row := range rowsOf(view) {
		is := func(of string, values ...string) bool { return of == "" || slices.Contains(values, of) }
		if !slices.ContainsFunc(places.All[:], func(p places.Place) bool {
			return is(region(&row), p.Region) && is(timezone(&row), p.TimeZone) && is(language(&row), p.Language, p.Minority)
		}) {
			t.Fatalf("in %s, %s, they speak %s", region(&row), timezone(&row), language(&row))
		}
		number := phone(&row)
		if number == "" {
			continue
		}
		if numbers[number] && phones == world.PhonesNone {
			t.Fatalf("two people have the number %s", number)
		}
		if numbers[number] = true; !strings.HasPrefix(number, prefixes[region(&row)]) {
			t.Errorf("%s is no number of %s", number, region(&row))
		}
		with, subscribed = with+1, subscribed+float64(consent.Choice(&row))
	}
	if len(numbers) < 40 {
		t.Errorf("%d numbers: the test sees little", len(numbers))
	}
	if phones == world.PhonesRepeat {
		near(t, "telephones", with/12_000, 0.5, 0.03)
		near(t, "consents", subscribed/with, world.DefaultSMSOptIn, 0.03)
	}
}
