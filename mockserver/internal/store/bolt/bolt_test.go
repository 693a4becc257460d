package bolt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func open(t testing.TB, path string) *store.State {
	t.Helper()
	return must.Get(bolt.Open(context.Background(), path))(t)
}

func TestReopen(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	for n := range 30 {
		must.Do(t, s.Insert(ctx, storetest.Record(fmt.Sprint(n), "a", "legacy"), storetest.Token("k", 30)))
	}
	must.Get(s.Update(ctx, "7", func(r *exports.Record) error { r.Polls = 77; return nil }))(t)
	must.Do(t, s.SetSetting(ctx, "clock", []byte("{}")))
	storetest.Close(t, s)
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("after Close there are %v (%v), want the state file alone", left, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the state file, which holds a secret, has mode %v (%v)", info.Mode(), err)
	}

	s = open(t, path)
	defer storetest.Close(t, s)
	page, err := s.List(ctx, store.ListOptions{Owner: "a"})
	if err != nil || len(page) != 30 || page[0].ID != "29" || page[29].ID != "0" {
		t.Fatalf("after reopening: %v, %v", storetest.IDs(page), err)
	}
	want := storetest.Record("7", "a", "legacy")
	want.Polls = 77
	if got, err := s.Get(ctx, "7"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after reopening: %+v, %v; want %+v", got, err, want)
	}
	if got, err := s.Setting(ctx, "clock"); err != nil || string(got) != "{}" {
		t.Errorf("after reopening the setting is %q, %v", got, err)
	}
	if bucket := storetest.Snapshot(t, s).Buckets["k"]; !bucket.FullAt.Equal(storetest.Noon.Add(30 * time.Minute)) {
		t.Errorf("after reopening the bucket is %v", bucket)
	}
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with space", "question?mode=memory", "hash#x", "percent%41", "semi;colon&x=y", "ünïcode", "file:x",
		"a'b\"c"} {
		path := filepath.Join(t.TempDir(), name)
		s := open(t, path)
		storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
		storetest.Close(t, s)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: the file is not where it should be: %v", name, err)
		}
	}
	t.Chdir(t.TempDir())
	s := must.Get(bolt.Open(context.Background(), "plain.db"))(t)
	storetest.Close(t, s)
	if _, err := os.Stat("plain.db"); err != nil {
		t.Error(err)
	}
}

// rewrite changes a file behind the back of the store.
func rewrite(t *testing.T, path string, change func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err == nil {
		err = errors.Join(db.Update(change), db.Close())
	}
	must.Do(t, err)
}

// stored makes a state file with some records in it.
func stored(t *testing.T, path string) {
	t.Helper()
	s := open(t, path)
	for n := range 200 {
		storetest.Insert(t, s, storetest.Record(fmt.Sprint(n), "a", "legacy"))
	}
	storetest.Close(t, s)
}

