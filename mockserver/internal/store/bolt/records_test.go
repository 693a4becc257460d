package bolt_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestMoreThanAreKept: records that are no longer in memory, or are too large for it, are read and changed as the others are.
func TestMoreThanAreKept(t *testing.T) {
	const records, workers = 2400, 40
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "state.db"))
	defer storetest.Close(t, s)
	record := func(n int) *exports.Record {
		made := storetest.Record(fmt.Sprint(n), "a", "legacy")
		if n%100 == 0 {
			made.File.Attributes = make([]string, 1000)
			for i := range made.File.Attributes {
				made.File.Attributes[i] = fmt.Sprintf("attribute_%d", i)
			}
		}
		return made
	}
	storetest.Parallel(workers, func(worker int) {
		for n := worker; n < records; n += workers {
			if err := s.Insert(ctx, record(n), nil); err != nil {
				t.Error(err)
			}
		}
	})
	storetest.Parallel(workers, func(worker int) {
		for n := worker; n < records; n += workers {
			want := record(n)
			want.Polls = n
			_, err := s.Update(ctx, want.ID, func(r *exports.Record) error { r.Polls = n; return nil })
			if got, failed := s.Get(ctx, want.ID); err != nil || failed != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("record %d: %+v, %v, %v", n, got, err, failed)
			}
		}
	})
	for n := range records {
		if got, err := s.Get(ctx, fmt.Sprint(n)); err != nil || got.Polls != n {
			t.Fatalf("record %d: %+v, %v", n, got, err)
		}
	}
}
