package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func sequences(entries []journal.Entry) []uint64 {
	list := []uint64{}
	for _, entry := range entries {
		list = append(list, entry.Sequence)
	}
	return list
}

// filled is a journal with requests of two keys and two statuses.
func filled(size, count int) *journal.Journal {
	j := journal.New(size, 1<<30)
	for i := 1; i <= count; i++ {
		j.Record(&journal.Entry{Key: []string{"even", "odd"}[i%2], Status: 200 + 202*(i%3/2), Path: fmt.Sprint("/", i)})
	}
	return j
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		about       string
		size, count int
		filter      journal.Filter
		limit       int
		want        []uint64
		next        uint64
		more        bool
		dropped     uint64
	}{
		{"nothing there", 4, 0, journal.Filter{}, 0, []uint64{}, 0, false, 0},
		{"not full", 4, 3, journal.Filter{}, 0, []uint64{1, 2, 3}, 3, false, 0},
		{"full", 4, 4, journal.Filter{}, 0, []uint64{1, 2, 3, 4}, 4, false, 0},
		{"the oldest make room", 4, 6, journal.Filter{}, 0, []uint64{3, 4, 5, 6}, 6, false, 2},
		{"round several times", 4, 4001, journal.Filter{}, 0, []uint64{3998, 3999, 4000, 4001}, 4001, false, 3997},
		{"a limit", 4, 4, journal.Filter{}, 3, []uint64{1, 2, 3}, 3, true, 0},
		{"a limit that is just enough", 4, 4, journal.Filter{}, 4, []uint64{1, 2, 3, 4}, 4, false, 0},
		{"since", 10, 9, journal.Filter{Since: 7}, 0, []uint64{8, 9}, 9, false, 0},
		{"since before what is kept", 4, 9, journal.Filter{Since: 2}, 0, []uint64{6, 7, 8, 9}, 9, false, 5},
		{"since the end", 4, 9, journal.Filter{Since: 9}, 0, []uint64{}, 9, false, 5},
		{"since beyond the end", 4, 9, journal.Filter{Since: 99}, 0, []uint64{}, 99, false, 5},
		{"a key", 10, 5, journal.Filter{Key: "odd"}, 0, []uint64{1, 3, 5}, 5, false, 0},
		{"a key and a limit", 10, 5, journal.Filter{Key: "odd"}, 2, []uint64{1, 3}, 3, true, 0},
		{"more than a batch", 1000, 600, journal.Filter{Path: "/60*"}, 0, []uint64{60, 600}, 600, false, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			j := filled(c.size, c.count)
			page := j.List(c.filter, c.limit)
			if got := sequences(page.Entries); !slices.Equal(got, c.want) || page.Next != c.next || page.More != c.more || j.Dropped() != c.dropped {
				t.Errorf("got %v, next %d, more %v, dropped %d, want %v, %d, %v, %d", got, page.Next, page.More, j.Dropped(), c.want, c.next, c.more,
					c.dropped)
			}
			if count := j.Count(c.filter); c.limit == 0 && count != len(c.want) {
				t.Errorf("counted %d, want %d", count, len(c.want))
			}
		})
	}
}

func TestFilters(t *testing.T) {
	j := journal.New(0, 1<<30)
	for _, entry := range []journal.Entry{
		{Route: "userbase", Key: "a", Status: 202, Method: "POST", Path: "/1.0/a/export/userbase", Export: "1", Kind: "userbase"},
		{Route: "userbase", Key: "b", Status: 400, Method: "POST", Path: "/1.0/b/export/userbase",
			Error: &journal.Refusal{Name: "MISSING_PARAMETER"}},
		{Route: "file", Key: "a", Status: 206, Method: "GET", Path: "/files/1.1.csv", Export: "1", Kind: "userbase"},
		{Status: 404, Method: "GET", Path: "/files", Error: &journal.Refusal{Name: "ROUTE_NOT_FOUND"}},
	} {
		j.Record(&entry)
	}
	for about, c := range map[string]struct {
		query map[string]string
		want  []uint64
	}{
		"nothing asked":   {nil, []uint64{1, 2, 3, 4}},
		"other names":     {map[string]string{"limit": "5"}, []uint64{1, 2, 3, 4}},
		"a route":         {map[string]string{"route": "userbase"}, []uint64{1, 2}},
		"no route":        {map[string]string{"route": "none"}, []uint64{4}},
		"a key":           {map[string]string{"key": "a"}, []uint64{1, 3}},
		"a status":        {map[string]string{"status": "206"}, []uint64{3}},
		"a class":         {map[string]string{"status": "4xx"}, []uint64{2, 4}},
		"a class, loudly": {map[string]string{"status": "2XX"}, []uint64{1, 3}},
		"a method":        {map[string]string{"method": "get"}, []uint64{3, 4}},
		"a path":          {map[string]string{"path": "/files"}, []uint64{4}},
		"a beginning":     {map[string]string{"path": "/files*"}, []uint64{3, 4}},
		"an export":       {map[string]string{"export": "1"}, []uint64{1, 3}},
		"a kind":          {map[string]string{"kind": "userbase"}, []uint64{1, 3}},
		"an error":        {map[string]string{"error": "missing_parameter"}, []uint64{2}},
		"since":           {map[string]string{"since": "3"}, []uint64{4}},
		"two at once":     {map[string]string{"route": "userbase", "key": "b"}, []uint64{2}},
		"nobody":          {map[string]string{"route": "userbase", "key": "c"}, []uint64{}},
	} {
		filter, err := journal.ParseFilter(c.query)
		if err != nil {
			t.Errorf("%s: %v", about, err)
			continue
		}
		must.Equal(t, sequences(j.List(filter, 0).Entries), c.want, "%s", about)
	}
	for name, value := range map[string]string{"status": "4x", "since": "-1"} {
		for _, text := range []string{value, "x", "600", "0xx", "6xx", "99999999999999999999"} {
			if name == "since" && text == "600" {
				continue
			}
			if _, err := journal.ParseFilter(map[string]string{name: text}); err == nil {
				t.Errorf("%s=%s is accepted", name, text)
			}
		}
	}
}