func TestRefusedFiles(t *testing.T) {
	cases := []struct {
		name     string
		make     func(t *testing.T, path string)
		mentions string
	}{
		{"a text file", func(t *testing.T, path string) {
			write(t, path, []byte(strings.Repeat("dear diary ", 500)))
		}, "is not a state file"},
		{"a short text file", func(t *testing.T, path string) { write(t, path, []byte("dear diary")) }, "is not a state file"},
		{"the file of another program", func(t *testing.T, path string) {
			rewrite(t, path, func(tx *bbolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
		}, "another program"},
		{"a newer version", func(t *testing.T, path string) {
			stored(t, path)
			rewrite(t, path, func(tx *bbolt.Tx) error { return tx.Bucket([]byte("rehearsal")).Put([]byte("version"), []byte("99")) })
		}, `has format "99", but this program knows format 4`},
		{"cut off", func(t *testing.T, path string) {
			stored(t, path)
			must.Do(t, os.Truncate(path, 4096*9))
		}, "is damaged"},
		{"cut off to a page", func(t *testing.T, path string) {
			stored(t, path)
			must.Do(t, os.Truncate(path, 4096))
		}, "is damaged"},
		{"overwritten", func(t *testing.T, path string) {
			stored(t, path)
			whole := read(t, path)
			for i := range whole[2*4096:] {
				whole[2*4096+i] = 0xee
			}
			write(t, path, whole)
		}, "is damaged"},
		{"a directory", func(t *testing.T, path string) {
			must.Do(t, os.Mkdir(path, 0o755))
		}, "is a directory"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.db")
			c.make(t, path)
			before := read(t, path)
			for range 2 {
				s, err := bolt.Open(context.Background(), path)
				if err == nil {
					s.Close()
					t.Fatal("the file is accepted")
				}
				must.Hold(t, s == nil, "the store is %v beside an error", s)
				for _, part := range []string{path, c.mentions} {
					must.Hold(t, contains(err, part), "%q does not mention %q", err, part)
				}
			}
			if string(read(t, path)) != string(before) {
				t.Error("the refused file was changed")
			}
		})
	}
	missing := filepath.Join(t.TempDir(), "no", "state.db")
	if _, err := bolt.Open(context.Background(), missing); err == nil || !contains(err, "does not exist: create it") ||
		!contains(err, missing) {
		t.Errorf("in a directory that does not exist: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bolt.Open(ctx, filepath.Join(t.TempDir(), "state.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: %v", err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	must.Do(t, os.WriteFile(path, data, 0o600))
}

// read returns a file, or nothing for a directory.
func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if info, statErr := os.Stat(path); err != nil && (statErr != nil || !info.IsDir()) {
		t.Fatal(err)
	}
	return data
}

// A file that is damaged where opening does not look still gives a clear error, and only where it is damaged.
func TestDamagedRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	stored(t, path)
	rewrite(t, path, func(tx *bbolt.Tx) error {
		records := tx.Bucket([]byte("r"))
		flipped := bytes.Clone(records.Get([]byte("r5")))
		flipped[len(flipped)/2] ^= 1
		return records.Put([]byte("r5"), flipped)
	})
	s := open(t, path)
	defer storetest.Close(t, s)
	_, getErr := s.Get(context.Background(), "5")
	_, updateErr := s.Update(context.Background(), "5", func(*exports.Record) error { return nil })
	rest, listErr := s.List(context.Background(), store.ListOptions{Limit: store.MaxLimit})
	if len(rest) != 199 {
		t.Errorf("a list has %d of 199 whole records", len(rest))
	}
	for name, err := range map[string]error{"Get": getErr, "Update": updateErr, "List": listErr} {
		if err == nil || !errors.Is(err, store.ErrDamaged) || !contains(err, path) || !contains(err, `"r5" has changed since it was written`) {
			t.Errorf("%s of a damaged record: %v", name, err)
		}
	}
	if _, err := s.Get(context.Background(), "6"); err != nil {
		t.Errorf("the neighbour of a damaged record: %v", err)
	}
	if deleted, err := s.DeleteOwned(context.Background(), "a", nil); err != nil || deleted != 200 {
		t.Errorf("%d of 200 records are deleted, one of them damaged: %v", deleted, err)
	}
}

// Of several that open a file, also by another name, one has it until it is closed, and the others are told.
func TestOneStoreOnOneFile(t *testing.T) {
	const openers, rounds = 6, 5
	path := filepath.Join(t.TempDir(), "state.db")
	alias := filepath.Join(t.TempDir(), "alias.db")
	for round := range rounds {
		var lock sync.Mutex
		var won []*store.State
		storetest.Parallel(openers, func(i int) {
			name := path
			if i%2 > 0 && round > 0 {
				name = alias
			}
			s, err := bolt.Open(context.Background(), name)
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				won = append(won, s)
				return
			}
			must.Hold(t, contains(err, name) && contains(err, "in use by another server"), "refused with %v", err)
		})
		if len(won) != 1 {
			t.Fatalf("round %d: %d of %d opened the file", round, len(won), openers)
		}
		storetest.Insert(t, won[0], storetest.Record(fmt.Sprint(round), "a", "legacy"))
		if got, err := won[0].List(context.Background(), store.ListOptions{}); err != nil || len(got) != round+1 {
			t.Errorf("round %d: %v, %v", round, storetest.IDs(got), err)
		}
		if _, err := bolt.Open(context.Background(), path); runtime.GOOS == "linux" &&
			(err == nil || !contains(err, fmt.Sprintf("process %d has it open", os.Getpid()))) {
			t.Errorf("the process is not named: %v", err)
		}
		storetest.Close(t, won[0])
		if round == 0 {
			must.Do(t, os.Symlink(path, alias))
		}
	}
}

