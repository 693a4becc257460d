package exports_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func record(progress string) *exports.Record {
	parsed, err := exports.ParseProgress(progress)
	if err != nil {
		panic(err)
	}
	return &exports.Record{ID: "e", CreatedAt: noon, Progress: parsed}
}

// An act is something that happens to a record at an instant after noon, followed by a look at its state.
type act struct {
	at        time.Duration
	do        string // "", poll, step, finish, fail
	err       exports.Code
	want      exports.Status
	completed time.Duration // after noon; for final statuses
}

func TestState(t *testing.T) {
	const created, pending, success, failed = exports.Created, exports.Pending, exports.Success, exports.Failed
	s := time.Second
	cases := []struct {
		name     string
		progress string
		outcome  exports.Outcome
		acts     []act
	}{
		{"now is final at creation", "now", "", []act{{0, "", "", success, 0}, {99 * s, "", "", success, 0}}},
		{"now with a forced error", "now", "error", []act{{0, "", "", failed, 0}}},
		{"an asked-for success is the default", "now", "success", []act{{0, "", "", success, 0}}},
		{"before its creation even a final export is CREATED", "now", "", []act{{-1, "", "", created, 0}, {-99999 * time.Hour, "", "", created, 0}}},

		{"time: a quarter CREATED, then PENDING, then final", "time:8s", "", []act{
			{0, "", "", created, 0}, {2*s - 1, "", "", created, 0}, {2 * s, "", "", pending, 0},
			{8*s - 1, "", "", pending, 0}, {8 * s, "", "", success, 8 * s}, {99 * s, "", "", success, 8 * s}}},
		{"time with a forced error", "time:8s", "error", []act{{8*s - 1, "", "", pending, 0}, {8 * s, "", "", failed, 8 * s}}},
		{"time of zero is now", "time:0s", "", []act{{0, "", "", success, 0}}},
		{"time: lookups do not count", "time:8s", "", []act{{0, "poll", "", created, 0}, {0, "poll", "", created, 0}}},
		{"time: the clock goes back", "time:8s", "", []act{
			{8 * s, "", "", success, 8 * s}, {3 * s, "", "", pending, 0}, {s, "", "", created, 0}, {-s, "", "", created, 0}, {8 * s, "", "", success, 8 * s}}},
		{"time: finished early stays finished", "time:8s", "", []act{{s, "finish", "", success, s}, {8 * s, "", "", success, s}}},
		{"time: failed early", "time:8s", "", []act{{s, "fail", "", failed, s}, {8 * s, "", "", failed, s}}},
		{"time: a step takes it over", "time:8s", "", []act{
			{0, "step", "", pending, 0}, {99 * s, "", "", pending, 0}, {100 * s, "step", "", success, 100 * s}}},
		{"time: a step from PENDING completes", "time:8s", "", []act{{4 * s, "step", "", success, 4 * s}}},

		{"stuck is PENDING for ever", "stuck", "", []act{
			{-s, "", "", created, 0}, {0, "", "", pending, 0}, {s, "poll", "", pending, 0}, {99999 * time.Hour, "", "", pending, 0}}},
		{"stuck: finished by hand", "stuck", "", []act{{s, "finish", "", success, s}, {2 * s, "", "", success, s}}},
		{"stuck: a step is the last one", "stuck", "error", []act{{s, "step", "", failed, s}}},
		{"stuck: failed by hand", "stuck", "", []act{{s, "fail", "", failed, s}}},

		{"polls:1 is final at the first lookup", "polls:1", "", []act{{0, "", "", created, 0}, {s, "poll", "", success, s}, {2 * s, "poll", "", success, s}}},
		{"polls:2", "polls:2", "", []act{{0, "poll", "", created, 0}, {s, "poll", "", success, s}}},
		{"polls:4", "polls:4", "error", []act{
			{0, "poll", "", created, 0}, {0, "poll", "", pending, 0}, {0, "poll", "", pending, 0}, {5 * s, "poll", "", failed, 5 * s}, {6 * s, "poll", "", failed, 5 * s}}},
		{"polls: time alone does nothing", "polls:2", "", []act{{9999 * time.Hour, "", "", created, 0}}},
		{"polls: a lookup before the creation does not count", "polls:1", "", []act{{-s, "poll", "", created, 0}, {0, "poll", "", success, 0}}},
		{"polls: the clock goes back behind the completion", "polls:3", "", []act{
			{8 * s, "poll", "", created, 0}, {8 * s, "poll", "", pending, 0}, {8 * s, "poll", "", success, 8 * s},
			{4 * s, "", "", pending, 0}, {4 * s, "poll", "", success, 4 * s}}},
		{"polls: finished by hand", "polls:9", "", []act{{s, "finish", "", success, s}}},

		{"manual stays", "manual", "", []act{{0, "", "", created, 0}, {9999 * time.Hour, "poll", "", created, 0}}},
		{"manual steps", "manual", "", []act{
			{s, "step", "", pending, 0}, {2 * s, "step", "", success, 2 * s}, {3 * s, "step", exports.AlreadyFinal, success, 2 * s}}},
		{"manual finish keeps the forced error", "manual", "error", []act{{s, "finish", "", failed, s}}},
		{"manual fail", "manual", "", []act{{s, "fail", "", failed, s}, {2 * s, "finish", exports.AlreadyFinal, failed, s}, {2 * s, "fail", exports.AlreadyFinal, failed, s}}},
		{"manual: nothing by hand before the creation", "manual", "", []act{
			{-s, "step", exports.NotCreatedYet, created, 0}, {-s, "finish", exports.NotCreatedYet, created, 0}, {-s, "fail", exports.NotCreatedYet, created, 0}}},
		{"manual: the clock goes back behind the completion", "manual", "", []act{
			{8 * s, "step", "", pending, 0}, {8 * s, "step", "", success, 8 * s}, {4 * s, "", "", pending, 0}, {4 * s, "step", "", success, 4 * s}}},
		{"final by time: nothing more by hand", "time:8s", "", []act{
			{8 * s, "finish", exports.AlreadyFinal, success, 8 * s}, {8 * s, "fail", exports.AlreadyFinal, success, 8 * s}, {8 * s, "step", exports.AlreadyFinal, success, 8 * s}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := record(c.progress)
			r.Outcome = c.outcome
			for i, a := range c.acts {
				now := noon.Add(a.at)
				var err error
				switch a.do {
				case "poll":
					before := r.Clone()
					counts := r.CountsPolls(now)
					r.Poll(now)
					if counts == reflect.DeepEqual(before, r) {
						t.Errorf("act %d: CountsPolls is %t, but the record went from %+v to %+v", i, counts, before, r)
					}
				case "step":
					err = r.Step(now)
				case "finish":
					err = r.Finish(now)
				case "fail":
					err = r.Fail(now, "disk full")
				}
				if a.err != "" {
					checkError(t, a.do, err, a.err, "export e ")
				} else if err != nil {
					t.Errorf("act %d: %v", i, err)
				}
				checkState(t, i, r, now, a)
			}
		})
	}
}

