package scenarios_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// creation is a request that every rule of the tests below could be for.
var creation = scenarios.Request{
	Method: "POST", Path: "/1.0/live_demo/export/campaign/welcome/events", Stage: exports.StageCreate,
	Kind: "campaign.events", Key: "live_demo", Target: "welcome", Now: noon,
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		match scenarios.Match
		want  bool
	}{
		{scenarios.Match{}, true},
		{scenarios.Match{Method: "POST"}, true},
		{scenarios.Match{Method: "post"}, false},
		{scenarios.Match{Path: creation.Path}, true},
		{scenarios.Match{Path: "/1.0/live_demo/export"}, false},
		{scenarios.Match{Path: "/1.0/*"}, true},
		{scenarios.Match{Path: "*/events"}, true},
		{scenarios.Match{Path: "/1.0/*/campaign/*/events"}, true},
		{scenarios.Match{Path: "/1.0/*/events/*"}, false},
		{scenarios.Match{Path: "*"}, true},
		{scenarios.Match{Path: "/2.7/*"}, false},
		{scenarios.Match{Stage: "create"}, true},
		{scenarios.Match{Stage: "status"}, false},
		{scenarios.Match{Kind: "campaign.events"}, true},
		{scenarios.Match{Kind: "campaign"}, false},
		{scenarios.Match{Key: "live_demo"}, true},
		{scenarios.Match{Key: "dev_demo"}, false},
		{scenarios.Match{Target: "welcome"}, true},
		{scenarios.Match{Target: "wel*"}, true},
		{scenarios.Match{Target: "wel*me*"}, true},
		{scenarios.Match{Target: "*welcome*welcome*"}, false},
		{scenarios.Match{Target: "spring"}, false},
		{scenarios.Match{Method: "POST", Kind: "campaign.events", Key: "live_demo", Target: "welcome", Path: "*"}, true},
		{scenarios.Match{Method: "POST", Kind: "campaign.ids"}, false},
	} {
		must.Equal(t, c.match.Matches(creation), c.want, "%+v matches", c.match)
	}
	if (scenarios.Match{Target: "*"}).Matches(scenarios.Request{}) != true || (scenarios.Match{Key: "a"}).Matches(scenarios.Request{}) {
		t.Error("a request of which nothing is known")
	}
	hostile := scenarios.Match{Path: strings.Repeat("*a", 500)}
	must.Hold(t, !hostile.Matches(scenarios.Request{Path: strings.Repeat("a", 400)}), "a pattern with more letters than the text")
}

func scenario(t *testing.T, text string) exports.Scenario {
	t.Helper()
	return must.Get(exports.ParseScenario(text))(t)
}

// texts are the scenarios of rules.
func texts(rules []scenarios.Rule) (all []string) {
	for _, rule := range rules {
		all = append(all, rule.Scenario.String())
	}
	return all
}

// TestFind: the first rule for the next few, then all that stand, the last one first; and none that says nothing about the request.
func TestFind(t *testing.T) {
	var set scenarios.Set
	add := func(rule scenarios.Rule, text string) string {
		t.Helper()
		rule.Scenario = scenario(t, text)
		var err error
		if set, rule, err = set.Add(rule); err != nil {
			t.Fatal(err)
		}
		return rule.ID
	}
	expect := func(request scenarios.Request, want ...string) {
		t.Helper()
		if got := texts(set.Find(request)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s found %q, want %q", request.Stage, got, want)
		}
	}
	expect(creation)
	add(scenarios.Rule{}, "latency=1s")
	add(scenarios.Rule{}, "rows=1")
	twice := add(scenarios.Rule{Times: 2}, "error=A")
	once := add(scenarios.Rule{Times: 1, Match: scenarios.Match{Stage: "create"}}, "rows=2")
	add(scenarios.Rule{Match: scenarios.Match{Key: "dev_demo"}}, "rows=3")
	add(scenarios.Rule{}, "file.cut=4")
	add(scenarios.Rule{Times: 9}, "status.cut=5")
	later := add(scenarios.Rule{Times: 1, Match: scenarios.Match{Stage: "create"}}, "file.cut=6")
	file := creation
	file.Stage = exports.StageFile
	list := creation
	list.Stage = exports.StageList

	expect(creation, "error=A", "rows=1", "latency=1s")
	expect(file, "error=A", "file.cut=4", "latency=1s")
	set = set.Use(twice)
	before := set
	set = set.Use(twice)
	expect(list, "latency=1s")
	expect(creation, "rows=2", "rows=1", "latency=1s")
	set = set.Use(once).Use(once).Use("nobody")
	expect(creation, "file.cut=6", "rows=1", "latency=1s")
	set = set.Use(later)
	expect(creation, "rows=1", "latency=1s")
	if got := texts(before.Find(list)); got[0] != "error=A" {
		t.Errorf("a change reached the set before it: %q", got)
	}

	from, to := noon, noon.Add(time.Hour)
	window := add(scenarios.Rule{From: &from, To: &to}, "error=B")
	for _, c := range []struct {
		now    time.Time
		inside bool
	}{{noon.Add(-1), false}, {noon, true}, {to.Add(-1), true}, {to, false}} {
		request := creation
		request.Now = c.now
		must.Equal(t, set.Find(request)[0].ID == window, c.inside, "the rule of the window decides at %v", c.now)
	}

	encoded := must.Get(json.Marshal(set))(t)
	restored, err := scenarios.Parse(encoded)
	if err != nil || !reflect.DeepEqual(texts(restored.Rules), texts(set.Rules)) || restored.Added != set.Added {
		t.Errorf("restored %+v, %v", restored, err)
	}
	left, dropped := set.Without(func(r scenarios.Rule) bool { return r.Match.Key == "dev_demo" })
	must.Hold(t, dropped == 1 && len(left.Rules) == len(set.Rules)-1, "left out %d of %d", dropped, len(set.Rules))
	for _, bad := range []string{"", "[]", `{"rules":[{"scenario":"x"}]}`} {
		if _, err := scenarios.Parse([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// FuzzPattern holds patterns against a slower way to match them.
func FuzzPattern(f *testing.F) {
	f.Add("/1.0/*/events", "/1.0/a/events")
	f.Add("*a*b*", "xaxbx")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if pattern == "" || len(pattern) > 40 || len(text) > 40 {
			return
		}
		if got, want := (scenarios.Match{Path: pattern}).Matches(scenarios.Request{Path: text}), slowFits(pattern, text); got != want {
			t.Errorf("%q fits %q: %v, want %v", pattern, text, got, want)
		}
	})
}

func slowFits(pattern, text string) bool {
	reached := map[int]bool{0: true} // places in the text
	for i := range len(pattern) {
		next := map[int]bool{}
		for place := range reached {
			if pattern[i] == '*' {
				for further := place; further <= len(text); further++ {
					next[further] = true
				}
			} else if place < len(text) && text[place] == pattern[i] {
				next[place+1] = true
			}
		}
		reached = next
	}
	return reached[len(text)]
}
