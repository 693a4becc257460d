package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

const (
	// format is the version of what the buckets hold. A program refuses a newer one, and migrates an older one.
	format = 1
	// fileMode: the file holds the secret that signs links.
	fileMode = 0o600
	// smallest is the size of the smallest file of bbolt, which has its mark behind 16 bytes.
	smallest = 4 * 4096
	// mapped is how much address space the file gets at once: readers need not be waited for when it grows.
	mapped = 1 << 30
)

// The keys of the bucket of the format.
const (
	versionKey = "version"
	openKey    = "open" // there while a server writes without syncing
)

// Open opens the store in a file, and makes the file, readable by its owner only, if there is none. A file that another
// process has open, that is damaged, that belongs to another program, that a newer version of this program wrote, or that
// cannot be written is an error that names the path, and is left as it is.
func Open(ctx context.Context, path string) (*Store, error) { return open(ctx, path, false) }

// OpenDurable is Open, and every commit waits for the disk: what is acknowledged survives a power failure too.
func OpenDurable(ctx context.Context, path string) (*Store, error) { return open(ctx, path, true) }

func open(ctx context.Context, path string, durable bool) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("state file %s: %w", path, err)
	}
	if err := checkPlace(absolute); err != nil {
		return nil, err
	}
	s := &Store{path: absolute, writer: writer{turn: make(chan struct{}, 1)}}
	s.syncs.off = durable
	before, err := os.Stat(absolute)
	made := err != nil || before.Size() == 0
	if err = guarded(func() error { return s.open(durable) }); err == nil {
		return s, nil
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	} else if s.file != nil {
		unlock(s.file) // which stays in memory if bbolt panicked
		s.file.Close()
	}
	if made && noRoom(err) { // what has begun is no state
		_ = os.Truncate(absolute, 0)
	}
	return nil, explain(absolute, err)
}

func (s *Store) open(durable bool) (err error) {
	options := &bbolt.Options{
		Timeout: time.Nanosecond, NoSync: !durable, NoGrowSync: !durable, FreelistType: bbolt.FreelistMapType, NoStatistics: true,
		OpenFile: func(path string, flag int, mode os.FileMode) (file *os.File, err error) {
			s.file, err = os.OpenFile(path, flag, mode)
			return s.file, err
		},
	}
	if runtime.GOOS != "windows" && strconv.IntSize == 64 { // Windows would make the file as large
		options.InitialMmapSize = mapped
	}
	s.db, err = bbolt.Open(s.path, fileMode, options)
	isOther := errors.As(err, new(syscall.Errno)) || errors.Is(err, bolterrors.ErrTimeout) || errors.Is(err, bolterrors.ErrInvalid)
	if err != nil && s.file != nil && !isOther {
		return damageError{err}
	}
	if err != nil {
		return err
	}
	if s.identity, err = s.file.Stat(); err != nil {
		return err
	}
	// Nothing may write before it is certain that the file is ours.
	if err := s.db.View(s.inspect); err != nil {
		return err
	}
	// The note is on the disk before anything that it warns of.
	defer func() { s.db.NoSync = !durable }()
	s.db.NoSync = false
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range append(kept(), formatBucket) {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		about := in(tx, formatBucket)
		if err := about.Delete([]byte(openKey)); err != nil {
			return err
		}
		if !durable {
			if err := put(about, []byte(openKey), nil); err != nil {
				return err
			}
		}
		return about.Put([]byte(versionKey), []byte(strconv.Itoa(format)))
	})
}

// inspect refuses a file that is not ours, is too new, or is damaged.
func (s *Store) inspect(tx *bbolt.Tx) error {
	about := tx.Bucket([]byte(formatBucket))
	if about == nil {
		first, value := tx.Cursor().First()
		if value != nil {
			return damageError{"a value is where buckets are"}
		}
		if first != nil {
			return errors.New("it is a bbolt file of another program: choose another path")
		}
		return nil // a new file
	}
	if version, err := strconv.Atoi(string(about.Get([]byte(versionKey)))); err != nil || version > format {
		return fmt.Errorf("it has format %q, but this program knows formats up to %d: "+
			"use the newer program that wrote it or choose another path", about.Get([]byte(versionKey)), format)
	}
	if s.identity.Size() < tx.Size() {
		return damageError{"it was cut off"}
	}
	if about.Get([]byte(openKey)) == nil {
		return nil
	}
	return s.checkAll(tx) // a server ended without closing it: with the machine, perhaps
}

