package blocks_test

import (
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestLists checks that a list is read from each record on, up to another, and that nothing of it is left in the blocks.
func TestLists(t *testing.T) {
	const most = 3*64 + 5 // some full blocks and a beginning
	kept := blocks.Memory()
	list := blocks.NewList(kept)
	for i := range most {
		must.Do(t, list.Add([]byte(fmt.Sprint("record ", i))))
	}
	for from := range int64(most) {
		want, to := from, min(from+70, most)
		list.Each(from, to, func(number int64, record string) {
			if number != want || record != fmt.Sprint("record ", number) {
				t.Fatalf("from %d on, record %d is %q", from, number, record)
			}
			want++
		})
		must.Equal(t, want, to, "the end of records from %d on", from)
	}
	must.Do(t, list.Drop()())
	if _, err := kept.Get(1, nil); err == nil {
		t.Error("a block is left")
	}
}

// TestIndexForgetsALoad checks that the names of a load which was taken back are free again, and those before it are not.
func TestIndexForgetsALoad(t *testing.T) {
	index := blocks.NewIndex(blocks.Memory())
	index.Begin()
	index.Set(0, "ada", 1)
	index.Keep()
	index.Begin()
	index.Set(0, "bob", 2)
	index.Set(1, "ada", 4) // in another space
	must.Do(t, index.Undo())
	if number, known := index.Get(0, "ada"); !known || number != 1 {
		t.Errorf("ada is %d, %v", number, known)
	}
	for space, name := range []string{"bob", "ada"} {
		if number, known := index.Get(byte(space), name); known {
			t.Errorf("%s of space %d is still %d", name, space, number)
		}
	}
}

// TestIndexFindsNamesOnDisk: names of runs and of merged runs are found, others
// are not, and a load that was taken back leaves those before it.
func TestIndexFindsNamesOnDisk(t *testing.T) {
	const kept, undone = 1_700_000, 300_000 // as many as make a merged run, and runs after it
	index := blocks.NewIndex(blocks.Memory())
	defer index.Close()
	name := func(i int) string { return fmt.Sprint("name ", i) }
	load := func(from, until int) {
		index.Begin()
		for i := from; i < until; i++ {
			index.Set(byte(i%3), name(i), int32(i))
			if i%1000 == 0 {
				must.Do(t, index.Relieve())
			}
		}
	}
	load(0, kept)
	index.Keep()
	load(kept, kept+undone)
	must.Do(t, index.Undo())
	for i := 0; i < kept+undone; i += 97 {
		index.Want(byte(i%3), name(i))
		index.Want(byte((i+1)%3), name(i))
	}
	must.Do(t, index.LookUp())
	for i := 0; i < kept+undone; i += 97 {
		if number, known := index.Get(byte(i%3), name(i)); known != (i < kept) || known && number != int32(i) {
			t.Fatalf("%q is %d, %v", name(i), number, known)
		}
		if number, known := index.Get(byte((i+1)%3), name(i)); known {
			t.Fatalf("%q of another space is %d", name(i), number)
		}
	}
}