func checkState(t *testing.T, i int, r *exports.Record, now time.Time, a act) {
	t.Helper()
	before := r.Clone()
	state := exports.Legacy().Kept(r.State(now), now)
	if !reflect.DeepEqual(before, r) {
		t.Fatalf("act %d: State changed the record", i)
	}
	if state.Status != a.want {
		t.Fatalf("act %d at %v: status %s, want %s", i, a.at, state.Status, a.want)
	}
	if state.Status.Final() != (state.CompletedAt != nil) {
		t.Errorf("act %d: status %s with completion %v", i, state.Status, state.CompletedAt)
	}
	if state.CompletedAt != nil && !state.CompletedAt.Equal(noon.Add(a.completed)) {
		t.Errorf("act %d: completed at %v, want %v after noon", i, state.CompletedAt, a.completed)
	}
	switch {
	case state.Status == exports.Created && state.StartedAt != nil:
		t.Errorf("act %d: CREATED, but started at %v", i, state.StartedAt)
	case state.Status.Final() && (state.StartedAt == nil || state.StartedAt.After(*state.CompletedAt) || state.StartedAt.Before(r.CreatedAt)):
		t.Errorf("act %d: started at %v, completed at %v", i, state.StartedAt, state.CompletedAt)
	case state.StartedAt != nil && state.StartedAt.After(now):
		t.Errorf("act %d: started at %v, which lies ahead of %v", i, state.StartedAt, now)
	}
	if (state.Status == exports.Success) != (state.FileExpiresAt != nil) {
		t.Errorf("act %d: status %s with file expiry %v", i, state.Status, state.FileExpiresAt)
	}
	if (state.Status == exports.Failed) != (state.ErrorMessage != "") {
		t.Errorf("act %d: status %s with error message %q", i, state.Status, state.ErrorMessage)
	}
}

