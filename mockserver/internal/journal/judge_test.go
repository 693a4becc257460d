package journal_test

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// story is a journal in the making: every request comes some time after the one before.
type story struct {
	now     time.Time
	frozen  bool
	real    bool // the real time is that of the clock
	entries *journal.Journal
}

// at adds a request.
func (s *story) at(after time.Duration, entry journal.Entry) {
	s.now = s.now.Add(after)
	entry.Time, entry.ClockFrozen = s.now, s.frozen
	if s.real {
		entry.RealTime = s.now
	}
	entry.Method, entry.Status = cmp.Or(entry.Method, "GET"), cmp.Or(entry.Status, 200)
	s.entries.Record(&entry)
}

// tell adds requests that are written down: a verb with its arguments, perhaps after +DURATION, and then changes of the entry.
func (s *story) tell(t *testing.T, text string) {
	t.Helper()
	for _, step := range strings.Split(text, "; ") {
		var after time.Duration
		words := strings.Fields(step)
		if len(words) > 0 && words[0][0] == '+' {
			after, words = must.Get(time.ParseDuration(words[0][1:]))(t), words[1:]
		}
		switch {
		case len(words) == 0:
		case words[0] == "frozen":
			s.frozen = true
		case words[0] == "end": // what a good client does with an export in the end
			s.tell(t, "+1m look "+words[1]+" SUCCESS 1; file "+words[1]+" 1")
		default:
			s.at(after, entryOf(t, words))
		}
	}
}

var argument = regexp.MustCompile(`^([a-z]|[A-Z]+|[0-9]+)$`)

