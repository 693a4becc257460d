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

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// The second half of the suite: what is not a record, and how a store ends.

func testBuckets(t *testing.T, s store.Store) {
	ctx := context.Background()
	take := func(key string) (ok bool) {
		err := s.Bucket(ctx, key, func(b *exports.Bucket) error {
			ok, _ = b.Take(noon, 2, time.Minute)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return ok
	}
	for i, want := range []bool{true, true, false} {
		if take("a") != want {
			t.Errorf("take %d is %t, want %t", i, !want, want)
		}
	}
	if !take("b") {
		t.Error("another key shares the bucket")
	}
	refusal := errors.New("refused")
	err := s.Bucket(ctx, "c", func(b *exports.Bucket) error {
		b.FullAt = noon.Add(time.Hour)
		return refusal
	})
	if err != refusal || !take("c") {
		t.Errorf("a refused change (%v) reached the store", err)
	}
}

func testBucketsUnderContention(t *testing.T, s store.Store) {
	const workers, each, burst = 8, 20, 50
	var taken atomic.Int64
	parallel(workers, func(int) {
		for range each {
			var ok bool
			if err := s.Bucket(context.Background(), "k", func(b *exports.Bucket) error {
				ok, _ = b.Take(noon, burst, time.Minute)
				return nil
			}); err != nil {
				t.Error(err)
			}
			if ok {
				taken.Add(1)
			}
		}
	})
	if taken.Load() != burst {
		t.Errorf("%d tokens were taken from a bucket of %d", taken.Load(), burst)
	}
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
	if err := s.SetSetting(ctx, "a", value); err != nil {
		t.Fatal(err)
	}
	value[0] = 'x'
	got, err := s.Setting(ctx, "a")
	if err != nil || string(got) != "third" {
		t.Errorf("Setting = %q, %v; want third", got, err)
	}
	got[0] = 'x'
	if got, err := s.Setting(ctx, "a"); err != nil || string(got) != "third" {
		t.Errorf("a change of what Setting returned reached the store: %q, %v", got, err)
	}
	if err := s.SetSetting(ctx, "empty", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Setting(ctx, "empty"); err != nil || len(got) != 0 {
		t.Errorf("an empty setting is %q, %v", got, err)
	}
	if kept, err := s.InitSetting(ctx, "empty", []byte("x")); err != nil || len(kept) != 0 {
		t.Errorf("an empty setting was replaced: %q, %v", kept, err)
	}
}

func testSettingsUnderContention(t *testing.T, s store.Store) {
	const workers = 8
	kept := make([]string, workers)
	parallel(workers, func(worker int) {
		value, err := s.InitSetting(context.Background(), "secret", []byte(strconv.Itoa(worker)))
		if err != nil {
			t.Error(err)
		}
		kept[worker] = string(value)
	})
	if len(slices.Compact(kept)) != 1 {
		t.Errorf("several first values were kept: %q", kept)
	}
}

func testUpdateSetting(t *testing.T, s store.Store) {
	const workers, each = 8, 20
	ctx := context.Background()
	refusal := errors.New("refused")
	err := s.UpdateSetting(ctx, "a", func(value []byte) ([]byte, error) {
		if value != nil {
			t.Errorf("a setting that is not there is %q", value)
		}
		return []byte("x"), refusal
	})
	if _, getErr := s.Setting(ctx, "a"); err != refusal || !errors.Is(getErr, store.ErrNotFound) {
		t.Errorf("a refused change: %v; the setting: %v", err, getErr)
	}
	parallel(workers, func(int) {
		for range each {
			if err := s.UpdateSetting(ctx, "a", func(value []byte) ([]byte, error) { return append(value, 'x'), nil }); err != nil {
				t.Error(err)
			}
		}
	})
	if got, err := s.Setting(ctx, "a"); err != nil || len(got) != workers*each {
		t.Errorf("%d changes were not each applied once: %d, %v", workers*each, len(got), err)
	}
}

// operations calls every method once and returns its error by name.
func operations(ctx context.Context, s store.Store, id string) map[string]error {
	errs := make(map[string]error)
	errs["Insert"] = s.Insert(ctx, record(id, "a", "legacy"))
	_, errs["Get"] = s.Get(ctx, "a")
	_, errs["Update"] = s.Update(ctx, "a", func(r *exports.Record) error { r.Polls = 99; return nil })
	_, errs["List"] = s.List(ctx, store.ListOptions{})
	errs["Bucket"] = s.Bucket(ctx, "a", func(b *exports.Bucket) error { b.FullAt = noon; return nil })
	_, errs["Setting"] = s.Setting(ctx, "a")
	errs["SetSetting"] = s.SetSetting(ctx, "a", []byte("x"))
	_, errs["InitSetting"] = s.InitSetting(ctx, "b", []byte("x"))
	errs["UpdateSetting"] = s.UpdateSetting(ctx, "a", func([]byte) ([]byte, error) { return []byte("x"), nil })
	_, errs["DataAfter"] = s.DataAfter(ctx, 0)
	_, errs["Snapshot"] = s.Snapshot(ctx)
	errs["Restore"] = s.Restore(ctx, &store.Snapshot{})
	return errs
}

func testCanceled(t *testing.T, s store.Store) {
	insert(t, s, record("a", "a", "legacy"))
	if err := s.SetSetting(context.Background(), "a", []byte("kept")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, err := range operations(ctx, s, "new") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context is %v", name, err)
		}
	}
	if got, err := s.List(context.Background(), store.ListOptions{}); err != nil || len(got) != 1 || got[0].Polls != 1 {
		t.Errorf("a canceled write reached the store: %v, %v", got, err)
	}
	if got, err := s.Setting(context.Background(), "a"); err != nil || string(got) != "kept" {
		t.Errorf("a canceled write reached the store: %q, %v", got, err)
	}
	for name, err := range operations(context.Background(), s, "new") {
		if err != nil {
			t.Errorf("%s after canceled ones: %v", name, err)
		}
	}
}

func testClose(t *testing.T, s store.Store) {
	insert(t, s, record("a", "a", "legacy"))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	for name, err := range operations(context.Background(), s, "new") {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after Close is %v, want ErrClosed", name, err)
		}
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
				err := s.Insert(context.Background(), record(fmt.Sprintf("%d-%d", worker, i), "a", "legacy"))
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
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	group.Wait()
}
