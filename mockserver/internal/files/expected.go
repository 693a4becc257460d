package files

import (
	"context"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Files are written while their exports are under way, one at a time, before anybody asks for them. Creations go before it: it begins
// when there was none for a moment, or when the first file has waited for a second, and the latest exports are those that it knows.
const (
	quiet        = 50 * time.Millisecond
	mostQuiet    = 20 // such spans
	mostExpected = 64
)

// expected are the exports whose files are to be written; guarded by the lock of the shelf.
type expected struct {
	records []*exports.Record // the latest last
	created bool              // one was, in the span that ends now
	spans   int               // that have ended since there was something to do
	timer   *time.Timer       // nil: nothing is to be done
}

func (x *expected) forget(are func(*exports.Record) bool) {
	x.records = slices.DeleteFunc(x.records, are)
}

// Expect writes the file of an export ahead of its first request. It returns at once.
func (f *Files) Expect(record *exports.Record) {
	if record.Outcome == exports.OutcomeError || record.Progress.Mode == exports.ModeStuck {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.work.stopped {
		return
	}
	if f.next.records = append(f.next.records, record); len(f.next.records) > mostExpected {
		f.next.records = f.next.records[1:]
	}
	if f.next.created = true; f.next.timer == nil {
		f.next.spans, f.next.timer = 0, time.AfterFunc(quiet, f.writeNext)
	}
}

// writeNext writes the next expected file, unless exports are being created.
func (f *Files) writeNext() {
	f.lock.Lock()
	if f.work.stopped || len(f.next.records) == 0 {
		f.next.timer = nil
		f.lock.Unlock()
		return
	}
	if f.next.spans++; f.next.created && f.next.spans < mostQuiet {
		f.next.created = false
		f.next.timer.Reset(quiet)
		f.lock.Unlock()
		return
	}
	record := f.next.records[0]
	f.next.records, f.next.created = f.next.records[1:], false
	if e := f.entry(record.ID); e != nil && e.parts != nil {
		f.lock.Unlock()
	} else if w, err := f.begin(context.Background(), record); err == nil { // which lets go of the lock
		f.leave(w) // nobody waits for it: it ends with its export
		<-w.ready  // what failed is tried again, and told, when somebody asks for the file
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.next.spans = 0
	f.next.timer.Reset(0)
}

// Close ends the work, and returns when nothing reads the dataset for it any more.
func (f *Files) Close() {
	f.lock.Lock()
	f.work.stopped = true
	var rest []*writing
	for w := range f.work.files {
		w.cancel()
		rest = append(rest, w)
	}
	f.lock.Unlock()
	for _, w := range rest {
		<-w.ready
	}
	f.ForgetAll()
}
