package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// State is the [Store] on an engine.
type State struct {
	engine Engine
	// lastData is, on a shared engine, the last generation of the dataset that was seen; -1: none.
	lastData atomic.Int64
}

var _ Store = (*State)(nil)

// On is the store on an engine, which it closes.
func On(engine Engine) *State {
	s := &State{engine: engine}
	s.lastData.Store(-1)
	return s
}

// Limit bounds what the records may take, on an engine in memory. It is called before the first one.
func (s *State) Limit(limit *budget.Budget) {
	if bounded, is := s.engine.(interface{ Limit(*budget.Budget) }); is {
		bounded.Limit(limit)
	}
}

// Directory is the one that the state fills; "": none.
func (s *State) Directory() string {
	if filling, is := s.engine.(interface{ Directory() string }); is {
		return filling.Directory()
	}
	return ""
}

// Shared implements [Store].
func (s *State) Shared() bool { return s.engine.Shared() }

// Check implements [Store].
func (s *State) Check(ctx context.Context) error { return s.engine.Check(ctx) }

// Close implements [Store].
func (s *State) Close() error { return s.engine.Close() }

// prunePage is how many records Prune looks at.
const prunePage = 256

// inserted is the number of the first record that is inserted: those of a snapshot come before all.
const inserted = 1 << 32

// numberKey is a number as a part of keys, in whose order they are.
func numberKey(number int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(number)))
}

// numberOf is the number at the end of a key.
func numberOf(key string) int64 {
	return int64(binary.BigEndian.Uint64([]byte(key[len(key)-8:])))
}

// ownerKey is the beginning of the keys of an owner.
func ownerKey(owner string) string {
	return ownerTable + string(binary.AppendUvarint(nil, uint64(len(owner)))) + owner
}

// behind is the key behind all numbers.
func behind(prefix string) string { return prefix + "\xff" }

// notFound says what was not found.
func notFound(kind, name string) error {
	return fmt.Errorf("%s %.80q: %w", kind, name, ErrNotFound)
}

// damaged says what cannot be read, and where.
func (s *State) damaged(what string, err error) error {
	return fmt.Errorf("%s: a stored %s is not readable (%w): %w", s.engine.Name(), what, ErrDamaged, err)
}

// encode writes a record, which its key names, as what stands behind the number in a value.
func encode(record *exports.Record) (string, error) {
	nameless := *record
	nameless.ID = ""
	encoded, err := json.Marshal(&nameless)
	if err != nil {
		return "", fmt.Errorf("record %.80q cannot be stored: %w", record.ID, err)
	}
	return string(encoded), nil
}

// decode reads the value of a record.
func (s *State) decode(id, value string) (*exports.Record, int64, error) {
	record, number, err := decode(id, value)
	if err != nil {
		return nil, 0, s.damaged("record", err)
	}
	return record, number, nil
}

func decode(id, value string) (record *exports.Record, number int64, err error) {
	record = new(exports.Record)
	if len(value) < 8 {
		err = errors.New("it is cut off")
	} else if number = numberOf(value[:8]); err == nil {
		err = json.Unmarshal([]byte(value[8:]), record)
	}
	record.ID = id
	return record, number, err
}

// entriesOf are those of a record: three, of which a change writes the first again.
func entriesOf(record *exports.Record, number int64, value string) []Entry {
	key := recordTable + record.ID
	return []Entry{
		{Key: key, Value: value},
		{Key: orderTable + numberKey(number), Value: key[len(recordTable):]},
		{Key: ownerKey(record.Owner) + numberKey(number), Value: key[len(recordTable):]},
	}
}

// Insert implements [Store].
func (s *State) Insert(ctx context.Context, record *exports.Record, token *Token) error {
	key := recordTable + record.ID
	keys := []string{key, EpochKey, EmptiedKey}
	if token != nil {
		keys = append(keys, limitTable+token.Bucket)
	}
	encoded, err := encode(record) // before others wait for it
	if err != nil {
		return err
	}
	var mine string
	insert := func(found map[string]string, number int64) (entries []Entry, err error) {
		if mine != "" && found[key] == mine {
			return nil, nil // the number in it is nobody else's: it is stored already
		}
		if err := errors.Join(s.still(record.Epoch, found), s.unemptied(record, found)); err != nil {
			return nil, err
		}
		if token != nil {
			bucket, err := s.bucket(found[limitTable+token.Bucket])
			if err == nil {
				bucket, err = token.takeFrom(bucket)
			}
			if err != nil {
				return nil, err
			}
			entry, err := bucketEntry(token.Bucket, bucket)
			if err != nil {
				return nil, err
			}
			entries = append(entries, entry)
		}
		if _, is := found[key]; is {
			return nil, fmt.Errorf("record %.80q: %w", record.ID, ErrExists)
		}
		mine = numberKey(inserted+number) + encoded
		return append(entries, entriesOf(record, inserted+number, mine)...), nil
	}
	return s.changeOnce(ctx, keys, insert)
}

