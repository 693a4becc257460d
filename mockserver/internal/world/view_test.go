package world_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

var (
	now     = time.Date(2026, 3, 15, 10, 30, 0, 0, time.UTC)
	from    = now.Add(-9*24*time.Hour - 13*time.Minute)
	journey = []world.Step{
		{Event: "email_sent", Channel: "email", Burst: true},
		{Event: "email_delivered", After: "email_sent", Rate: 1, Delay: 20 * time.Second, Unless: []string{"email_bounced"}},
		{Event: "email_open", After: "email_delivered", Rate: 0.4, Delay: 3 * time.Hour, Person: true},
		{Event: "email_click", After: "email_open", Rate: 0.3, Delay: 5 * time.Minute},
		{Event: "email_bounced", After: "email_sent", Rate: 0.03, Delay: time.Minute},
		{Event: "email_unsubscribed", After: "email_open", Rate: 1, Delay: 2 * time.Minute, Consent: "email"},
		{Event: "sms_sent", Channel: "sms"},
		{Event: "sms_unsubscribed", After: "sms_sent", Rate: 1, Delay: 10 * time.Minute, Consent: "sms"},
		{Event: "push_sent", Channel: "push", Burst: true},
		{Event: "push_open", After: "push_sent", Rate: 0.2, Delay: time.Hour, Person: true},
	}
	views = []string{
		vocabulary.ViewInstallations, vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients,
		vocabulary.ViewProfiles, vocabulary.ViewProfileChanges, vocabulary.ViewProfileMessages,
	}
)

func query(view string) world.Query {
	q := world.Query{View: view, From: from, To: now, Now: now, Stream: "profiles/"}
	switch view {
	case vocabulary.ViewProfileMessages:
		q.Journey = journey
	case vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients:
		q.Journey, q.Stream = journey[8:], "campaign/spring"
	}
	return q
}

func open(t testing.TB, w *world.World, q world.Query) world.View {
	t.Helper()
	view, err := w.View(q)
	if err != nil {
		t.Fatalf("View(%s): %v", q.View, err)
	}
	return view
}

func rowsOf(view world.View) (rows []world.Row) {
	for unit := range view.Units() {
		rows = view.Append(rows, unit)
	}
	return rows
}

func TestEveryViewHasRowsInOrderAndInItsWindow(t *testing.T) {
	for seed := range uint64(3) {
		for _, profiles := range []int64{1, 7, 50, 3000} {
			w := world.New(seed, profiles)
			for _, name := range views {
				rows := rowsOf(open(t, w, query(name)))
				if profiles >= 50 && len(rows) == 0 && name != vocabulary.ViewInstallationChanges {
					t.Errorf("seed %d, %d profiles: %s is empty", seed, profiles, name)
				}
				for i, row := range rows {
					if row.Profile < 0 || row.Profile >= profiles || row.Installation >= w.Installations() {
						t.Fatalf("%s row %d: profile %d, installation %d: not in the world", name, i, row.Profile, row.Installation)
					}
					if row.Event < 0 && row.Reason == 0 && name != vocabulary.ViewInstallationChanges || name == vocabulary.ViewInstallationRecipients {
						continue
					}
					if at := time.Unix(row.Time, 0); at.Before(from) || !at.Before(now) {
						t.Fatalf("%s row %d: time %v is outside the window", name, i, at)
					}
					if i > 0 && row.Time < rows[i-1].Time {
						t.Fatalf("%s row %d: time goes back", name, i)
					}
				}
			}
		}
	}
}

func TestUnitsCanBeMadeAloneAndAgain(t *testing.T) {
	for _, name := range views {
		view := open(t, world.New(1, 400), query(name))
		whole := rowsOf(view)
		var backwards [][]world.Row
		for unit := view.Units() - 1; unit >= 0; unit-- {
			backwards = append(backwards, view.Append(nil, unit))
		}
		slices.Reverse(backwards)
		if joined := slices.Concat(backwards...); !slices.Equal(whole, joined) {
			t.Errorf("%s: units made alone differ from units made in order", name)
		}
	}
}

