package world_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// now is the present of every test.
var now = time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC)

// messages is the life of messages to profiles, and pushes that of campaigns.
var (
	messages = []world.Step{
		{Event: "email_sent", Channel: "email", Burst: true},
		{Event: "email_bounced", After: "email_sent", Rate: .015, Delay: 45 * time.Second},
		{Event: "email_delivered", After: "email_sent", Rate: 1, Delay: 20 * time.Second, Unless: []string{"email_bounced"}},
		{
			Event: "email_open", After: "email_delivered", Rate: .34, Delay: 3 * time.Hour, Person: true,
			Machine: world.Machine{Share: .125, Delay: 25 * time.Second}, Again: world.Again{Rate: .35, Delay: 20 * time.Hour},
		},
		{Event: "email_click", After: "email_open", Rate: .14, Delay: time.Minute},
		{Event: "email_unsubscribed", After: "email_delivered", Rate: .003, Delay: 4 * time.Hour, Consent: "email"},
		{Event: "sms_sent", Channel: "sms", Burst: true},
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_bounced", After: "push_sent", Rate: .03, Delay: 2 * time.Second},
		{Event: "push_open", After: "push_sent", Rate: .09, Delay: 20 * time.Minute, Unless: []string{"push_bounced"}, Person: true},
	}
	pushes = []world.Step{
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_error", After: "push_sent", Rate: .03, Delay: 2 * time.Second},
		{Event: "push_opened", After: "push_sent", Rate: .09, Delay: 20 * time.Minute, Unless: []string{"push_error"}, Person: true},
	}
)

// row has the values of some facts, by their names; "" for none.
type row map[string]string

// id, when and the like are facts that most tests look at.
const (
	id       = vocabulary.ProfileID
	device   = vocabulary.InstallationID
	when     = vocabulary.EventDate
	what     = vocabulary.EventType
	campaign = vocabulary.OrchestrationID
	sent     = vocabulary.SentID
)

func newWorld(t testing.TB, people int64, settings world.Settings) *world.World {
	t.Helper()
	return must.Get(world.New(11, people, settings))(t)
}

// rows are those of a view of the seven weeks before now, with some facts.
func rows(t testing.TB, w *world.World, q world.Query, facts ...string) (list []row) {
	t.Helper()
	if q.Now.IsZero() {
		q.From, q.To, q.Now = now.AddDate(0, 0, -49), now, now
	}
	if q.View == vocabulary.ViewProfileMessages {
		q.Journey = messages
	}
	q.Messages = messages
	view := must.Get(w.View(q))(t)
	var found []world.Fact
	for _, name := range facts {
		fact, known := view.Fact(name)
		if !known {
			t.Fatalf("%s is not known", name)
		}
		found = append(found, fact)
	}
	must.Do(t, view.Write(context.Background(), world.Output{
		To: view.Parts(),
		Render: func() world.Render {
			return func(dst []byte, of *world.Row) ([]byte, int) {
				for i := range found {
					dst = append(appendFact(dst, &found[i], of), 0)
				}
				return dst, 1
			}
		},
		Take: func(_ int64, text []byte) (bool, error) {
			made := row{}
			for i, value := range bytes.Split(text[:len(text)-1], []byte{0}) {
				made[facts[i]] = string(value)
			}
			list = append(list, made)
			return true, nil
		},
	}))
	if len(list) == 0 {
		t.Fatalf("%s has no rows", q.View)
	}
	return list
}

