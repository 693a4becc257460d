package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func library(t testing.TB) *schemas.Library {
	t.Helper()
	return must.Get(schemas.Embedded())(t)
}

func read(t testing.TB, kind input.Kind, text string) input.Rows {
	t.Helper()
	return must.Get(input.Read(library(t), kind, input.NDJSON, "", strings.NewReader(text)))(t)
}

// drawn is the world of seed 7.
func drawn(t testing.TB) *world.World {
	t.Helper()
	return must.Get(world.New(7, 500, world.Settings{}))(t)
}

// shown are facts of the rows of a view at noon, each row as one text.
func shown(t testing.TB, q world.Query, own world.Own, names ...string) (rows []string) {
	t.Helper()
	q.From, q.To, q.Now = noon.AddDate(0, 0, -7), noon, noon
	view := must.Get(drawn(t).View(q))(t)
	if own.People != nil {
		must.Do(t, view.Give(own))
	}
	var facts []world.Fact
	for _, name := range names {
		fact, known := view.Fact(name)
		if !known {
			t.Fatalf("%s is not known", name)
		}
		facts = append(facts, fact)
	}
	render := func(dst []byte, r *world.Row) ([]byte, int) {
		for i, fact := range facts {
			if i > 0 {
				dst = append(dst, ' ')
			}
			switch {
			case fact.Absent != nil && fact.Absent(r):
				dst = append(dst, '-')
			case fact.Text != nil:
				dst = fact.Text(dst, r)
			case fact.Choice != nil:
				dst = append(dst, fact.Names[fact.Choice(r)]...)
			case fact.Flag != nil:
				dst = strconv.AppendBool(dst, fact.Flag(r))
			case fact.Time != nil:
				dst = append(dst, time.Unix(fact.Time(r), 0).UTC().Format(time.TimeOnly)...)
			}
		}
		return dst, 1
	}
	must.Do(t, view.Write(t.Context(), world.Output{
		Render: func() world.Render { return render }, To: view.Parts(),
		Take: func(_ int64, text []byte) (bool, error) { rows = append(rows, string(text)); return true, nil },
	}))
	return rows
}

// open opens the log of a store with the world of seed 7.
func open(t testing.TB, kept dataset.Store) *dataset.Log {
	t.Helper()
	return must.Get(dataset.Open(context.Background(), kept, drawn(t)))(t)
}

func load(t testing.TB, log *dataset.Log, kind input.Kind, text string) dataset.Status {
	t.Helper()
	return must.Get(log.Of("").Load(context.Background(), read(t, kind, text), noon))(t)
}

const visit = `{"type":"visit","install_id":"phone-%d"}`

func TestGenerations(t *testing.T) {
	ctx := context.Background()
	log := open(t, memory.New())
	if status, err := log.Of("").Current(ctx); err != nil || status != (dataset.Status{Mode: dataset.Mixed}) {
		t.Fatalf("a new log holds %+v, %v", status, err)
	}
	if status := load(t, log, input.Events, fmt.Sprintf(visit, 1)); status.Generation != 1 || status.Events != 1 || status.Installations != 0 {
		t.Errorf("after an event: %+v", status)
	}
	load(t, log, input.Installations, `{"install_id":"phone-1"}`)
	if status := load(t, log, input.Installations, `{"install_id":"phone-1","platform":"ios"}`); status.Generation != 3 ||
		status.Installations != 1 {
		t.Errorf("after loading an installation twice: %+v", status)
	}
	if status := load(t, log, input.Events, ""); status.Generation != 3 {
		t.Errorf("loading nothing changed something: %+v", status)
	}
	for range 2 { // the second changes nothing
		if status, err := log.Of("").SetMode(ctx, dataset.Only, noon); err != nil || status.Generation != 4 || status.Mode != dataset.Only {
			t.Errorf("after a change of the mode: %+v, %v", status, err)
		}
	}
	must.Equal(t, must.Get(log.Of("").Reset(ctx, noon))(t), dataset.Status{Generation: 5, Mode: dataset.Mixed}, "after a reset")
	for _, generation := range []int64{-1, 6} {
		if _, err := log.At(ctx, generation); err == nil {
			t.Errorf("generation %d is there", generation)
		}
	}
	for generation := range int64(6) {
		if _, err := log.At(ctx, generation); err != nil {
			t.Errorf("generation %d: %v", generation, err)
		}
	}
}

// TestTwoProcesses checks that logs over one store see each other's batches, and that none is lost when both load.
func TestTwoProcesses(t *testing.T) {
	ctx, shared := context.Background(), memory.New()
	one, other := open(t, shared), open(t, shared)
	for i := range 10 {
		load(t, []*dataset.Log{one, other}[i%2], input.Events, fmt.Sprintf(visit, i))
	}
	for name, log := range map[string]*dataset.Log{"one": one, "other": other, "a third": open(t, shared)} {
		if status, err := log.Of("").Current(ctx); err != nil || status.Generation != 10 || status.Events != 10 {
			t.Errorf("%s holds %+v, %v", name, status, err)
		}
	}
}

// racing is a store in which another process is always a step ahead, a few times.
type racing struct {
	dataset.Store
	ahead int
	add   func()
}

func (r *racing) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	if r.ahead > 0 {
		r.ahead--
		r.add()
	}
	return r.Store.AppendData(ctx, epoch, generation, batch)
}

func TestLosingARace(t *testing.T) {
	shared := memory.New()
	other := open(t, shared)
	count := 0
	log := open(t, &racing{Store: shared, ahead: 3, add: func() {
		load(t, other, input.Events, fmt.Sprintf(visit, count))
		count++
	}})
	if status := load(t, log, input.Events, `{"type":"visit","install_id":"mine"}`); status.Generation != 4 || status.Events != 4 {
		t.Errorf("after three lost races: %+v", status)
	}
}

