package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// cellsOf are the cells of the first row of which one is wanted.
func cellsOf(t *testing.T, rows []string, wanted func(cells []string) bool) []string {
	t.Helper()
	for _, row := range rows {
		if cells := strings.Split(row, ";"); wanted(cells) {
			return cells
		}
	}
	t.Fatal("no such row")
	return nil
}

// countOf counts the rows that hold a text.
func countOf(rows []string, text string) (count int) {
	for _, row := range rows {
		if strings.Contains(row, text) {
			count++
		}
	}
	return count
}

var (
	everybody = kind{"userbase", userbasePath, userbaseBody}
	everyone  = kind{"profiles.attributes", profilesPath,
		`{"export_type":"ATTRIBUTES","attributes":["$last_activity","$last_email_marketing_open","$language","$push_subscriptions"],"identifiers":["custom_id","installation_ids"]}`}
	ownInApp = kind{"in-app-campaign.events", "/1.0/live_demo/export/in-app-campaign/own/events",
		`{"from":"now","to":"now","events":["inapp_shown","inapp_clicked"],` + ids + `}`}
	ownInAppID = kind{"in-app-campaign.ids", "/1.0/live_demo/export/in-app-campaign/own/ids",
		`{"from":"2026-02-01T00:00:00","to":"now","events":["inapp_supplied","inapp_shown","inapp_clicked"],` + ids + `}`}
)

// TestEventsOfSyntheticInstallations checks that an event may name somebody of the synthetic world: its row has everything the world
// knows of them, they are listed once, and what follows from the event is told of them.
func TestEventsOfSyntheticInstallations(t *testing.T) {
	s := newServer(t)
	before := s.rows(everybody)
	linked := cellsOf(t, before, func(cells []string) bool { return cells[1] != "" && cells[2] != "" })
	profiles := s.rows(everyone)
	profile := profiles[slices.IndexFunc(profiles, func(row string) bool { return strings.Contains(row, `"`+linked[0]+`"`) })]
	_, profileID, _ := strings.Cut(profile, `"profile_id":"`)
	profileID, _, _ = strings.Cut(profileID, `"`)
	s.loads("events", "application/json", fmt.Sprintf(`[
		{"type":"inapp_shown","install_id":%[1]q,"campaign":"own","date":"2026-03-15T11:59:58Z"},
		{"type":"email_open","profile_id":%[2]q,"date":"2026-03-15T11:59:59Z"},
		{"type":"email_open","custom_id":%[3]q,"date":"2026-03-15T11:59:57Z"}]`, linked[0], profileID, linked[1]))

	k := ownInApp
	k.body = strings.Replace(k.body, `"from":"now"`, `"from":"2026-03-15T11:59:00"`, 1)
	want := strings.Join(linked[:3], ";") + ";2026-03-15T11:59:58;inapp_shown;;"
	if rows := s.rows(k); countOf(rows, want) != 1 {
		t.Errorf("the row %q is missing:\n%s", want, strings.Join(rows, "\n"))
	}
	if rows := s.rows(ownInAppID); countOf(rows, strings.Join(linked[:3], ";")+";inapp_shown") != 1 {
		t.Errorf("%s is not listed once", linked[0])
	}
	after := s.rows(everybody)
	if len(after) != len(before) || countOf(after, linked[0]) != 1 || !slices.ContainsFunc(after, func(row string) bool {
		cells := strings.Split(row, ";")
		return slices.Equal(cells[:5], linked[:5]) && cells[5] == "2026-03-15T11:59:58"
	}) {
		t.Errorf("the installation has not become one that was started at its event: %d rows, before %d", len(after), len(before))
	}
	now := s.rows(everyone)
	if len(now) != len(profiles) || countOf(now, profileID) != 1 {
		t.Fatalf("%d profiles, before %d; %d rows of %s", len(now), len(profiles), countOf(now, profileID), profileID)
	}
	got := now[slices.IndexFunc(now, func(row string) bool { return strings.Contains(row, profileID) })]
	_, same, _ := strings.Cut(profile, `"$language"`)
	if !strings.Contains(got, `"$last_activity":"2026-03-15T11:59:59Z","$last_email_marketing_open":"2026-03-15T11:59:59Z"`) ||
		!strings.HasSuffix(got, same) {
		t.Errorf("the profile is\n%s\nbefore\n%s", got, profile)
	}

	// Alone, those that events name are all there is, and still have what the world knows.
	s.mode("only")
	alone := s.rows(everybody)
	must.Hold(t, len(alone) == 1 && strings.HasPrefix(alone[0], strings.Join(linked[:5], ";")), "alone, the user base is %q", alone)
	if rows := s.rows(everyone); len(rows) != 1 || !strings.HasSuffix(rows[0], same) {
		t.Errorf("alone, the profiles are %q", rows)
	}
}

