// Package store keeps what the mock export server must not forget: export records, token buckets, batches of the dataset, and settings
// such as the clock and the secret that signs links. Files are not stored: they are written from their record.
//
// It says every statement once, on an [Engine]. There are three, which a program passes in, so that none compiles a database it does not
// use: store/memory, for tests; store/bolt, a file, for one server that is stopped, killed and started again; and store/postgres, for
// several servers that are one service. They share the tests of this package.
package store

import (
	"context"
	"errors"
	"fmt"
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
	// ErrReadOnly: the database, or the disk of the state, can only be read.
	ErrReadOnly = errors.New("it can only be read")
	// ErrAway: the database does not answer. A write that was under way may have been stored.
	ErrAway = errors.New("the database does not answer")
	// ErrDamaged: what is stored cannot be read, or is not what was written.
	ErrDamaged = errors.New("it is damaged")
	// ErrGone: the file of the state is no longer where it was, see Store.Check. What is stored stays in it.
	ErrGone = errors.New("it is not the file that the server has open")
)

// Store keeps records, buckets and settings. It is safe for concurrent use.
//
// A write is visible to every later read when it returns. When it returns an
// error, the error of a canceled context included, nothing was written.
//
// Records go in and come out as copies: changing one changes nothing in the
// store. Their slices are not copied, so neither side may change the elements.
type Store interface {
	// Insert stores a new record and takes a token for it, unless token is nil: both or neither. The record is durable when Insert
	// returns: a file keeps it when the process is killed the next instant. A bucket that holds no token is a *LimitedError, and then a
	// second record with the same id is ErrExists. A record of another epoch is dataset.ErrReplaced.
	Insert(ctx context.Context, record *exports.Record, token *Token) error

	// Get returns the record, or ErrNotFound. It never waits for writes.
	Get(ctx context.Context, id string) (*exports.Record, error)

	// Update changes one record atomically and returns it as it is afterwards. An error of change is returned as it is and leaves the
	// record alone; an unknown id is ErrNotFound. The change must depend on nothing but the record, must not call the store, must not
	// alter ID, Owner or Interface, and may be run more than once.
	Update(ctx context.Context, id string, change func(*exports.Record) error) (*exports.Record, error)

	// DeleteOwned deletes the records of an owner and the buckets with these keys, all or none, and returns how many records there were.
	DeleteOwned(ctx context.Context, owner string, buckets []string) (int, error)

	// Prune deletes those of the next 256 records, in the order of their insertion, that are old, and returns how many there were. They
	// are the first ones after the position 0; next is the position after them, or 0 when there are no more. What Update says of a change
	// holds for old.
	Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error)

	// List returns records, the last inserted first. Inserts do not shift pages: a page goes on behind the record it names, whatever came
	// since. Damaged records are left out, and ErrDamaged is returned with the others.
	List(ctx context.Context, options ListOptions) ([]*exports.Record, error)

	// Setting returns a setting, or ErrNotFound.
	Setting(ctx context.Context, name string) ([]byte, error)
	// SetSetting stores a setting.
	SetSetting(ctx context.Context, name string, value []byte) error
	// UpdateSetting changes a setting atomically. The change gets nil when there
	// is none. What Update says of errors and of the change holds.
	UpdateSetting(ctx context.Context, name string, change func(value []byte) ([]byte, error)) error
	// InitSetting stores a setting unless it is there already, and returns the one that is kept.
	InitSetting(ctx context.Context, name string, value []byte) ([]byte, error)

	// Epoch, AppendData, DataAfter and ReplaceData keep batches of the dataset, as package
	// dataset asks for. What they return must not be changed.
	dataset.Store

	// Snapshot returns everything that is kept, at one instant. The batches of the
	// dataset replace what is in data, which belongs to the caller.
	Snapshot(ctx context.Context, data *dataset.Batches) (*Snapshot, error)
	// Restore replaces everything that is kept by a snapshot, atomically. Two records with one id are ErrExists. A record that is being
	// updated meanwhile is either the old or the new one afterwards.
	Restore(ctx context.Context, snapshot *Snapshot) error

	// Revision tells whether somebody else may have changed settings or restored a snapshot: after such a change has returned, anywhere,
	// it is another one than before. A store that only one process can use answers zero always, and at no cost.
	Revision(ctx context.Context) (Revision, error)

	// Check says why what is written would be lost, such as in a file that was deleted: ErrGone. Writes are refused meanwhile.
	Check(ctx context.Context) error

	// Close finishes the writes under way and releases the store. Every later call is ErrClosed. Closing twice is allowed.
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

// takeFrom returns a bucket without the token, or a *LimitedError.
func (t *Token) takeFrom(from exports.Bucket) (exports.Bucket, error) {
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
	// Epoch is another one after everything was replaced by a snapshot.
	Epoch int64
}

// Limits of a page.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// ListOptions chooses a page of records. The zero value is the first page of all records.
type ListOptions struct {
	// Owner and Interface, if set, keep only records with these values.
	Owner, Interface string
	// After is the id of the last record of the page before. One that the other options do not choose is ErrNotFound.
	After string
	// Limit is the largest number of records. 0 or less means DefaultLimit; more than MaxLimit means MaxLimit.
	Limit int
}

// PageSize is the largest number of records of the page.
func (o ListOptions) PageSize() int {
	if o.Limit <= 0 {
		return DefaultLimit
	}
	return min(o.Limit, MaxLimit)
}

// Matches tells whether a record has the values that the options ask for.
func (o ListOptions) Matches(record *exports.Record) bool {
	return (o.Owner == "" || o.Owner == record.Owner) && (o.Interface == "" || o.Interface == record.Interface)
}
