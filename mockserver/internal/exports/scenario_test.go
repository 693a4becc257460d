package exports_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func ptr[T any](value T) *T { return &value }

func TestParseProgress(t *testing.T) {
	cases := []struct {
		text      string
		want      exports.Progress
		canonical string // when it differs from text
	}{
		{"now", exports.Progress{Mode: exports.ModeNow}, ""},
		{"manual", exports.Progress{Mode: exports.ModeManual}, ""},
		{"stuck", exports.Progress{Mode: exports.ModeStuck}, ""},
		{"time:2s", exports.Progress{Mode: exports.ModeTime, Duration: 2 * time.Second}, ""},
		{"time:0s", exports.Progress{Mode: exports.ModeTime}, ""},
		{"time:90m", exports.Progress{Mode: exports.ModeTime, Duration: 90 * time.Minute}, "time:1h30m0s"},
		{"time:8760h", exports.Progress{Mode: exports.ModeTime, Duration: exports.MaxProgressDuration}, "time:8760h0m0s"},
		{"polls:1", exports.Progress{Mode: exports.ModePolls, Polls: 1}, ""},
		{"polls:1000000", exports.Progress{Mode: exports.ModePolls, Polls: exports.MaxProgressPolls}, ""},
	}
	for _, c := range cases {
		got, err := exports.ParseProgress(c.text)
		if err != nil || got != c.want {
			t.Errorf("ParseProgress(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
			continue
		}
		if c.canonical == "" {
			c.canonical = c.text
		}
		must.Equal(t, got.String(), c.canonical, "String of %q", c.text)
		encoded := must.Get(json.Marshal(got))(t)
		var decoded exports.Progress
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != got {
			t.Errorf("%s decodes to %+v, %v", encoded, decoded, err)
		}
	}
	must.Equal(t, (exports.Progress{}).String(), "now", "the zero Progress")
}

func TestParseProgressRefuses(t *testing.T) {
	cases := []struct{ text, mentions string }{
		{"", "use now, time:2s"},
		{"Now", `"Now" is not known`},
		{"now:1", "now takes no value"},
		{"manual:", "manual takes no value"},
		{"time", "is not a duration"},
		{"time:", "is not a duration"},
		{"time:2", "is not a duration"},
		{"time:-1s", "from 0s to 8760h"},
		{"time:8761h", "from 0s to 8760h"},
		{"time:99999999999999h", "from 0s to 8760h"},
		{"polls", "is not a number of lookups"},
		{"polls:0", "from 1 to 1000000"},
		{"polls:-1", "from 1 to 1000000"},
		{"polls:+1", "from 1 to 1000000"},
		{"polls:1000001", "from 1 to 1000000"},
		{"polls:3.5", "from 1 to 1000000"},
		{"polls:99999999999999999999", "from 1 to 1000000"},
	}
	for _, c := range cases {
		_, err := exports.ParseProgress(c.text)
		checkError(t, c.text, err, exports.InvalidProgress, c.mentions)
		var progress exports.Progress
		if err := progress.UnmarshalText([]byte(c.text)); err == nil {
			t.Errorf("UnmarshalText(%q) is accepted", c.text)
		}
	}
}

func TestParseScenario(t *testing.T) {
	polls := exports.Progress{Mode: exports.ModePolls, Polls: 3}
	answers := func(a exports.Answer) exports.Scenario { return exports.Scenario{Answer: a} }
	at := func(stage exports.Stage, a exports.Answer) exports.Scenario {
		return exports.Scenario{At: map[exports.Stage]exports.Answer{stage: a}}
	}
	cases := []struct {
		text string
		want exports.Scenario
	}{
		{"", exports.Scenario{}},
		{" ; ;", exports.Scenario{}},
		{"error=MAINTENANCE_ERROR", answers(exports.Answer{Error: "MAINTENANCE_ERROR"})},
		{"error=A=B", answers(exports.Answer{Error: "A=B"})},
		{"error=TOO_MANY_REQUESTS;retry-after=90s", answers(exports.Answer{Error: "TOO_MANY_REQUESTS", RetryAfter: exports.RetryAfter{Wait: 90 * time.Second}})},
		{"retry-after=0.5s", answers(exports.Answer{RetryAfter: exports.RetryAfter{Wait: 500 * time.Millisecond}})},
		{"retry-after=date:30s", answers(exports.Answer{RetryAfter: exports.RetryAfter{Wait: 30 * time.Second, Form: exports.RetryDate}})},
		{"retry-after=none", answers(exports.Answer{RetryAfter: exports.RetryAfter{Form: exports.RetryNone}})},
		{"surprise= event , status,event", exports.Scenario{Faults: exports.Faults{Surprises: "status,event"}}},
		{"latency=200ms", answers(exports.Answer{Latency: exports.Latency{Low: 200 * time.Millisecond, High: 200 * time.Millisecond}})},
		{"latency=uniform:50ms-1.5s", answers(exports.Answer{Latency: exports.Latency{Low: 50 * time.Millisecond, High: 1500 * time.Millisecond}})},
		{"latency=uniform:1s-1s", answers(exports.Answer{Latency: exports.Latency{Low: time.Second, High: time.Second}})},
		{"latency=lognormal:200ms,0.5", answers(exports.Answer{Latency: exports.Latency{Median: 200 * time.Millisecond, Sigma: 0.5}})},
		{"latency=lognormal: 10m , 0", answers(exports.Answer{Latency: exports.Latency{Median: 10 * time.Minute}})},
		{"latency=0s", exports.Scenario{}},
		{"file.latency=0s", exports.Scenario{}},
		{"reset", answers(exports.Answer{Reset: exports.ResetBefore})},
		{"reset=before", answers(exports.Answer{Reset: exports.ResetBefore})},
		{"reset=after", answers(exports.Answer{Reset: exports.ResetAfter})},
		{"reset=middle", answers(exports.Answer{Reset: exports.ResetMiddle})},
		{"cut=0", answers(exports.Answer{Cut: exports.CutAfter(0)})},
		{"cut=1000", answers(exports.Answer{Cut: exports.CutAfter(1000)})},
		{"cut=cell", answers(exports.Answer{Cut: exports.CutInCell})},
		{"slow=64000", answers(exports.Answer{Slow: 64000})},
		{"length=+10", answers(exports.Answer{Length: 10})},
		{"length=-1000000000000000", answers(exports.Answer{Length: -1_000_000_000_000_000})},
		{"status.error=SERVER_ERROR", at(exports.StageStatus, exports.Answer{Error: "SERVER_ERROR"})},
		{"file.cut=5; file.slow=1", at(exports.StageFile, exports.Answer{Cut: exports.CutAfter(5), Slow: 1})},
		{"create.reset", at(exports.StageCreate, exports.Answer{Reset: exports.ResetBefore})},
		{"list.cut=1", at(exports.StageList, exports.Answer{Cut: exports.CutAfter(1)})},
		{"download.cut=1", at(exports.StageDownload, exports.Answer{Cut: exports.CutAfter(1)})},
		{"outcome=success", exports.Scenario{Outcome: exports.OutcomeSuccess}},
		{"outcome=error", exports.Scenario{Outcome: exports.OutcomeError}},
		{"rows=0", exports.Scenario{MaxRows: ptr(int64(0))}},
		{"rows=9223372036854775807", exports.Scenario{MaxRows: ptr(int64(9223372036854775807))}},
		{"progress=polls:3", exports.Scenario{Progress: &polls}},
		{"progress=stuck", exports.Scenario{Progress: &exports.Progress{Mode: exports.ModeStuck}}},
		{"link=none", exports.Scenario{Link: exports.LinkNone}},
		{"link=404", exports.Scenario{Link: exports.LinkMissing}},
		{"link=410", exports.Scenario{Link: exports.LinkGone}},
		{"truncated;bom;crlf;extra-date", exports.Scenario{Faults: exports.Faults{Truncated: true, ByteOrderMark: true, CRLF: true, ExtraDate: true}}},
		{"only", exports.Scenario{Only: true}},
		{" outcome = error ;rows= 7; progress=polls:3;", exports.Scenario{Outcome: exports.OutcomeError, MaxRows: ptr(int64(7)), Progress: &polls}},
	}
	for _, c := range cases {
		got, err := exports.ParseScenario(c.text)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("ParseScenario(%q) = %+v, %v; want %+v", c.text, got, err, c.want)
			continue
		}
		again, err := exports.ParseScenario(got.String())
		must.Hold(t, err == nil && reflect.DeepEqual(again, got), "%q does not survive a round trip: %q, %v", c.text, got, err)
		if zero := reflect.DeepEqual(got, exports.Scenario{}); got.IsZero() != zero {
			t.Errorf("%q: IsZero is %v", c.text, got.IsZero())
		}
		encoded := must.Get(json.Marshal(got))(t)
		var decoded exports.Scenario
		if err := json.Unmarshal(encoded, &decoded); err != nil || !reflect.DeepEqual(decoded, got) {
			t.Errorf("%s decodes to %+v, %v", encoded, decoded, err)
		}
	}
}