// checkAll reads the whole file, and returns an error when it is damaged.
func (s *Store) checkAll(tx *bbolt.Tx) (damage error) {
	counts := map[string]int{}
	err := tx.ForEach(func(name []byte, bucket *bbolt.Bucket) (err error) {
		counts[string(name)], err = count(bucket)
		return err
	})
	if err != nil {
		return err
	}
	if counts[idsBucket] != counts[recordsBucket] || counts[ownersBucket] != counts[recordsBucket] {
		return damageError{"records are missing"}
	}
	for found := range tx.Check() { // a fault in it, which runs elsewhere, would end the program: so the pages were read before
		damage = damageError{found}
	}
	return damage
}

// count returns the number of keys in a bucket, each of which it reads.
func count(bucket *bbolt.Bucket) (number int, err error) {
	var last []byte
	err = bucket.ForEach(func(key, value []byte) error {
		if bytes.Compare(last, key) >= 0 {
			return damageError{"keys are not in order"}
		}
		last = key
		number++
		if value == nil { // a bucket
			_, err := count(bucket.Bucket(key))
			return err
		}
		return nil
	})
	return number, err
}

// finish notes that everything is on the disk.
func (s *Store) finish() error {
	if s.syncs.off || s.writer.broken != nil {
		return nil
	}
	if err := s.syncs.failed(); err != nil {
		return err
	}
	if err := s.file.Sync(); err != nil {
		return fileError{err}
	}
	// Where that cannot be noted, for want of room, the next server looks at all of it.
	s.db.NoSync = false
	_ = guarded(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error { return in(tx, formatBucket).Delete([]byte(openKey)) })
	})
	return nil
}

// checkPlace gives clear errors for what the system reports as one and the same, and for the state of an earlier version.
func checkPlace(path string) error {
	directory := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("state file %s is a directory: name a file in it", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("state file %s is no file (%s): name a file", path, info.Mode().Type())
	}
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("state file %s: the directory %s does not exist: create it or choose another path: %w", path, directory, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil // to be made, or explained by what opens it
	}
	defer file.Close()
	beginning := make([]byte, smallest)
	n, err := io.ReadFull(file, beginning)
	beginning = beginning[:n]
	if bytes.HasPrefix(beginning, []byte("SQLite format 3\x00")) {
		return fmt.Errorf("state file %s is an SQLite state of an earlier version: delete it or name another file", path)
	}
	if n > 0 && err != nil && !bytes.HasPrefix(beginning[min(n, 16):], []byte{0xed, 0xda, 0x0c, 0xed}) {
		return fmt.Errorf("state file %s is not a state file: choose another path", path)
	}
	return nil
}

// isThere says why the open file is not the one at its path: one that was deleted, or that another one has replaced, takes
// everything that is written to it, and is gone when it is closed.
func (s *Store) isThere() error {
	there, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("state file %s was deleted or moved while the server uses it (%w), and nothing more is written: "+
			"put it back, or restart the server to begin anew", s.path, store.ErrGone)
	case err != nil:
		return fmt.Errorf("state file %s cannot be found (%w): %w", s.path, store.ErrAway, err)
	case !os.SameFile(there, s.identity):
		return fmt.Errorf("state file %s was replaced by another one while the server uses it (%w), and nothing more is written: "+
			"restart the server to use the file that is there", s.path, store.ErrGone)
	}
	return nil
}

// syncs brings a file to the disk a moment after a commit, all that come meanwhile together.
type syncs struct {
	off     bool // each commit does
	waiting atomic.Bool
	failure atomic.Pointer[unsyncedError]
}

// syncAfter is how long a commit that is not synced waits for that.
const syncAfter = time.Second

func (y *syncs) soon(file *os.File) {
	if !y.off && y.waiting.CompareAndSwap(false, true) {
		time.AfterFunc(syncAfter, func() { y.sync(file) })
	}
}

// sync keeps the first error: what the disk did not take is forgotten by the system, so a later success proves nothing.
func (y *syncs) sync(file interface{ Sync() error }) {
	y.waiting.Store(false)
	if err := file.Sync(); err != nil && !errors.Is(err, os.ErrClosed) { // a closed file was synced
		y.failure.CompareAndSwap(nil, &unsyncedError{err})
	}
}

// failed returns the error of a sync that failed.
func (y *syncs) failed() error {
	if failure := y.failure.Load(); failure != nil {
		return *failure
	}
	return nil
}
