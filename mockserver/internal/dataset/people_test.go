package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// The steps of a journey to which own events belong.
var steps = []world.Step{
	{Event: "push_sent", Channel: "push"}, {Event: "push_open", After: "push_sent", Rate: 0.1, Person: true},
	{Event: "email_sent", Channel: "email"}, {Event: "email_open", After: "email_sent", Rate: 0.2, Person: true},
	{Event: "email_unsubscribed", After: "email_open", Rate: 0.01, Consent: "email"},
}

// TestOwnRowsArePeople: a simulation shows own rows, alone and among the people who are drawn, as they were given.
func TestOwnRowsArePeople(t *testing.T) {
	log := open(t, memory.New())
	profiles := shown(t, world.Query{View: vocabulary.ViewProfiles}, world.Own{}, vocabulary.ProfileID)
	phones := shown(t, world.Query{View: vocabulary.ViewInstallations}, world.Own{}, vocabulary.InstallationID)
	var gone []string // those that own rows take the place of
	installations := world.Query{View: vocabulary.ViewInstallations}
	for _, row := range shown(t, installations, world.Own{}, vocabulary.InstallationID, vocabulary.ProfileID) {
		if phone, person, _ := strings.Cut(row, " "); person == profiles[5] || phone == phones[9] {
			gone = append(gone, phone)
		}
	}
	load(t, log, input.Profiles, `{"custom_id":"ada","email_address":"ada@example.com","email_marketing":"subscribed","language":"fr"}
{"profile_id":"`+profiles[5]+`","region":"FR"}`)
	load(t, log, input.Installations, `{"install_id":"phone","custom_id":"ada","platform":"ios"}
{"install_id":"`+phones[9]+`","custom_id":"ada"}`)
	status := load(t, log, input.Events, `{"type":"email_sent","custom_id":"ada","date":"2026-03-15T11:00:00Z"}
{"type":"email_open","custom_id":"ada","date":"2026-03-15T11:00:10Z","email_address":"old@example.com"}
{"type":"email_unsubscribed","custom_id":"ada"}
{"type":"reachability","install_id":"phone","is_optin":false}
{"type":"reachability","install_id":"phone","is_optin":true,"is_reachable":true}
{"type":"push_open","install_id":"phone","campaign":"spring","date":"2026-03-15T11:30:00Z"}
{"type":"email_open","profile_id":"`+profiles[7]+`","date":"2026-03-15T11:59:58Z"}
{"type":"visit","install_id":"alone"}`)
	snapshot := must.Get(log.At(t.Context(), status.Generation))(t)
	own := world.Own{People: snapshot, Only: true, From: noon.AddDate(0, 0, -7), Campaign: "spring", Wire: strings.Clone}
	profile := []string{
		vocabulary.CustomID, vocabulary.EmailAddress, vocabulary.EmailMarketing, vocabulary.Language, vocabulary.Region,
		vocabulary.LastEmailMarketingOpen,
	}
	for name, of := range map[string]struct {
		query world.Query
		facts []string
		want  []string
	}{
		"profiles": {
			world.Query{View: vocabulary.ViewProfiles}, profile,
			[]string{"ada ada@example.com unsubscribed fr - 11:00:10", "- - - - FR -", "", "- - - - - -"},
		},
		"installations": {
			installations, []string{vocabulary.InstallationID, vocabulary.CustomID, vocabulary.IsOptIn, vocabulary.LastStartDate},
			[]string{"phone ada true 11:30:00", phones[9] + " ada true 11:59:59", "", "alone - true 11:59:59"},
		},
		"changes of installations": {
			world.Query{View: vocabulary.ViewInstallationChanges},
			[]string{vocabulary.InstallationID, vocabulary.IsOptIn, vocabulary.EventDate},
			[]string{"phone false 11:59:59", "phone true 11:59:59"},
		},
		"changes of profiles": {
			world.Query{View: vocabulary.ViewProfileChanges}, []string{vocabulary.CustomID, vocabulary.EventReasons},
			[]string{"ada UNSUBSCRIBED_FROM_EMAIL_MARKETING", "ada UNSUBSCRIBED_FROM_PUSH", "ada PUSH_TOKEN_ADDED SUBSCRIBED_TO_PUSH"},
		},
		"messages": {
			world.Query{View: vocabulary.ViewProfileMessages, Journey: steps},
			[]string{vocabulary.CustomID, vocabulary.EventType, vocabulary.EmailAddress},
			[]string{"ada email_sent ada@example.com", "ada email_open old@example.com", "", "ada email_unsubscribed ada@example.com"},
		},
		"a campaign": {
			world.Query{View: vocabulary.ViewInstallationMessages, Journey: steps}, []string{vocabulary.InstallationID, vocabulary.EventType},
			[]string{"phone push_open"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			of.query.Messages = steps
			alone := shown(t, of.query, own, of.facts...)
			if len(alone) < len(of.want) {
				t.Fatalf("alone there are %q", alone)
			}
			for i, want := range of.want {
				if want != "" && alone[i] != want {
					t.Errorf("alone row %d is %q, want %q; all are\n%s", i, alone[i], want, strings.Join(alone, "\n"))
				}
			}
			before := shown(t, of.query, world.Own{}, of.facts...)
			beside := own
			beside.Only = false
			mixed := shown(t, of.query, beside, of.facts...)
			for _, want := range of.want {
				if want != "" && !slices.Contains(mixed, want) {
					t.Errorf("mixed lacks %q", want)
				}
			}
			for _, row := range before {
				isGone := slices.ContainsFunc(gone, func(phone string) bool { return strings.HasPrefix(row, phone) })
				if strings.HasPrefix(of.query.View, "installation") && !isGone && !slices.Contains(mixed, row) {
					t.Errorf("mixed lacks the drawn row %q", row)
				}
			}
		})
	}
}

