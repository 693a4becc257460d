package learn_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var now = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// someKinds tell of everything that is learned, with few rows.
var someKinds = []string{"profiles.attributes", "profiles.events", "in-app-campaign.events", "userbase"}

// filesOf are the files of a world.
func filesOf(t testing.TB, library *schemas.Library, seed uint64, profiles int64, settings world.Settings, kinds []string) (list []importer.Input) {
	t.Helper()
	return filesOfPlan(t, library, exports.Planner{Seed: seed, Profiles: profiles, Settings: settings}, kinds)
}

func filesOfPlan(t testing.TB, library *schemas.Library, planner exports.Planner, kinds []string) (list []importer.Input) {
	t.Helper()
	return filesOfWindow(t, library, planner, kinds, now.AddDate(0, 0, -28), now, now)
}

// filesOfWindow are the files of a window that are asked for at a time.
func filesOfWindow(t testing.TB, library *schemas.Library, planner exports.Planner, kinds []string, from, to, at time.Time) (list []importer.Input) {
	t.Helper()
	renderer := rows.NewRenderer(library)
	for _, export := range library.Exports() {
		for _, kind := range kinds {
			if export.Kind != kind {
				continue
			}
			template := exports.TemplateOf(library, export)
			payload := template.Everything()
			for name, date := range map[string]time.Time{"from": from, "to": to} {
				if template.Has(name) {
					payload[name] = date.Format(template.DateLayout)
				}
			}
			variables := map[string]string{}
			for _, name := range exports.Placeholders(export.Path) {
				variables[name] = "hidden"
			}
			plan, err := planner.Plan(export, variables, "key", exports.Members(payload), at)
			if err != nil {
				t.Fatal(err)
			}
			file, err := renderer.Open(plan.File)
			if err != nil {
				t.Fatal(err)
			}
			var content bytes.Buffer
			if _, err := file.WriteTo(&content); err != nil {
				t.Fatal(err)
			}
			list = append(list, importer.Input{Name: kind, Reader: &content})
		}
	}
	return list
}

func embedded(t testing.TB) *schemas.Library {
	t.Helper()
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return library
}

// hidden are settings at random.
func hidden(random *rand.Rand) world.Settings {
	between := func(low, high float64) *float64 { value := low + (high-low)*random.Float64(); return &value }
	campaigns, weekly := 6+random.IntN(20), 1.5+float64(random.IntN(4))
	hours, days := make([]int, world.HoursOfDay), make([]int, world.DaysOfWeek)
	for i := range hours {
		hours[i] = 1 + random.IntN(9)
	}
	for i := range days {
		days[i] = 5 + random.IntN(9)
	}
	made := world.Settings{
		AppHours: hours, AppWeekdays: days,
		PushOnly: between(0.05, 0.2), EmailOnly: between(0.05, 0.2), SMS: between(0.2, 0.6),
		PushOptIn: between(0.3, 0.9), EmailOptIn: between(0.3, 0.9), SMSOptIn: between(0.3, 0.7), Growth: between(0.05, 0.6),
		Campaigns: &campaigns, WeeklyMessages: &weekly,
		Rates: map[string]float64{
			"email_open": *between(0.2, 0.6), "email_click": *between(0.1, 0.3), "push_open": *between(0.05, 0.25), "email_bounced": *between(0.02, 0.1),
			"sms_bounced": *between(0.05, 0.2), "inapp_shown": *between(0.5, 0.9), "inapp_clicked": *between(0.1, 0.4),
		},
	}
	made.Weights = map[string]map[string]int{}
	for _, each := range [][]string{
		{"platform", "ios", "android", "web"}, {"region", "FR", "DE", "US", "CA"}, {"mailbox_provider", "Postbox", "Northgate", "Big Mail", "Small & Old", "Other"},
		{"bounce_code", "4.2.2", "4.7.1", "5.1.1", "5.7.1", "absent_subscriber", "handset_memory_full"}, {"cta", "service.deeplink", "own.coupon", "own.vote"},
		{"cta_position", "0", "1", "2"}, {"sms_parts", "1", "2", "4"}, {"message_language", "default", "other"}, {"smart_segment", "migrated", "other"},
	} {
		weights := map[string]int{}
		for _, value := range each[1:] {
			weights[value] = 100 + random.IntN(900)
		}
		made.Weights[each[0]] = weights
	}
	made.LocalSending = between(0, 1)
	hideUnlike(&made, between)
	return made
}