func appendFact(dst []byte, fact *world.Fact, of *world.Row) []byte {
	switch {
	case fact.Absent != nil && fact.Absent(of):
	case fact.Text != nil:
		dst = fact.Text(dst, of)
	case fact.Time != nil:
		dst = strconv.AppendInt(dst, fact.Time(of), 10)
	case fact.Number != nil:
		dst = strconv.AppendInt(dst, fact.Number(of), 10)
	case fact.Flag != nil:
		dst = strconv.AppendBool(dst, fact.Flag(of))
	case fact.Choice != nil:
		dst = append(dst, fact.Names[fact.Choice(of)]...)
	case fact.Each != nil:
		for i, item := range fact.Each(of, nil) {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = strconv.AppendInt(dst, int64(item.Installation), 10)
		}
	}
	return dst
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// Every token is a campaign of its own: two share all rows, which chance allows one pair in 250, or none.
func TestCampaignsAreDistinct(t *testing.T) {
	w := newWorld(t, 10_000, world.Settings{})
	seen, files := map[string]string{}, map[string]bool{}
	for nth := range 40 {
		token := "token " + strconv.Itoa(nth)
		q := world.Query{View: vocabulary.ViewInstallationMessages, Journey: pushes, Stream: "campaign/" + token}
		var text strings.Builder
		for _, r := range rows(t, w, q, device, when, what) {
			text.WriteString(r[device] + r[when] + r[what] + "\n")
		}
		if files[text.String()] {
			continue
		}
		files[text.String()] = true
		for line := range strings.Lines(text.String()) {
			if other := seen[line]; other != "" && other != token {
				t.Fatalf("%s and %s share %q", token, other, line)
			}
			seen[line] = token
		}
	}
	must.Hold(t, len(files) >= 36, "40 tokens are %d campaigns", len(files))
}

// A push message reaches every installation of a person that takes it, and no other.
func TestPushesReachEveryInstallation(t *testing.T) {
	w := newWorld(t, 3_000, world.Settings{})
	custom, changed := map[string]bool{}, map[string]bool{}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfiles}, id, vocabulary.CustomID) {
		custom[r[id]] = r[vocabulary.CustomID] != ""
	}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewInstallationChanges}, id) {
		changed[r[id]] = true
	}
	takes, devices := map[string]bool{}, map[string][]row{}
	facts := []string{id, device, vocabulary.InstallDate, vocabulary.IsOptIn, vocabulary.IsReachable, vocabulary.HasCustomID}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewInstallations}, facts...) {
		devices[r[id]] = append(devices[r[id]], r)
		linked := !custom[r[id]] || r[vocabulary.HasCustomID] == "true"
		takes[r[device]] = linked && r[vocabulary.IsOptIn] == "true" && r[vocabulary.IsReachable] == "true"
	}
	reached := map[[3]string]map[string]bool{}
	q := world.Query{View: vocabulary.ViewProfileMessages, Events: []string{"push_sent"}}
	for _, r := range rows(t, w, q, id, device, when, campaign) {
		key := [3]string{r[id], r[campaign], r[when]}
		if reached[key] == nil {
			reached[key] = map[string]bool{}
		}
		reached[key][r[device]] = true
	}
	several := 0
	for key, got := range reached {
		if changed[key[0]] {
			continue
		}
		for _, r := range devices[key[0]] {
			if want := takes[r[device]] && number(r[vocabulary.InstallDate]) <= number(key[2]); got[r[device]] != want {
				t.Fatalf("a push to %v reaches %v: %v, want %v", key, r, got[r[device]], want)
			}
		}
		if len(got) > 1 {
			several++
		}
	}
	must.Hold(t, several >= 100, "%d messages reach several installations", several)
}

// No step reaches a person or an installation twice within five days.
func TestStepsKeepTheirCap(t *testing.T) {
	w, last := newWorld(t, 2_000, world.Settings{}), map[string]int64{}
	q := world.Query{View: vocabulary.ViewProfileMessages, Events: []string{"push_sent", "email_sent", "sms_sent"}}
	for _, r := range rows(t, w, q, id, device, when, vocabulary.StepID) {
		at, key := number(r[when]), r[id]+r[device]+r[vocabulary.StepID]
		if before, is := last[key]; is && at-before < 5*24*3600 {
			t.Fatalf("%v, and %d seconds before", r, at-before)
		}
		last[key] = at
	}
}

// The latest opens and clicks, of transactional mail too, are events of the files.
func TestLatestAreEvents(t *testing.T) {
	w := newWorld(t, 3_000, world.Settings{})
	latest := []string{
		vocabulary.LastEmailMarketingOpen, vocabulary.LastEmailMarketingClick,
		vocabulary.LastEmailTransactionalOpen, vocabulary.LastEmailTransactionalClick,
	}
	events := map[string]bool{}
	q := world.Query{View: vocabulary.ViewProfileMessages, Events: []string{"email_open", "email_click"}}
	for _, r := range rows(t, w, q, id, what, when) {
		events[r[id]+r[what]+r[when]] = true
	}
	found := map[string]int{}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfiles}, append(latest, id)...) {
		for i, name := range latest {
			if at := number(r[name]); at >= now.AddDate(0, 0, -49).Unix() {
				found[name]++
				if event := []string{"email_open", "email_click"}[i%2]; !events[r[id]+event+r[name]] {
					t.Fatalf("%s of %v is no event", name, r)
				}
			}
		}
	}
	for _, name := range latest {
		must.Hold(t, found[name] >= 20, "%d people have %s", found[name], name)
	}
}

