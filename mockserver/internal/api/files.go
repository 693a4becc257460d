package api

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// mostFiles is how many laid-out files are kept. Laying one out is a pass
	// over the lengths of all its rows, so a client that polls, asks for HEAD
	// and then resumes with ranges should cause only one.
	mostFiles = 64
	// mostSizes is of how many files the parts are remembered, and
	// mostPartsKept how many parts that may be in all. They are small, and all
	// that a lookup or a list needs.
	mostSizes     = 4096
	mostPartsKept = 1 << 16
)

// files keeps the most recently used laid-out files, by export identifier, and
// the parts of many more. A file is laid out once even when many requests ask
// for it at the same time.
type files struct {
	renderer *rows.Renderer
	layOut   func(context.Context, exports.File) (*rows.File, error)
	logger   *slog.Logger

	lock    sync.Mutex
	laidOut *recent[*layout]
	parts   *recent[[]rows.Part]
}

// layout is a file that is being laid out, or is.
type layout struct {
	ready chan struct{} // closed when file and err are set
	file  *rows.File
	err   error

	waiting int // requests; guarded by the lock of files
	cancel  context.CancelFunc
}

func newFiles(library *schemas.Library, logger *slog.Logger) *files {
	renderer := rows.NewRenderer(library)
	return &files{
		renderer: renderer, logger: logger,
		layOut: func(ctx context.Context, spec exports.File) (*rows.File, error) {
			file, err := renderer.Open(spec)
			if err == nil {
				err = file.Layout(ctx)
			}
			return file, err
		},
		laidOut: newRecent[*layout](mostFiles, mostFiles), parts: newRecent[[]rows.Part](mostSizes, mostPartsKept),
	}
}

// open returns the laid-out file of an export.
func (f *files) open(ctx context.Context, record *exports.Record) (*rows.File, error) {
	f.lock.Lock()
	entry, known := f.laidOut.get(record.ID)
	if !known {
		// Others may wait for this file too, so its end does not depend on the
		// request that asked first; it is given up when nobody waits any more.
		work, cancel := context.WithCancel(context.WithoutCancel(ctx))
		entry = &layout{ready: make(chan struct{}), cancel: cancel}
		f.laidOut.put(record.ID, entry, 1)
		go f.run(work, entry, record.ID, record.File)
	}
	entry.waiting++
	f.lock.Unlock()

	defer f.leave(entry, record.ID)
	select {
	case <-entry.ready:
		return entry.file, entry.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// leave ends the waiting of one request. Work that nobody waits for any more
// is cancelled, and forgotten: the next request begins anew.
func (f *files) leave(entry *layout, id string) {
	f.lock.Lock()
	defer f.lock.Unlock()
	entry.waiting--
	select {
	case <-entry.ready:
	default:
		if entry.waiting == 0 {
			entry.cancel()
			f.forget(entry, id)
		}
	}
}

// run lays a file out. One that failed is forgotten, so that the next request
// tries again. A panic is the error of this file and not the end of the
// program: no handler stands above this goroutine.
func (f *files) run(ctx context.Context, entry *layout, id string, spec exports.File) {
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
		entry.file, entry.err = file, err
		if err != nil {
			entry.file = nil
			f.forget(entry, id)
		} else {
			f.parts.put(id, file.Parts(), len(file.Parts()))
		}
		close(entry.ready)
	}()
	file, err = f.layOut(ctx, spec)
}

// forgetAll drops everything: the exports were replaced. Work that is under way
// ends for those who wait for it.
func (f *files) forgetAll() {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.laidOut, f.parts = newRecent[*layout](mostFiles, mostFiles), newRecent[[]rows.Part](mostSizes, mostPartsKept)
}

// forget drops an entry, unless another one has taken its place.
func (f *files) forget(entry *layout, id string) {
	if current, there := f.laidOut.get(id); there && current == entry {
		f.laidOut.forget(id)
	}
}

// partsOf lists the parts of the files of some exports, in their order. Files
// whose parts are not known are laid out, a few at a time.
func (f *files) partsOf(ctx context.Context, records []*exports.Record) ([][]rows.Part, error) {
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

	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for _, i := range missing {
		turns <- struct{}{}
		work.Go(func() {
			defer func() { <-turns }()
			file, err := f.open(ctx, records[i])
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