func TestWindowsTile(t *testing.T) {
	for _, name := range []string{vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages, vocabulary.ViewProfileChanges, vocabulary.ViewProfileMessages} {
		w := world.New(5, 600)
		whole := rowsOf(open(t, w, query(name)))
		var parts []world.Row
		for at := from; at.Before(now); at = at.Add(7*time.Hour + 11*time.Second) {
			q := query(name)
			q.From, q.To = at, at.Add(7*time.Hour+11*time.Second)
			parts = append(parts, rowsOf(open(t, w, q))...)
		}
		if !slices.Equal(whole, parts) {
			t.Errorf("%s: %d rows as a whole, %d in adjacent windows, or others", name, len(whole), len(parts))
		}
	}
}

func TestAChosenEventIsTheSameInASmallerChoice(t *testing.T) {
	w := world.New(2, 900)
	all := rowsOf(open(t, w, query(vocabulary.ViewProfileMessages)))
	for index, step := range journey {
		q := query(vocabulary.ViewProfileMessages)
		q.Events = []string{step.Event}
		got := rowsOf(open(t, w, q))
		want := slices.DeleteFunc(slices.Clone(all), func(r world.Row) bool { return int(r.Event) != index })
		if !slices.Equal(got, want) {
			t.Errorf("%s alone has %d rows, %d of the whole", step.Event, len(got), len(want))
		}
		if len(got) == 0 {
			t.Errorf("%s never happens", step.Event)
		}
	}
}

func TestStepsFollowOneAnother(t *testing.T) {
	w := world.New(9, 800)
	q := query(vocabulary.ViewProfileMessages)
	q.From = now.Add(-60 * 24 * time.Hour)
	happened := map[string]int64{} // message and event: time
	for _, row := range rowsOf(open(t, w, q)) {
		name := journey[row.Event].Event
		key := func(event string) string { return fmt.Sprint(row.Message, row.Profile, event) }
		if _, twice := happened[key(name)]; twice {
			t.Fatalf("%s happens twice to one message", name)
		}
		happened[key(name)] = row.Time
		if after := journey[row.Event].After; after != "" && time.Unix(row.Time, 0).After(q.From.Add(25*24*time.Hour)) {
			at, found := happened[key(after)]
			if !found || at > row.Time {
				t.Fatalf("%s at %d without %s before it", name, row.Time, after)
			}
		}
		for _, other := range journey[row.Event].Unless {
			if _, both := happened[key(other)]; both {
				t.Fatalf("%s and %s happen to one message", name, other)
			}
		}
	}
}

func TestNothingAfterAnUnsubscription(t *testing.T) {
	w := world.New(4, 3000)
	q := query(vocabulary.ViewProfileMessages)
	q.From = now.Add(-80 * 24 * time.Hour)
	changes := query(vocabulary.ViewProfileChanges)
	changes.From, changes.Channels = q.From.Add(-200*24*time.Hour), []string{"email"}
	type span struct {
		at         int64
		subscribed bool
	}
	history := map[int64][]span{}
	for _, row := range rowsOf(open(t, w, changes)) {
		switch world.ReasonNames[row.Reason] {
		case "SUBSCRIBED_TO_EMAIL_MARKETING":
			history[row.Profile] = append(history[row.Profile], span{row.Time, true})
		case "UNSUBSCRIBED_FROM_EMAIL_MARKETING":
			history[row.Profile] = append(history[row.Profile], span{row.Time, false})
		}
	}
	checked, unsubscribed := 0, 0
	for _, row := range rowsOf(open(t, w, q)) {
		if !slices.Contains([]string{"email_sent", "email_delivered", "email_open", "email_click", "email_unsubscribed"}, journey[row.Event].Event) {
			continue
		}
		var last *span
		for i := range history[row.Profile] {
			if history[row.Profile][i].at <= row.Time {
				last = &history[row.Profile][i]
			}
		}
		if journey[row.Event].Event == "email_unsubscribed" {
			unsubscribed++
			if last == nil || last.subscribed || last.at != row.Time {
				t.Fatalf("email_unsubscribed of profile %d at %d without the change of consent", row.Profile, row.Time)
			}
			continue
		}
		if last != nil {
			checked++
			if !last.subscribed {
				t.Fatalf("%s to profile %d at %d, unsubscribed since %d", journey[row.Event].Event, row.Profile, row.Time, last.at)
			}
		}
	}
	if checked == 0 || unsubscribed == 0 {
		t.Errorf("checked %d events and %d unsubscriptions: the test saw nothing", checked, unsubscribed)
	}
}