func TestClear(t *testing.T) {
	j := filled(4, 6)
	must.Equal(t, j.Clear(journal.Filter{Key: "odd"}), 2, "the count of cleared requests of a key")
	if got := sequences(j.List(journal.Filter{}, 0).Entries); !slices.Equal(got, []uint64{4, 6}) || j.Dropped() != 2 {
		t.Errorf("kept %v, dropped %d", got, j.Dropped())
	}
	if cleared := j.Clear(journal.Filter{}); cleared != 2 || j.Dropped() != 0 {
		t.Errorf("cleared %d, dropped %d, want 2 and 0", cleared, j.Dropped())
	}
	must.Equal(t, j.Record(&journal.Entry{}), 7, "the next request")
	must.Equal(t, sequences(j.List(journal.Filter{}, 0).Entries), []uint64{7}, "what is kept")
	must.Equal(t, j.Dropped(), 0, "a cleared place counts as dropped")
}

// TestWait: a wait ends with the request that makes it enough, and not before.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := filled(4, 1)
		if count, err := j.Wait(t.Context(), journal.Filter{}, 1); count != 1 || err != nil {
			t.Errorf("what is there: %d, %v", count, err)
		}
		var found int
		var failed error
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			found, failed = j.Wait(t.Context(), journal.Filter{Key: "even"}, 2)
		}()
		still := func() {
			t.Helper()
			synctest.Wait()
			select {
			case <-ended:
				t.Fatal("the wait has ended")
			default:
			}
		}
		still()
		j.Record(&journal.Entry{Key: "odd"})
		still()
		j.Record(&journal.Entry{Key: "even"})
		still()
		j.Clear(journal.Filter{}) // what was counted is gone
		j.Record(&journal.Entry{Key: "even"})
		still()
		j.Record(&journal.Entry{Key: "even"})
		<-ended
		must.Hold(t, found == 2 && failed == nil, "got %d, %v", found, failed)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour) // of the bubble
		defer cancel()
		if count, err := j.Wait(ctx, journal.Filter{}, 3); count != 2 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a wait in vain: %d, %v", count, err)
		}
	})
}

// TestManyAtOnce: sequences are given once, and nothing is lost but what was dropped.
func TestManyAtOnce(t *testing.T) {
	const writers, each = 8, 200
	j := journal.New(100, 1<<30)
	var group sync.WaitGroup
	seen := make([]map[uint64]bool, writers)
	for w := range writers {
		seen[w] = map[uint64]bool{}
		group.Go(func() {
			for range each {
				sequence := j.Record(&journal.Entry{Open: true})
				j.End(sequence, 1, 1, false)
				seen[w][sequence] = true
				j.Count(journal.Filter{Status: 2})
			}
		})
	}
	found, err := j.Wait(t.Context(), journal.Filter{}, 100)
	group.Wait()
	if found < 100 || err != nil || j.Last() != writers*each || j.Dropped() != writers*each-100 {
		t.Errorf("found %d, %v; last %d, dropped %d", found, err, j.Last(), j.Dropped())
	}
	all := map[uint64]bool{}
	for _, sequences := range seen {
		for sequence := range sequences {
			all[sequence] = true
		}
	}
	must.Equal(t, len(all), writers*each, "the sequences of all requests")
}

// TestBytesAreBounded: the oldest entries make room for one that is large, and what is counted is what is held.
func TestBytesAreBounded(t *testing.T) {
	const most = 64 << 10
	j := journal.New(0, most)
	large := strings.Repeat("x", 4<<10)
	for i := range 100 {
		j.Record(&journal.Entry{Path: large})
		if held := j.Bytes(); held > most {
			t.Fatalf("%d bytes are held after %d entries", held, i+1)
		}
	}
	page := j.List(journal.Filter{}, 1000)
	if count := len(page.Entries); count < 10 || count > most/len(large) || page.Entries[count-1].Sequence != 100 {
		t.Errorf("%d entries are held", count)
	}
	must.Equal(t, j.Dropped(), 100-uint64(len(page.Entries)), "entries of 100 that were dropped, %d are held", len(page.Entries))
	j.Clear(journal.Filter{})
	must.Equal(t, j.Bytes(), 0, "the bytes of an empty journal")
	if few := journal.New(1_000_000, most).Size(); few > most/100 {
		t.Errorf("a journal of %d bytes has places for %d entries", most, few)
	}
}