func TestParseScenarioRefuses(t *testing.T) {
	cases := []struct{ text, mentions string }{
		{"outcome", `"outcome" has no value: write for example outcome=error`},
		{"outcome=", `outcome "" is not known: use success or error`},
		{"outcome=ERROR", "use success or error"},
		{"error=", "give the name of an error"},
		{"rows=", "is not a number of rows"},
		{"rows=-1", "use 0 to 9223372036854775807"},
		{"rows=+1", "is not a number of rows"},
		{"rows=1e3", "is not a number of rows"},
		{"rows=9223372036854775808", "use 0 to 9223372036854775807"},
		{"progress=fast", `progress "fast" is not known: use now, time:2s`},
		{"progress=time:-2s", "from 0s to 8760h"},
		{"progress=stuck:1", "stuck takes no value"},
		{"row=0", `key "row" is not known: use error=MAINTENANCE_ERROR, retry-after=30s, latency=200ms`},
		{"row=0", "did you mean rows?"},
		{"truncate", "did you mean truncated?"},
		{"Rows=0", `key "Rows" is not known`},
		{"=x", `key "" is not known`},
		{"rows=0;rows=0", `"rows" is given twice`},
		{"file.cut=0;file.cut=0", `"file.cut" is given twice`},
		{"rows=0,outcome=error", "is not a number of rows"},
		{"latency", "has no value"},
		{"latency=200", "use 200ms, uniform:50ms-500ms or lognormal:200ms,0.5"},
		{"latency=-1s", "from 0s to 10m"},
		{"latency=11m", "from 0s to 10m"},
		{"latency=uniform:50ms", "is not known"},
		{"latency=uniform:500ms-50ms", "is not known"},
		{"latency=uniform:50ms-11m", "is not known"},
		{"latency=lognormal:0s,1", "is not known"},
		{"latency=lognormal:1s", "is not known"},
		{"latency=lognormal:1s,-1", "sigma from 0 to 5"},
		{"latency=lognormal:1s,NaN", "is not known"},
		{"latency=normal:1s,1", "is not known"},
		{"retry-after=0s", "from 1ms to 24h"},
		{"surprise=colum", "did you mean column?"},
		{"surprise=", "use some of status, member"},
		{"retry-after=25h", "from 1ms to 24h"},
		{"reset=now", "use before, after or middle"},
		{"cut=-1", "use 0 to 1000000000000000"},
		{"cut=1kB", "is not a number of bytes"},
		{"slow=0", "use 1 to"},
		{"slow=10/s", "bytes per second"},
		{"length=10", "is not a difference"},
		{"length=+0", "is not a difference"},
		{"length=", "is not a difference"},
		{"link=403", "use none, 404 or 410"},
		{"bom=yes", "bom takes no value"},
		{"only=1", "only takes no value"},
		{"files.cut=1", `stage "files" is not known: use create, status, list, download, file`},
		{".cut=1", `stage "" is not known`},
		{"file.rows=1", "is about the export"},
		{"file.only", "is about the export"},
		{"file.cutt=1", "did you mean cut?"},
		{"file.cut.x=1", `"cut.x" is not known`},
		{"x=" + strings.Repeat("\xff", 5000), "is not known"},
		{strings.Repeat("y", 5000), "is not known"},
	}
	for _, c := range cases {
		_, err := exports.ParseScenario(c.text)
		checkError(t, c.text, err, exports.InvalidScenario, c.mentions)
	}
}