// TestLoadedInPlaceOfSynthetic checks that what is loaded with an identifier of the synthetic world takes the place of what had it.
func TestLoadedInPlaceOfSynthetic(t *testing.T) {
	s := newServer(t)
	before := s.rows(everybody)
	cells := cellsOf(t, before, func(cells []string) bool { return cells[1] != "" })
	s.loads("installations", "application/json", fmt.Sprintf(`{"install_id":%q,"custom_id":"mine","is_optin":false,"smart_segment":"MINE"}`,
		cells[0]))
	after := s.rows(everybody)
	if len(after) != len(before) || countOf(after, cells[0]) != 1 || countOf(after, cells[0]+";mine;;false;") != 1 {
		t.Errorf("%d rows, before %d: %v", len(after), len(before), after[len(after)-1])
	}
	s.loads("events", "application/json", fmt.Sprintf(`{"type":"reachability","install_id":%q,"is_optin":true,"date":"2026-03-15T10:00:00Z"}`,
		cells[0]))
	changes := s.rows(kind{"reachability.events", "/1.0/live_demo/export/reachability/events",
		`{"from":"2026-01-01T00:00:00","to":"now",` + ids + `}`})
	if countOf(changes, cells[0]) != 1 || countOf(changes, cells[0]+";mine;;2026-03-15T10:00:00;reachability;true;true;true") != 1 {
		t.Errorf("%d changes of %s", countOf(changes, cells[0]), cells[0])
	}
}

// TestSegments checks that an own profile is in the segments it names, and in no other.
func TestSegments(t *testing.T) {
	s := newServer(t)
	s.loads("profiles", "application/json",
		`[{"custom_id":"in","segments":["other","loyal"]},{"custom_id":"out","segments":["other"]},{"custom_id":"none"}]`)
	for _, mode := range []string{"mixed", "only"} {
		s.mode(mode)
		rows := s.rows(kind{"profiles.attributes", profilesPath, filteredBody})
		if countOf(rows, `"custom_id":"in"`) != 1 || countOf(rows, `"out"`)+countOf(rows, `"none"`) > 0 || mode == "only" && len(rows) != 1 {
			t.Errorf("%s: the segment is\n%s", mode, strings.Join(rows, "\n"))
		}
	}
}

// TestWhatOnlyEventsName checks that an event alone makes known what it names, in every snapshot, under one identifier.
func TestWhatOnlyEventsName(t *testing.T) {
	s := newServer(t)
	s.mode("only")
	s.loads("events", "text/csv",
		"type,install_id,custom_id,campaign,date\ninapp_shown,phone-1,,c,2026-03-15T10:00:00\ninapp_shown,phone-2,ada,c,2026-03-15T10:00:01\nemail_sent,,ada,,2026-03-15T10:00:02\n")
	s.same("user base", s.rows(everybody), "phone-1;;;true;2026-03-15T10:00:00;2026-03-15T10:00:00;",
		"phone-2;ada;;true;2026-03-15T10:00:01;2026-03-15T10:00:01;")
	if rows := s.rows(everyone); len(rows) != 2 || countOf(rows, `"installation_ids":["phone-1"]`) != 1 ||
		countOf(rows, `"custom_id":"ada","installation_ids":["phone-2"]`) != 1 {
		t.Errorf("the profiles are\n%s", strings.Join(rows, "\n"))
	}
	// Loading it later says more, and moves nothing.
	s.loads("profiles", "application/json", `{"profile_id":"profile_ada","custom_id":"ada"}`)
	s.loads("installations", "application/json", `{"install_id":"phone-1","profile_id":"profile_ada","platform":"ios","is_optin":false}`)
	if rows := s.rows(everyone); len(rows) != 1 || countOf(rows,
		`"profile_id":"profile_ada","custom_id":"ada","installation_ids":["phone-1","phone-2"]`) != 1 {
		t.Errorf("the profiles are\n%s", strings.Join(rows, "\n"))
	}
}

