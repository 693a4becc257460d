package delivery

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Files are laid out before anybody asks for them, one at a time, while their exports
// are not finished yet. Creations go before it: it begins when there was none for a
// moment, or when the first file has waited for a second, and the latest exports are those
// that it knows. The moment is counted in steps: a server that gets no processor for as
// long has requests that wait, and no quiet.
//
// A file whose export is finished by then is handed out at once when somebody asks; a large
// one, and one that takes longer than a moment, keeps its export from being finished. So a
// test that moves the clock waits for large files only.
const (
	quietStep    = 5 * time.Millisecond
	quietSteps   = 10
	quietTime    = quietSteps * quietStep
	longestSteps = 200
	moment       = time.Second
	mostAhead    = 64
)

// ahead is what is to be laid out; guarded by the lock of files.
type ahead struct {
	records []*exports.Record // the latest last
	timer   *time.Timer       // nil: nothing is to be done
	busy    string            // the export whose file is being laid out
	slow    bool              // it has been for a moment
	created bool              // an export was, since the last step
	quiet   int               // steps without one
	waited  int               // steps since a file was laid out, or nothing was to be done
	stopped bool
	failed  *lru[bool] // files that could not be laid out the last time
}

// Expect lays the file of an export out ahead of its first request. It returns at once.
func (f *Files) Expect(record *exports.Record) {
	if record.Outcome == exports.OutcomeError || record.Progress.Mode == exports.ModeStuck {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	next := &f.ahead
	if next.stopped {
		return
	}
	if next.records = append(next.records, record); len(next.records) > mostAhead {
		next.records = next.records[1:]
	}
	next.created = true
	if next.busy == "" && next.timer == nil {
		next.timer = time.AfterFunc(quietStep, f.step)
	}
}

// step begins when it has been quiet for long enough.
func (f *Files) step() {
	f.lock.Lock()
	next := &f.ahead
	next.waited++
	if next.quiet++; next.created {
		next.quiet, next.created = 0, false
	}
	if next.quiet < quietSteps && next.waited < longestSteps && !next.stopped {
		next.timer.Reset(quietStep)
		f.lock.Unlock()
		return
	}
	f.lock.Unlock()
	f.layOutNext()
}

func (f *Files) layOutNext() {
	f.lock.Lock()
	next := &f.ahead
	if next.timer = nil; len(next.records) == 0 || next.busy != "" {
		f.lock.Unlock()
		return
	}
	record := next.records[0]
	next.records = next.records[1:]
	next.busy, next.slow, next.created, next.quiet, next.waited = record.ID, false, false, 0, 0
	f.lock.Unlock()

	slow := time.AfterFunc(moment, func() {
		f.lock.Lock()
		defer f.lock.Unlock()
		next.slow = true
	})
	// What fails here is tried again, and reported, when somebody asks for the file.
	_, _ = f.Open(context.Background(), record)
	slow.Stop()

	f.lock.Lock()
	defer f.lock.Unlock()
	next.busy = ""
	if len(next.records) == 0 || next.stopped {
		return
	}
	if next.created {
		next.timer = time.AfterFunc(quietStep, f.step)
		return
	}
	next.timer = time.AfterFunc(0, f.layOutNext)
}

// isAwaited reports whether an export that would be finished is not: its file is being
// laid out and has been for a moment, or is a large one that is not laid out yet. It is
// from now on.
func (f *Files) isAwaited(ctx context.Context, record *exports.Record) bool {
	awaited, known := f.progress(record)
	if known {
		return awaited
	}
	if f.recall(ctx, record) != nil {
		return false
	}
	f.Expect(record)
	return true
}

// progress reports whether the file of an export is awaited, as far as is known here.
func (f *Files) progress(record *exports.Record) (awaited, known bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	id, next := record.ID, &f.ahead
	_, laidOut := f.parts.get(id)
	_, failed := next.failed.get(id)
	entry, working := f.laidOut.get(id)
	laidOut = laidOut || working && entry.result() != nil // there may be more parts than are remembered
	switch {
	case next.busy == id && next.slow:
		return true, true
	case laidOut, failed, next.stopped, !isLarge(&record.File):
		return false, true
	}
	queued := slices.ContainsFunc(next.records, func(other *exports.Record) bool { return other.ID == id })
	return true, working || queued
}

// Close ends the work, and returns when nothing reads the dataset for it any more.
func (f *Files) Close() {
	f.lock.Lock()
	if f.ahead.stopped, f.ahead.records = true, nil; f.ahead.timer != nil {
		f.ahead.timer.Stop()
	}
	entries := slices.Collect(maps.Keys(f.working))
	f.lock.Unlock()
	for _, entry := range entries {
		entry.cancel()
		<-entry.ready
	}
}
