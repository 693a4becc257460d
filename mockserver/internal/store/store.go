// Package store keeps what the mock export server must not forget: export
// records, token buckets, batches of own data, and settings such as the clock
// and the secret that signs links. Files are not stored: they are made from their record.
//
// There are three stores behind one interface and one test suite: memory, for
// tests; an SQLite file, for one server that is stopped, killed and started
// again; and a PostgreSQL database, for several servers that are one service.
// [Open] chooses by address.
package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

var (
	// ErrNotFound: there is no such record or setting.
	ErrNotFound = errors.New("not found")
	// ErrExists: a record with this id is stored already.
	ErrExists = errors.New("exists already")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrFull: nothing can be written for want of room. What is stored stays.
	ErrFull = errors.New("the disk is full")
	// ErrAway: the database does not answer. A write that was under way may
	// have been stored.
	ErrAway = errors.New("the database does not answer")
)

// Store keeps records, buckets and settings. It is safe for concurrent use.
//
// A write is visible to every later read when it returns. When it returns an
// error, the error of a canceled context included, nothing was written.
//
// Records go in and come out as copies: changing one changes nothing in the
// store. Their slices are not copied, so neither side may change the elements.
type Store interface {
	// Insert stores a new record and takes a token for it, unless token is nil:
	// both or neither. The record is durable when Insert returns: an SQLite store
	// keeps it when the process is killed the next instant. A bucket that holds no
	// token is a *LimitedError, and then a second record with the same id is
	// ErrExists.
	Insert(ctx context.Context, record *exports.Record, token *Token) error

	// Get returns the record, or ErrNotFound. It never waits for writes.
	Get(ctx context.Context, id string) (*exports.Record, error)

	// Update changes one record atomically and returns it as it is afterwards.
	// An error of change is returned as it is and leaves the record alone; an
	// unknown id is ErrNotFound. The change must depend on nothing but the
	// record, must not call the store, must not alter ID, Owner or Interface,
	// and may be run more than once.
	Update(ctx context.Context, id string, change func(*exports.Record) error) (*exports.Record, error)

	// List returns records, the last inserted first. Inserts do not shift
	// pages: a page goes on behind the record it names, whatever came since.
	List(ctx context.Context, options ListOptions) ([]*exports.Record, error)

	// Setting returns a setting, or ErrNotFound.
	Setting(ctx context.Context, name string) ([]byte, error)
	// SetSetting stores a setting.
	SetSetting(ctx context.Context, name string, value []byte) error
	// UpdateSetting changes a setting atomically. The change gets nil when there
	// is none. What Update says of errors and of the change holds.
	UpdateSetting(ctx context.Context, name string, change func(value []byte) ([]byte, error)) error
	// InitSetting stores a setting unless it is there already, and returns the
	// one that is kept.
	InitSetting(ctx context.Context, name string, value []byte) ([]byte, error)

	// AppendData and DataAfter keep batches of own data, as package data asks
	// for. What they return must not be changed.
	dataset.Store

	// Snapshot returns everything that is kept, at one instant.
	Snapshot(ctx context.Context) (*Snapshot, error)
	// Restore replaces everything that is kept by a snapshot, atomically. Two
	// records with one id are ErrExists. A record that is being updated
	// meanwhile is either the old or the new one afterwards.
	Restore(ctx context.Context, snapshot *Snapshot) error

	// Revision tells whether somebody else may have changed settings or restored
	// a snapshot: after such a change has returned, anywhere, it is another one
	// than before. A store that only one process can use answers zero always,
	// and at no cost.
	Revision(ctx context.Context) (Revision, error)

	// Close finishes the writes under way and releases the store. Every later
	// call is ErrClosed. Closing twice is allowed.
	Close() error
}

// Token is what an insert takes from a rate limit.
type Token struct {
	// Bucket is the key of the bucket. One that was never used is full.
	Bucket string
	// Now is the instant at which the token is taken.
	Now time.Time
	// The bucket holds Burst tokens and gains one in every interval Every.
	Burst int
	Every time.Duration
}