// worldsVariable is the environment variable that says how many worlds TestHiddenWorlds hides, and how often each is compared with
// itself; `make soak` sets it.
const worldsVariable = "TEST_HIDDEN_WORLDS"

// TestHiddenWorlds: what is learned of a world that nobody knows shows what that one shows, at any size; and so does, by the same
// measure, the hidden world itself with other chances.
func TestHiddenWorlds(t *testing.T) {
	t.Parallel()
	worlds, profiles := 1, int64(2_000)
	if text := os.Getenv(worldsVariable); text != "" {
		var err error
		if worlds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for number := range worlds {
		seed := uint64(number)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			truth, kinds := hidden(rand.New(rand.NewPCG(seed, 15))), slices.Concat(someKinds, []string{"profiles.reachability"})
			spread := []float64{0.4, 1.8}[number%2]
			base := withSpread(t, spread)
			learned, err := learn.Files(context.Background(), filesOf(t, base, seed, profiles, truth, kinds), learn.Options{Directory: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			within(t, "the last trial", learned.Comparisons())
			overlay := fstest.MapFS{}
			for name, text := range learned.Schemas() {
				overlay[name] = &fstest.MapFile{Data: text}
			}
			library, err := schemas.Open(overlay)
			if err != nil {
				t.Fatal(err)
			}
			settings, size := learned.Settings()
			if size < profiles*9/10 || size > profiles*11/10 {
				t.Errorf("learned %d profiles of %d", size, profiles)
			}
			if off := *settings.WeeklyMessages / *truth.WeeklyMessages; off < 0.9 || off > 1.1 {
				t.Errorf("learned %v messages a week, not %v", *settings.WeeklyMessages, *truth.WeeklyMessages)
			}
			if low, high := *truth.Growth*0.7, *truth.Growth*1.3+0.02; *settings.Growth < low || *settings.Growth > high {
				t.Errorf("learned a growth of %v, not of %v", *settings.Growth, *truth.Growth)
			}
			if off := math.Abs(*settings.LocalSending-*truth.LocalSending) * float64(*truth.Campaigns); off > 2.5 { // of some it is not known
				t.Errorf("learned that %v of orchestrations send by the clocks of people, not %v", *settings.LocalSending, *truth.LocalSending)
			}
			foundUnlike(t, learned, &settings, &truth)
			if got := spreadOfOpens(t, learned); got < spread/1.5 || got > spread*1.5 {
				t.Errorf("learned that opens are spread by %v, not by %v", got, spread)
			}
			for event, rate := range truth.Rates {
				if _, is := settings.Rates[event]; !is && learned.Left["rate "+event] == "" {
					t.Errorf("the rate of %s, %v, was not learned, and it is not said why", event, rate)
				}
			}
			for column := range truth.Weights {
				if settings.Weights[column] == nil && learned.Left[column] == "" {
					t.Errorf("the weights of %s were not learned, and it is not said why", column)
				}
			}
			against(t, "a world of another size", learned, library, filesOf(t, library, seed+100, size*3/2, settings, kinds))
			for again := range uint64(worlds) {
				against(t, "the hidden world with another seed", learned, base, filesOf(t, base, seed+200+again, profiles, truth, kinds))
			}
		})
	}
}

// opens is the step of the opens of e-mails, up to its delay.
const opens = `{"event": "email_open", "after": "email_delivered", "rate": 0.34, "delay": "PT3H",`

// withSpread are the schema files in which delays of opens are spread otherwise.
func withSpread(t *testing.T, spread float64) *schemas.Library {
	t.Helper()
	const name = "common/events.json"
	text := bytes.Replace(embedded(t).Source(name), []byte(opens), fmt.Appendf(nil, `%s "spread": %v,`, opens, spread), 1)
	library, err := schemas.Open(fstest.MapFS{name: {Data: text}})
	if err != nil || bytes.Equal(text, embedded(t).Source(name)) {
		t.Fatal("the schema files have no such step", err)
	}
	return library
}

// spreadOfOpens is how far opens are spread in what was learned.
func spreadOfOpens(t *testing.T, learned *learn.Learned) float64 {
	t.Helper()
	for _, each := range learned.Report().Settings {
		if each.Name == "email_open spread" {
			spread, err := strconv.ParseFloat(each.Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return spread
		}
	}
	return 1
}

func against(t *testing.T, what string, learned *learn.Learned, library *schemas.Library, files []importer.Input) {
	t.Helper()
	list, err := learned.Against(context.Background(), library, files)
	if err != nil {
		t.Fatal(err)
	}
	within(t, what, list)
}

// within reports comparisons that a setting determines and that are outside of their bounds.
func within(t *testing.T, what string, list []report.Comparison) {
	t.Helper()
	set := 0
	for _, c := range list {
		if c.Set {
			set++
		}
		t.Logf("%s: %+v", what, c)
		if c.Set && !c.Within {
			t.Errorf("%s: %s: the base shows %v, this %v: a distance of %v, at most %v", what, c.Name, c.Base, c.World, c.Distance, c.Bound)
		}
	}
	if set < 25 {
		t.Errorf("%s: only %d comparisons", what, set)
	}
}

// TestDifferentWorldsDiffer: a comparison that nothing fails would prove nothing.
func TestDifferentWorldsDiffer(t *testing.T) {
	t.Parallel()
	usual := filesOf(t, embedded(t), 1, 1_500, world.Settings{Changes: map[string]float64{"email_consent": 0.1}}, someKinds)
	learned, err := learn.Files(context.Background(), usual, learn.Options{Directory: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	low, weekly := 0.3, 6.0
	other := world.Settings{EmailOptIn: &low, Growth: &low, WeeklyMessages: &weekly, Rates: map[string]float64{"email_open": 0.6},
		Weights:         map[string]map[string]int{"platform": {"ios": 3, "android": 7}, "region": {"FR": 1, "US": 2}},
		CampaignQuality: map[string][]float64{"email": {0.15, 0.4, 1, 2.2}}, Changes: map[string]float64{"email_consent": 0.5}}
	list, err := learned.Against(context.Background(), embedded(t), filesOf(t, embedded(t), 2, 1_500, other, someKinds))
	if err != nil {
		t.Fatal(err)
	}
	outside := map[string]bool{}
	for _, c := range list {
		outside[c.Name] = !c.Within
	}
	for name, want := range map[string]bool{"email-opt-in": true, "rate email_open": true, "messages per person": true, "campaign-quality of email": true, "messages that end email_consent": true, "platform": true, "region": true, "sms": false, "sms_parts": false, "rate sms_delivered": false} {
		if outside[name] != want {
			t.Errorf("%s: outside of its bounds: %v, want %v", name, outside[name], want)
		}
	}
}

// TestHours: when messages go out and when people use the app is learned, the latter by their own clocks.
func TestHours(t *testing.T) {
	t.Parallel()
	evening, weekend := make([]int, world.HoursOfDay), []int{1, 1, 1, 1, 1, 20, 20}
	for hour := 19; hour < 23; hour++ {
		evening[hour] = 10
	}
	for name, local := range map[string]float64{"by the clock of the sender": 0, "by the clocks of people": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hoursAreLearned(t, world.Settings{SendHours: evening, SendWeekdays: weekend, AppHours: evening, AppWeekdays: weekend, LocalSending: &local})
		})
	}
}

func hoursAreLearned(t *testing.T, base world.Settings) {
	learned, err := learn.Files(context.Background(), filesOf(t, embedded(t), 9, 1_500, base, someKinds), learn.Options{Directory: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := learned.Settings()
	if *settings.LocalSending != *base.LocalSending {
		t.Errorf("learned that %v of orchestrations send by the clocks of people, not %v", *settings.LocalSending, *base.LocalSending)
	}
	part := func(weights []int, from, to int) float64 {
		some, all := 0, 0
		for i, weight := range weights {
			if all += weight; i >= from && i < to {
				some += weight
			}
		}
		return float64(some) / float64(all)
	}
	for name, c := range map[string]struct{ got, least float64 }{
		"hours of sending":    {part(settings.SendHours, 19, 24), 0.85}, // a last message before an end has a time of its own
		"weekdays of sending": {part(settings.SendWeekdays, 5, 7), 0.7},
		"hours of use":        {part(settings.AppHours, 18, 24), 0.95}, // the world has four zones, and no summer time
		"weekdays of use":     {part(settings.AppWeekdays, 5, 7), 0.8},
	} {
		if c.got < c.least {
			t.Errorf("%s: %v of the weights, want at least %v of %v", name, c.got, c.least, learned)
		}
	}
}

// TestDuplicatesAreLearned: how many events come twice is learned, and the settings say it; where none do, they say nothing.
func TestDuplicatesAreLearned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ share, low, high float64 }{
		"none": {0, 0, 0}, "some": {0.04, 0.034, 0.046},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := exports.Planner{Seed: 3, Profiles: 1_500, Arrival: arrival.Arrival{Duplicates: c.share}}
			learned, err := learn.Files(context.Background(), filesOfPlan(t, embedded(t), plan, someKinds), learn.Options{Directory: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			_, after, _ := strings.Cut(string(learned.YAML("")), "scenario: \"duplicates=")
			text, _, _ := strings.Cut(after, "\"")
			share, err := strconv.ParseFloat(cmp.Or(text, "0"), 64)
			if err != nil || share < c.low || share > c.high {
				t.Errorf("learned %v (%v), want %v to %v", share, err, c.low, c.high)
			}
			for _, compared := range learned.Comparisons() {
				if compared.Name == "duplicates" && !compared.Within {
					t.Errorf("%+v", compared)
				}
			}
		})
	}
}

// crowd is a file of attributes of so many people; edit changes what is said of each.
func crowd(people int, edit func(i int, profile, attributes map[string]any)) []importer.Input {
	var list []any
	for i := range people {
		attributes := map[string]any{
			"$creation_date": now.AddDate(0, 0, -i%900).Format(time.RFC3339), "$email_address": fmt.Sprintf("p%d@example.com", i),
			"$email_marketing": []string{"subscribed", "unsubscribed"}[i%2],
		}
		identifiers := map[string]any{"profile_id": fmt.Sprintf("profile_%032d", i), "custom_id": fmt.Sprint("c", i)}
		edit(i, identifiers, attributes)
		list = append(list, map[string]any{"attributes": attributes, "identifiers": identifiers})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return []importer.Input{{Name: "crowd.json", Kind: "profiles.attributes", Reader: bytes.NewReader(text)}}
}

// settingsOf is what a server is given of what was learned: the settings and the schema files.
func settingsOf(learned *learn.Learned) string {
	var all strings.Builder
	all.Write(learned.YAML("schemas"))
	made := learned.Schemas()
	for _, name := range slices.Sorted(maps.Keys(made)) {
		fmt.Fprintln(&all, name, string(made[name]))
	}
	return all.String()
}

// everything is all that leaves what was learned.
func everything(t *testing.T, files []importer.Input, options learn.Options) string {
	t.Helper()
	options.Directory, options.TrialProfiles = t.TempDir(), 300
	learned, err := learn.Files(context.Background(), files, options)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	all.WriteString(settingsOf(learned))
	report := learned.Report()
	if err := errors.Join(learned.Print(&all), report.JSON(&all), report.HTML(&all)); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestFewPeople: what 19 people share is as if nobody had it, and what 20 share is learned.
func TestFewPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		people int
		edit   func(attributes map[string]any)
		says   string
	}{
		"nobody":                {0, func(map[string]any) {}, "\nsms: 0\n"},
		"19 telephones":         {19, func(a map[string]any) { a["$phone_number"] = "+33600000000" }, "\nsms: 0\n"},
		"20 telephones":         {20, func(a map[string]any) { a["$phone_number"] = "+33600000000" }, "\nsms: 0.0"},
		"19 without an address": {19, func(a map[string]any) { delete(a, "$email_address") }, "\nemail-only: 1\n"},
		"20 without an address": {20, func(a map[string]any) { delete(a, "$email_address") }, "\nemail-only: 0.9"},
		"19 items of a list":    {19, func(a map[string]any) { a["bought"] = []any{"canarybird", "canarybird", "hats"} }, "\"hats\""},
		"20 items of a list":    {20, func(a map[string]any) { a["bought"] = []any{"sparrow", "sparrow", "hats"} }, "\"sparrow\""},
		"19 of another type":    {19, func(a map[string]any) { a["visits"] = "canarybird" }, "\"^visits$\""},
		"20 of another type":    {20, func(a map[string]any) { a["visits"] = "sparrow" }, "\"^visits$\""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := crowd(600, func(i int, _, attributes map[string]any) {
				attributes["bought"], attributes["visits"] = []any{"hats"}, i
				if i < c.people {
					c.edit(attributes)
				}
			})
			says := everything(t, files, learn.Options{})
			if !strings.Contains(says, c.says) {
				t.Errorf("it does not say %q: %s", c.says, says)
			}
			if strings.Contains(says, "canarybird") {
				t.Errorf("it says what 19 have: %s", says)
			}
		})
	}
}

// TestAttributes: custom attributes come with the values that enough people have, as often, and with no other.
func TestAttributes(t *testing.T) {
	t.Parallel()
	made := func(names string, values ...any) func(i int, attributes map[string]any) {
		return func(i int, attributes map[string]any) { attributes[names] = values[i%len(values)] }
	}
	for name, c := range map[string]struct {
		edit        func(i int, attributes map[string]any)
		says, hides string
	}{
		"choices": {made("favourite_shop", "north", "north", "south", "south", "south"), `"enum": ["north", "south", null]`, "canarybird"},
		"a flag":  {made("likes_it", true, true, true, false), `"x-weights": {"false": 0.25, "true": 0.75}`, "canarybird"},
		"19 have it": {func(i int, a map[string]any) {
			if i < 19 {
				a["canarybird"] = "north"
			}
		}, "", "canarybird"},
		"20 have it": {func(i int, a map[string]any) {
			if i < 20 {
				a["sparrow"] = "north"
			}
		}, `"^sparrow$"`, "canarybird"},
		"19 have a value": {func(i int, a map[string]any) {
			if made("shop", "north", "south")(i, a); i < 19 {
				a["shop"] = "canarybird"
			}
		}, `"^shop$"`, "canarybird"},
		"20 have a value": {func(i int, a map[string]any) {
			if made("shop", "north", "south")(i, a); i < 20 {
				a["shop"] = "sparrow"
			}
		}, `"sparrow"`, "canarybird"},
		"many texts": {func(i int, a map[string]any) { a["note"] = fmt.Sprint("canarybird ", i) }, `"^note$"`, "canarybird"},
		"numbers": {func(i int, a map[string]any) {
			if a["spent_in_all"] = 100 + i; i == 0 {
				a["spent_in_all"] = 987654
			}
		}, `"minimum": 120`, "987654"},
		"days":                     {func(i int, a map[string]any) { a["joined"] = fmt.Sprintf("%d-04-%02d", 2001+i%9, 1+i%28) }, `"x-earliest": "2001-01-01"`, "-04-0"},
		"lists":                    {made("bought", []any{"shoes", "hats"}, []any{"hats"}), `"enum": ["hats", "shoes"]`, "canarybird"},
		"a name that is a pattern": {made("a.b(c", "north"), `"^a\\.b\\(c$"`, "canarybird"},
		"some have none":           {made("shop", "north", nil, nil, nil), `"x-null-share": 0.75`, "canarybird"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			says := everything(t, crowd(600, func(i int, _, attributes map[string]any) { c.edit(i, attributes) }), learn.Options{})
			loose := strings.NewReplacer(" ", "", "\n", "").Replace(says)
			if !strings.Contains(loose, strings.ReplaceAll(c.says, " ", "")) {
				t.Errorf("it does not say %s: %.300s", c.says, says)
			}
			if strings.Contains(says, c.hides) {
				t.Errorf("it says %s: %.300s", c.hides, says)
			}
		})
	}
}

