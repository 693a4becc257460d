package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// layoutOwner and layoutLease are those of the claims of tests.
const (
	layoutOwner = "a server"
	layoutLease = time.Hour
)

// KeepsLayout checks that the layout of a stored export is kept: it is there, or can be
// claimed and is there afterwards.
func KeepsLayout(t testing.TB, s store.Store, id string) {
	t.Helper()
	ctx := context.Background()
	want := []byte("the layout of " + id)
	layout, claimed, err := s.ClaimLayout(ctx, id, layoutOwner, layoutLease)
	if claimed {
		if err := s.KeepLayout(ctx, id, layoutOwner, want); err != nil {
			t.Fatal(err)
		}
		layout, claimed, err = s.ClaimLayout(ctx, id, layoutOwner, layoutLease)
	}
	if err != nil || claimed || !bytes.Equal(layout, want) {
		t.Errorf("the layout that is kept of %q is %q, claimed %t, %v", id, layout, claimed, err)
	}
}

func testLayouts(t *testing.T, s store.Store) {
	ctx := context.Background()
	ids := []string{"a", "b", "quote ' and \x00 and ü", ""}
	for _, id := range ids {
		if _, claimed, err := s.ClaimLayout(ctx, id, layoutOwner, layoutLease); claimed || !errors.Is(err, store.ErrNotFound) {
			t.Errorf("claimed the layout of %q, which is not there: %t, %v", id, claimed, err)
		}
		if err := s.KeepLayout(ctx, id, layoutOwner, []byte("x")); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("kept the layout of %q, which is not there: %v", id, err)
		}
		Insert(t, s, Record(id, "live_demo", "legacy"))
		KeepsLayout(t, s, id)
	}
	before := Snapshot(t, s)
	large := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
	if err := s.KeepLayout(ctx, "a", "another server", large); err != nil {
		t.Error(err)
	}
	if layout, _, err := s.ClaimLayout(ctx, "a", layoutOwner, layoutLease); err != nil || !bytes.Equal(layout, large) {
		t.Errorf("a layout of 3 MB comes back as one of %d bytes, %v", len(layout), err)
	}
	if _, err := s.Update(ctx, "b", func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
		t.Error(err)
	}
	KeepsLayout(t, s, "b") // a change of the record is none of the file

	// They go with their records, whatever deletes these.
	for _, way := range []struct {
		name   string
		remove func() error
	}{
		{"DeleteOwned", func() error { _, err := s.DeleteOwned(ctx, "live_demo", nil); return err }},
		{"Prune", func() error {
			_, _, err := s.Prune(ctx, 0, func(*exports.Record) bool { return true })
			return err
		}},
		{"Restore", func() error { return s.Restore(ctx, before.snapshot()) }},
	} {
		if err := way.remove(); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if way.name != "Restore" {
				Insert(t, s, Record(id, "live_demo", "legacy"))
			}
			if layout, claimed, err := s.ClaimLayout(ctx, id, layoutOwner, layoutLease); err != nil || !claimed || layout != nil {
				t.Errorf("%s: the layout of %q is still %.20q, claimed %t, %v", way.name, id, layout, claimed, err)
			}
			KeepsLayout(t, s, id)
		}
	}
}

// testLayoutClaims: of many who would make a layout, one does.
func testLayoutClaims(t *testing.T, s store.Store) {
	ctx := context.Background()
	Insert(t, s, Record("a", "live_demo", "legacy"))
	if layout, claimed, err := s.ClaimLayout(ctx, "a", "nobody", 0); layout != nil || claimed || err != nil {
		t.Errorf("a claim without a lease: %q, %t, %v", layout, claimed, err)
	}
	claim := func(owner string, lease time.Duration) bool {
		_, claimed, err := s.ClaimLayout(ctx, "a", owner, lease)
		if err != nil {
			t.Error(err)
		}
		return claimed
	}
	var count atomic.Int32
	var winner atomic.Pointer[string]
	Parallel(8, func(i int) {
		if owner := fmt.Sprint(i); claim(owner, layoutLease) {
			count.Add(1)
			winner.Store(&owner)
		}
	})
	if count.Load() != 1 {
		t.Fatalf("%d servers make one layout", count.Load())
	}
	first := *winner.Load()
	if !claim(first, layoutLease) || claim("another", layoutLease) {
		t.Error("a claim cannot be renewed, or another one is let in")
	}
	if err := s.KeepLayout(ctx, "a", "another", nil); err != nil || claim("another", layoutLease) {
		t.Errorf("a claim was ended by another: %v", err)
	}
	if err := s.KeepLayout(ctx, "a", first, nil); err != nil || !claim("another", time.Nanosecond) {
		t.Errorf("a claim that was given back: %v", err)
	}
	for !claim(first, layoutLease) { // that of the other one has ended, or does now
	}
	if err := s.KeepLayout(ctx, "a", first, []byte("x")); err != nil || claim("another", layoutLease) {
		t.Errorf("a layout that is kept was claimed: %v", err)
	}
}