// An installation that is not linked belongs to no profile with a custom identifier.
func TestUnlinkedInstallationsLeave(t *testing.T) {
	w := newWorld(t, 10_000, world.Settings{})
	unlinked := map[string]int{}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewInstallations}, id, vocabulary.HasCustomID) {
		unlinked[r[id]]++
		if r[vocabulary.HasCustomID] == "true" {
			unlinked[r[id]] += 100
		}
	}
	gone := 0
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfiles}, id, vocabulary.CustomID, vocabulary.ProfileInstallations) {
		listed := len(strings.Fields(r[vocabulary.ProfileInstallations]))
		if linked := unlinked[r[id]] / 100; r[vocabulary.CustomID] != "" && listed != linked {
			t.Fatalf("%v lists %d installations, %d are linked", r, listed, linked)
		}
		if r[vocabulary.CustomID] != "" && listed < unlinked[r[id]]%100 {
			gone++
		}
	}
	must.Hold(t, gone != 0, "all installations are linked")
}

// A message keeps its address and its language; and a person has one language with each campaign.
func TestMessagesKeepTheirAddress(t *testing.T) {
	w := newWorld(t, 5_000, world.Settings{})
	kept, languages, addresses := map[string]string{}, map[string]string{}, map[string]string{}
	moved := 0
	facts := []string{
		id, sent, campaign, vocabulary.EmailAddress, vocabulary.MailboxProvider, vocabulary.MessageLanguage, vocabulary.OrchestrationName,
	}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfileMessages}, facts...) {
		address := r[vocabulary.EmailAddress] + " " + r[vocabulary.MailboxProvider]
		if before, is := kept[r[sent]]; is && before != address {
			t.Fatalf("%v went to %s before", r, before)
		}
		kept[r[sent]] = address
		if before := addresses[r[id]]; before != "" && before != address && r[vocabulary.EmailAddress] != "" {
			moved++
		}
		addresses[r[id]] = address
		key := r[id] + r[campaign]
		if before, is := languages[key]; is && before != r[vocabulary.MessageLanguage] {
			t.Fatalf("%v was in %s before", r, before)
		}
		languages[key] = r[vocabulary.MessageLanguage]
	}
	must.Hold(t, moved != 0, "nobody gets another address")
}

// Campaigns differ in what they send, when, and what becomes of it; and so do platforms.
func TestCampaignsDiffer(t *testing.T) {
	w := newWorld(t, 20_000, world.Settings{})
	type counts struct {
		sent, opened, clicked float64
		days, hours           [24]float64
	}
	of := map[string]*counts{}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfileMessages}, what, when, campaign, vocabulary.Platform) {
		for _, key := range []string{r[campaign], "platform " + r[vocabulary.Platform]} {
			if of[key] == nil {
				of[key] = &counts{}
			}
			switch r[what] {
			case "email_sent", "push_sent":
				at := time.Unix(number(r[when]), 0).UTC()
				of[key].sent++
				of[key].days[at.Weekday()]++
				of[key].hours[at.Hour()]++
			case "email_open", "push_open":
				of[key].opened++
			case "email_click":
				of[key].clicked++
			}
		}
	}
	differ := func(about string, least float64, value func(*counts) float64) {
		low, high := 1e9, 0.0
		for key, c := range of {
			if v := value(c); c.sent > 500 && v > 0 && !strings.HasPrefix(key, "platform") {
				low, high = min(low, v), max(high, v)
			}
		}
		must.Hold(t, high >= least*low, "%s is between %v and %v", about, low, high)
	}
	differ("the volume of campaigns", 4, func(c *counts) float64 { return c.sent })
	differ("the opens of campaigns", 1.5, func(c *counts) float64 { return c.opened / c.sent })
	differ("the clicks of campaigns", 1.5, func(c *counts) float64 { return c.clicked / max(c.opened, 1) })
	differ("the share of the busiest day", 3, func(c *counts) float64 { return slices.Max(c.days[:]) / c.sent })
	differ("the share of the busiest hour", 3, func(c *counts) float64 { return slices.Max(c.hours[:]) / c.sent })
	ios, web := of["platform ios"], of["platform web"]
	must.Hold(t, ios.opened/ios.sent >= 1.3*web.opened/web.sent, "%v on iOS, %v on the web", ios, web)
}