// entryOf is one request: create [ID], look ID [STATUS [PARTS]], file ID PART or range ID FROM TO SIZE.
func entryOf(t *testing.T, words []string) journal.Entry {
	t.Helper()
	arguments, number := [5]string{}, func(text string) int64 { return must.Get(strconv.ParseInt(cmp.Or(text, "0"), 10, 64))(t) }
	verb, changes := words[0], words[1:]
	for i := 0; len(changes) > 0 && argument.MatchString(changes[0]); i++ {
		arguments[i], changes = changes[0], changes[1:]
	}
	id := arguments[0]
	entry := journal.Entry{Interface: "legacy", Key: "a", Export: id}
	switch verb {
	case "create":
		entry.Method, entry.Path, entry.Route, entry.Stage = "POST", "/1.0/a/export/userbase", "userbase", "create"
		entry.Status, entry.Kind = 202, "userbase"
	case "look":
		entry.Path, entry.Route, entry.Stage = "/1.0/a/export/request/"+id, "legacy.status", "status"
		entry.ExportStatus, entry.Parts = arguments[1], int(number(arguments[2]))
	case "file", "range":
		entry.Interface, entry.Route, entry.Stage, entry.Part = "", "file", "file", int(number(arguments[1]))
		if verb == "range" {
			from, to := number(arguments[1]), number(arguments[2])
			entry.Part, entry.Status, entry.ResponseBytes = 1, 206, to-from
			entry.Received = journal.Range{From: from, To: to, Size: number(arguments[3])}
		}
		entry.Path = fmt.Sprintf("/files/%s.%d.csv", id, entry.Part)
	default:
		t.Fatalf("no request is called %s", verb)
	}
	for _, change := range changes {
		if status, name, is := strings.Cut(change, ":"); is { // a refusal
			entry.Status, entry.Error = int(number(status)), &journal.Refusal{Name: name, Message: "as " + name}
			entry.Parts, entry.ExportStatus = 0, ""
			continue
		}
		switch name, value, _ := strings.Cut(change, "="); name {
		case "retry":
			entry.RetryAfter = int(number(value))
		case "forced":
			entry.Error.Forced = true
		case "broken":
			entry.Broken = true
		case "unjudged":
			entry.Unjudged = true
		case "by": // a scenario
			entry.Applied = []journal.Applied{{Source: "header", Scenario: value}}
		case "credentials":
			entry.Credentials = []string{"Authorization"}
		case "redirected":
			entry.Redirected = true
		case "key":
			entry.Key = value
		case "path":
			entry.Path = value
		case "method":
			entry.Method = value
		case "status":
			entry.Status = int(number(value))
		case "bytes":
			entry.ResponseBytes = number(value)
		case "took":
			entry.Duration = must.Get(time.ParseDuration(value))(t).Seconds()
		case "real":
			entry.RealTime = entry.RealTime.Add(must.Get(time.ParseDuration(value))(t))
		default:
			t.Fatalf("no change is called %s", change)
		}
	}
	return entry
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
	only := func(text string, change func(*journal.Entry)) func(*testing.T, *story) {
		return func(t *testing.T, s *story) {
			entry := entryOf(t, strings.Fields(text))
			change(&entry)
			s.at(0, entry)
		}
	}
	for _, c := range []struct {
		about, story string
		more         func(t *testing.T, s *story) // what no word says
		then         string
		want         []string // code, export, count and requests
	}{
		{about: "nothing at all"},
		{about: "a good client", story: "create x; look x CREATED; +1s look x PENDING; end x"},
		{about: "a good client whose export fails", story: "create x; look x ERROR"},
		{about: "polled too fast", story: "create x; look x CREATED; +970ms look x CREATED; look x PENDING; end x",
			want: []string{"polled_too_fast x 2 [3 4]"}},
		{about: "a timer that goes off early", story: "look x CREATED; +990ms look x PENDING; end x"},
		{about: "two exports are polled in turn", story: "create x; +1h look x CREATED; look y CREATED; end x; end y"},
		{about: "a clock that stands still tells no interval", story: "frozen; look x CREATED; look x PENDING; end x"},
		{about: "a clock that was set back tells no interval", story: "look x CREATED; +-1ms look x PENDING; end x"},
		{about: "Retry-After ignored", story: "create 503:MAINTENANCE_ERROR retry=30; +29s create 500:SERVER_ERROR; create x; end x",
			want: []string{"retry_after_ignored  1 [2]"}},
		{about: "a forced Retry-After counts as well, and a frozen clock",
			story: "frozen; create 503:MAINTENANCE_ERROR forced retry=30; create x; end x", want: []string{"retry_after_ignored x 1 [2]"}},
		{about: "Retry-After obeyed, with another request between",
			story: "create 429:TOO_MANY_REQUESTS forced retry=720; +1m look y PENDING; +11m create x; end x; end y"},
		{about: "Retry-After obeyed by a client with a clock of its own",
			story: "frozen; create 503:MAINTENANCE_ERROR forced retry=30; create x real=30s; end x"},
		{about: "Retry-After of one export is not that of another", more: func(t *testing.T, s *story) {
			for _, text := range []string{"look x 503:MAINTENANCE_ERROR forced retry=30", "look y SUCCESS 1"} {
				only(text+" path=/2.7/exports/view", func(e *journal.Entry) { e.Query, e.Route = "id="+e.Export, "profiles.view" })(t, s)
			}
		}, then: "file y 1"},
		{about: "Retry-After of one payload is not that of another", story: "create 429:TOO_MANY_REQUESTS retry=720",
			more: only("create x", func(e *journal.Entry) { e.SetBody([]byte("{}"), journal.Redactor{}, maphash.MakeSeed()) }), then: "end x",
			want: []string{"rate_exceeded  1 [1]"}},
		{about: "Retry-After of an answer that was not there yet", more: func(t *testing.T, s *story) {
			for i := range 2 {
				only("create 503:MAINTENANCE_ERROR forced retry=30", func(e *journal.Entry) {
					e.RealTime, e.Duration = noon.Add(time.Duration(i)*time.Millisecond), 0.2
				})(t, s)
			}
		}},
		{about: "faster than the limit", story: "create 429:TOO_MANY_REQUESTS retry=720", want: []string{"rate_exceeded  1 [1]"}},
		{about: "a dead link", story: "create x; end x; +1h file x 1 403:LINK_EXPIRED; file x 1 403:LINK_EXPIRED; " +
			"file x 1 410:FILE_EXPIRED; file x 1 403:LINK_EXPIRED forced", want: []string{"dead_link_used x 2 [4 5]", "dead_link_used x 1 [6]"}},
		{about: "a forged link has no key of its own", story: "create x; end x; file x 0 403:LINK_INVALID key=",
			want: []string{"dead_link_used x 1 [4]"}},
		{about: "never looked up", story: "create x", want: []string{"final_state_never_read x 1 [1]"}},
		{about: "given up", story: "create x; look x PENDING", want: []string{"final_state_never_read x 1 [2]"}},
		{about: "not downloaded", story: "look x SUCCESS 2; file x 1 method=HEAD; file x 1 500:SERVER_ERROR",
			want: []string{"file_never_downloaded x 1 [1]"}},
		{about: "nothing is left to download", story: "look x SUCCESS"},
		{about: "a part skipped", story: "look x SUCCESS 3; file x 1; file x 3", want: []string{"part_skipped x 1 [1]"}},
		{about: "all parts, in any order", story: "look x SUCCESS 2; file x 2; file x 1"},
		{about: "half a download", story: "look x SUCCESS 1; file x 1 broken bytes=4096", want: []string{"download_abandoned x 1 [2]"}},
		{about: "half a download, as often as it was tried",
			story: "look x SUCCESS 1; file x 1 broken by=cut=10; file x 1 broken by=cut=10"},
		{about: "files that a scenario withholds, with a new link each time",
			story: "create x" + strings.Repeat("; +1m look x SUCCESS 1; file x 1 410:FILE_EXPIRED forced", 4) +
				"; create y; look y SUCCESS 2; file y 1; file y 2 broken; file y 2 500:SERVER_ERROR forced"},
		{about: "a part that was withheld is forgotten", story: "look x SUCCESS 2; file x 1 500:SERVER_ERROR forced; file x 2",
			want: []string{"part_skipped x 1 [1]"}},
		{about: "lookups that a scenario hinders, and two whose answer breaks off",
			story: "create x; look x 500:SERVER_ERROR forced; create z; look z ERROR broken; look z ERROR broken; look z ERROR",
			want:  []string{"created_again x 1 [3]"}},
		{about: "an export that a scenario keeps from ending", story: "create x path=/1.0/a/export/userbasex by=progress=stuck; " +
			"create y path=/1.0/a/export/userbasey by=progress=stuck; look x PENDING", want: []string{"final_state_never_read y 1 [2]"}},
		{about: "a creation whose answer breaks off", story: "create x broken; create y; end y"},
		{about: "half a download and the rest", story: "look x SUCCESS 1; file x 1 broken; file x 1 status=206"},
		{about: "credentials for a link", story: "look x SUCCESS 1; file x 1 credentials",
			want: []string{"credentials_sent_to_link x 1 [2]"}},
		{about: "credentials that a redirect within one origin takes along", story: "look x SUCCESS 1; file x 1 credentials redirected"},
		{about: "the beginning of a file", story: "look x SUCCESS 1; range x 0 100 1000; range x 100 900 1000",
			want: []string{"file_partly_read x 1 [3]"}},
		{about: "a file in ranges", story: "look x SUCCESS 1; range x 500 1000 1000; range x 0 400 1000; range x 300 600 1000"},
		{about: "a broken download and its rest",
			story: "look x SUCCESS 1; range x 0 1000 1000 status=200 broken bytes=300; range x 300 1000 1000"},
		{about: "a range before the whole", story: "look x SUCCESS 1; range x 0 1 1000; file x 1"},
		{about: "a file that is posted to", more: func(t *testing.T, s *story) {
			s.at(0, journal.Entry{Method: "POST", Path: "/files/x.1.csv", Stage: "file", Status: 404,
				Error: &journal.Refusal{Name: "ROUTE_NOT_FOUND"}})
		}, want: []string{"file_posted  1 [1]"}},
		{about: "attributes and windows that were hardly meant", more: only("create x", func(e *journal.Entry) {
			e.Doubts = journal.Doubts{WithoutDollar: []journal.Doubt{{Name: "language", Likely: "$language"}},
				Undeclared: []journal.Doubt{{Name: "colour"}}, NoEvents: "the window is empty"}
		}), then: "end x",
			want: []string{"native_name_without_dollar x 1 [1]", "undeclared_attribute x 1 [1]", "window_without_events x 1 [1]"}},
		{about: "more than there is", more: only("create x", func(e *journal.Entry) { e.Asked, e.Oldest = &asked, &oldest }), then: "end x",
			want: []string{"lookback_exceeded x 1 [1]"}},
		{about: "created again instead of polled", story: "create x; look x PENDING; +1m create y; end x; end y",
			want: []string{"created_again x 1 [3]"}},
		{about: "created again another day", story: "create x; end x; +24h create y; end y"},
		{about: "another client, another export",
			story: "create x; create y key=b; create z path=/1.0/a/export/campaign/x/ids; end x; end z",
			want:  []string{"final_state_never_read y 1 [2]"}},
		{about: "followed by lists alone", story: "create x; create y", more: func(t *testing.T, s *story) {
			s.at(0, journal.Entry{Route: "profiles.list", Key: "a", Listed: []journal.Listed{{"y", "PENDING", 0}, {"x", "SUCCESS", 2}}})
		}, then: "look y PENDING; file x 1",
			want: []string{"part_skipped x 1 [3]", "created_again x 1 [2]", "final_state_never_read y 1 [4]"}},
		{about: "polled after an error", story: "look x ERROR; +1h look x ERROR", want: []string{"polled_after_final x 1 [2]"}},
		{about: "polled after success, for a new link, for nothing and for a new link",
			story: "look x SUCCESS 1; +1h look x SUCCESS 1; +1h look x SUCCESS 1; file x 1; +1h look x SUCCESS 1; file x 1",
			want:  []string{"polled_after_final x 1 [3]"}},
		{about: "a refusal repeated, and another one", story: "create 400:MISSING_PARAMETER; +1m create 400:MISSING_PARAMETER; " +
			"+1m create 400:MALFORMED_PARAMETER; +1m create 500:SERVER_ERROR; +1m create 500:SERVER_ERROR",
			want: []string{"refusal_repeated  1 [2]"}},
		{about: "a refusal whose answer breaks off",
			story: "create 400:MISSING_PARAMETER broken; create 400:MISSING_PARAMETER; create 400:MISSING_PARAMETER broken",
			want:  []string{"refusal_repeated  1 [3]"}},
		{about: "forced refusals say nothing",
			story: "create 400:MISSING_PARAMETER forced; create 400:MISSING_PARAMETER forced; create 429:TOO_MANY_REQUESTS forced"},
		{about: "no such route", more: func(t *testing.T, s *story) {
			for _, asked := range [][2]string{{"/2.7/exports/status", "profiles"}, {"/2.7/exports/status", "profiles"}, {"/favicon.png", ""},
				{"/1.0/a/export", "legacy"}} {
				s.at(time.Hour, journal.Entry{Path: asked[0], Interface: asked[1], Status: 404,
					Error: &journal.Refusal{Name: "ROUTE_NOT_FOUND", Message: "as ROUTE_NOT_FOUND"}})
			}
		}, want: []string{"no_such_route  2 [1 2]", "no_such_route  1 [4]", "refusal_repeated  1 [2]"}},
		{about: "what a person tries out", story: "create y unjudged; create 400:MISSING_PARAMETER unjudged; " +
			"create 400:MISSING_PARAMETER unjudged; look y SUCCESS 1 unjudged"},
		{about: "a busy client", story: strings.Repeat("+1ms look x PENDING; ", 30) + "end x",
			want: []string{"polled_too_fast x 29 [2 3 4 5 6 7 8 9 10 11]"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := &story{now: noon, entries: journal.New(0, 1<<30)}
			s.tell(t, c.story)
			if c.more != nil {
				c.more(t, s)
			}
			s.tell(t, c.then)
			entries := s.entries.List(journal.Filter{}, 0).Entries
			findings := journal.Judge(entries, journal.Judgement{})
			var got []string
			for _, f := range findings {
				got = append(got, fmt.Sprint(f.Code, " ", f.Export, " ", f.Count, " ", f.Requests))
				must.Hold(t, f.Rule != "" && f.Advice != "" && f.Message != "" && cited.MatchString(f.Rule), "not explained: %+v", f)
				if f.Key == "" && f.Code != journal.NoSuchRoute && f.Code != journal.FilePosted && f.Code != journal.RefusalRepeated {
					t.Errorf("nobody's: %+v", f)
				}
			}
			must.Equal(t, got, c.want, "the list")
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
	s.tell(t, "look x CREATED; +1s look x PENDING; look y SUCCESS 2; file y 2; create z key=b")
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
		{journal.Judgement{Apart: true, PollInterval: 2 * time.Second}, "polled_too_fast"},
	} {
		var codes []string
		for _, finding := range journal.Judge(entries, c.how) {
			codes = append(codes, finding.Code)
		}
		must.Equal(t, strings.Join(codes, " "), c.want, "%+v", c.how)
	}
}

// TestLints: each is listed once, with one of the two severities, and cites the schema files of an interface that they added.
func TestLints(t *testing.T) {
	seen := map[string]bool{}
	for _, lint := range journal.Lints() {
		if seen[lint.Code] || lint.Severity != journal.Error && lint.Severity != journal.Warning {
			t.Errorf("%+v", lint)
		}
		seen[lint.Code] = true
		its := journal.Dialect{Added: true, File: "own/interface.json", Title: "Own", Output: "own/row.json", Request: "own/request.json"}
		if rule := its.Cited(lint); strings.Contains(strings.ReplaceAll(rule, "RFC 9110, section", ""), "section 2") ||
			!regexp.MustCompile(`(^|[:;] )own/(interface|row|request)\.json#(/[\w/-]+)? of Own`).MatchString(rule) {
			t.Errorf("%s cites %s", lint.Code, rule)
		}
	}
	must.Equal(t, len(seen), 21, "lints")
}
