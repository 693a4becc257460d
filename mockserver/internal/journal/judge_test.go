package journal_test

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// story is a journal in the making: every request comes some time after the
// one before.
type story struct {
	now     time.Time
	frozen  bool
	entries *journal.Journal
}

// at adds a request.
func (s *story) at(after time.Duration, entry journal.Entry) {
	s.now = s.now.Add(after)
	entry.Time, entry.ClockFrozen = s.now, s.frozen
	if entry.Method == "" {
		entry.Method = "GET"
	}
	if entry.Status == 0 {
		entry.Status = 200
	}
	s.entries.Record(&entry)
}

func created(id string) journal.Entry {
	return journal.Entry{Method: "POST", Path: "/1.0/a/export/userbase", Route: "userbase", Stage: "create", Interface: "legacy", Key: "a",
		Status: 202, Kind: "userbase", Export: id}
}

func lookup(id, status string, parts int) journal.Entry {
	return journal.Entry{Path: "/1.0/a/export/request/" + id, Route: "legacy.status", Stage: "status", Interface: "legacy", Key: "a",
		Export: id, ExportStatus: status, Parts: parts}
}

func file(id string, part int) journal.Entry {
	return journal.Entry{Path: fmt.Sprintf("/files/%s.%d.csv", id, part), Route: "file", Stage: "file", Key: "a", Export: id, Part: part}
}

func ranged(id string, from, to, size int64) journal.Entry {
	entry := file(id, 1)
	entry.Status, entry.ResponseBytes, entry.Received = 206, to-from, journal.Range{From: from, To: to, Size: size}
	return entry
}

func refused(entry journal.Entry, status int, name string) journal.Entry {
	entry.Status, entry.Error, entry.Parts, entry.ExportStatus = status, &journal.Refusal{Name: name, Message: "as " + name}, 0, ""
	if status == 202 {
		entry.Export = ""
	}
	return entry
}

func retry(entry journal.Entry, seconds int) journal.Entry {
	entry.RetryAfter = seconds
	return entry
}

func forced(entry journal.Entry) journal.Entry {
	entry.Error.Forced = true
	return entry
}

// ended is what a good client does with an export in the end.
func ended(s *story, id string) {
	s.at(time.Minute, lookup(id, "SUCCESS", 1))
	s.at(0, file(id, 1))
}

// cited is a rule that names its sentence, or says that there is none.
var cited = regexp.MustCompile(`^(?:section [0-9.]+(?:, rule [0-9])?: |RFC [0-9]+, section [0-9.]+: |advice, no rule: )`)

// allOf is how an interface speaks to which all lints are equally bad.
func allOf(severity journal.Severity) func(*journal.Entry) journal.Dialect {
	severities := map[string]string{}
	for _, lint := range journal.Lints() {
		severities[lint.Code] = string(severity)
	}
	return func(*journal.Entry) journal.Dialect {
		return journal.Dialect{Severities: severities, Done: "SUCCESS", Failed: "ERROR"}
	}
}

