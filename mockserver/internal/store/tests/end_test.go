package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func testLimitedInserts(t *testing.T, s store.Store) {
	ctx := context.Background()
	var limited *store.LimitedError
	for i, allowed := range []bool{true, true, false, false} {
		id := fmt.Sprint(i)
		err := s.Insert(ctx, storetest.Record(id, "a", "legacy"), storetest.Token("a", 2))
		if allowed != (err == nil) || !allowed && (!errors.As(err, &limited) || limited.RetryAfter != time.Minute) {
			t.Errorf("insert %d of a burst of 2 is %v", i, err)
		}
		err = s.Insert(ctx, storetest.Record("0", "a", "legacy"), storetest.Token("a", 2))
		if i == 0 && !errors.Is(err, store.ErrExists) || i > 0 && !errors.As(err, &limited) {
			t.Errorf("after insert %d of a burst of 2, a second insert is %v", i, err)
		}
		if _, err := s.Get(ctx, id); allowed != (err == nil) || !allowed && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("after insert %d of a burst of 2, the record is %v", i, err)
		}
	}
	later := storetest.Token("a", 2)
	later.Now = storetest.Noon.Add(time.Minute)
	must.Equal(t, s.Insert(ctx, storetest.Record("later", "a", "legacy"), later), nil, "refused inserts have taken tokens")
	earlier := storetest.Token("a", 2)
	earlier.Now = storetest.Noon.Add(-24 * time.Hour)
	for i, allowed := range []bool{true, true, false} {
		if err := s.Insert(ctx, storetest.Record(fmt.Sprint("earlier", i), "a", "legacy"), earlier); allowed != (err == nil) || !allowed &&
			(!errors.As(err, &limited) || limited.RetryAfter != time.Minute) {
			t.Errorf("insert %d after the clock went back a day is %v", i, err)
		}
	}
	storetest.Insert(t, s, storetest.Record("unlimited", "a", "legacy"))

	// What is not stored takes no token, whatever the reason.
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	for range 3 {
		if err := s.Insert(ctx, storetest.Record("unlimited", "a", "legacy"), storetest.Token("b", 1)); !errors.Is(err, store.ErrExists) {
			t.Errorf("a second insert with a token is %v", err)
		}
		if err := s.Insert(canceled, storetest.Record("canceled", "a", "legacy"), storetest.Token("b", 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled insert with a token is %v", err)
		}
	}
	if err := s.Insert(ctx, storetest.Record("b", "a", "legacy"), storetest.Token("b", 1)); err != nil {
		t.Errorf("inserts that failed have taken tokens, or another bucket's: %v", err)
	}
}

// testLimitedInsertsUnderContention has inserts that fail and inserts without a limit run beside those that share a bucket.
func testLimitedInsertsUnderContention(t *testing.T, s store.Store) {
	const workers, each, burst = 9, 20, 30
	ctx := context.Background()
	storetest.Insert(t, s, storetest.Record("there", "a", "legacy"))
	var taken atomic.Int64
	storetest.Parallel(workers, func(worker int) {
		for i := range each {
			id := fmt.Sprintf("%d-%d", worker, i)
			var limited *store.LimitedError
			switch worker % 3 {
			case 0:
				must.Equal(t, s.Insert(ctx, storetest.Record(id, "unlimited", "legacy"), nil), nil, "the error")
			case 1:
				err := s.Insert(ctx, storetest.Record("there", "a", "legacy"), storetest.Token("k", burst))
				if !errors.Is(err, store.ErrExists) && !errors.As(err, &limited) {
					t.Errorf("a second insert is %v", err)
				}
			default:
				if err := s.Insert(ctx, storetest.Record(id, "limited", "legacy"), storetest.Token("k", burst)); err == nil {
					taken.Add(1)
				} else if !errors.As(err, &limited) {
					t.Error(err)
				}
			}
		}
	})
	kept, err := s.List(ctx, store.ListOptions{Owner: "limited"})
	if err != nil || taken.Load() != burst || len(kept) != burst {
		t.Errorf("%d inserts had a token of a bucket of %d, and %d records are stored (%v)", taken.Load(), burst, len(kept), err)
	}
}

// testLimitedInsertsWhileRestoring finds writes that wait for each other.
func testLimitedInsertsWhileRestoring(t *testing.T, s store.Store) {
	const workers, each = 4, 25
	ctx := context.Background()
	storetest.Parallel(workers+1, func(worker int) {
		for i := range each {
			if worker == workers {
				must.Equal(t, s.Restore(ctx, &store.Snapshot{}), nil, "the error")
				continue
			}
			if err := storetest.InsertNow(s, storetest.Record(fmt.Sprintf("%d-%d", worker, i), "a", "legacy"),
				storetest.Token(fmt.Sprint(worker%2), workers*each)); err != nil {
				t.Error(err)
			}
		}
	})
}

