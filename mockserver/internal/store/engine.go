package store

import "context"

// Engine keeps values by their keys, in the order of the keys. It is safe for concurrent use. The first byte of a key names
// its table. There are engines in memory, in a file and in a database; all else is said once, by [State].
type Engine interface {
	// Each call of Get or Scan sees the engine at one instant, without waiting for changes.
	Reader
	// View reads everything at one instant.
	View(ctx context.Context, look func(Reader) error) error
	// Change reads some keys, which nobody else changes until it ends, and stores the entries that change returns: all of
	// them, durably, or none. Entries have keys that were read, or new ones that nobody else writes. An error of change is
	// returned as it is. It must depend on its arguments only and must not call the engine, and it may be run again. The
	// number that it gets is larger than all before.
	Change(ctx context.Context, keys []string, change Change) error
	// Replace puts what fill puts in the place of everything, all or none. It gets the value of a key, and may be run again.
	Replace(ctx context.Context, key string, fill func(before string, put Put) error) error

	// Name says where the state is, for messages, without secrets.
	Name() string
	// Shared tells whether other processes may use it too.
	Shared() bool
	// Check and Close do what [Store] says.
	Check(ctx context.Context) error
	Close() error
}

// Reader reads an engine.
type Reader interface {
	// Get returns the values of those keys that are there, and ErrDamaged with the others when one of them is damaged.
	Get(ctx context.Context, keys ...string) (map[string]string, error)
	// Scan returns entries in the order of their keys.
	Scan(ctx context.Context, r Range) ([]Entry, error)
}

// Entry is a key with its value.
type Entry struct {
	Key, Value string
	// Gone tells, of an entry that a change returns, that the key goes.
	Gone bool
}

// Range is keys from one on, up to another without that, at most so many.
type Range struct {
	From, To string
	Limit    int
	// Backwards begins with the last key.
	Backwards bool
}

// Change makes entries from the values of keys that are there.
type Change func(found map[string]string, number int64) ([]Entry, error)

// Put stores a key that was not put before.
type Put func(key, value string) error

// UnknownError is the error of a change that may have been stored: its connection broke meanwhile.
type UnknownError struct{ Err error }

func (e *UnknownError) Error() string { return e.Err.Error() }
func (e *UnknownError) Unwrap() error { return e.Err }

// The tables.
const (
	recordTable  = "r" // identifier: number, and the record as JSON
	orderTable   = "o" // number: identifier, in the order of insertion
	ownerTable   = "w" // owner and number: identifier
	limitTable   = "l" // key: token bucket, as JSON
	settingTable = "s" // name: value
	dataTable    = "d" // generation: batch of the dataset
	changesKey   = "c" // how much was changed, as two numbers
	// EpochKey is the epoch. Only Replace writes it, so a change that reads it need not keep others from that.
	EpochKey = "e"
	// EmptiedKey is the setting with the keys that were emptied, and is read as the epoch is.
	EmptiedKey = settingTable + EmptiedSetting
)

// Tables are all of them. Each record has one entry in every table of RecordTables, and the entries of DataTable are large.
const (
	Tables       = RecordTables + limitTable + settingTable + DataTable + changesKey + EpochKey
	RecordTables = recordTable + orderTable + ownerTable
	DataTable    = dataTable
)