func TestJudge(t *testing.T) {
	asked, oldest := noon.AddDate(-1, 0, 0), noon.AddDate(0, 0, -90)
	for _, c := range []struct {
		about string
		tell  func(s *story)
		want  []string // code, export, count and requests
	}{
		{"nothing at all", func(s *story) {}, nil},
		{"a good client", func(s *story) {
			s.at(0, created("x"))
			s.at(0, lookup("x", "CREATED", 0))
			s.at(time.Second, lookup("x", "PENDING", 0))
			ended(s, "x")
		}, nil},
		{"a good client whose export fails", func(s *story) {
			s.at(0, created("x"))
			s.at(0, lookup("x", "ERROR", 0))
		}, nil},
		{"polled too fast", func(s *story) {
			s.at(0, created("x"))
			s.at(0, lookup("x", "CREATED", 0))
			s.at(970*time.Millisecond, lookup("x", "CREATED", 0))
			s.at(0, lookup("x", "PENDING", 0))
			ended(s, "x")
		}, []string{"polled_too_fast x 2 [3 4]"}},
		{"a timer that goes off early", func(s *story) {
			s.at(0, lookup("x", "CREATED", 0))
			s.at(990*time.Millisecond, lookup("x", "PENDING", 0))
			ended(s, "x")
		}, nil},
		{"two exports are polled in turn", func(s *story) {
			s.at(0, created("x"))
			s.at(time.Hour, lookup("x", "CREATED", 0))
			s.at(0, lookup("y", "CREATED", 0))
			ended(s, "x")
			ended(s, "y")
		}, nil},
		{"a clock that stands still tells no interval", func(s *story) {
			s.frozen = true
			s.at(0, lookup("x", "CREATED", 0))
			s.at(0, lookup("x", "PENDING", 0))
			ended(s, "x")
		}, nil},
		{"a clock that was set back tells no interval", func(s *story) {
			s.at(0, lookup("x", "CREATED", 0))
			s.at(-time.Millisecond, lookup("x", "PENDING", 0))
			ended(s, "x")
		}, nil},
		{"Retry-After ignored", func(s *story) {
			s.at(0, retry(refused(created(""), 503, "MAINTENANCE_ERROR"), 30))
			s.at(29*time.Second, refused(created(""), 500, "SERVER_ERROR"))
			s.at(0, created("x"))
			ended(s, "x")
		}, []string{"retry_after_ignored  1 [2]"}},
		{"a forced Retry-After counts as well, and a frozen clock", func(s *story) {
			s.frozen = true
			s.at(0, retry(forced(refused(created(""), 503, "MAINTENANCE_ERROR")), 30))
			s.at(0, created("x"))
			ended(s, "x")
		}, []string{"retry_after_ignored x 1 [2]"}},
		{"Retry-After obeyed", func(s *story) {
			s.at(0, retry(forced(refused(created(""), 429, "TOO_MANY_REQUESTS")), 720))
			s.at(time.Minute, lookup("y", "PENDING", 0)) // is another request
			s.at(11*time.Minute, created("x"))
			ended(s, "x")
			ended(s, "y")
		}, nil},
		{"Retry-After obeyed by a client with a clock of its own", func(s *story) {
			s.frozen = true
			s.at(0, retry(forced(refused(created(""), 503, "MAINTENANCE_ERROR")), 30))
			again := created("x")
			again.RealTime = again.RealTime.Add(30 * time.Second)
			s.at(0, again)
			ended(s, "x")
		}, nil},
		{"Retry-After of one export is not that of another", func(s *story) {
			for _, id := range []string{"x", "y"} {
				view := lookup(id, "SUCCESS", 1)
				view.Path, view.Query, view.Route = "/2.7/exports/view", "id="+id, "profiles.view"
				if id == "x" {
					view = retry(forced(refused(view, 503, "MAINTENANCE_ERROR")), 30)
				}
				s.at(0, view)
			}
			s.at(0, file("y", 1))
		}, nil},
		{"Retry-After of one payload is not that of another", func(s *story) {
			s.at(0, retry(refused(created(""), 429, "TOO_MANY_REQUESTS"), 720))
			other := created("x")
			other.SetBody([]byte("{}"), journal.Redactor{}, maphash.MakeSeed())
			s.at(0, other)
			ended(s, "x")
		}, []string{"rate_exceeded  1 [1]"}},
		{"Retry-After of an answer that was not there yet", func(s *story) {
			for i := range 2 {
				entry := retry(forced(refused(created(""), 503, "MAINTENANCE_ERROR")), 30)
				entry.RealTime = noon.Add(time.Duration(i) * time.Millisecond)
				entry.Duration = 0.2
				s.at(0, entry)
			}
		}, nil},
		{"faster than the limit", func(s *story) {
			s.at(0, retry(refused(created(""), 429, "TOO_MANY_REQUESTS"), 720))
		}, []string{"rate_exceeded  1 [1]"}},
		{"a dead link", func(s *story) {
			s.at(0, created("x"))
			ended(s, "x")
			s.at(time.Hour, refused(file("x", 1), 403, "LINK_EXPIRED"))
			s.at(0, refused(file("x", 1), 403, "LINK_EXPIRED"))
			s.at(0, refused(file("x", 1), 410, "FILE_EXPIRED"))
			s.at(0, forced(refused(file("x", 1), 403, "LINK_EXPIRED")))
		}, []string{"dead_link_used x 2 [4 5]", "dead_link_used x 1 [6]"}},
		{"a forged link has no key of its own", func(s *story) {
			s.at(0, created("x"))
			ended(s, "x")
			entry := refused(file("x", 0), 403, "LINK_INVALID")
			entry.Key = ""
			s.at(0, entry)
		}, []string{"dead_link_used x 1 [4]"}},
		{"never looked up", func(s *story) {
			s.at(0, created("x"))
		}, []string{"final_state_never_read x 1 [1]"}},
		{"given up", func(s *story) {
			s.at(0, created("x"))
			s.at(0, lookup("x", "PENDING", 0))
		}, []string{"final_state_never_read x 1 [2]"}},
		{"not downloaded", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 2))
			head := file("x", 1)
			head.Method = "HEAD"
			s.at(0, head)
			s.at(0, refused(file("x", 1), 500, "SERVER_ERROR"))
		}, []string{"file_never_downloaded x 1 [1]"}},
		{"nothing is left to download", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 0))
		}, nil},
		{"a part skipped", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 3))
			s.at(0, file("x", 1))
			s.at(0, file("x", 3))
		}, []string{"part_skipped x 1 [1]"}},
		{"all parts, in any order", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 2))
			s.at(0, file("x", 2))
			s.at(0, file("x", 1))
		}, nil},
		{"half a download", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			broken := file("x", 1)
			broken.Broken, broken.ResponseBytes = true, 4096
			s.at(0, broken)
		}, []string{"download_abandoned x 1 [2]"}},
		{"half a download, as often as it was tried", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			for range 2 {
				broken := file("x", 1)
				broken.Broken, broken.Applied = true, []journal.Applied{{Source: "header", Scenario: "cut=10"}}
				s.at(0, broken)
			}
		}, nil},
		{"files that a scenario withholds", func(s *story) {
			s.at(0, created("x"))
			for range 4 { // a new link each time
				s.at(time.Minute, lookup("x", "SUCCESS", 1))
				s.at(0, forced(refused(file("x", 1), 410, "FILE_EXPIRED")))
			}
			s.at(0, created("y"))
			s.at(0, lookup("y", "SUCCESS", 2))
			s.at(0, file("y", 1))
			reset := file("y", 2)
			reset.Broken = true
			s.at(0, reset)
			s.at(0, forced(refused(file("y", 2), 500, "SERVER_ERROR")))
		}, nil},
		{"a part that was withheld is forgotten", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 2))
			s.at(0, forced(refused(file("x", 1), 500, "SERVER_ERROR")))
			s.at(0, file("x", 2))
		}, []string{"part_skipped x 1 [1]"}},
		{"lookups that a scenario hinders", func(s *story) {
			s.at(0, created("x"))
			s.at(0, forced(refused(lookup("x", "", 0), 500, "SERVER_ERROR")))
			s.at(0, created("z"))
			for range 2 { // the answer breaks off
				broken := lookup("z", "ERROR", 0)
				broken.Broken = true
				s.at(0, broken)
			}
			s.at(0, lookup("z", "ERROR", 0))
		}, []string{"created_again x 1 [3]"}},
		{"an export that a scenario keeps from ending", func(s *story) {
			for _, id := range []string{"x", "y"} {
				entry := created(id)
				entry.Path += id
				entry.Applied = []journal.Applied{{Source: "header", Scenario: "progress=stuck"}}
				s.at(0, entry)
			}
			s.at(0, lookup("x", "PENDING", 0))
		}, []string{"final_state_never_read y 1 [2]"}},
		{"a creation whose answer breaks off", func(s *story) {
			broken := created("x")
			broken.Broken = true
			s.at(0, broken)
			s.at(0, created("y"))
			ended(s, "y")
		}, nil},
		{"half a download and the rest", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			broken, rest := file("x", 1), file("x", 1)
			broken.Broken, rest.Status = true, 206
			s.at(0, broken)
			s.at(0, rest)
		}, nil},
		{"credentials for a link", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			entry := file("x", 1)
			entry.Credentials = []string{"Authorization"}
			s.at(0, entry)
		}, []string{"credentials_sent_to_link x 1 [2]"}},
		{"credentials that a redirect within one origin takes along", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			entry := file("x", 1)
			entry.Credentials, entry.Redirected = []string{"Authorization"}, true
			s.at(0, entry)
		}, nil},
		{"the beginning of a file", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			s.at(0, ranged("x", 0, 100, 1000))
			s.at(0, ranged("x", 100, 900, 1000))
		}, []string{"file_partly_read x 1 [3]"}},
		{"a file in ranges", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			s.at(0, ranged("x", 500, 1000, 1000))
			s.at(0, ranged("x", 0, 400, 1000))
			s.at(0, ranged("x", 300, 600, 1000))
		}, nil},
		{"a broken download and its rest", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			broken := ranged("x", 0, 1000, 1000)
			broken.Status, broken.Broken, broken.ResponseBytes = 200, true, 300
			s.at(0, broken)
			s.at(0, ranged("x", 300, 1000, 1000))
		}, nil},
		{"a range before the whole", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			s.at(0, ranged("x", 0, 1, 1000))
			s.at(0, file("x", 1))
		}, nil},
		{"a file that is posted to", func(s *story) {
			s.at(0, journal.Entry{Method: "POST", Path: "/files/x.1.csv", Stage: "file", Status: 404,
				Error: &journal.Refusal{Name: "ROUTE_NOT_FOUND"}})
		}, []string{"file_posted  1 [1]"}},
		{"attributes and windows that were hardly meant", func(s *story) {
			entry := created("x")
			entry.Doubts = journal.Doubts{WithoutDollar: []journal.Doubt{{Name: "language", Likely: "$language"}},
				Undeclared: []journal.Doubt{{Name: "colour"}}, NoEvents: "the window is empty"}
			s.at(0, entry)
			ended(s, "x")
		}, []string{"native_name_without_dollar x 1 [1]", "undeclared_attribute x 1 [1]", "window_without_events x 1 [1]"}},
		{"more than there is", func(s *story) {
			entry := created("x")
			entry.Asked, entry.Oldest = &asked, &oldest
			s.at(0, entry)
			ended(s, "x")
		}, []string{"lookback_exceeded x 1 [1]"}},
		{"created again instead of polled", func(s *story) {
			s.at(0, created("x"))
			s.at(0, lookup("x", "PENDING", 0))
			s.at(time.Minute, created("y"))
			ended(s, "x")
			ended(s, "y")
		}, []string{"created_again x 1 [3]"}},
		{"created again another day", func(s *story) {
			s.at(0, created("x"))
			ended(s, "x")
			s.at(24*time.Hour, created("y"))
			ended(s, "y")
		}, nil},
		{"another client, another export", func(s *story) {
			other, another := created("y"), created("z")
			other.Key, another.Path = "b", "/1.0/a/export/campaign/x/ids"
			s.at(0, created("x"))
			s.at(0, other)
			s.at(0, another)
			for _, id := range []string{"x", "z"} {
				ended(s, id)
			}
		}, []string{"final_state_never_read y 1 [2]"}},
		{"followed by lists alone", func(s *story) {
			s.at(0, created("x"))
			s.at(0, created("y"))
			s.at(0, journal.Entry{Route: "profiles.list", Key: "a", Listed: []journal.Listed{{"y", "PENDING", 0}, {"x", "SUCCESS", 2}}})
			s.at(0, lookup("y", "PENDING", 0)) // the first one
			s.at(0, file("x", 1))
		}, []string{"part_skipped x 1 [3]", "created_again x 1 [2]", "final_state_never_read y 1 [4]"}},
		{"polled after an error", func(s *story) {
			s.at(0, lookup("x", "ERROR", 0))
			s.at(time.Hour, lookup("x", "ERROR", 0))
		}, []string{"polled_after_final x 1 [2]"}},
		{"polled after success", func(s *story) {
			s.at(0, lookup("x", "SUCCESS", 1))
			s.at(time.Hour, lookup("x", "SUCCESS", 1)) // for a new link
			s.at(time.Hour, lookup("x", "SUCCESS", 1)) // for nothing
			s.at(0, file("x", 1))
			s.at(time.Hour, lookup("x", "SUCCESS", 1)) // for a new link
			s.at(0, file("x", 1))
		}, []string{"polled_after_final x 1 [3]"}},
		{"a refusal repeated", func(s *story) {
			s.at(0, refused(created(""), 400, "MISSING_PARAMETER"))
			s.at(time.Minute, refused(created(""), 400, "MISSING_PARAMETER"))
			s.at(time.Minute, refused(created(""), 400, "MALFORMED_PARAMETER")) // something was changed
			s.at(time.Minute, refused(created(""), 500, "SERVER_ERROR"))
			s.at(time.Minute, refused(created(""), 500, "SERVER_ERROR"))
		}, []string{"refusal_repeated  1 [2]"}},
		{"a refusal whose answer breaks off", func(s *story) {
			broken := refused(created(""), 400, "MISSING_PARAMETER")
			broken.Broken = true
			s.at(0, broken)
			s.at(0, refused(created(""), 400, "MISSING_PARAMETER"))
			s.at(0, broken)
		}, []string{"refusal_repeated  1 [3]"}},
		{"forced refusals say nothing", func(s *story) {
			s.at(0, forced(refused(created(""), 400, "MISSING_PARAMETER")))
			s.at(0, forced(refused(created(""), 400, "MISSING_PARAMETER")))
			s.at(0, forced(refused(created(""), 429, "TOO_MANY_REQUESTS")))
		}, nil},
		{"no such route", func(s *story) {
			for _, asked := range [][2]string{{"/2.7/exports/status", "profiles"}, {"/2.7/exports/status", "profiles"}, {"/favicon.png", ""},
				{"/1.0/a/export", "legacy"}} {
				s.at(time.Hour, refused(journal.Entry{Path: asked[0], Interface: asked[1]}, 404, "ROUTE_NOT_FOUND"))
			}
		}, []string{"no_such_route  2 [1 2]", "no_such_route  1 [4]", "refusal_repeated  1 [2]"}},
		{"what a person tries out", func(s *story) {
			for _, entry := range []journal.Entry{created("y"), refused(created(""), 400, "MISSING_PARAMETER"),
				refused(created(""), 400, "MISSING_PARAMETER"), lookup("y", "SUCCESS", 1)} {
				entry.Unjudged = true
				s.at(0, entry)
			}
		}, nil},
		{"a busy client", func(s *story) {
			for range 30 {
				s.at(time.Millisecond, lookup("x", "PENDING", 0))
			}
			ended(s, "x")
		}, []string{"polled_too_fast x 29 [2 3 4 5 6 7 8 9 10 11]"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := &story{now: noon, entries: journal.New(0, 1<<30)}
			c.tell(s)
			entries := s.entries.List(journal.Filter{}, 0).Entries
			findings := journal.Judge(entries, journal.Judgement{})
			var got []string
			for _, f := range findings {
				got = append(got, fmt.Sprint(f.Code, " ", f.Export, " ", f.Count, " ", f.Requests))
				if f.Rule == "" || f.Advice == "" || f.Message == "" || !cited.MatchString(f.Rule) {
					t.Errorf("not explained: %+v", f)
				}
				if f.Key == "" && f.Code != journal.NoSuchRoute && f.Code != journal.FilePosted && f.Code != journal.RefusalRepeated {
					t.Errorf("nobody's: %+v", f)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			for severity, want := range map[journal.Severity]int{journal.Off: 0, journal.Error: len(findings), journal.Warning: len(findings)} {
				other := journal.Judge(entries, journal.Judgement{Dialect: allOf(severity)})
				if len(other) != want || slices.ContainsFunc(other, func(f journal.Finding) bool { return f.Severity != severity }) {
					t.Errorf("all lints %s: %+v", severity, other)
				}
			}
			for range 20 {
				if again := journal.Judge(entries, journal.Judgement{}); !reflect.DeepEqual(again, findings) {
					t.Fatalf("another order: %+v, then %+v", findings, again)
				}
			}
		})
	}
}

