package bolt_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
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
	refused, accepted, loops := 0, 0, 0
	try := func(at int, from []byte) bool { // what is written at a place of the file
		mixed := filepath.Join(t.TempDir(), "state.db")
		whole := append([]byte(nil), later...)
		copy(whole[at:], from)
		write(t, mixed, whole)
		s, err := bolt.Open(context.Background(), mixed)
		if err != nil {
			must.Hold(t, contains(err, "is damaged") && contains(err, mixed), "page %d: %v", at/page, err)
			refused++
			return false
		}
		accepted++
		records := storetest.Snapshot(t, s).Records
		must.Hold(t, len(records) == 2*half, "page %d: the file is accepted, and has %d of %d records", at/page, len(records), 2*half)
		storetest.Close(t, s)
		return true
	}
	for at := 2 * page; at < len(later); at += page { // the first two say which transaction was the last
		try(at, earlier[at:at+page])
		if number := binary.NativeEndian.Uint16; number(later[at+8:]) == 1 { // its children are elsewhere: the first or the last leads back
			for _, child := range []int{0, int(number(later[at+10:])) - 1} {
				if !try(at+16+16*child+8, later[at:at+8]) {
					loops++
				}
			}
		}
	}
	if refused == 0 || accepted == 0 || loops < 2 {
		t.Errorf("%d files were refused, %d of them for loops, and %d accepted", refused, loops, accepted)
	}
}
