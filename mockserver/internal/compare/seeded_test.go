package compare_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
)

// seen is what each difference with a service of drifttest says, of which it has one part; the first part is among them. An empty
// list is for what no conversation can see.
var seen = map[string][]string{
	"a column at the end":                {"legacy/userbase: column loyalty"},
	"a column in the middle":             {"legacy/campaign.events: column country"},
	"a column that is gone":              {"legacy/userbase: column smart_segment: a has a column; b has none"},
	"another order of columns":           {"legacy/reachability.events: columns in order"},
	"another separator":                  {"legacy/campaign.ids: separator"},
	"another shape of dates in CSV":      {"legacy/in-app-campaign.events: column event_date, its cells"},
	"a new event in CSV":                 {"event_type"},
	"a new event in JSON":                {"profiles/events: values of member /event_type", "profiles/events: member /"},
	"a null in JSON":                     {"profiles/events: member /message_language"},
	"a new member in JSON":               {"profiles/events: member /attempt"},
	"another type in JSON":               {"profiles/events: member /sms_parts"},
	"a new channel":                      {"profiles/reachability: values of member /event/channel", "/event"},
	"a new reason":                       {"/event/reasons"},
	"one object a line":                  {"format of the file", "header Content-Type"},
	"an unasked encoding":                {"compression of the file", "header Content-Encoding"},
	"another media type":                 {"header Content-Type"},
	"a row that contradicts another":     {}, // every row for itself is right: that is for mockserver check
	"a new member of a record":           {"member /progress"},
	"a new state":                        {"state PACKING", "PACKING"},
	"another name of a state":            {"last state: a has SUCCESS; b has COMPLETED", "COMPLETED", "ready after", "/exports/*/status"},
	"a state that goes back":             {"from PENDING to CREATED"},
	"signed links":                       {"GET link: status: a has 307; b has 200", "link"},
	"redirecting links":                  {"GET link to legacy/userbase: status", "link"},
	"another identifier":                 {"member /requestId", "member /request_id"},
	"another status":                     {"status: a has 202; b has 201", "201"},
	"a new error":                        {"400 33 TOO_LARGE"},
	"another name of a member of errors": {"member /error_message", "member /detail"},
	"another header of credentials":      {"b has 401", "401 10 AUTHENTICATION_INVALID"},
	"another header to wait":             {"header Retry-After: a has an integer; b has none", "header X-Retry-In"},
	"a new header":                       {"header X-Quota-Left"},
	"a smaller limit":                    {"statuses: a has 10 x 202, 1 x 429; b has 3 x 202, 8 x 429"},
	"a member that may be sent":          {}, // no conversation sends that member
	"a window that may be asked for":     {"status: a has 400; b has 202"},
	"an export that is forgotten":        {"GET /2.7/exports/view: status: a has 200; b has 404"},
}

// TestSeededDifferences: of services that speak otherwise in one way each, that is found, and nothing beside it.
func TestSeededDifferences(t *testing.T) {
	t.Parallel()
	keep := &compare.Keep{Directory: t.TempDir()}
	a := service(t, "a", settings{seed: 1, at: began, profiles: 600})
	all := drifttest.Services()
	if len(all) != len(seen) {
		t.Fatalf("%d services, and something is expected of %d", len(all), len(seen))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { forget(t, keep) })
			overlay, err := drifttest.Files(library(t), all[name].Overlay)
			if err != nil {
				t.Fatal(err)
			}
			b := service(t, "b", settings{seed: 5, profiles: 600, at: began.AddDate(0, 1, 3), overlay: overlay, change: all[name].Handler})
			made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: defaults(t), A: a, B: b, Patience: time.Minute, Keep: keep})
			if err != nil {
				t.Fatal(err)
			}
			parts, there := seen[name]
			if !there {
				t.Fatal("nothing is expected")
			}
			found := describe(made.Differences)
			if len(parts) > 0 && !strings.Contains(found, parts[0]) {
				t.Errorf("no difference says %q:%s", parts[0], found)
			}
			for _, each := range made.Differences {
				if !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(each.String(), part) }) {
					t.Errorf("invented: %s", each)
				}
			}
			for _, had := range made.Had {
				if had.Undecided != "" || had.Once != "" || len(had.Both) > 0 {
					t.Errorf("%s: undecided %q, once %q, unmet %q", had.Name, had.Undecided, had.Once, had.Both)
				}
			}
		})
	}
}