// TestJudgement: the settings.
func TestJudgement(t *testing.T) {
	s := &story{now: noon, entries: journal.New(0, 1<<30)}
	s.at(0, lookup("x", "CREATED", 0))
	s.at(time.Second, lookup("x", "PENDING", 0))
	s.at(0, lookup("y", "SUCCESS", 2))
	s.at(0, file("y", 2))
	other := created("z")
	other.Key = "b"
	s.at(0, other)
	entries := s.entries.List(journal.Filter{}, 0).Entries
	for _, c := range []struct {
		how  journal.Judgement
		want string
	}{
		{journal.Judgement{}, "part_skipped final_state_never_read final_state_never_read"},
		{journal.Judgement{Underway: true}, ""},
		{journal.Judgement{Key: "b"}, "final_state_never_read"},
		{journal.Judgement{Key: "c"}, ""},
		{journal.Judgement{PollInterval: 2 * time.Second, Underway: true}, "polled_too_fast"},
		{journal.Judgement{PollInterval: -1, Underway: true}, ""},
	} {
		var codes []string
		for _, finding := range journal.Judge(entries, c.how) {
			codes = append(codes, finding.Code)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.how, got, c.want)
		}
	}
}

// TestLints: each is listed once, with one of the two severities.
func TestLints(t *testing.T) {
	seen := map[string]bool{}
	for _, lint := range journal.Lints() {
		if seen[lint.Code] || lint.Severity != journal.Error && lint.Severity != journal.Warning {
			t.Errorf("%+v", lint)
		}
		seen[lint.Code] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d lints", len(seen))
	}
}