// People have names of their language, and orchestrations have names without people in them.
func TestNamesAreOfTheLanguage(t *testing.T) {
	w := newWorld(t, 5_000, world.Settings{Regions: map[string]float64{"FR": 1, "DE": 1, "JP": 1, "GB": 1}})
	var known map[string]map[string][]string
	if text, err := os.ReadFile("names.json"); err != nil || json.Unmarshal(text, &known) != nil {
		t.Fatal(err)
	}
	counts, people := map[string]int{}, map[string]bool{}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfiles}, vocabulary.Language, vocabulary.EmailAddress) {
		names := strings.Split(r[vocabulary.EmailAddress], ".")
		of := known[r[vocabulary.Language]]
		if r[vocabulary.EmailAddress] == "" || of == nil {
			continue
		}
		all := slices.Concat(of["given"], of["family"])
		if !slices.Contains(all, names[0]) || !slices.Contains(all, names[1]) {
			t.Fatalf("%s speaks %s", r[vocabulary.EmailAddress], r[vocabulary.Language])
		}
		counts[r[vocabulary.Language]]++
		for _, given := range of["given"] {
			people[given] = true
		}
	}
	must.Hold(t, len(counts) >= 4 && counts["ja"] >= 500 && counts["fr"] >= 500, "people speak %v", counts)
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfileMessages}, vocabulary.OrchestrationName, vocabulary.StepName) {
		for word := range strings.FieldsSeq(strings.ToLower(r[vocabulary.OrchestrationName] + " " + r[vocabulary.StepName])) {
			if people[word] {
				t.Fatalf("an orchestration is called %v", r)
			}
		}
	}
}

// People are created, visit and start by their own clocks, in summer as in winter.
func TestPeopleFollowTheirClocks(t *testing.T) {
	w := newWorld(t, 40_000, world.Settings{Regions: map[string]float64{"AU": 1, "US": 1, "GB": 1}})
	for _, of := range []struct{ view, date string }{
		{vocabulary.ViewProfiles, vocabulary.CreationDate}, {vocabulary.ViewProfiles, vocabulary.LastVisitDate},
		{vocabulary.ViewInstallations, vocabulary.LastStartDate},
	} {
		all, nights := map[string]float64{}, map[string]float64{}
		mornings, days := map[bool]float64{}, map[bool]float64{} // of the summer, and of the winter
		for _, r := range rows(t, w, world.Query{View: of.view}, of.date, vocabulary.Timezone) {
			zone, err := time.LoadLocation(r[vocabulary.Timezone])
			if err != nil {
				t.Fatal(err) // Go has a time zone database of its own
			}
			at := time.Unix(number(r[of.date]), 0).In(zone)
			all[zone.String()]++
			days[at.IsDST()]++
			if at.Hour() >= 1 && at.Hour() < 5 {
				nights[zone.String()]++
			}
			if at.Hour() == 6 || at.Hour() == 7 {
				mornings[at.IsDST()]++
			}
		}
		for zone, count := range all {
			if share := nights[zone] / count; count > 1000 && (share < .005 || share > .05) {
				t.Errorf("%s in %s: %v is between one and five", of.date, zone, share)
			}
		}
		// Hours before and after are half and twice as likely: clocks that did not change would show.
		summer, winter := mornings[true]/days[true], mornings[false]/days[false]
		if of.date == vocabulary.CreationDate && (summer > 1.15*winter || winter > 1.15*summer) {
			t.Errorf("%s: %v of the summer is between six and eight, %v of the winter", of.date, summer, winter)
		}
	}
}