// TestStartedAt checks when an export left CREATED: by time, at a lookup, by hand, or only with its completion.
func TestStartedAt(t *testing.T) {
	const s, never = time.Second, -1 * time.Second
	cases := []struct {
		name, progress string
		acts           []string // "SECONDS VERB", the last without a verb
		want           time.Duration
	}{
		{"now: at its creation", "now", []string{"9"}, 0},
		{"time: not yet", "time:8s", []string{"1"}, never},
		{"time: after a quarter", "time:8s", []string{"2"}, 2 * s},
		{"time: the same once complete", "time:8s", []string{"99"}, 2 * s},
		{"time: finished before that", "time:8s", []string{"1 finish", "99"}, s},
		{"time: finished after that", "time:8s", []string{"3 finish", "99"}, 2 * s},
		{"time: stepped before that", "time:8s", []string{"1 step", "99"}, s},
		{"time: stepped to its end after that", "time:8s", []string{"3 step", "99"}, 2 * s},
		{"time: the clock was set back", "time:8s", []string{"9", "1"}, never},
		{"polls: not at the first lookup", "polls:3", []string{"1 poll", "2"}, never},
		{"polls: at the second lookup", "polls:4", []string{"1 poll", "2 poll", "5 poll", "9"}, 2 * s},
		{"polls: the same once complete", "polls:3", []string{"1 poll", "2 poll", "5 poll", "9"}, 2 * s},
		{"polls: only a completion", "polls:1", []string{"3 poll", "9"}, 3 * s},
		{"polls: from CREATED to the end", "polls:2", []string{"1 poll", "3 poll", "9"}, 3 * s},
		{"polls: finished by hand", "polls:9", []string{"3 finish", "9"}, 3 * s},
		{"polls: the clock was set back", "polls:4", []string{"5 poll", "5 poll", "3"}, never},
		{"polls: completed before it started, for the clock was set back", "polls:3", []string{"5 poll", "5 poll", "3 poll", "3"}, 3 * s},
		{"manual: not yet", "manual", []string{"9"}, never},
		{"manual: stepped", "manual", []string{"3 step", "9"}, 3 * s},
		{"manual: stepped twice", "manual", []string{"3 step", "5 step", "9"}, 3 * s},
		{"manual: failed at once", "manual", []string{"3 fail", "9"}, 3 * s},
		{"manual: stepped, then failed", "manual", []string{"3 step", "5 fail", "9"}, 3 * s},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := record(c.progress)
			var now time.Time
			var err error
			for _, act := range c.acts {
				at, verb, _ := strings.Cut(act, " ")
				now = noon.Add(must.Get(time.ParseDuration(at + "s"))(t))
				switch verb {
				case "poll":
					r.Poll(now)
				case "step":
					err = r.Step(now)
				case "finish":
					err = r.Finish(now)
				case "fail":
					err = r.Fail(now, "")
				}
				must.Do(t, err)
			}
			started := r.State(now).StartedAt
			if (started == nil) != (c.want == never) || started != nil && !started.Equal(noon.Add(c.want)) {
				t.Errorf("started at %v, want %v after noon", started, c.want)
			}
		})
	}
}

