package exports_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestStages: an export whose interface has several running states goes through them in equal parts, whatever moves it.
func TestStages(t *testing.T) {
	at := func(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }
	type moment struct {
		status exports.Status
		stage  int
	}
	created, success := moment{exports.Created, 0}, moment{exports.Success, 0}
	pending := func(stage int) moment { return moment{exports.Pending, stage} }
	for about, c := range map[string]struct {
		progress string
		stages   int // 0: nothing is said; -1: none
		move     func(record *exports.Record, step int) time.Time
		want     []moment
	}{
		"one stage, by time": {"time:8s", 0, func(_ *exports.Record, step int) time.Time { return at(float64(2 * step)) },
			[]moment{created, pending(0), pending(0), pending(0), success}},
		"three stages, by time": {"time:8s", 3, func(_ *exports.Record, step int) time.Time { return at(float64(2 * step)) },
			[]moment{created, pending(0), pending(1), pending(2), success}},
		"three stages in no time": {"time:0s", 3, func(_ *exports.Record, step int) time.Time { return at(float64(step)) }, []moment{success, success}},
		"two stages, by lookups": {"polls:6", 2, func(record *exports.Record, step int) time.Time { record.Poll(at(0)); return at(0) },
			[]moment{created, pending(0), pending(0), pending(1), pending(1), success}},
		"more stages than lookups": {"polls:3", 4, func(record *exports.Record, step int) time.Time { record.Poll(at(0)); return at(0) },
			[]moment{created, pending(0), success}},
		"three stages, by hand": {"manual", 3, func(record *exports.Record, step int) time.Time {
			if step > 0 {
				if err := record.Step(at(0)); err != nil {
					t.Error(err)
				}
			}
			return at(0)
		}, []moment{created, pending(0), pending(1), pending(2), success}},
		"no stage, by time":     {"time:8s", -1, func(_ *exports.Record, step int) time.Time { return at(float64(4 * step)) }, []moment{created, created, success}},
		"no stage, by lookups":  {"polls:3", -1, func(record *exports.Record, _ int) time.Time { record.Poll(at(0)); return at(0) }, []moment{created, created, success}},
		"no stage, stuck there": {"stuck", -1, func(_ *exports.Record, step int) time.Time { return at(float64(3600 * step)) }, []moment{created, created}},
		"no stage, by hand": {"manual", -1, func(record *exports.Record, step int) time.Time {
			if step > 0 {
				if err := record.Step(at(0)); err != nil {
					t.Error(err)
				}
			}
			return at(0)
		}, []moment{created, success}},
		"stuck in the first": {"stuck", 3, func(_ *exports.Record, step int) time.Time { return at(float64(3600 * step)) }, []moment{pending(0), pending(0)}},
		"by time, then by hand": {"time:8s", 3, func(record *exports.Record, step int) time.Time {
			if step > 0 {
				if err := record.Step(at(4)); err != nil {
					t.Error(err)
				}
			}
			return at(4)
		}, []moment{pending(1), pending(2), success}},
	} {
		t.Run(about, func(t *testing.T) {
			progress := must.Get(exports.ParseProgress(c.progress))(t)
			record := &exports.Record{ID: "x", CreatedAt: noon, Progress: progress}
			if c.stages != 0 {
				stages := max(c.stages, 0)
				record.Stages = &stages
			}
			var got []moment
			for step := range c.want {
				state := record.State(c.move(record, step))
				got = append(got, moment{state.Status, state.Stage})
				if c.stages < 0 && state.Status == exports.Success && !state.StartedAt.Equal(*state.CompletedAt) {
					t.Errorf("it started at %s, and was done at %s: it waited until then", state.StartedAt, state.CompletedAt)
				}
			}
			must.Hold(t, slices.Equal(got, c.want), "it goes through %v, want %v", got, c.want)
		})
	}
}

// TestFileNames: what a link is called leads back to its export and its part, and nothing else does.
func TestFileNames(t *testing.T) {
	const id = "export_abc"
	for template, c := range map[string]struct{ name string }{
		"{export}.{part}.{format}":        {"export_abc.12.ndjson"},
		"rows-{export}.part{part}.ndjson": {"rows-export_abc.part12.ndjson"},
		"{export}.{kind}.{part}.{format}": {"export_abc.profiles.events.12.ndjson"},
		"{export}~{part}":                 {"export_abc~12"},
	} {
		dialect := slices.Clone(exports.Specified())
		for i := range dialect {
			dialect[i].FileNames = exports.NewFileNames(template, "{kind}", "{kind}-{part}")
		}
		profiles, _ := dialect.Named("profiles")
		name := profiles.FileNames.InLink(exports.FileName{Export: id, Kind: "profiles.events", Format: "ndjson", Part: 12})
		must.Equal(t, name, c.name, "%s: the name", template)
		for _, saved := range []string{name, "a/folder/" + name, `C:\folder\` + name, name + ".gz"} {
			if export, part := dialect.PartOf(saved); export != "profiles "+id || part != 12 {
				t.Errorf("%s: %s is part %d of %q", template, saved, part, export)
			}
		}
		if export, part := dialect.PartOf("profiles.events-2.json"); export != "" || part != 0 {
			t.Errorf("%s: a name without an export is part %d of %q", template, part, export)
		}
		if its, export, part, ok := dialect.ParseFileName(name, nil); its.Name != "profiles" || export != id || part != 12 || !ok {
			t.Errorf("%s: %s is read as %s, %s, %d, %t", template, name, its.Name, export, part, ok)
		}
		for _, other := range []string{"", "x", "export_", name + "x" + name, id, "6f9619ff-8b86-d011-b42d-00cf4fc964ff"} {
			if _, _, _, ok := dialect.ParseFileName(other, nil); ok {
				t.Errorf("%s: %q is taken for a name", template, other)
			}
		}
	}
}