// TestFewHaveAValue: neither what one person repeats, nor what is of another type than the rest, nor the bounds of few people are told.
func TestFewHaveAValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		people      int
		value       func(i int) any
		says, hides string
	}{
		"a list that repeats an item": {100, func(i int) any {
			if i == 7 {
				return slices.Repeat([]any{"canarybird"}, 30)
			}
			return []any{"sparrow"}
		}, `"enum":["sparrow"]`, "canarybird"},
		"a number among texts": {20, func(i int) any {
			if i == 7 {
				return 4242
			}
			return fmt.Sprint("canarybird", i)
		}, `"type":["string","null"]`, `"minimum"`},
		"many numbers among texts": {40, func(i int) any {
			if i%2 == 0 {
				return 4242 + i
			}
			return fmt.Sprint("canarybird", i)
		}, `"type":["string","null"]`, `"minimum"`},
		"texts and lists among numbers": {200, func(i int) any {
			return []any{4242, 4242, "canarybird", []any{"canarybird"}}[max(0, i-196)]
		}, `"minimum":4200`, "canarybird"},
		"numbers of few":    {99, func(i int) any { return 4200 + i }, "bounds of learned_one: fewer than 100 people", "42"},
		"fractions of few":  {99, func(i int) any { return 4200.25 + float64(i) }, `"multipleOf":0.01`, "42"},
		"numbers of enough": {100, func(i int) any { return 4200 + i }, `"minimum":4200`, "4199"},
		"days of few":       {99, func(i int) any { return fmt.Sprintf("1931-04-%02d", 1+i%28) }, `"format":"date"`, "1931"},
		"lists of few": {99, func(i int) any {
			list := make([]any, 37)
			for at := range list {
				list[at] = fmt.Sprint("canarybird", i, at)
			}
			return list
		}, `"maxItems":1`, "canarybird"},
		"flags and their words": {100, func(i int) any { return []any{false, "false", true}[i%3] }, `"type":["string","null"]`, `"enum":[false`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			taught, times := "", 2
			if c.people < 100 { // one order of the types among some
				times = 8
			}
			for range times {
				files := crowd(c.people, func(i int, _, attributes map[string]any) { attributes["learned_one"] = c.value(i) })
				learned, err := learn.Files(context.Background(), files, learn.Options{Directory: t.TempDir(), TrialProfiles: 200})
				if err != nil {
					t.Fatal(err)
				}
				_, schema, _ := strings.Cut(string(learned.Schemas()["profiles/attributes.output.json"]), "x-attribute-types")
				schema, _, _ = strings.Cut(strings.NewReplacer(" ", "", "\n", "").Replace(schema), "},{\"name\"")
				all := schema + string(learned.YAML("schemas"))
				if taught != "" && taught != all {
					t.Fatalf("the same files teach\n%s\nand\n%s", taught, all)
				}
				taught = all
			}
			if !strings.Contains(taught, c.says) {
				t.Errorf("it does not say %s: %s", c.says, taught)
			}
			if strings.Contains(taught, c.hides) {
				t.Errorf("it says %s: %s", c.hides, taught)
			}
		})
	}
}