// No marketing reaches a telephone at night, by the clock of the person.
func TestNightsAreQuiet(t *testing.T) {
	w, seen := newWorld(t, 20_000, world.Settings{Campaigns: new(60)}), map[string]int{}
	view := world.Query{View: vocabulary.ViewProfileMessages}
	for _, r := range rows(t, w, view, what, when, vocabulary.Timezone, vocabulary.OrchestrationName) {
		name := strings.TrimRight(r[vocabulary.OrchestrationName], " ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		isTransactional := slices.Contains([]string{"", "Order status", "Courier nearby", "Payment received"}, name)
		if r[what] != "sms_sent" && (r[what] != "push_sent" || isTransactional) {
			continue
		}
		at := time.Unix(number(r[when]), 0).In(must.Get(time.LoadLocation(r[vocabulary.Timezone]))(t))
		seen[r[what]]++
		must.Hold(t, at.Hour() >= 8 && at.Hour() < 21, "%v at %s", r, at)
	}
	must.Hold(t, seen["sms_sent"] > 1000 && seen["push_sent"] > 1000, "only %v", seen)
}

// The label of an installation follows from its dates at the moment of its file, and files of one moment agree.
func TestSegmentsFollowFromDates(t *testing.T) {
	seed := testlevel.Seed(t)
	for n := range uint64(testlevel.Count(2, 6, 60)) {
		w := must.Get(world.New(seed+n, 2_000, world.Settings{}))(t)
		at := now.Add(-time.Duration((seed+n)%(300*86400)) * time.Second)
		labels, known := map[string]string{}, map[string]int{}
		for _, window := range []int{49, 1} {
			q := world.Query{View: vocabulary.ViewInstallations, From: at.AddDate(0, 0, -window), To: at, Now: at}
			for _, r := range rows(t, w, q, device, vocabulary.InstallDate, vocabulary.LastStartDate, vocabulary.SmartSegment) {
				age := func(date string) time.Duration { return at.Sub(time.Unix(number(r[date]), 0)) }
				const day = 24 * time.Hour
				follows := "inactive"
				switch {
				case age(vocabulary.InstallDate) < 14*day:
					follows = "new"
				case age(vocabulary.LastStartDate) < 7*day:
					follows = "active"
				case age(vocabulary.LastStartDate) < 60*day:
					follows = "occasional"
				}
				label, before := r[vocabulary.SmartSegment], labels[r[device]]
				if label != follows || before != "" && before != label {
					t.Fatalf("world %d at %s: the label is %q, before it was %q; %q follows from %v", seed+n, at, label, before, follows, r)
				}
				labels[r[device]] = label
				known[label]++
			}
		}
		must.Equal(t, len(known), 4, "labels of world %d at %s, which are %v", seed+n, at, known)
	}
}

// What users give is what the files show: regions, labels, rates.
func TestSettingsShow(t *testing.T) {
	settings := world.Settings{
		Regions: map[string]float64{"BR": 1, "JP": 1}, Segments: map[string]float64{"VIP": 1, "REGULAR": 3},
		Rates: map[string]float64{"email_open": .6},
	}
	w := newWorld(t, 5_000, settings)
	regions, labels := map[string]int{}, map[string]float64{}
	facts := []string{vocabulary.Region, vocabulary.Language, vocabulary.SmartSegment}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewInstallations}, facts...) {
		regions[r[vocabulary.Region]+" "+r[vocabulary.Language]]++
		labels[r[vocabulary.SmartSegment]]++
	}
	must.Hold(t, len(regions) == 2 && regions["BR pt"] != 0 && regions["JP ja"] != 0, "people live in %v", regions)
	if share := labels["VIP"] / (labels["VIP"] + labels["REGULAR"]); len(labels) != 2 || share < .2 || share > .3 {
		t.Errorf("the labels are %v", labels)
	}
	opened, delivered := map[string]bool{}, 0.0
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfileMessages}, what, sent) {
		switch r[what] {
		case "email_delivered":
			delivered++
		case "email_open":
			opened[r[sent]] = true
		}
	}
	if rate := float64(len(opened)) / delivered; rate < .55 || rate > .65 {
		t.Errorf("%v of the mails are opened, want 0.6", rate)
	}
	br := world.Place{Region: "BR", Zones: []world.Zone{{Weight: 1}}}
	for _, wrong := range []world.Settings{
		{Regions: map[string]float64{"XX": 1}}, {Segments: map[string]float64{}}, {Places: []world.Place{br, br}},
		{Places: []world.Place{{Region: "BR", Zones: []world.Zone{{Weight: 1, Numbers: []string{"+55 9-10"}}}}}},
	} {
		if _, err := world.New(1, 1, wrong); err == nil {
			t.Errorf("%+v is not refused", wrong)
		}
	}
}