// full is a store that keeps nothing any more.
type full struct{ dataset.Store }

var errFull = errors.New("the disk is full")

func (full) AppendData(context.Context, int64, int64, []byte) error { return errFull }

// TestNothingIsHalfLoaded checks that neither bad rows nor a store that fails leave anything behind.
func TestNothingIsHalfLoaded(t *testing.T) {
	ctx, kept := context.Background(), memory.New()
	log := open(t, kept)
	load(t, log, input.Profiles, `{"profile_id":"profile_a","custom_id":"a"}`+"\n"+`{"profile_id":"profile_b","custom_id":"b"}`)
	bad := read(t, input.Installations, `{"install_id":"phone-1","custom_id":"new"}`+"\n"+
		`{"install_id":"phone-2","profile_id":"profile_a","custom_id":"b"}`)
	_, err := log.Of("").Load(ctx, bad, noon)
	var invalid *input.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Faults) != 1 || invalid.Faults[0].Line != 2 || invalid.Faults[0].Pointer != "/1/profile_id" {
		t.Fatalf("the load ended with %v", err)
	}
	if status, _ := log.Of("").Current(ctx); status.Generation != 1 || status.Installations != 0 {
		t.Errorf("after a refused load: %+v", status)
	}
	// The name "new" is free again: it may become that of a profile with another identifier.
	load(t, log, input.Profiles, `{"profile_id":"profile_new","custom_id":"new"}`)

	failing := open(t, full{kept})
	if _, err := failing.Of("").Load(ctx, read(t, input.Events, fmt.Sprintf(visit, 1)), noon); !errors.Is(err, errFull) {
		t.Errorf("a full store ended with %v", err)
	}
	if status, _ := failing.Of("").Current(ctx); status.Generation != 2 || status.Events != 0 {
		t.Errorf("after a load that could not be stored: %+v", status)
	}
}

// TestBegin checks what becomes of data that a store holds already when a server starts with a directory.
func TestBegin(t *testing.T) {
	ctx, kept := context.Background(), memory.New()
	directory := read(t, input.Events, fmt.Sprintf(visit, 1)+"\n"+fmt.Sprintf(visit, 2))
	begin := func(rows input.Rows, digest string, mode dataset.Mode, generation int64, events int, want dataset.Mode) *dataset.Log {
		t.Helper()
		log := open(t, kept)
		must.Do(t, log.Begin(ctx, rows, digest, mode, noon))
		if status, _ := log.Of("").Current(ctx); status.Generation != generation || status.Events != events || status.Mode != want {
			t.Errorf("it begins with %+v, want generation %d, %d events, mode %s", status, generation, events, want)
		}
		return log
	}
	log := begin(directory, "one", "", 1, 2, dataset.Mixed)
	load(t, log, input.Events, fmt.Sprintf(visit, 3))
	begin(directory, "one", "", 2, 3, dataset.Mixed)           // the same directory: what was loaded stays
	begin(nil, "", "", 2, 3, dataset.Mixed)                    // no directory: the same
	begin(nil, "", dataset.Only, 3, 3, dataset.Only)           // a mode that is asked for
	log = begin(directory[:1], "two", "", 4, 1, dataset.Mixed) // another directory
	load(t, log, input.Events, fmt.Sprintf(visit, 3))
	must.Equal(t, must.Get(log.Of("").Reset(ctx, noon))(t).Events, 1, "a reset leaves")
	begin(directory[:1], "two", dataset.Only, 7, 1, dataset.Only) // after a reset, nothing is loaded twice
	begin(directory, "one", dataset.Only, 8, 2, dataset.Only)
}

// TestSyntheticThingsDoNotChange checks that an event cannot change what the world goes on telling.
func TestSyntheticThingsDoNotChange(t *testing.T) {
	phone := shown(t, world.Query{View: vocabulary.ViewInstallations}, world.Own{}, vocabulary.InstallationID)[3]
	person := shown(t, world.Query{View: vocabulary.ViewProfiles}, world.Own{}, vocabulary.ProfileID)[3]
	log := open(t, memory.New())
	for _, row := range []string{
		`{"type":"reachability","install_id":"` + phone + `","is_optin":true}`,
		`{"type":"email_unsubscribed","profile_id":"` + person + `"}`,
		`{"type":"tag_added","profile_id":"` + person + `","collection":"a","tag":"b"}`,
	} {
		_, err := log.Of("").Load(context.Background(), read(t, input.Events, row), noon)
		if err == nil || !strings.Contains(err.Error(), "synthetic world") {
			t.Errorf("%s ended with %v", row, err)
		}
	}
	load(t, log, input.Events, `{"type":"inapp_shown","campaign":"c","install_id":"`+phone+`"}`)
	load(t, log, input.Installations, `{"install_id":"`+phone+`"}`)
	load(t, log, input.Events, `{"type":"reachability","install_id":"`+phone+`","is_optin":true}`)
}

// TestStoredNonsense checks that a store somebody wrote into is an error and no panic.
func TestStoredNonsense(t *testing.T) {
	for _, batch := range []string{``, `[]`, `{"events":[{"type":"visit"}]}`, `{"profiles":[{}]}`, `{"installations":[{"platform":"ios"}]}`,
		`{"mode":"some"}`, `{"again":7}`, `{"events":[{"install_id":"a","type":"visit","date":"today"}]}`} {
		kept := memory.New()
		must.Do(t, kept.AppendData(context.Background(), 0, 1, []byte(batch)))
		if _, err := dataset.Open(context.Background(), kept, nil); err == nil {
			t.Errorf("the batch %q is accepted", batch)
		}
	}
}