// TestChangesThatArrive checks what the first and the second event of a flag say of the time before them.
func TestChangesThatArrive(t *testing.T) {
	s := newServer(t)
	s.mode("only")
	s.loads("profiles", "application/json", `{"custom_id":"ada","email_address":"ada@example.com","email_marketing":"subscribed"}`)
	s.loads("events", "application/x-ndjson", strings.Join([]string{
		`{"type":"email_unsubscribed","custom_id":"ada","date":"2026-03-10T10:00:00Z"}`,
		`{"type":"reachability","custom_id":"ada","reasons":["UNSUBSCRIBED_FROM_EMAIL_MARKETING"],"date":"2026-03-10T10:00:01Z","event_id":"stated"}`,
		`{"type":"reachability","custom_id":"ada","email_address":"ada@example.net","date":"2026-03-10T11:00:00Z","event_id":"updated"}`,
		`{"type":"reachability","custom_id":"ada","email_address":"ada@example.net","date":"2026-03-10T11:00:01Z"}`,
		`{"type":"reachability","custom_id":"ada","reasons":["EMAIL_ADDRESS_REMOVED"],"date":"2026-03-10T12:00:00Z","event_id":"removed"}`,
		`{"type":"reachability","custom_id":"ada","phone_number":"+33600000009","sms_marketing":"subscribed","date":"2026-03-10T13:00:00Z","event_id":"added"}`,
		`{"type":"sms_unsubscribed","custom_id":"ada","date":"2026-03-10T14:00:00Z"}`,
	}, "\n"))
	rows := s.rows(kind{"profiles.reachability", profilesPath,
		`{"export_type":"REACHABILITY","from":"2026-03-10T00:00:00Z","to":"now","channels":["email","sms"]}`})
	for i, want := range []string{
		`"id":"stated","timestamp":"2026-03-10T10:00:01Z","reasons":["UNSUBSCRIBED_FROM_EMAIL_MARKETING"],"has_email_address":true,"email_marketing":"unsubscribed"`,
		`"id":"updated","timestamp":"2026-03-10T11:00:00Z","reasons":["EMAIL_ADDRESS_UPDATED"],"has_email_address":true`,
		`"id":"removed","timestamp":"2026-03-10T12:00:00Z","reasons":["EMAIL_ADDRESS_REMOVED"],"has_email_address":false`,
		`"id":"added","timestamp":"2026-03-10T13:00:00Z","reasons":["PHONE_NUMBER_ADDED","SUBSCRIBED_TO_SMS_MARKETING"],"has_phone_number":true,"sms_marketing":"subscribed"`,
		`"timestamp":"2026-03-10T14:00:00Z","reasons":["UNSUBSCRIBED_FROM_SMS_MARKETING"],"has_phone_number":true,"sms_marketing":"unsubscribed"`,
	} {
		if i >= len(rows) || !strings.Contains(rows[i], want) {
			t.Errorf("row %d lacks %s:\n%s", i, want, strings.Join(rows, "\n"))
			break
		}
	}
	must.Equal(t, len(rows), 5, "rows")
	attributes := kind{"profiles.attributes", profilesPath,
		`{"export_type":"ATTRIBUTES","attributes":["$email_address","$email_marketing","$phone_number","$sms_marketing"]}`}
	if rows := s.rows(attributes); len(rows) != 1 || !strings.Contains(rows[0],
		`"$email_address":null,"$email_marketing":"unsubscribed","$phone_number":"+33600000009","$sms_marketing":"unsubscribed"`) {
		t.Errorf("the profile is %q", rows)
	}
	s.setClock(`{"set":"2026-03-10T09:00:00Z"}`)
	if rows := s.rows(attributes); len(rows) != 1 || !strings.Contains(rows[0],
		`"$email_address":"ada@example.com","$email_marketing":"subscribed","$phone_number":null,"$sms_marketing":"unsubscribed"`) {
		t.Errorf("before, the profile is %q", rows)
	}
}

// TestOwnColumns checks that a column of somebody's own shows a member of their own, where it fits, and a made value elsewhere.
func TestOwnColumns(t *testing.T) {
	edited := func(name, old, new string) *fstest.MapFile {
		embedded := must.Get(schemas.Embedded())(t)
		text := string(embedded.Source(name))
		if !strings.Contains(text, old) {
			t.Fatalf("%s lacks %s", name, old)
		}
		return &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
	}
	const loyalty = `"properties": {"loyalty": {"description": "How loyal.", "type": "string", "enum": ["gold", "silver"]},`
	overlay := fstest.MapFS{
		"legacy/userbase.row.json": edited("legacy/userbase.row.json", `"properties": {`, loyalty),
		"data/installation.json": edited("data/installation.json", `"properties": {`,
			strings.Replace(loyalty, `, "enum": ["gold", "silver"]`, "", 1)),
	}
	s := newServer(t, func(config *mockserver.Options) { config.Schemas = overlay })
	s.mode("only")
	s.loads("installations", "text/csv",
		"install_id,loyalty,install_date,last_start_date\na,gold,2026-01-01T00:00:00,2026-01-01T00:00:00\nb,bronze,2026-01-01T00:00:00,2026-01-01T00:00:00\n")
	rows := s.rows(everybody)
	if len(rows) != 2 || !strings.HasSuffix(rows[0], ";gold") || strings.HasSuffix(rows[1], ";bronze") {
		t.Errorf("the user base is %q", rows)
	}
}