// TestScenarioOver lays stronger texts over weaker ones.
func TestScenarioOver(t *testing.T) {
	for _, c := range []struct{ stronger, weaker, want string }{
		{"", "", ""},
		{"rows=1", "", "rows=1"},
		{"", "rows=1;file.cut=5", "file.cut=5;rows=1"},
		{"rows=1", "rows=2;outcome=error", "outcome=error;rows=1"},
		{"file.cut=5", "file.cut=6;file.slow=7;cut=8", "cut=8;file.cut=5;file.slow=7"},
		{"only;rows=1", "outcome=error;latency=1s", "rows=1;only"},
		{"only", "outcome=error", "only"},
		{"rows=1", "only;outcome=error", "outcome=error;rows=1;only"},
		{"error=A", "error=B;retry-after=5s", "error=A;retry-after=5s"},
		{"bom", "crlf;bom", "bom;crlf"},
	} {
		stronger, weaker := parsed(t, c.stronger), parsed(t, c.weaker)
		must.Equal(t, stronger.Over(weaker).String(), c.want, "%q over %q", c.stronger, c.weaker)
		if stronger.String() != parsed(t, c.stronger).String() || weaker.String() != parsed(t, c.weaker).String() {
			t.Errorf("%q over %q changed one of them", c.stronger, c.weaker)
		}
	}
}

