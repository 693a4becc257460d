package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// moment is how long a lookup waits for a file whose export ends by time; and how long
// the writing of a file may take without being remembered by its record.
const moment = time.Second

// Files writes files, and keeps those that were used last. It is safe for concurrent use.
type Files struct {
	renderer  *rows.Renderer
	known     known
	logger    *slog.Logger
	budgets   *budget.Set
	directory func() string // for what does not stay in memory; empty: that of the system
	write     func(ctx context.Context, record *exports.Record, w io.Writer) ([]rows.Part, error)
	shelf
}

// known is what the schemas say of files.
type known struct {
	kinds   map[string]kind
	dialect exports.Dialect
}

// kind is what the schemas say of the files of a kind.
type kind struct {
	digest string // of the schemas
	format string // such as csv or ndjson.gz
	media  string // the media type
	its    *exports.Interface
}

// New makes files by the schemas of a library, within budgets. What does not stay in memory
// goes to a directory; nil, or an empty name: that of the system.
func New(library *schemas.Library, budgets *budget.Set, directory func() string, logger *slog.Logger) *Files {
	renderer := rows.NewRenderer(library)
	kinds, dialect := map[string]kind{}, exports.DialectOf(library)
	for _, export := range library.Exports() {
		its, _ := dialect.Named(export.Interface)
		kinds[export.Kind] = kind{export.Digest, exports.PackedFormatOf(export), exports.MediaTypeOf(export), &its}
	}
	if directory == nil {
		directory = func() string { return "" }
	}
	f := &Files{renderer: renderer, known: known{kinds, dialect}, logger: logger, budgets: budgets, directory: directory}
	renderer.Spill(directory, budgets.Of(budget.Disk))
	f.write = func(ctx context.Context, record *exports.Record, w io.Writer) ([]rows.Part, error) {
		file, err := renderer.Open(record.File)
		if err != nil {
			return nil, err
		}
		return file.WriteParts(ctx, w)
	}
	f.open(budgets)
	f.Account()
	return f
}

// UseData lets files show the rows of a dataset, by its generation.
func (f *Files) UseData(at func(generation int64) (*dataset.Snapshot, error)) {
	f.renderer.UseDataset(func(generation int64) (*dataset.Snapshot, error) {
		snapshot, err := at(generation)
		if err != nil && !errors.Is(err, dataset.ErrMissing) {
			err = &dataError{err}
		}
		return snapshot, err
	})
}

// Do runs work that takes the processor, within the limit that rendering has: the answers of the API go before it.
func (f *Files) Do(work func()) { f.renderer.Do(work) }

// Rows is the file of an export, to be asked about its rows.
func (f *Files) Rows(record *exports.Record) (*rows.File, error) { return f.renderer.Open(record.File) }

// Kinds lists the kinds of files, sorted.
func (f *Files) Kinds() []string { return slices.Sorted(maps.Keys(f.known.kinds)) }

// ContentType is the media type of the file of an export.
func (f *Files) ContentType(record *exports.Record) string {
	media := f.known.kinds[record.Kind].media
	if strings.HasPrefix(media, "text/") {
		media += "; charset=utf-8"
	}
	return media
}

// Shown is the state of an export for somebody who looks it up: it is not SUCCESS before
// the file is there. The lookup waits for the file, but not for long.
func (f *Files) Shown(ctx context.Context, record *exports.Record, now time.Time) exports.State {
	state := f.state(record, now)
	if state.Status == exports.Success && !state.FileExpired && record.Written == nil {
		patience := f.budgets.Patience()
		if record.Progress.Mode == exports.ModeTime {
			patience = min(patience, moment)
		}
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if _, err := f.Parts(limited, record); err != nil {
			f.tellPending(record.ID)
			return f.Instead(record, state, err)
		}
	}
	return f.named(record, state)
}

// Instead is the state of an export that would be SUCCESS, but for an error: ERROR if its file can never be written, and PENDING while
// another try may help.
func (f *Files) Instead(record *exports.Record, state exports.State, err error) exports.State {
	if state = f.failed(state, err); state.Status == exports.Success {
		state = exports.State{Status: exports.Pending, Stage: math.MaxInt, StartedAt: state.StartedAt}
	}
	return f.named(record, state)
}