// TestWithoutCreation: profiles that do not say when they came teach everything but growth.
func TestWithoutCreation(t *testing.T) {
	t.Parallel()
	files := crowd(600, func(i int, _, attributes map[string]any) {
		delete(attributes, "$creation_date")
		attributes["favourite_shop"] = []string{"north", "south"}[i%2]
		attributes["$last_activity"] = now.AddDate(0, 0, -i%90).Format(time.RFC3339)
	})
	says := everything(t, files, learn.Options{})
	if strings.Contains(says, "audiences of campaigns") {
		t.Error("it tells of campaigns, of which no file is")
	}
	for _, want := range []string{"\nemail-opt-in: 0.48\n", "\nsms: 0\n", "^favourite_shop$", "#   growth: ", ", send-weekdays: the files do not show "} {
		if !strings.Contains(says, want) {
			t.Errorf("it does not say %q: %.900s", want, says)
		}
	}
}

// TestAttributesComeBack: the learned world has the values of the base, as often.
func TestAttributesComeBack(t *testing.T) {
	t.Parallel()
	learned, err := learn.Files(context.Background(), crowd(2_000, func(i int, _, attributes map[string]any) {
		attributes["favourite_shop"] = []any{"north", "south", "south", "west"}[i%4]
		attributes["likes_it"] = i%3 == 0
	}), learn.Options{Directory: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range learned.Comparisons() {
		if strings.HasPrefix(c.Name, "attribute ") {
			if compared++; !c.Within || c.Measure != "total variation" {
				t.Errorf("%+v", c)
			}
		}
	}
	if compared != 2 {
		t.Errorf("%d attributes were compared", compared)
	}
}

// TestOnePersonMore: two bases that differ in one person, who has something of everything that nobody else has, teach the same words.
func TestOnePersonMore(t *testing.T) {
	t.Parallel()
	const canary = "canarybird"
	numbers := regexp.MustCompile(`[0-9][0-9.e+-]*`)
	var learned [2]string
	for more := range learned {
		files := crowd(600+more, func(i int, identifiers, attributes map[string]any) {
			if i == 600 {
				identifiers["custom_id"] = canary
				attributes["$email_address"], attributes["$timezone"], attributes["$region"] = canary+"@example.com", canary, canary
				attributes["$language"], attributes["$phone_number"], attributes["$sms_marketing"] = canary, canary, canary
				attributes[canary] = canary
			}
		})
		learned[more] = everything(t, files, learn.Options{})
		if strings.Contains(learned[more], canary) {
			t.Errorf("it tells of one person: %s", learned[more])
		}
	}
	if a, b := numbers.ReplaceAllString(learned[0], "N"), numbers.ReplaceAllString(learned[1], "N"); a != b {
		t.Errorf("one person more teaches other words:\n%s\n%s", a, b)
	}
}

// TestImportedRows: the rows that import writes teach what the files teach that they are of.
func TestImportedRows(t *testing.T) {
	t.Parallel()
	library := embedded(t)
	made := func() []importer.Input { return filesOf(t, library, 4, 800, world.Settings{}, someKinds) }
	contents := map[string]*bytes.Buffer{"profiles": {}, "installations": {}, "events": {}}
	_, err := importer.Files(context.Background(), library, made(), importer.Options{Directory: t.TempDir()}, func(kind string, row []byte) error {
		contents[kind].Write(append(row, '\n'))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var imported []importer.Input
	for _, kind := range []string{"profiles", "installations", "events"} {
		imported = append(imported, importer.Input{Name: "base/" + kind + ".ndjson", Reader: contents[kind]})
	}
	if direct, through := everything(t, made(), learn.Options{}), everything(t, imported, learn.Options{}); direct != through {
		t.Errorf("the files teach\n%s\nand the rows of their import\n%s", direct, through)
	}
	damaged := []importer.Input{{Name: "events.ndjson", Reader: strings.NewReader("{\"type\":\n")}}
	if _, err := learn.Files(context.Background(), damaged, learn.Options{}); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("damaged rows: %v", err)
	}
}

// TestOverlay: the schema files of the world are those that were given, with what was learned, and a date that nobody else has
// moves nothing.
func TestOverlay(t *testing.T) {
	t.Parallel()
	source := embedded(t).Source("legacy/userbase.row.json")
	overlay := fstest.MapFS{"legacy/userbase.row.json": &fstest.MapFile{Data: bytes.Replace(source, []byte("Userbase row"), []byte("Own row"), 1)}}
	crowd := func(visit string) []importer.Input {
		return crowd(400, func(i int, _, attributes map[string]any) {
			if attributes["likes_it"] = i%2 == 0; i == 0 {
				attributes["$last_visit_date"], attributes["$last_activity"] = visit, visit
			}
		})
	}
	learned, err := learn.Files(context.Background(), crowd("2026-03-15T11:00:00Z"), learn.Options{Overlay: overlay, Directory: t.TempDir(), TrialProfiles: 300})
	if err != nil {
		t.Fatal(err)
	}
	files := learned.Schemas()
	if !bytes.Contains(files["legacy/userbase.row.json"], []byte("Own row")) || !bytes.Contains(files["profiles/attributes.output.json"], []byte("^likes_it$")) || len(files) != 2 {
		t.Errorf("got %d files", len(files))
	}
	usual := everything(t, crowd("2026-03-15T11:00:00Z"), learn.Options{})
	if late := everything(t, crowd("2199-03-15T11:00:00Z"), learn.Options{}); late != usual {
		t.Errorf("one date teaches\n%s\nin place of\n%s", late, usual)
	}
}

// TestReport: the page needs nothing else, and what programs read says the same.
func TestReport(t *testing.T) {
	t.Parallel()
	told := ""
	options := learn.Options{Directory: t.TempDir(), TrialProfiles: 800, Progress: func(part, of int) { told += fmt.Sprintf("%d/%d ", part, of) }}
	learned, err := learn.Files(context.Background(), filesOf(t, embedded(t), 3, 800, world.Settings{}, someKinds), options)
	if err != nil || told != "1/4 2/4 3/4 4/4 " {
		t.Fatalf("the parts of the work: %s: %v", told, err)
	}
	report := learned.Report()
	var page, text bytes.Buffer
	if err := errors.Join(report.HTML(&page), report.JSON(&text)); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Least       int64 `json:"least_people"`
		Comparisons []struct {
			Name     string
			Distance *float64
		}
		Plots []struct {
			Name        string
			Labels      []string
			Base, World []*float64
		}
	}
	if err := json.Unmarshal(text.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	if read.Least != learn.DefaultPeople || len(read.Comparisons) != len(learned.Comparisons()) {
		t.Errorf("the report for programs says %+v", read)
	}
	if why := learned.Left["audiences of campaigns"]; why == "" || !strings.Contains(page.String(), "<td>audiences of campaigns<td>"+why) || !strings.Contains(string(learned.YAML("")), "audiences of campaigns: "+why) {
		t.Errorf("files of campaigns were given, and it is not said that their audiences are not learned: %q", why)
	}
	for _, want := range []string{"http:", "https:", "<script", "src=", "@import", "url("} {
		if strings.Contains(page.String(), want) {
			t.Errorf("the page needs something: %s", want)
		}
	}
	for _, plot := range read.Plots {
		if len(plot.Base) != len(plot.Labels) || len(plot.World) != len(plot.Labels) || len(plot.Labels) == 0 {
			t.Errorf("%s: %d labels for %d and %d cells", plot.Name, len(plot.Labels), len(plot.Base), len(plot.World))
		}
		if !strings.Contains(page.String(), "<figcaption>"+html.EscapeString(plot.Name)+"</figcaption>") {
			t.Errorf("%s is not on the page", plot.Name)
		}
	}
	if drawn := strings.Count(page.String(), "<figure>"); drawn != len(read.Plots) || drawn < 10 {
		t.Errorf("%d plots of %d are on the page", drawn, len(read.Plots))
	}
}

// TestTooFew: of fewer people than may share anything, nothing is learned.
func TestTooFew(t *testing.T) {
	t.Parallel()
	_, err := learn.Files(context.Background(), crowd(19, func(int, map[string]any, map[string]any) {}), learn.Options{Directory: t.TempDir()})
	if few := (*learn.FewError)(nil); !errors.As(err, &few) || few.Least != 20 {
		t.Errorf("got %v", err)
	}
	if _, err := learn.Files(context.Background(), []importer.Input{{Name: "empty.json", Reader: strings.NewReader("[]")}}, learn.Options{}); err == nil {
		t.Error("files without rows teach something")
	}
}

// FuzzFiles: whatever files hold, learning from them ends with an error or says too few.
func FuzzFiles(f *testing.F) {
	for _, seed := range []struct{ kind, text string }{
		{"userbase", "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\na1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"},
		{"profiles.attributes", `[{"attributes":{"$creation_date":"2026-01-01T00:00:00Z","colour":"red"},"identifiers":{"profile_id":"p1"}}]`},
		{"profiles.events", `[{"event_type":"push_open","event_date":"0001-01-01T00:00:00Z","platform":"IOS","identifiers":{"profile_id":"p1"}}]`},
		{"in-app-campaign.events", "install_id;event_date;event_type\na;2026-01-01T00:00:00;inapp_supplied\na;2026-01-01T00:00:01;inapp_shown\n"},
	} {
		f.Add(seed.kind, seed.text)
	}
	f.Add("events", `{"type":"push_sent","date":"2026-01-01T00:00:00Z","install_id":"a","campaign":"c"}`)
	f.Fuzz(func(t *testing.T, kind, text string) {
		input := []importer.Input{{Name: kind + ".ndjson", Kind: kind, Reader: strings.NewReader(text)}}
		if _, err := learn.Files(context.Background(), input, learn.Options{People: 1 << 40, Directory: t.TempDir()}); err == nil || err.Error() == "" {
			t.Errorf("%v", err)
		}
	})
}