func testSettings(t *testing.T, s store.Store) {
	ctx := context.Background()
	if _, err := s.Setting(ctx, "a"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an unknown setting is %v, want ErrNotFound", err)
	}
	binary := []byte{0, 255, '\''}
	if kept, err := s.InitSetting(ctx, "a", binary); err != nil || !slices.Equal(kept, binary) {
		t.Errorf("InitSetting = %q, %v", kept, err)
	}
	if kept, err := s.InitSetting(ctx, "a", []byte("second")); err != nil || !slices.Equal(kept, binary) {
		t.Errorf("the second InitSetting = %q, %v; want the first value", kept, err)
	}
	value := []byte("third")
	must.Do(t, s.SetSetting(ctx, "a", value))
	value[0] = 'x'
	got, err := s.Setting(ctx, "a")
	must.Hold(t, err == nil && string(got) == "third", "Setting = %q, %v; want third", got, err)
	got[0] = 'x'
	if got, err := s.Setting(ctx, "a"); err != nil || string(got) != "third" {
		t.Errorf("a change of what Setting returned reached the store: %q, %v", got, err)
	}
	must.Do(t, s.SetSetting(ctx, "empty", nil))
	must.Equal(t, len(must.Get(s.Setting(ctx, "empty"))(t)), 0, "an empty setting")
	must.Equal(t, len(must.Get(s.InitSetting(ctx, "empty", []byte("x")))(t)), 0, "an empty setting was replaced")
}

func testSettingsUnderContention(t *testing.T, s store.Store) {
	const workers = 8
	kept := make([]string, workers)
	storetest.Parallel(workers, func(worker int) {
		value, err := s.InitSetting(context.Background(), "secret", []byte(strconv.Itoa(worker)))
		if err != nil {
			t.Error(err)
		}
		kept[worker] = string(value)
	})
	must.Equal(t, len(slices.Compact(kept)), 1, "several first values were kept: %q", kept)
}

func testUpdateSetting(t *testing.T, s store.Store) {
	const workers, each = 8, 20
	ctx := context.Background()
	refusal := errors.New("refused")
	err := s.UpdateSetting(ctx, "a", func(value []byte) ([]byte, error) {
		must.Hold(t, value == nil, "a setting that is not there is %q", value)
		return []byte("x"), refusal
	})
	if _, getErr := s.Setting(ctx, "a"); err != refusal || !errors.Is(getErr, store.ErrNotFound) {
		t.Errorf("a refused change: %v; the setting: %v", err, getErr)
	}
	storetest.Parallel(workers, func(int) {
		for range each {
			must.Equal(t, s.UpdateSetting(ctx, "a", func(value []byte) ([]byte, error) { return append(value, 'x'), nil }), nil, "the error")
		}
	})
	if got, err := s.Setting(ctx, "a"); err != nil || len(got) != workers*each {
		t.Errorf("%d changes were not each applied once: %d, %v", workers*each, len(got), err)
	}
}

// operations calls every method once and returns its error by name.
func operations(ctx context.Context, s store.Store, id string) map[string]error {
	errs := make(map[string]error)
	errs["Insert"] = s.Insert(ctx, storetest.Record(id, "a", "legacy"), nil)
	errs["Check"] = s.Check(ctx)
	_, errs["Get"] = s.Get(ctx, "a")
	_, errs["Update"] = s.Update(ctx, "a", func(r *exports.Record) error { r.Polls = 99; return nil })
	_, errs["List"] = s.List(ctx, store.ListOptions{})
	errs["Insert with a token"] = s.Insert(ctx, storetest.Record(id+"-limited", "a", "legacy"), storetest.Token("a", 1))
	_, errs["Setting"] = s.Setting(ctx, "a")
	errs["SetSetting"] = s.SetSetting(ctx, "a", []byte("x"))
	_, errs["InitSetting"] = s.InitSetting(ctx, "b", []byte("x"))
	errs["UpdateSetting"] = s.UpdateSetting(ctx, "a", func([]byte) ([]byte, error) { return []byte("x"), nil })
	_, errs["DataAfter"] = s.DataAfter(ctx, 0)
	_, errs["Snapshot"] = s.Snapshot(ctx, dataset.BatchesOf())
	errs["ReplaceData"] = s.ReplaceData(ctx, []int64{1}, []byte("x"))
	errs["Restore"] = s.Restore(ctx, &store.Snapshot{})
	return errs
}

func testCanceled(t *testing.T, s store.Store) {
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	must.Do(t, s.SetSetting(context.Background(), "a", []byte("kept")))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, err := range operations(ctx, s, "new") {
		must.Hold(t, errors.Is(err, context.Canceled), "%s with a canceled context is %v", name, err)
	}
	if got, err := s.List(context.Background(), store.ListOptions{}); err != nil || len(got) != 1 || got[0].Polls != 1 {
		t.Errorf("a canceled write reached the store: %v, %v", got, err)
	}
	if got, err := s.Setting(context.Background(), "a"); err != nil || string(got) != "kept" {
		t.Errorf("a canceled write reached the store: %q, %v", got, err)
	}
	for name, err := range operations(context.Background(), s, "new") {
		must.Hold(t, err == nil, "%s after canceled ones: %v", name, err)
	}
}

func testClose(t *testing.T, s store.Store) {
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	for range 2 {
		must.Equal(t, s.Close(), nil, "Close")
	}
	for name, err := range operations(context.Background(), s, "new") {
		must.Hold(t, errors.Is(err, store.ErrClosed), "%s after Close is %v, want ErrClosed", name, err)
	}
}

func testCloseUnderLoad(t *testing.T, s store.Store) {
	const workers = 8
	var started sync.WaitGroup
	started.Add(workers)
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for i := 0; ; i++ {
				err := s.Insert(context.Background(), storetest.Record(fmt.Sprintf("%d-%d", worker, i), "a", "legacy"), nil)
				if i == 0 {
					started.Done()
				}
				if errors.Is(err, store.ErrClosed) {
					return
				}
				if err != nil {
					t.Errorf("an insert while the store closes: %v", err)
					return
				}
			}
		})
	}
	started.Wait()
	must.Equal(t, s.Close(), nil, "Close")
	group.Wait()
}
