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
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

const (
	// format is the version of what the buckets hold. A program refuses any other.
	format = "4"
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
func Open(ctx context.Context, path string) (*store.State, error) {
	return onFile(open(ctx, path, false))
}

// OpenDurable is Open, and every commit waits for the disk: what is acknowledged survives a power failure too.
func OpenDurable(ctx context.Context, path string) (*store.State, error) {
	return onFile(open(ctx, path, true))
}

func onFile(opened *engine, err error) (*store.State, error) {
	if err != nil {
		return nil, err
	}
	return store.On(opened), nil
}

func open(ctx context.Context, path string, durable bool) (*engine, error) {
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
	e := &engine{path: absolute}
	e.writes = newQueue(e.commit)
	e.syncs.off = durable
	before, err := os.Stat(absolute)
	made := err != nil || before.Size() == 0
	if err = guarded(func() error { return e.open(durable) }); err == nil {
		return e, nil
	}
	if e.db != nil {
		err = errors.Join(err, e.db.Close())
	} else if e.file != nil {
		unlock(e.file) // which stays in memory if bbolt panicked
		e.file.Close()
	}
	if made && noRoom(err) { // what has begun is no state
		_ = os.Truncate(absolute, 0)
	}
	return nil, explain(absolute, err)
}

func (e *engine) open(durable bool) (err error) {
	options := &bbolt.Options{
		Timeout: time.Nanosecond, NoSync: !durable, NoGrowSync: !durable, FreelistType: bbolt.FreelistMapType, NoStatistics: true,
		OpenFile: func(path string, flag int, mode os.FileMode) (file *os.File, err error) {
			e.file, err = os.OpenFile(path, flag, mode)
			return e.file, err
		},
	}
	if runtime.GOOS != "windows" && strconv.IntSize == 64 { // Windows would make the file as large
		options.InitialMmapSize = mapped
	}
	e.db, err = bbolt.Open(e.path, fileMode, options)
	isOther := errors.As(err, new(syscall.Errno)) || errors.Is(err, bolterrors.ErrTimeout) || errors.Is(err, bolterrors.ErrInvalid)
	if err != nil && e.file != nil && !isOther {
		return damageError{err}
	}
	if err != nil {
		return err
	}
	if e.identity, err = e.file.Stat(); err != nil {
		return err
	}
	// Nothing may write before it is certain that the file is ours.
	if err := e.db.View(e.inspect); err != nil {
		return err
	}
	// The note is on the disk before anything that it warns of.
	defer func() { e.db.NoSync = !durable }()
	e.db.NoSync = false
	return e.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range append(strings.Split(store.Tables, ""), formatBucket) {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		about := tx.Bucket([]byte(formatBucket))
		if err := about.Delete([]byte(openKey)); err != nil {
			return err
		}
		if !durable {
			if err := about.Put([]byte(openKey), nil); err != nil {
				return err
			}
		}
		return about.Put([]byte(versionKey), []byte(format))
	})
}

// inspect refuses a file that is not ours, is too new, or is damaged.
func (e *engine) inspect(tx *bbolt.Tx) error {
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
	if version := about.Get([]byte(versionKey)); string(version) != format {
		return fmt.Errorf("it has format %q, but this program knows format %s: "+
			"use the program that wrote it or choose another path", version, format)
	}
	if e.identity.Size() < tx.Size() {
		return damageError{"it was cut off"}
	}
	if about.Get([]byte(openKey)) == nil {
		return nil
	}
	return checkAll(e.file, tx) // a server ended without closing it: with the machine, perhaps
}

// checkAll reads the whole file, and returns an error when it is damaged. Values that have changed are damaged by themselves.
func checkAll(file *os.File, tx *bbolt.Tx) (damage error) {
	isWhole := readAll(context.Background(), file, tx, func(string, []byte) bool { return true }, func(format string, arguments ...any) {
		if damage == nil {
			damage = damageError{fmt.Sprintf(format, arguments...)}
		}
	})
	if !isWhole { // a fault in what follows, which runs elsewhere, would end the program
		return damage
	}
	for found := range tx.Check() {
		if damage == nil {
			damage = damageError{found.Error()}
		}
	}
	return damage
}

// finish notes that everything is on the disk.
func (e *engine) finish() error {
	if e.syncs.off || e.broken != nil {
		return nil
	}
	if err := e.syncs.failed(); err != nil {
		return err
	}
	if err := e.file.Sync(); err != nil {
		return fileError{err}
	}
	// Where that cannot be noted, for want of room, the next server looks at all of it.
	e.db.NoSync = false
	_ = guarded(func() error {
		return e.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(formatBucket)).Delete([]byte(openKey)) })
	})
	return nil
}

// checkPlace gives clear errors for faults that the system reports as one and the same.
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
	if n > 0 && err != nil && !bytes.HasPrefix(beginning[min(n, 16):], []byte{0xed, 0xda, 0x0c, 0xed}) {
		return fmt.Errorf("state file %s is not a state file: choose another path", path)
	}
	return nil
}

// isThere says why the open file is not the one at its path: one that was deleted, or that another one has replaced, takes
// everything that is written to it, and is gone when it is closed.
func (e *engine) isThere() error {
	there, err := os.Stat(e.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("state file %s was deleted or moved while the server uses it (%w), and nothing more is written: "+
			"put it back, or restart the server to begin anew", e.path, store.ErrGone)
	case err != nil:
		return fmt.Errorf("state file %s cannot be found (%w): %w", e.path, store.ErrAway, err)
	case !os.SameFile(there, e.identity):
		return fmt.Errorf("state file %s was replaced by another one while the server uses it (%w), and nothing more is written: "+
			"restart the server to use the file that is there", e.path, store.ErrGone)
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