func TestRecipientsAreTheDistinctProjectionOfMessages(t *testing.T) {
	w := world.New(3, 900)
	type pair struct {
		installation int64
		event        int32
	}
	want := map[pair]bool{}
	for _, row := range rowsOf(open(t, w, query(vocabulary.ViewInstallationMessages))) {
		want[pair{row.Installation, row.Event}] = true
	}
	got := map[pair]bool{}
	for _, row := range rowsOf(open(t, w, query(vocabulary.ViewInstallationRecipients))) {
		if got[pair{row.Installation, row.Event}] {
			t.Fatalf("installation %d has event %d twice", row.Installation, row.Event)
		}
		got[pair{row.Installation, row.Event}] = true
	}
	if len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%d recipients, %d distinct pairs of messages", len(got), len(want))
	}
	for p := range want {
		if !got[p] {
			t.Fatalf("installation %d with event %d is missing", p.installation, p.event)
		}
	}
}

func TestARecipientWhoseLinkChangedIsListedForBoth(t *testing.T) {
	w := world.New(3, 4000)
	linked, _ := w.Fact("installation.has_custom_id", world.Scope{})
	type pair struct {
		installation int64
		event        int32
		linked       bool
	}
	q := query(vocabulary.ViewInstallationMessages)
	q.From = now.Add(-60 * 24 * time.Hour)
	want := map[pair]bool{}
	for _, row := range rowsOf(open(t, w, q)) {
		want[pair{row.Installation, row.Event, linked.Flag(&row)}] = true
	}
	q.View, q.ShowsLinks = vocabulary.ViewInstallationRecipients, true
	got, both := map[pair]bool{}, 0
	for _, row := range rowsOf(open(t, w, q)) {
		found := pair{row.Installation, row.Event, linked.Flag(&row)}
		if got[found] {
			t.Fatalf("%v is listed twice", found)
		}
		got[found] = true
		if got[pair{row.Installation, row.Event, !found.linked}] {
			both++
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d recipients, %d distinct messages", len(got), len(want))
	}
	if both == 0 {
		t.Error("no link changed: the test sees nothing")
	}
}

func TestASnapshotShowsWhatTheWindowThatEndsThereHolds(t *testing.T) {
	w := world.New(6, 40_000)
	for _, end := range []time.Time{now, now.Add(300 * time.Millisecond)} {
		q := query(vocabulary.ViewProfileMessages)
		q.From, q.To, q.Now, q.Events = end.Add(-2*time.Hour), end, end, []string{"email_open"}
		events := open(t, w, q)
		opened := map[int64]int64{}
		for _, row := range rowsOf(events) {
			opened[row.Profile] = max(opened[row.Profile], row.Time)
		}
		q = query(vocabulary.ViewProfiles)
		q.Now = end
		view := open(t, w, q)
		fact, _ := w.Fact("profile.last_email_marketing_open", world.Scope{View: view, Messages: events})
		for _, row := range rowsOf(view) {
			if at := opened[row.Profile]; at != 0 && (fact.Absent(&row) || fact.Time(&row) != at) {
				t.Fatalf("profile %d opened at %d, the snapshot at %v does not say so", row.Profile, at, end)
			}
			if !fact.Absent(&row) && fact.Time(&row) >= end.Unix()+1 {
				t.Fatalf("profile %d: an open at %d after %v", row.Profile, fact.Time(&row), end)
			}
		}
		if len(opened) < 20 {
			t.Errorf("%d opens: the test sees little", len(opened))
		}
	}
}

func TestSegmentsAreStableSubsets(t *testing.T) {
	w := world.New(3, 1000)
	members := func(code string, at time.Time) []int64 {
		q := query(vocabulary.ViewProfiles)
		q.Segment, q.Now = code, at
		var list []int64
		for _, row := range rowsOf(open(t, w, q)) {
			list = append(list, row.Profile)
		}
		slices.Sort(list)
		return list
	}
	vip, again, other := members("vip", now), members("vip", now.Add(time.Hour)), members("lapsed", now)
	if len(vip) == 0 || len(vip) >= 1000 || len(slices.Compact(slices.Clone(vip))) != len(vip) {
		t.Errorf("segment vip has %d of 1,000 profiles, or repeats", len(vip))
	}
	if !slices.Equal(vip, again) || slices.Equal(vip, other) {
		t.Error("a segment changes with time, or two codes name one segment")
	}
}

func TestLatestOpenIsThatOfTheEvents(t *testing.T) {
	w := world.New(6, 400)
	q := query(vocabulary.ViewProfileMessages)
	q.From = now.Add(-90 * 24 * time.Hour)
	view := open(t, w, q)
	want := map[int64]int64{}
	for _, row := range rowsOf(view) {
		if journey[row.Event].Event == "email_open" {
			want[row.Profile] = max(want[row.Profile], row.Time)
		}
	}
	profiles := open(t, w, query(vocabulary.ViewProfiles))
	fact, found := w.Fact("profile.last_email_marketing_open", world.Scope{View: profiles, Messages: view})
	if !found {
		t.Fatal("no such fact")
	}
	for _, row := range rowsOf(profiles) {
		got := int64(0)
		if !fact.Absent(&row) {
			got = fact.Time(&row)
		}
		if got != want[row.Profile] {
			t.Fatalf("profile %d: latest open %d, the events say %d", row.Profile, got, want[row.Profile])
		}
	}
	if len(want) < 100 {
		t.Errorf("only %d profiles opened anything", len(want))
	}
}

func TestInstallationChangesChangeOneFlag(t *testing.T) {
	w := world.New(8, 2000)
	view := open(t, w, query(vocabulary.ViewInstallationChanges))
	facts := [3]world.Fact{}
	for i, name := range []string{"installation.is_reachable", "installation.is_optin", "installation.has_custom_id"} {
		facts[i], _ = w.Fact(name, world.Scope{View: view})
	}
	last := map[int64][3]bool{}
	count := 0
	for _, row := range rowsOf(view) {
		flags := [3]bool{facts[0].Flag(&row), facts[1].Flag(&row), facts[2].Flag(&row)}
		if before, known := last[row.Installation]; known {
			count++
			differ := 0
			for i := range flags {
				if flags[i] != before[i] {
					differ++
				}
			}
			if differ != 1 {
				t.Fatalf("installation %d at %d: %v after %v", row.Installation, row.Time, flags, before)
			}
		}
		last[row.Installation] = flags
	}
	for _, row := range rowsOf(open(t, w, query(vocabulary.ViewInstallations))) {
		flags, changed := last[row.Installation]
		if now := [3]bool{facts[0].Flag(&row), facts[1].Flag(&row), facts[2].Flag(&row)}; changed && now != flags {
			t.Fatalf("installation %d is %v now, its last change said %v", row.Installation, now, flags)
		}
	}
	if len(last) == 0 {
		t.Error("no changes at all")
	}
}

func TestQueriesThatMakeNoSense(t *testing.T) {
	cases := map[string]world.Query{
		"unknown view":      {View: "everything"},
		"unknown channel":   {View: vocabulary.ViewProfileChanges, Channels: []string{"pigeon"}},
		"no first step":     {View: vocabulary.ViewProfileMessages, Journey: []world.Step{{Event: "a", After: "b"}, {Event: "b", After: "a"}}},
		"circle":            {View: vocabulary.ViewProfileMessages, Journey: []world.Step{{Event: "r"}, {Event: "a", After: "r", Unless: []string{"a"}}}},
		"step twice":        {View: vocabulary.ViewProfileMessages, Journey: []world.Step{{Event: "a"}, {Event: "a"}}},
		"unknown step":      {View: vocabulary.ViewProfileMessages, Journey: []world.Step{{Event: "a"}, {Event: "b", After: "z"}}},
		"channel of a step": {View: vocabulary.ViewProfileMessages, Journey: []world.Step{{Event: "a", Channel: "pigeon"}}},
	}
	for name, q := range cases {
		if _, err := world.New(1, 10).View(q); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestEmptyWorldAndEmptyWindow(t *testing.T) {
	for _, name := range views {
		q := query(name)
		if rows := rowsOf(open(t, world.New(1, 0), q)); len(rows) > 0 {
			t.Errorf("%s of no profiles has %d rows", name, len(rows))
		}
		q.To = q.From
		rows := rowsOf(open(t, world.New(1, 100), q))
		if snapshot := name == vocabulary.ViewProfiles || name == vocabulary.ViewInstallations; !snapshot && len(rows) > 0 {
			t.Errorf("%s of an empty window has %d rows", name, len(rows))
		}
	}
}
