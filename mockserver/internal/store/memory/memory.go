// Package memory keeps the state of a server in memory: it ends with the process.
package memory

import (
	"context"
	"errors"
	"math"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Engine is the [store.Engine] that ends with the process. The values of the dataset are numbers of blocks.
type Engine struct {
	lock   sync.RWMutex
	closed bool
	tables map[byte]*table
	blocks blocks.Store
	last   int64          // number
	held   atomic.Int64   // bytes, without blocks
	room   *budget.Budget // for records; nil: as much as there is
}

// New returns an empty store whose batches are in memory.
func New() *store.State { return NewWith(blocks.Memory()) }

// NewWith returns an empty store whose batches are in blocks.
func NewWith(kept blocks.Store) *store.State { return store.On(NewEngine(kept)) }

// NewEngine returns an empty engine whose batches are in blocks.
func NewEngine(kept blocks.Store) *Engine { return &Engine{blocks: kept, tables: newTables()} }

func newTables() map[byte]*table {
	tables := map[byte]*table{}
	for i := range len(store.Tables) {
		tables[store.Tables[i]] = newTable()
	}
	return tables
}

// Limit bounds what the records may take. It is called before the first one.
func (e *Engine) Limit(limit *budget.Budget) {
	e.room = limit
	limit.Measure(e.held.Load)
}

// reader reads while the lock is held.
type reader struct{ *Engine }

// Get implements [store.Reader].
func (r reader) Get(ctx context.Context, keys ...string) (map[string]string, error) {
	found := make(map[string]string, len(keys))
	for _, key := range keys {
		if value, is := r.tables[key[0]].get(key); is {
			var err error
			if found[key], err = r.whole(key, value); err != nil {
				return nil, err
			}
		}
	}
	return found, ctx.Err()
}

// whole returns a value, which may be in a block.
func (e *Engine) whole(key, value string) (string, error) {
	if key[:1] != store.DataTable {
		return value, nil
	}
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return "", err
	}
	block, err := e.blocks.Get(number, nil)
	return string(block), err
}

// Scan implements [store.Reader].
func (r reader) Scan(ctx context.Context, asked store.Range) ([]store.Entry, error) {
	found := r.tables[asked.From[0]].scan(asked)
	for i := range found {
		var err error
		if found[i].Value, err = r.whole(found[i].Key, found[i].Value); err != nil {
			return nil, err
		}
	}
	return found, ctx.Err()
}

// View implements [store.Engine].
func (e *Engine) View(ctx context.Context, look func(store.Reader) error) error {
	e.lock.RLock()
	defer e.lock.RUnlock()
	if err := e.usable(ctx); err != nil {
		return err
	}
	return look(reader{e})
}

// usable says whether an operation may begin.
func (e *Engine) usable(ctx context.Context) error {
	if e.closed {
		return store.ErrClosed
	}
	return ctx.Err()
}

// Get implements [store.Engine].
func (e *Engine) Get(ctx context.Context, keys ...string) (found map[string]string, err error) {
	err = e.View(ctx, func(r store.Reader) error { found, err = r.Get(ctx, keys...); return err })
	return found, err
}

// Scan implements [store.Engine].
func (e *Engine) Scan(ctx context.Context, asked store.Range) (found []store.Entry, err error) {
	err = e.View(ctx, func(r store.Reader) error { found, err = r.Scan(ctx, asked); return err })
	return found, err
}

// entryBytes is what an entry takes beside its texts.
const entryBytes = 40

// Change implements [store.Engine].
func (e *Engine) Change(ctx context.Context, keys []string, change store.Change) error {
	e.lock.Lock()
	defer e.lock.Unlock()
	if err := e.usable(ctx); err != nil {
		return err
	}
	found, err := reader{e}.Get(ctx, keys...)
	if err != nil {
		return err
	}
	e.last++
	entries, err := change(found, e.last)
	if err != nil {
		return err
	}
	if err := e.admit(entries, found); err != nil {
		return err
	}
	return e.apply(entries...)
}

// admit refuses a new record for which there is no room.
func (e *Engine) admit(entries []store.Entry, found map[string]string) error {
	var grows int64
	for _, entry := range entries {
		if _, is := found[entry.Key]; !is && !entry.Gone && entry.Key[:1] == store.RecordTables[:1] {
			grows += size(entry.Key, entry.Value)
		}
	}
	if grows == 0 || e.room == nil {
		return nil
	}
	return e.room.Admit(grows)
}

// size is about what an entry takes.
func size(key, value string) int64 { return int64(len(key) + len(value) + entryBytes) }

// apply stores entries. Batches are written first: only that can fail.
func (e *Engine) apply(entries ...store.Entry) error {
	var gone []int64
	for i, entry := range entries {
		if entry.Key[:1] == store.DataTable {
			number, err := e.blocks.Add([]byte(entry.Value))
			if err != nil {
				return err
			}
			entries[i].Value = strconv.FormatInt(number, 10)
			gone = append(gone, e.blocksOf(store.Range{From: entry.Key, To: entry.Key + "\x00", Limit: 1})...)
		}
	}
	for _, entry := range entries {
		t := e.tables[entry.Key[0]]
		if before, is := t.get(entry.Key); is {
			e.held.Add(-size(entry.Key, before))
		}
		if entry.Gone {
			t.remove(entry.Key)
			continue
		}
		t.put(entry.Key, entry.Value)
		e.held.Add(size(entry.Key, entry.Value))
	}
	return e.blocks.Drop(gone)
}

// blocksOf returns the numbers of blocks in a range of the dataset.
func (e *Engine) blocksOf(asked store.Range) (numbers []int64) {
	for _, entry := range e.tables[store.DataTable[0]].scan(asked) {
		number, _ := strconv.ParseInt(entry.Value, 10, 64) // as it was formatted
		numbers = append(numbers, number)
	}
	return numbers
}

// Replace implements [store.Engine].
func (e *Engine) Replace(ctx context.Context, key string, fill func(before string, put store.Put) error) error {
	e.lock.Lock()
	defer e.lock.Unlock()
	if err := e.usable(ctx); err != nil {
		return err
	}
	before, _ := e.tables[key[0]].get(key)
	next := &Engine{tables: newTables(), blocks: e.blocks}
	err := fill(before, func(key, value string) error { return next.apply(store.Entry{Key: key, Value: value}) })
	if err == nil && e.room != nil {
		err = e.room.Fits(next.held.Load())
	}
	if err == nil {
		e.tables, next.tables = next.tables, e.tables
		e.held.Store(next.held.Load())
	}
	return errors.Join(err, e.blocks.Drop(next.blocksOf(store.Range{From: store.DataTable, To: store.DataTable + "\xff", Limit: math.MaxInt})))
}

// Name implements [store.Engine].
func (*Engine) Name() string { return "the state in memory" }

// Shared implements [store.Engine].
func (*Engine) Shared() bool { return false }

// Check implements [store.Engine].
func (e *Engine) Check(ctx context.Context) error {
	return e.View(ctx, func(store.Reader) error { return nil })
}

// Close implements [store.Engine].
func (e *Engine) Close() error {
	e.lock.Lock()
	defer e.lock.Unlock()
	e.closed, e.tables = true, nil
	return nil
}
