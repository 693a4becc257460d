package delivery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// mostFiles is how many laid-out files are kept. Laying one out is a pass
	// over the lengths of all its rows, so a client that polls, asks for HEAD
	// and then resumes with ranges should cause only one.
	mostFiles = 64
	// leastPlaces is what a laid-out file counts for that has hardly any blocks.
	leastPlaces = 4 << 10
	// mostSizes is of how many files the parts are remembered, and
	// mostPartsKept how many parts that may be in all. They are small, and all
	// that a lookup or a list needs.
	mostSizes     = 4096
	mostPartsKept = 1 << 16
)

// Files keeps the most recently used laid-out files, by export identifier, and
// the parts of many more. A file is laid out once even when many requests ask
// for it at the same time.
type Files struct {
	renderer *rows.Renderer
	kinds    map[string]kind
	dialect  exports.Dialect
	layOut   func(ctx context.Context, id string, file exports.File) (*rows.File, error)
	logger   *slog.Logger
	budgets  *budget.Set
	keeper   layoutKeeper

	lock    sync.Mutex
	laidOut *lru[*layout]
	parts   *lru[[]rows.Part]
	working map[*layout]bool // those that are being laid out
	ahead   ahead
}

// kind is what the schemas say of the files of a kind.
type kind struct {
	digest string // of the schemas
	format string // csv, json or ndjson
	its    *exports.Interface
}

// layout is a file that is being laid out, or is.
type layout struct {
	ready chan struct{} // closed when file and err are set
	file  *rows.File
	err   error

	waiting int // requests; guarded by the lock of files
	cancel  context.CancelFunc
}

// endUnlessWaited cancels the work if nobody waits for it.
func (l *layout) endUnlessWaited() {
	if l.waiting == 0 {
		l.cancel()
	}
}

// NewFiles makes files by the schemas of a library, within budgets.
func NewFiles(library *schemas.Library, budgets *budget.Set, logger *slog.Logger) *Files {
	renderer := rows.NewRenderer(library)
	kept, rendered := budgets.Of(budget.Kept), budgets.Of(budget.Render)
	renderer.Limit(int(rendered.Limit()), kept.Limit(), kept.Limit()/4)
	rendered.Measure(func() int64 { return int64(renderer.Rendering()) })
	kinds, dialect := map[string]kind{}, exports.DialectOf(library)
	for _, export := range library.Exports() {
		its, _ := dialect.Named(export.Interface)
		kinds[export.Kind] = kind{export.Digest, exports.FormatOf(export), &its}
	}
	f := &Files{
		renderer: renderer, kinds: kinds, dialect: dialect, logger: logger, budgets: budgets, working: map[*layout]bool{},
		keeper: layoutKeeper{logger: logger},
	}
	f.layOut = f.layOutInPlace
	f.ForgetAll()
	kept.Measure(func() int64 {
		f.lock.Lock()
		defer f.lock.Unlock()
		return int64(f.laidOut.weight) + renderer.TextKept()
	})
	return f
}

// UseData lets files show the rows of a dataset, by its generation.
func (f *Files) UseData(at func(generation int64) (*dataset.Snapshot, error)) {
	f.renderer.UseDataset(at)
}

// Do runs work that takes the processor, within the limit that rendering has:
// the answers of the API go before it.
func (f *Files) Do(work func()) { f.renderer.Do(work) }

// Kinds lists the kinds of files, sorted.
func (f *Files) Kinds() []string { return slices.Sorted(maps.Keys(f.kinds)) }

// Shown is the state of an export as those see it who look it up: one that ends by time
// is not finished until a large file is laid out, or one that takes longer than a moment.
func (f *Files) Shown(ctx context.Context, record *exports.Record, now time.Time) exports.State {
	state := f.state(record, now)
	if state.Status == exports.Success && record.Progress.Mode == exports.ModeTime && f.isAwaited(ctx, record) {
		state = exports.State{Status: exports.Pending, Stage: math.MaxInt, StartedAt: state.StartedAt}
	}
	return f.named(record, state)
}

// State is the state of an export, which is ERROR when its file can no longer be
// made: a file is a function of the schemas and of the world, and other bytes
// than those promised are never sent. It has the name that the interface gives it.
func (f *Files) State(record *exports.Record, now time.Time) exports.State {
	return f.named(record, f.state(record, now))
}

func (f *Files) named(record *exports.Record, state exports.State) exports.State {
	if kind, known := f.kinds[record.Kind]; known {
		state.Name = kind.its.States.Of(state)
	} else {
		state.Name = f.dialect.Legacy().States.Of(state)
	}
	return state
}

func (f *Files) state(record *exports.Record, now time.Time) exports.State {
	state := record.State(now)
	file := record.File
	if state.Status == exports.Success && (file.WorldVersion != world.Version || file.SchemaDigest != f.kinds[file.Kind].digest) {
		return exports.State{
			Status: exports.Failed, StartedAt: state.StartedAt, CompletedAt: state.CompletedAt,
			ErrorMessage: "the file can no longer be made: the export was requested under other schema files or another version of the server; request it again",
		}
	}
	return state
}

