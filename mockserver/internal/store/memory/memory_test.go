package memory_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// realistic is a record as a client makes it, one of many.
func realistic(n int) *exports.Record {
	created := time.Date(2026, 3, 15, 12, 0, n, 0, time.UTC)
	campaign := fmt.Sprintf("campaign-%d", n%1000)
	record := storetest.Record(fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n), "live_demo", "legacy")
	record.Kind, record.CreatedAt, record.URI = "campaign.events", created, "/1.0/live_demo/export/campaign/"+campaign+"/events"
	body := make([]byte, 0, 512)
	record.Request = append(body,
		`{"ids":["install_id","custom_id"],"events":["push_sent","push_open"],"from":"2026-03-01T00:00:00","to":"now"}`...)
	record.File = exports.File{
		Kind: record.Kind, Window: exports.Window{From: created.AddDate(0, 0, -14), To: created}, Now: created, APIKey: "live_demo",
		Target: campaign,
		Events: []string{"push_sent", "push_open"}, IDs: []string{"install_id", "custom_id"}, Profiles: 10_000, WorldVersion: 2,
		SchemaDigest: strings.Repeat("5", 64),
	}
	return record
}

// TestBytesOfARecord holds what a record takes to a kilobyte, and what is counted to what is taken.
func TestBytesOfARecord(t *testing.T) {
	const count = 100_000
	set := must.Get(budget.New(budget.Limits{}))(t)
	m := memory.New()
	m.Limit(set.Of(budget.Exports))
	heap := func() int64 {
		var statistics runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&statistics)
		return int64(statistics.HeapAlloc)
	}
	before := heap()
	for n := range count {
		must.Do(t, m.Insert(t.Context(), realistic(n), nil))
	}
	each, counted := (heap()-before)/count, set.Of(budget.Exports).Used()/count
	t.Logf("%d bytes a record, %d of them counted", each, counted)
	if each > 1000 || counted > each*5/4 || counted < each*3/4 {
		t.Errorf("a record takes %d bytes, at most 1,000 are allowed; %d are counted", each, counted)
	}
	if found, err := m.Get(t.Context(), realistic(77).ID); err != nil || !reflect.DeepEqual(found, realistic(77)) {
		t.Errorf("got %+v, %v", found, err)
	}
}

// TestRecordsWithoutRoom are refused by the budget, and those that are forgotten make room.
func TestRecordsWithoutRoom(t *testing.T) {
	set, err := budget.New(budget.Limits{Exports: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	m := memory.New()
	m.Limit(set.Of(budget.Exports))
	var exceeded *budget.ExceededError
	n := 0
	for ; err == nil && n < 100_000; n++ {
		err = m.Insert(t.Context(), realistic(n), nil)
	}
	if !errors.As(err, &exceeded) || n < 1000 {
		t.Fatalf("record %d: %v", n, err)
	}
	if _, err := m.Get(t.Context(), realistic(n-1).ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a record that was refused: %v", err)
	}
	if _, _, err := m.Prune(t.Context(), 0, func(*exports.Record) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if err := m.Insert(t.Context(), realistic(n-1), nil); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
}