// changeOnce makes a change that knows, when it is run again, that it is stored.
func (s *State) changeOnce(ctx context.Context, keys []string, change Change) error {
	err := s.engine.Change(ctx, keys, change)
	if errors.As(err, new(*UnknownError)) {
		err = s.engine.Change(ctx, keys, change)
	}
	return err
}

// bucket reads a token bucket; "" is one that was never used.
func (s *State) bucket(value string) (bucket exports.Bucket, err error) {
	if value == "" {
		return bucket, nil
	}
	if bucket, err = decodeBucket(value); err != nil {
		err = s.damaged("bucket", err)
	}
	return bucket, err
}

func decodeBucket(value string) (bucket exports.Bucket, err error) {
	err = json.Unmarshal([]byte(value), &bucket)
	return bucket, err
}

func bucketEntry(key string, bucket exports.Bucket) (Entry, error) {
	encoded, err := json.Marshal(bucket)
	if err != nil {
		return Entry{}, fmt.Errorf("bucket %.80q cannot be stored: %w", key, err)
	}
	return Entry{Key: limitTable + key, Value: string(encoded)}, nil
}

// one returns a record and its number.
func (s *State) one(ctx context.Context, id string) (*exports.Record, int64, error) {
	found, err := s.engine.Get(ctx, recordTable+id)
	if err != nil {
		return nil, 0, err
	}
	return s.among(found, id)
}

// among returns the record with an identifier.
func (s *State) among(found map[string]string, id string) (*exports.Record, int64, error) {
	value, is := found[recordTable+id]
	if !is {
		return nil, 0, notFound("record", id)
	}
	return s.decode(id, value)
}

// Get implements [Store].
func (s *State) Get(ctx context.Context, id string) (*exports.Record, error) {
	record, _, err := s.one(ctx, id)
	return record, err
}