func TestFileLifetime(t *testing.T) {
	cases := []struct{ completed, expires string }{
		{"2025-11-20T12:00:00", "2025-12-20T12:00:00"},
		{"2025-12-31T23:59:59", "2026-01-31T23:59:59"},
		{"2025-02-01T00:00:00", "2025-03-01T00:00:00"},
		{"2025-01-31T00:00:00", "2025-03-03T00:00:00"}, // no 31 February: counted on
		{"2024-01-30T00:00:00", "2024-03-01T00:00:00"},
	}
	for _, c := range cases {
		completed := must.Get(exports.ParseDate(c.completed, noon))(t)
		r := record("now")
		r.CreatedAt = completed
		state := exports.Legacy().Kept(r.State(completed), completed)
		must.Equal(t, state.FileExpiresAt.Format(exports.LocalDateTime), c.expires, "a file of %s expires at", c.completed)
		expired := func(at time.Time) bool { return exports.Legacy().Kept(r.State(at), at).FileExpired }
		if expired(state.FileExpiresAt.Add(-1)) || !expired(*state.FileExpiresAt) {
			t.Errorf("a file of %s does not expire exactly at %s", c.completed, c.expires)
		}
	}
}

func fullRecord() *exports.Record {
	return &exports.Record{
		ID: "0b1e", Kind: "campaign.events", Interface: "legacy", Owner: "live_demo",
		URI: "/1.0/live_demo/export/campaign/c1/events", Request: json.RawMessage(`{"ids":["install_id"]}`), CreatedAt: noon,
		File: exports.File{
			Kind: "campaign.events", Window: exports.Window{From: noon.Add(-time.Hour), To: noon}, Now: noon, APIKey: "live_demo", Target: "c1", Segment: "s",
			Events: []string{"push_sent"}, IDs: []string{"install_id"}, Channels: []string{"email"}, Attributes: []string{"$region"}, Identifiers: []string{"custom_id"},
			MaxRows: ptr(int64(5)), Seed: 1<<64 - 1, Profiles: 10_000, WorldVersion: 1, SchemaDigest: "abc", PartSize: 100 << 20,
		},
		Progress: exports.Progress{Mode: exports.ModePolls, Polls: 3}, Outcome: exports.OutcomeError, ErrorMessage: "m", Polls: 2, Steps: 1, StartedAt: ptr(noon), CompletedAt: ptr(noon),
	}
}

func TestRecordSurvivesJSON(t *testing.T) {
	for _, r := range []*exports.Record{fullRecord(), record("time:2s")} {
		encoded := must.Get(json.Marshal(r))(t)
		var decoded exports.Record
		must.Do(t, json.Unmarshal(encoded, &decoded))
		must.Hold(t, reflect.DeepEqual(&decoded, r), "got %+v, want %+v", decoded, *r)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	original, clone := fullRecord(), fullRecord().Clone()
	if !reflect.DeepEqual(original, clone) {
		t.Fatalf("clone is %+v", clone)
	}
	source := fullRecord()
	clone = source.Clone()
	clone.Request[0] = 'x'
	clone.File.Events[0], clone.File.IDs[0], clone.File.Channels[0] = "x", "x", "x"
	clone.File.Attributes[0], clone.File.Identifiers[0] = "x", "x"
	*clone.File.MaxRows = 9
	*clone.StartedAt, *clone.CompletedAt = noon.Add(time.Hour), noon.Add(time.Hour)
	must.Hold(t, reflect.DeepEqual(source, original), "a change of the clone changed the original: %+v", source)
}

func TestWindow(t *testing.T) {
	window := exports.Window{From: noon, To: noon.Add(time.Hour)}
	for offset, want := range map[time.Duration]bool{-1: false, 0: true, time.Hour - 1: true, time.Hour: false} {
		must.Equal(t, window.Contains(noon.Add(offset)), want, "Contains(noon + %v)", offset)
	}
	must.Hold(t, !window.Empty() && (exports.Window{}).Empty(), "Empty is wrong")
	must.Equal(t, window.NotBefore(noon.Add(-time.Minute)), window, "NotBefore an earlier instant")
	if got := window.NotBefore(noon.Add(time.Minute)); !got.From.Equal(noon.Add(time.Minute)) || !got.To.Equal(window.To) {
		t.Errorf("NotBefore = %v", got)
	}
	if got := window.NotBefore(noon.Add(2 * time.Hour)); !got.Empty() || got.To.Before(got.From) {
		t.Errorf("NotBefore a later instant = %v", got)
	}
}
