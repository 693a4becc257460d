package store

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// pruneEvery is after how many inserts the next old records are deleted, four times as fast as they come. All records get their
// turn: those of one key may be old while those before them, of a key whose clock is behind, never get so.
const pruneEvery = prunePage / 4

// Retain forgets records when they are old: nobody finds one any more, and it is deleted while others are inserted.
func Retain(kept Store, old func(*exports.Record) bool) Store {
	return &retained{Store: kept, old: old}
}

type retained struct {
	Store
	old      func(*exports.Record) bool
	inserted atomic.Int64
	reached  atomic.Int64 // the position up to which records were looked at
}

// Insert implements [Store].
func (r *retained) Insert(ctx context.Context, record *exports.Record, token *Token) error {
	if r.inserted.Add(1)%pruneEvery == 0 {
		_, next, err := r.Prune(ctx, r.reached.Load(), r.old)
		if err != nil {
			return err
		}
		r.reached.Store(next)
	}
	err := r.Store.Insert(ctx, record, token)
	if full := new(budget.ExceededError); !errors.As(err, &full) {
		return err
	}
	if pruned, pruneErr := r.pruneAll(ctx); pruned == 0 || pruneErr != nil {
		return err
	}
	return r.Store.Insert(ctx, record, token)
}

// Directory is where the store is; empty for nowhere on a disk.
func (r *retained) Directory() string {
	if filling, is := r.Store.(interface{ Directory() string }); is {
		return filling.Directory()
	}
	return ""
}

// pruneAll deletes all old records, and returns how many there were.
func (r *retained) pruneAll(ctx context.Context) (all int, err error) {
	for position := int64(0); ; {
		deleted, next, err := r.Prune(ctx, position, r.old)
		if all += deleted; err != nil || next == 0 {
			return all, err
		}
		position = next
	}
}

// Get implements [Store].
func (r *retained) Get(ctx context.Context, id string) (*exports.Record, error) {
	return r.unlessOld(r.Store.Get(ctx, id))
}

func (r *retained) unlessOld(record *exports.Record, err error) (*exports.Record, error) {
	if err == nil && r.old(record) {
		return nil, notFound("record", record.ID)
	}
	return record, err
}

// Update implements [Store].
func (r *retained) Update(ctx context.Context, id string, change func(*exports.Record) error) (*exports.Record, error) {
	return r.Store.Update(ctx, id, func(record *exports.Record) error {
		if r.old(record) {
			return notFound("record", id)
		}
		return change(record)
	})
}

// List implements [Store]. A page is full unless it is the last one.
func (r *retained) List(ctx context.Context, options ListOptions) (page []*exports.Record, damage error) {
	if options.After != "" {
		if _, err := r.Get(ctx, options.After); err != nil {
			return nil, err
		}
	}
	size := options.PageSize()
	page = []*exports.Record{}
	for {
		found, err := r.Store.List(ctx, options)
		if errors.Is(err, ErrNotFound) && len(page) > 0 {
			return page, nil // deleted meanwhile, and so is what is behind it
		}
		if err != nil && (found == nil || !errors.Is(err, ErrDamaged)) {
			return nil, err
		}
		damage = cmp.Or(damage, err)
		for _, record := range found {
			if !r.old(record) && len(page) < size {
				page = append(page, record)
			}
		}
		if len(page) == size || len(found) < size {
			return page, damage
		}
		options.After = found[len(found)-1].ID
	}
}