// Countries and names that a user gives take the place of others, or stand beside them.
func TestPlacesCanBeAdded(t *testing.T) {
	zone := func(name string, minutes int64, language, numbers string) []world.Zone {
		return []world.Zone{{Zone: name, Minutes: minutes, Weight: 1, Languages: map[string]float64{language: 1}, Numbers: []string{numbers}}}
	}
	w := newWorld(t, 2_000, world.Settings{
		Regions: map[string]float64{"BR": 1, "IS": 1},
		Places: []world.Place{
			{Region: "BR", Mailboxes: map[string]float64{"Caixa": 500}, Zones: zone("America/Sao_Paulo", -180, "pt", "+55119000 00-99")},
			{Region: "IS", Zones: zone("Atlantic/Reykjavik", 0, "is", "+354555 0000-0999")},
		},
		Names: map[string]world.Names{"is": {Given: []string{"bjork"}, Family: []string{"jonsdottir"}}},
	})
	counts := map[string]int{}
	facts := []string{vocabulary.Region, vocabulary.Timezone, vocabulary.Language, vocabulary.PhoneNumber, vocabulary.EmailAddress}
	for _, r := range rows(t, w, world.Query{View: vocabulary.ViewProfiles}, facts...) {
		region, phone, mail := r[vocabulary.Region], r[vocabulary.PhoneNumber], r[vocabulary.EmailAddress]
		counts[region+" "+r[vocabulary.Timezone]+" "+r[vocabulary.Language]]++
		if prefix := map[string]string{"BR": "+55119000", "IS": "+3545550"}[region]; !strings.HasPrefix(phone, prefix) && phone != "" {
			t.Fatalf("%v has another number", r)
		}
		if region == "IS" && mail != "" && !strings.Contains(mail, "bjork") {
			t.Fatalf("%v has another name", r)
		}
		if strings.HasSuffix(mail, "@caixa.example") {
			counts["caixa"]++
		}
	}
	if len(counts) != 3 || counts["BR America/Sao_Paulo pt"] < 500 || counts["IS Atlantic/Reykjavik is"] < 500 || counts["caixa"] < 500 {
		t.Errorf("people live in %v", counts)
	}
}

// room counts what is taken of a disk.
type room struct{ now, all int64 }

func (r *room) Take(bytes int64) error {
	r.now, r.all = r.now+bytes, r.all+bytes
	return nil
}

func (r *room) Give(bytes int64) { r.now -= bytes }

// The bytes depend neither on the number of processors, nor on how much fits in memory. What does not is counted while it lies on the disk.
func TestBytesAreTheSame(t *testing.T) {
	w := newWorld(t, 3_000, world.Settings{})
	written := func(processors, memory int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		q := world.Query{View: vocabulary.ViewProfileMessages, Journey: messages, Messages: messages}
		q.From, q.To, q.Now = now.AddDate(0, 0, -20), now, now
		view := must.Get(w.View(q))(t)
		fact, _ := view.Fact(sent)
		var text bytes.Buffer
		disk := &room{}
		must.Do(t, view.Write(context.Background(), world.Output{
			To: view.Parts(),
			Render: func() world.Render {
				return func(dst []byte, of *world.Row) ([]byte, int) { return fact.Text(dst, of), 1 }
			},
			Take:   func(_ int64, row []byte) (bool, error) { text.Write(row); return true, nil },
			Memory: memory, Directory: t.TempDir(), Room: disk,
		}))
		if disk.now != 0 || (disk.all > 0) != (memory > 0) {
			t.Errorf("with %d bytes, %d were taken of the disk, and %d are in use afterwards", memory, disk.all, disk.now)
		}
		return text.String()
	}
	usual := written(1, 0)
	for _, other := range [][2]int{{2, 0}, {5, 0}, {3, 1 << 17}} {
		if written(other[0], other[1]) != usual || usual == "" {
			t.Errorf("with %d processors and %d bytes the file is another one", other[0], other[1])
		}
	}
}

// A view that is no longer wanted ends, and so does one of which there are enough rows.
func TestViewsEnd(t *testing.T) {
	w := newWorld(t, 100_000, world.Settings{})
	view := must.Get(w.View(world.Query{View: vocabulary.ViewInstallations, Now: now, Messages: messages}))(t)
	reason := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(context.Background())
	taken := 0
	out := world.Output{
		To: view.Parts(),
		Render: func() world.Render {
			return func(dst []byte, _ *world.Row) ([]byte, int) { return append(dst, '.'), 1 }
		},
		Take: func(int64, []byte) (bool, error) { taken++; return taken < 10, nil },
	}
	if err := view.Write(ctx, out); err != nil || taken != 10 {
		t.Errorf("%d rows, %v", taken, err)
	}
	out.Take = func(int64, []byte) (bool, error) { cancel(reason); return true, nil }
	if err := view.Write(ctx, out); !errors.Is(err, reason) {
		t.Errorf("the view ends with %v", err)
	}
}