// TestRowsSayWhatBelongsToAProfile: unlinked installations leave their profile, or have none, and what they do later is not done by it.
func TestRowsSayWhatBelongsToAProfile(t *testing.T) {
	log := open(t, memory.New())
	load(t, log, input.Profiles, `{"custom_id":"ada","email_address":"ada@example.com","last_email_marketing_open":"2026-03-10T08:00:00Z",`+
		`"last_email_transactional_open":"2026-03-12T09:00:00Z"}
{"custom_id":"bob"}`)
	load(t, log, input.Installations, `{"install_id":"phone","custom_id":"ada"}
{"install_id":"tablet","custom_id":"ada"}
{"install_id":"nobody's","has_custom_id":false}`)
	status := load(t, log, input.Events, `{"type":"email_open","custom_id":"ada","date":"2026-03-11T09:00:00Z"}
{"type":"email_open","custom_id":"bob","date":"2026-03-11T09:00:00Z"}
{"type":"visit","install_id":"tablet","date":"2026-03-12T10:00:00Z"}
{"type":"reachability","install_id":"tablet","has_custom_id":false,"date":"2026-03-13T10:00:00Z"}
{"type":"reachability","install_id":"nobody's","reasons":["UNSUBSCRIBED_FROM_PUSH"],"date":"2026-03-13T10:00:00Z"}
{"type":"visit","install_id":"tablet","date":"2026-03-14T11:00:00Z"}`)
	snapshot := must.Get(log.At(t.Context(), status.Generation))(t)
	own := world.Own{People: snapshot, Only: true, From: noon.AddDate(0, 0, -7), Wire: strings.Clone}
	for view, of := range map[string]struct{ facts, want []string }{
		vocabulary.ViewProfiles: {
			[]string{vocabulary.CustomID, vocabulary.LastEmailMarketingOpen, vocabulary.LastVisitDate, vocabulary.EmailAddress},
			[]string{"ada 08:00:00 10:00:00 ada@example.com", "bob 09:00:00 - -"},
		},
		vocabulary.ViewProfileChanges: {[]string{vocabulary.CustomID, vocabulary.EventReasons}, nil},
		vocabulary.ViewInstallations: {
			[]string{vocabulary.InstallationID, vocabulary.HasCustomID}, []string{"phone true", "tablet false", "nobody's false"},
		},
	} {
		must.Equal(t, shown(t, world.Query{View: view, Messages: steps}, own, of.facts...), of.want, "%s", view)
	}
}
