package blocks_test

import (
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// records reads a list from a record on.
func records(list *blocks.List, from int64) (texts []string) {
	for at := list.From(from); at.More(list.Count); {
		texts = append(texts, at.Record())
	}
	return texts
}

// TestLists checks that the beginning of a list stays as it was while the list
// grows, and that it grows anew after records were taken out.
func TestLists(t *testing.T) {
	list := blocks.NewList(blocks.Memory())
	const most = 3*blocks.RecordsPerBlock + 5
	var early *blocks.List
	for i := range most {
		if i == blocks.RecordsPerBlock+1 {
			early = must.Get(list.Until(list.Count))(t)
		}
		list.Add([]byte(fmt.Sprint("record ", i)))
	}
	if texts := records(early, 0); len(texts) != blocks.RecordsPerBlock+1 || texts[blocks.RecordsPerBlock] != fmt.Sprint("record ", blocks.RecordsPerBlock) {
		t.Errorf("the beginning of the list is %q", texts)
	}
	for from := range int64(most) {
		if texts := records(list, from); int64(len(texts)) != most-from || texts[0] != fmt.Sprint("record ", from) {
			t.Fatalf("from %d on the list holds %q", from, texts)
		}
	}
	must.Do(t, list.Truncate(70))
	list.Add([]byte("another"))
	if texts := records(list, 69); len(texts) != 2 || texts[0] != "record 69" || texts[1] != "another" {
		t.Errorf("after records were taken out, the list ends with %q", texts)
	}
	if list.Err != nil {
		t.Error(list.Err)
	}
}

// TestIndexForgetsALoad checks that the names of a load which was taken back are
// free again, and those before it are not.
func TestIndexForgetsALoad(t *testing.T) {
	index := blocks.NewIndex(blocks.Memory())
	index.Begin()
	index.Set(0, "ada", 1)
	must.Do(t, index.Keep())
	index.Begin()
	index.Set(0, "bob", 2)
	index.Set(0, "ada", 3) // taken
	index.Set(1, "ada", 4) // in another space
	index.Undo()
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
	must.Do(t, index.Keep())
	load(kept, kept+undone)
	index.Undo()
	if index.InMemory() {
		t.Fatal("all names are in memory, which proves nothing")
	}
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