// Update implements [Store].
func (s *State) Update(ctx context.Context, id string, change func(*exports.Record) error) (after *exports.Record, err error) {
	key := recordTable + id
	err = s.engine.Change(ctx, []string{key}, func(found map[string]string, _ int64) ([]Entry, error) {
		before, number, err := s.among(found, id)
		if err != nil {
			return nil, err
		}
		after = before.Clone()
		if err := change(after); err != nil {
			return nil, err
		}
		if after.ID != before.ID || after.Owner != before.Owner || after.Interface != before.Interface {
			return nil, fmt.Errorf("record %s: a change must not alter id, owner or interface", id)
		}
		value, err := encode(after)
		return []Entry{{Key: key, Value: numberKey(number) + value}}, err
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// records returns the records with the identifiers that entries have as their values; nil: one that is gone, or that is damaged,
// which is an ErrDamaged beside the others.
func (s *State) records(ctx context.Context, from Reader, entries []Entry) ([]*exports.Record, error) {
	keys := make([]string, len(entries))
	for i, entry := range entries {
		keys[i] = recordTable + entry.Value
	}
	found, err := from.Get(ctx, keys...)
	if found == nil || err != nil && !errors.Is(err, ErrDamaged) {
		return nil, err
	}
	records := make([]*exports.Record, len(entries))
	for i, entry := range entries {
		if value, is := found[keys[i]]; is {
			var damage error
			records[i], _, damage = s.decode(entry.Value, value)
			err = cmp.Or(err, damage)
		}
	}
	return records, err
}

// List implements [Store]. The page is nil if nothing could be listed. Of records that several servers insert at the same time,
// either may be the last.
func (s *State) List(ctx context.Context, options ListOptions) (page []*exports.Record, damage error) {
	size, prefix := options.PageSize(), orderTable
	if options.Owner != "" {
		prefix = ownerKey(options.Owner)
	}
	next := Range{From: prefix, To: behind(prefix), Limit: size, Backwards: true}
	if options.After != "" {
		last, number, err := s.one(ctx, options.After)
		if err != nil {
			return nil, err
		}
		if !options.Matches(last) {
			return nil, notFound("record", options.After)
		}
		next.To = prefix + numberKey(number)
	}
	page = []*exports.Record{}
	for {
		entries, err := s.engine.Scan(ctx, next)
		if err != nil {
			return nil, err
		}
		records, err := s.records(ctx, s.engine, entries)
		if records == nil && err != nil {
			return nil, err
		}
		damage = cmp.Or(damage, err)
		for _, record := range records {
			if record != nil && options.Matches(record) && len(page) < size {
				page = append(page, record)
			}
		}
		if len(page) == size || len(entries) < size {
			return page, damage
		}
		next.To = entries[size-1].Key
	}
}

// DeleteOwned implements [Store]. A record that cannot be read is deleted by its entries: no other one gets such an identifier,
// unless the whole state is replaced.
func (s *State) DeleteOwned(ctx context.Context, owner string, buckets []string) (deleted int, err error) {
	epoch, err := s.Epoch(ctx)
	if err != nil {
		return 0, err
	}
	prefix := ownerKey(owner)
	owned, err := s.engine.Scan(ctx, Range{From: prefix, To: behind(prefix), Limit: math.MaxInt32})
	if err != nil {
		return 0, err
	}
	right := func(record *exports.Record) bool { return record.Owner == owner }
	if deleted, err = s.remove(ctx, owned, buckets, right); !errors.Is(err, ErrDamaged) {
		return deleted, err
	}
	records, err := s.records(ctx, s.engine, owned)
	if records == nil {
		return 0, err
	}
	var whole, gone []Entry
	for i, entry := range owned {
		if records[i] != nil {
			whole = append(whole, entry)
			continue
		}
		for _, each := range entriesOf(&exports.Record{ID: entry.Value, Owner: owner}, numberOf(entry.Key), "") {
			gone = append(gone, Entry{Key: each.Key, Gone: true})
		}
	}
	err = s.engine.Change(ctx, []string{EpochKey}, func(found map[string]string, _ int64) ([]Entry, error) {
		return gone, s.still(epoch, found)
	})
	if err == nil {
		deleted, err = s.remove(ctx, whole, buckets, right)
	}
	return deleted + len(owned) - len(whole), err
}

// Prune implements [Store].
func (s *State) Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error) {
	page, err := s.engine.Scan(ctx, Range{From: orderTable + numberKey(after+1), To: behind(orderTable), Limit: prunePage})
	if err != nil {
		return 0, 0, err
	}
	records, err := s.records(ctx, s.engine, page)
	if records == nil && err != nil {
		return 0, 0, err
	}
	var found []Entry
	for i, record := range records {
		if record != nil && old(record) {
			found = append(found, page[i])
		}
	}
	if deleted, err = s.remove(ctx, found, nil, old); err != nil {
		return 0, 0, err
	}
	if len(page) == prunePage {
		next = numberOf(page[len(page)-1].Key)
	}
	return deleted, next, nil
}

// remove deletes token buckets, and the records that entries name, where their numbers are the same and they are still right.
func (s *State) remove(ctx context.Context, entries []Entry, buckets []string, right func(*exports.Record) bool) (deleted int, err error) {
	if len(entries)+len(buckets) == 0 {
		return 0, ctx.Err()
	}
	var keys []string
	for _, entry := range entries {
		keys = append(keys, recordTable+entry.Value)
	}
	for _, bucket := range buckets {
		keys = append(keys, limitTable+bucket)
	}
	err = s.engine.Change(ctx, keys, func(found map[string]string, _ int64) (gone []Entry, err error) {
		deleted = 0
		for _, bucket := range buckets {
			gone = append(gone, Entry{Key: limitTable + bucket, Gone: true})
		}
		for _, entry := range entries {
			value, is := found[recordTable+entry.Value]
			if !is {
				continue
			}
			record, number, err := s.decode(entry.Value, value)
			if err != nil {
				return nil, err
			}
			if number != numberOf(entry.Key) || !right(record) {
				continue
			}
			deleted++
			for _, each := range entriesOf(record, number, "") {
				gone = append(gone, Entry{Key: each.Key, Gone: true})
			}
		}
		return gone, nil
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
