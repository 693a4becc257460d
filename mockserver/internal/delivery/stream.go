package delivery

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// leastStreamed is of how many profiles or rows a file has to be to be sent before it is
// laid out: others always have a length.
const leastStreamed = 50_000

// Stream is a file that is read before it is laid out.
type Stream = rows.Stream

// Stream opens the file of an export, to be read from its beginning, although it is not
// laid out: that goes on meanwhile. It returns nil when the file is laid out, or soon will
// be, or cannot be read so, or may not be laid out at all; then Open opens it, or says why not.
// See docs/explanation/files-and-links.md#when-does-a-download-have-no-length
func (f *Files) Stream(ctx context.Context, record *exports.Record) (*Stream, error) {
	spec := &record.File
	if spec.Profiles < leastStreamed || spec.MaxRows != nil && *spec.MaxRows < leastStreamed || record.Progress.Mode == exports.ModeTime {
		return nil, nil
	}
	if spec.Profiles > f.budgets.Of(budget.Layout).Limit() {
		return nil, nil
	}
	f.lock.Lock()
	entry, begun := f.laidOut.get(record.ID)
	_, failed := f.ahead.failed.get(record.ID)
	f.lock.Unlock()
	if failed || begun && entry.result() != nil || !begun && f.recall(ctx, record) != nil {
		return nil, nil
	}
	file, err := f.renderer.Open(*spec)
	if err != nil || !file.CanStream() {
		return nil, err
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	return file.Stream(ctx, f.begin(ctx, record).result), nil
}

// result is the file, or nil as long as it is not laid out.
func (l *layout) result() *rows.File {
	select {
	case <-l.ready:
		return l.file
	default:
		return nil
	}
}
