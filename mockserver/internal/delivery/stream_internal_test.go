package delivery

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
)

// TestStream: a file is read before it is laid out, with the same bytes and the same entity
// tag, unless its length is known at once.
func TestStream(t *testing.T) {
	f, _ := newTestFiles(t, nil)
	layOut, goOn := f.layOut, make(chan struct{})
	f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
		<-goOn
		return layOut(ctx, id, spec)
	}
	record := keptRecord(t, memory.New())
	record.File.Profiles = leastStreamed
	few, some := *record, int64(leastStreamed-1)
	few.File.MaxRows = &some
	small := *record
	small.File.Profiles--
	truncated := *record
	truncated.File.Faults.Truncated = true
	timed := *record
	timed.Progress = exports.Progress{Mode: exports.ModeTime}
	tooLarge := *record
	tooLarge.File.Profiles = f.budgets.Of(budget.Layout).Limit() + 1
	failed := *record
	failed.ID = "export-2"
	f.ahead.failed.put(failed.ID, true, 1)
	parts := *record
	parts.File.Kind, parts.File.IDs = "profiles.attributes", nil
	for name, other := range map[string]*exports.Record{"of few rows": &few, "of few people": &small, "truncated": &truncated, "in parts": &parts,
		"of an export that ends by time": &timed, "that is larger than the budget": &tooLarge, "that could not be laid out": &failed} {
		if stream, err := f.Stream(t.Context(), other); stream != nil || err != nil {
			t.Errorf("a file %s is read without its length: %v, %v", name, stream, err)
		}
	}
	stream, err := f.Stream(t.Context(), record)
	if err != nil || stream == nil {
		t.Fatal(stream, err)
	}
	half, err := io.ReadAll(io.LimitReader(stream, 1<<20))
	if err != nil || len(half) < 1<<20 || stream.Ended() {
		t.Fatalf("%d bytes, %v", len(half), err)
	}
	close(goOn)
	file, err := f.Open(t.Context(), record)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stream)
	if err != nil || !stream.Ended() {
		t.Fatal(err, stream.Ended())
	}
	reader, err := file.Open(1)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	want, err := io.ReadAll(reader)
	if got := append(half, rest...); err != nil || !bytes.Equal(got, want) || stream.ETag() != file.Parts()[0].ETag {
		t.Errorf("the %d bytes %s that were streamed are not the %d bytes %s, %v", len(got), stream.ETag(), len(want), file.Parts()[0].ETag, err)
	}
	if again, err := f.Stream(t.Context(), record); again != nil || err != nil {
		t.Errorf("a file that is laid out is read without its length: %v", err)
	}

	// Nor is one whose layout is kept.
	kept := memory.New()
	record = keptRecord(t, kept)
	record.File.Profiles = leastStreamed
	before, _ := newKeepingFiles(t, kept, "before")
	partsOf(t, before, record)
	after, _ := newKeepingFiles(t, kept, "after")
	if again, err := after.Stream(t.Context(), record); again != nil || err != nil {
		t.Errorf("a file whose layout is kept is read without its length: %v", err)
	}
}