// Seen is what Shown returns, for somebody who only looks on: it waits for no file, and is
// PENDING only when the file is known to take its time.
func (f *Files) Seen(record *exports.Record, now time.Time) exports.State {
	state := f.state(record, now)
	if state.Status == exports.Success && record.Written == nil && f.isAwaited(record.ID) {
		state = exports.State{Status: exports.Pending, Stage: math.MaxInt, StartedAt: state.StartedAt}
	}
	return f.named(record, state)
}

// State is the state of an export, which is ERROR when its file can no longer be written: a file is a function of the schemas and of the
// world, and other bytes than those promised are never sent. It has the name that the interface gives it.
func (f *Files) State(record *exports.Record, now time.Time) exports.State {
	return f.named(record, f.state(record, now))
}

func (f *Files) named(record *exports.Record, state exports.State) exports.State {
	state.Name = f.interfaceOf(record).States.Of(state)
	return state
}

// interfaceOf is the interface of an export, whose kind the schema files may no longer have.
func (f *Files) interfaceOf(record *exports.Record) *exports.Interface {
	if kind, known := f.known.kinds[record.Kind]; known {
		return kind.its
	}
	legacy := f.known.dialect.Legacy()
	return &legacy
}

func (f *Files) state(record *exports.Record, now time.Time) exports.State {
	state := f.interfaceOf(record).Kept(record.State(now), now)
	file := record.File
	switch {
	case state.Status != exports.Success:
	case state.FileExpired:
		f.Forget(record.ID)
	case file.WorldVersion != world.Version || file.SchemaDigest != f.known.kinds[file.Kind].digest:
		state.Status, state.FileExpiresAt = exports.Failed, nil
		state.ErrorMessage = "the file can no longer be made: the export was requested under other schema files or another version of the " +
			"server; request it again"
	default:
		state = f.failed(state, f.failure(record.ID))
	}
	return state
}

// failed is the state of an export whose file cannot be written, if that is what an error says.
func (f *Files) failed(state exports.State, err error) exports.State {
	if broken := new(brokenError); errors.As(err, &broken) {
		state.Status, state.FileExpiresAt = exports.Failed, nil
		state.ErrorMessage = broken.Error()
	}
	return state
}

// brokenError is the error of a file that cannot be written, however often it is tried.
type brokenError struct{ cause error }

func (e *brokenError) Error() string { return "the file cannot be written: " + e.cause.Error() }
func (e *brokenError) Unwrap() error { return e.cause }

// explained tells errors that another try may cure from others, and says which flag would help.
func (f *Files) explained(ctx context.Context, id string, err error) error {
	var (
		parts    *rows.PartsError
		exceeded *budget.ExceededError
		onDisk   *fs.PathError
		data     *dataError
	)
	switch {
	case ctx.Err() != nil:
		return err
	case errors.As(err, &parts):
		err = &brokenError{exports.Refuse(exports.MaintenanceError,
			"%v, the most that are listed: let parts be larger (--part-size), or ask for fewer rows (the scenario rows=)", parts)}
	case errors.As(err, new(*rows.UnfitError)), errors.As(err, &exceeded) && !exceeded.Busy, errors.Is(err, budget.ErrDeadline),
		errors.Is(err, dataset.ErrMissing):
		err = &brokenError{exports.Refuse(exports.MaintenanceError, "%v", err)}
	case exceeded != nil, errors.As(err, &onDisk), errors.As(err, &data):
	default:
		f.logger.Error("a file cannot be written", "export", id, "error", err)
		return &brokenError{errors.New("an unexpected error happened; its cause is in the log of the server")}
	}
	f.logger.Warn("a file was not written", "export", id, "error", err)
	return err
}

// dataError is that of a dataset that cannot be read at present.
type dataError struct{ error }

func (e *dataError) Unwrap() error { return e.error }