// take takes the token from a bucket, or returns a *LimitedError.
func (t *Token) take(from exports.Bucket) (exports.Bucket, error) {
	if ok, wait := from.Take(t.Now, t.Burst, t.Every); !ok {
		return from, &LimitedError{RetryAfter: wait}
	}
	return from, nil
}

// LimitedError is the error of an insert whose bucket holds no token.
type LimitedError struct {
	// RetryAfter is how long the next token takes, always more than zero.
	RetryAfter time.Duration
}

func (e *LimitedError) Error() string {
	return fmt.Sprintf("the rate limit is reached: the next token comes in %v", e.RetryAfter)
}

// Revision is a state of the settings. Both numbers only grow.
type Revision struct {
	// Changes counts the changes of settings, restored snapshots included.
	Changes int64
	// Restores counts the restored snapshots.
	Restores int64
}

// Limits of a page.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// ListOptions chooses a page of records. The zero value is the first page of
// all records.
type ListOptions struct {
	// Owner and Interface, if set, keep only records with these values.
	Owner, Interface string
	// After is the id of the last record of the page before. One that the
	// other options do not choose is ErrNotFound.
	After string
	// Limit is the largest number of records. 0 or less means DefaultLimit;
	// more than MaxLimit means MaxLimit.
	Limit int
}

func (o ListOptions) limit() int {
	if o.Limit <= 0 {
		return DefaultLimit
	}
	return min(o.Limit, MaxLimit)
}

func (o ListOptions) chooses(record *exports.Record) bool {
	return (o.Owner == "" || o.Owner == record.Owner) && (o.Interface == "" || o.Interface == record.Interface)
}

// addresses is what messages say of the addresses that Open knows.
const addresses = "use memory, sqlite:PATH, a path or postgres://user:password@host/database"

// Open opens the store with the given address: "memory" for one that ends with
// the process; an SQLite file as "sqlite:PATH" or as a plain path, see
// [OpenSQLite]; or a database as "postgres://...", see [OpenPostgres]. No error
// repeats a password.
func Open(ctx context.Context, address string) (Store, error) {
	var opened Store
	var err error
	path, found := strings.CutPrefix(address, "sqlite:")
	// A scheme that is not known is not a file name.
	scheme, _, isURL := strings.Cut(path, "://")
	switch {
	case address == "memory":
		return NewMemory(), nil
	case isPostgres(address):
		opened, err = OpenPostgres(ctx, address)
	case !found && isURL:
		return nil, fmt.Errorf("store address with scheme %q is not known: %s", scheme, addresses)
	case path == "":
		return nil, fmt.Errorf("store address %q names no file: %s", address, addresses)
	default:
		opened, err = OpenSQLite(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	return opened, nil
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// errNotFound says what was not found.
func errNotFound(kind, name string) error {
	return fmt.Errorf("%s %.80q: %w", kind, name, ErrNotFound)
}

// changed runs a change on a copy of a record and refuses one that would
// break what the record is found by.
func changed(record *exports.Record, change func(*exports.Record) error) (*exports.Record, error) {
	next := record.Clone()
	if err := change(next); err != nil {
		return nil, err
	}
	if next.ID != record.ID || next.Owner != record.Owner || next.Interface != record.Interface {
		return nil, fmt.Errorf("record %s: a change must not alter id, owner or interface", record.ID)
	}
	return next, nil
}

func decodeRecord(encoded []byte) (*exports.Record, error) {
	record := new(exports.Record)
	if err := json.Unmarshal(encoded, record); err != nil {
		return nil, fmt.Errorf("a stored record is not readable: %w", err)
	}
	return record, nil
}

// copyOf returns a copy for a caller to keep.
func copyOf(record *exports.Record) *exports.Record {
	duplicate := *record
	return &duplicate
}
