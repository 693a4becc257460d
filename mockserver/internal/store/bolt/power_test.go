package bolt_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestPagesThatWereNotWritten: after a power failure some pages of a file may be as they were before. It is refused as
// damaged, or has all records.
func TestPagesThatWereNotWritten(t *testing.T) {
	const page, half = 4096, 150
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	fill := func(from int) {
		for n := range half {
			storetest.Insert(t, s, storetest.Record(fmt.Sprint(from+n), "a", "legacy"))
		}
	}
	fill(0)
	earlier := read(t, path)
	fill(half)
	later := read(t, path)
	storetest.Close(t, s)

	earlier = append(earlier, make([]byte, len(later)-len(earlier))...)
	refused, accepted := 0, 0
	for at := 2 * page; at < len(later); at += page { // the first two say which transaction was the last
		mixed := filepath.Join(t.TempDir(), "state.db")
		whole := append([]byte(nil), later...)
		copy(whole[at:at+page], earlier[at:at+page])
		write(t, mixed, whole)
		s, err := bolt.Open(context.Background(), mixed)
		if err != nil {
			if !contains(err, "is damaged") || !contains(err, mixed) {
				t.Errorf("page %d: %v", at/page, err)
			}
			refused++
			continue
		}
		accepted++
		if records := storetest.Snapshot(t, s).Records; len(records) != 2*half {
			t.Errorf("page %d: the file is accepted, and has %d of %d records", at/page, len(records), 2*half)
		}
		storetest.Close(t, s)
	}
	if refused == 0 || accepted == 0 {
		t.Errorf("%d files were refused and %d accepted", refused, accepted)
	}
}