// Open returns the laid-out file of an export.
func (f *Files) Open(ctx context.Context, record *exports.Record) (*rows.File, error) {
	f.lock.Lock()
	entry := f.begin(ctx, record)
	entry.waiting++
	f.lock.Unlock()
	defer func() {
		f.lock.Lock()
		defer f.lock.Unlock()
		if entry.waiting--; !f.isCurrent(entry, record.ID) {
			entry.endUnlessWaited()
		}
	}()
	select {
	case <-entry.ready:
		return entry.file, entry.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// begin returns the layout of a file, which is being made from now on. The lock is held.
func (f *Files) begin(ctx context.Context, record *exports.Record) *layout {
	entry, known := f.laidOut.get(record.ID)
	if !known {
		// It does not end with the request that asked first: others may wait for it
		// too, and a client that ran out of patience asks again.
		work, cancel := context.WithCancel(context.WithoutCancel(ctx))
		entry = &layout{ready: make(chan struct{}), cancel: cancel}
		f.laidOut.put(record.ID, entry, leastPlaces)
		f.working[entry] = true
		go f.run(work, entry, record.ID, record.File)
	}
	return entry
}

// run lays a file out. One that failed is forgotten, so that the next request
// tries again. A panic is the error of this file and not the end of the
// program: no handler stands above this goroutine.
func (f *Files) run(ctx context.Context, entry *layout, id string, spec exports.File) {
	defer entry.cancel()
	var (
		file *rows.File
		err  = fmt.Errorf("laying out a file ended without a result")
	)
	defer func() {
		if cause := recover(); cause != nil {
			f.logger.Error("laying out a file panicked", "export", id, "panic", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("laying out a file panicked: %v", cause)
		}
		f.lock.Lock()
		defer f.lock.Unlock()
		delete(f.working, entry)
		entry.file, entry.err = file, err
		if err != nil {
			entry.file = nil
		}
		switch { // After ForgetAll it is of an export that may be another one now.
		case !f.isCurrent(entry, id):
		case err != nil:
			f.laidOut.forget(id)
			f.ahead.failed.put(id, true, 1)
		default:
			f.remember(entry, id)
		}
		close(entry.ready)
	}()
	file, err = f.layOut(ctx, id, spec)
	err = f.explained(err)
}

// remember keeps a file that is laid out. The lock is held.
func (f *Files) remember(entry *layout, id string) {
	f.parts.put(id, entry.file.Parts(), len(entry.file.Parts()))
	f.laidOut.put(id, entry, max(int(entry.file.PlacesKept()), leastPlaces))
}

// layOutInPlace lays a file out when the budgets allow it, and in the time that work
// may take.
func (f *Files) layOutInPlace(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
	in := place{budget: f.budgets.Of(budget.Layout), profiles: spec.Profiles}
	if err := in.take(ctx); err != nil {
		return nil, err
	}
	defer in.leave()
	limited, cancel := f.budgets.Deadline(ctx)
	defer cancel()
	file, err := f.renderer.Open(spec)
	switch {
	case err != nil:
		return nil, err
	case f.keeper.keeps(&spec):
		err = f.keeper.layOut(limited, id, file, &in)
	default:
		err = file.Layout(limited)
	}
	return file, err
}

// place is what a file takes of the budget of layouts while it is laid out.
type place struct {
	budget   *budget.Budget
	profiles int64
	taken    bool
}

// take waits until there is room.
func (p *place) take(ctx context.Context) error {
	err := p.budget.Wait(ctx, p.profiles)
	p.taken = err == nil
	return err
}

// leave makes room for others, if it was taken.
func (p *place) leave() {
	if p.taken {
		p.budget.Give(p.profiles)
		p.taken = false
	}
}

// explained says which flag would help a file that is too large.
func (f *Files) explained(err error) error {
	var places *rows.PlacesError
	if errors.As(err, &places) {
		err = f.budgets.Of(budget.Kept).Fits(places.Bytes + 1)
	}
	var parts *rows.PartsError
	if errors.As(err, &parts) {
		err = exports.Refuse(exports.MaintenanceError, "%v, the most that are listed: let parts be larger (--part-size), or ask for fewer rows (the scenario rows=)", parts)
	}
	return err
}

// ForgetAll drops everything: the exports were replaced. Work that is under way goes on
// for those who wait for it.
func (f *Files) ForgetAll() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.ahead.records = nil
	for entry := range f.working {
		entry.endUnlessWaited()
	}
	f.laidOut, f.parts = newLRU[*layout](mostFiles, int(f.budgets.Of(budget.Kept).Limit())), newLRU[[]rows.Part](mostSizes, mostPartsKept)
	f.ahead.failed = newLRU[bool](mostSizes, mostSizes)
}

// isCurrent reports whether an entry is that of an export, and none has taken its place.
func (f *Files) isCurrent(entry *layout, id string) bool {
	current, there := f.laidOut.get(id)
	return there && current == entry
}

// Parts lists the parts of the files of some exports, in their order. Files
// whose parts are not known are laid out, a few at a time.
func (f *Files) Parts(ctx context.Context, records []*exports.Record) ([][]rows.Part, error) {
	found := make([][]rows.Part, len(records))
	faults := make([]error, len(records))
	var missing []int
	f.lock.Lock()
	for i, record := range records {
		parts, known := f.parts.get(record.ID)
		if found[i] = parts; !known {
			missing = append(missing, i)
		}
	}
	f.lock.Unlock()

	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for _, i := range missing {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			faults[i] = context.Cause(ctx)
			break
		}
		work.Go(func() {
			defer func() { <-slots }()
			file, err := f.Open(ctx, records[i])
			if err != nil {
				faults[i] = fmt.Errorf("laying out the file of export %s: %w", records[i].ID, err)
				return
			}
			found[i] = file.Parts()
		})
	}
	work.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