// A reader is not held up by a writer that sits on the file, and a write that waits for it can be given up.
func TestReadsDoNotWaitForWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	defer storetest.Close(t, s)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))

	entered, leave := make(chan struct{}), make(chan struct{})
	var first, second error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		_, first = s.Update(context.Background(), "a", func(r *exports.Record) error {
			close(entered)
			<-leave
			r.Polls = 50
			return nil
		})
	}()
	<-entered
	if got, err := s.Get(context.Background(), "a"); err != nil || got.Polls != 1 {
		t.Errorf("Get during a write: %+v, %v", got, err)
	}
	if got, err := s.List(context.Background(), store.ListOptions{}); err != nil || len(got) != 1 {
		t.Errorf("List during a write: %v, %v", got, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	second = s.Insert(ctx, storetest.Record("b", "a", "legacy"), nil)
	close(leave)
	<-finished
	must.Hold(t, first == nil && errors.Is(second, context.DeadlineExceeded), "the long write: %v; the one given up: %v", first, second)
	storetest.Insert(t, s, storetest.Record("c", "a", "legacy"))
	if _, err := s.Get(context.Background(), "b"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a write that was given up was stored: %v", err)
	}
}

// More writes than a group holds all arrive, and Close waits for them.
func TestManyWrites(t *testing.T) {
	const writes = 3000
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	entered, leave := make(chan struct{}), make(chan struct{})
	var acknowledged atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		storetest.Parallel(writes, func(worker int) {
			if worker == 0 {
				_, err := s.Update(context.Background(), "a", func(*exports.Record) error {
					close(entered)
					<-leave
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				return
			}
			switch err := s.Insert(context.Background(), storetest.Record(fmt.Sprint(worker), "a", "legacy"), nil); {
			case err == nil:
				acknowledged.Add(1)
			case !errors.Is(err, store.ErrClosed):
				t.Error(err)
			}
		})
	}()
	<-entered
	close(leave)
	storetest.Close(t, s)
	<-done
	s = open(t, path)
	defer storetest.Close(t, s)
	count := int64(0)
	for after := ""; ; {
		page := must.Get(s.List(context.Background(), store.ListOptions{Limit: store.MaxLimit, After: after}))(t)
		if len(page) == 0 {
			break
		}
		count += int64(len(page))
		after = page[len(page)-1].ID
	}
	if count != acknowledged.Load()+1 {
		t.Errorf("%d records are stored, %d were acknowledged and one was there", count, acknowledged.Load())
	}
}

// An insert whose token cannot be written is not stored either, and its neighbours in the group are.
func TestTokenCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	tooLong := strings.Repeat("k", bbolt.MaxKeySize)
	s := open(t, path)
	defer storetest.Close(t, s)
	const workers, each = 6, 20
	storetest.Parallel(workers, func(worker int) {
		for i := range each {
			id := fmt.Sprintf("%d-%d", worker, i)
			if worker%2 == 0 {
				if err := s.Insert(context.Background(), storetest.Record(id, "a", "legacy"), nil); err != nil {
					t.Errorf("a neighbour: %v", err)
				}
			} else if err := s.Insert(context.Background(), storetest.Record(id, "b", "legacy"), storetest.Token(tooLong, 1000)); err == nil ||
				!contains(err, "key too large") {
				t.Errorf("an insert whose token cannot be written is %v", err)
			}
		}
	})
	page, err := s.List(context.Background(), store.ListOptions{Limit: store.MaxLimit})
	if err != nil || len(page) != workers/2*each || slices.ContainsFunc(page, func(r *exports.Record) bool { return r.Owner == "b" }) {
		t.Errorf("stored are %v (%v), want the %d without a token", storetest.IDs(page), err, workers/2*each)
	}
}

func contains(err error, part string) bool { return strings.Contains(err.Error(), part) }