func parsed(t *testing.T, text string) exports.Scenario {
	t.Helper()
	return must.Get(exports.ParseScenario(text))(t)
}

// TestLatency draws from every distribution: the same seed draws the same, and what is drawn has the shape that was asked for.
func TestLatency(t *testing.T) {
	const draws = 4001
	for _, c := range []struct {
		text                string
		least, median, most time.Duration
	}{
		{"200ms", 200 * time.Millisecond, 200 * time.Millisecond, 200 * time.Millisecond},
		{"uniform:100ms-300ms", 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond},
		{"lognormal:200ms,0.5", 0, 200 * time.Millisecond, exports.MaxLatency},
		{"lognormal:10m,0.5", 0, 10 * time.Minute, exports.MaxLatency},
		{"lognormal:1s,0", time.Second, time.Second, time.Second},
	} {
		latency := parsed(t, "latency="+c.text).Latency
		first, second := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
		drawn := make([]time.Duration, draws)
		for i := range drawn {
			drawn[i] = latency.Draw(first)
			if again := latency.Draw(second); again != drawn[i] {
				t.Fatalf("%s: the same seed draws %v and %v", c.text, drawn[i], again)
			}
		}
		slices.Sort(drawn)
		if drawn[0] < c.least || drawn[draws-1] > c.most {
			t.Errorf("%s: drawn from %v to %v", c.text, drawn[0], drawn[draws-1])
		}
		if middle := drawn[draws/2]; (middle - c.median).Abs() > c.median/10 {
			t.Errorf("%s: the median is %v, want about %v", c.text, middle, c.median)
		}
	}
}

func FuzzParseScenario(f *testing.F) {
	for _, header := range []string{"", "error=CONFLICT", "outcome=error;rows=0;progress=polls:3", "progress=time:1h30m", ";;=;", "rows=\xff",
		"latency=uniform:50ms-500ms;reset=middle;cut=0;slow=1;length=-1", "latency=lognormal:200ms,0.5;retry-after=2s",
		"file.cut=5;status.error=X;create.reset", "link=404;truncated;bom;crlf;extra-date;only;progress=stuck"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		scenario, err := exports.ParseScenario(header)
		if err != nil {
			checkError(t, header, err, exports.InvalidScenario, "")
			if strings.Contains(err.Error(), "scenario") {
				t.Fatalf("%q: the caller says that it is the scenario: %v", header, err)
			}
			return
		}
		again, err := exports.ParseScenario(scenario.String())
		if err != nil || !reflect.DeepEqual(again, scenario) {
			t.Fatalf("%q does not survive a round trip: %q, %v", header, scenario, err)
		}
	})
}
