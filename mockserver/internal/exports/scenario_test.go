package exports_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
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
		if got.String() != c.canonical {
			t.Errorf("String of %q = %q, want %q", c.text, got, c.canonical)
		}
		encoded, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var decoded exports.Progress
		if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != got {
			t.Errorf("%s decodes to %+v, %v", encoded, decoded, err)
		}
	}
	if text := (exports.Progress{}).String(); text != "now" {
		t.Errorf("the zero Progress is %q, want now", text)
	}
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
	cases := []struct {
		header string
		want   exports.Scenario
	}{
		{"", exports.Scenario{}},
		{" ; ;", exports.Scenario{}},
		{"error=MAINTENANCE_ERROR", exports.Scenario{Error: "MAINTENANCE_ERROR"}},
		{"outcome=success", exports.Scenario{Outcome: exports.OutcomeSuccess}},
		{"outcome=error", exports.Scenario{Outcome: exports.OutcomeError}},
		{"rows=0", exports.Scenario{Rows: ptr(int64(0))}},
		{"rows=9223372036854775807", exports.Scenario{Rows: ptr(int64(9223372036854775807))}},
		{"progress=polls:3", exports.Scenario{Progress: &polls}},
		{" outcome = error ;rows= 7; progress=polls:3;", exports.Scenario{Outcome: exports.OutcomeError, Rows: ptr(int64(7)), Progress: &polls}},
		{"error=A=B", exports.Scenario{Error: "A=B"}},
	}
	for _, c := range cases {
		got, err := exports.ParseScenario(c.header)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("ParseScenario(%q) = %+v, %v; want %+v", c.header, got, err, c.want)
			continue
		}
		again, err := exports.ParseScenario(got.String())
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%q does not survive a round trip: %q, %v", c.header, got, err)
		}
	}
}

func TestParseScenarioRefuses(t *testing.T) {
	cases := []struct{ header, mentions string }{
		{"outcome", `"outcome" has no value`},
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
		{"row=0", `key "row" is not known: use error=NAME`},
		{"Rows=0", `key "Rows" is not known`},
		{"=x", `key "" is not known`},
		{"rows=0;rows=0", `"rows" is given twice`},
		{"rows=0,outcome=error", "is not a number of rows"},
		{"x=" + strings.Repeat("\xff", 5000), "is not known"},
		{strings.Repeat("y", 5000), "has no value"},
	}
	for _, c := range cases {
		_, err := exports.ParseScenario(c.header)
		checkError(t, c.header, err, exports.InvalidScenario, c.mentions)
	}
}

func FuzzParseScenario(f *testing.F) {
	for _, header := range []string{"", "error=CONFLICT", "outcome=error;rows=0;progress=polls:3", "progress=time:1h30m", ";;=;", "rows=\xff"} {
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
