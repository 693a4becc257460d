package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// changes is what the changes key holds: a server learns from it, with one small question, whether another one changed something.
type changes struct {
	// Changes counts those of settings, replacements of everything included.
	Changes int64
	// Generation is the last one of the dataset.
	Generation int64
}

func (s *State) changes(value string) (c changes, err error) {
	if value != "" && len(value) != 16 {
		return c, s.damaged("count of changes", errors.New("it is no two numbers"))
	}
	if value != "" {
		c = changes{numberOf(value[:8]), numberOf(value[8:])}
	}
	return c, nil
}

func (c changes) entry() Entry {
	return Entry{Key: changesKey, Value: numberKey(c.Changes) + numberKey(c.Generation)}
}

// Setting implements [Store].
func (s *State) Setting(ctx context.Context, name string) ([]byte, error) {
	found, err := s.engine.Get(ctx, settingTable+name)
	if err != nil {
		return nil, err
	}
	value, is := found[settingTable+name]
	if !is {
		return nil, notFound("setting", name)
	}
	return []byte(value), nil
}

// SetSetting implements [Store].
func (s *State) SetSetting(ctx context.Context, name string, value []byte) error {
	return s.UpdateSetting(ctx, name, func([]byte) ([]byte, error) { return value, nil })
}

// UpdateSetting implements [Store].
func (s *State) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	key := settingTable + name
	return s.engine.Change(ctx, []string{key, changesKey}, func(found map[string]string, _ int64) ([]Entry, error) {
		kept, is := found[key]
		var before []byte
		if is {
			before = []byte(kept)
		}
		after, err := change(before)
		if err != nil || is && kept == string(after) {
			return nil, err
		}
		counted, err := s.changes(found[changesKey])
		if err != nil {
			return nil, err
		}
		counted.Changes++
		return []Entry{{Key: key, Value: string(after)}, counted.entry()}, nil
	})
}

// InitSetting implements [Store].
func (s *State) InitSetting(ctx context.Context, name string, value []byte) (kept []byte, err error) {
	err = s.UpdateSetting(ctx, name, func(before []byte) ([]byte, error) {
		if kept = before; kept == nil {
			kept = append([]byte{}, value...)
		}
		return kept, nil
	})
	return kept, err
}

// Revision implements [Store].
func (s *State) Revision(ctx context.Context) (r Revision, err error) {
	if !s.engine.Shared() {
		return r, nil
	}
	found, err := s.engine.Get(ctx, changesKey, EpochKey)
	if err != nil {
		return r, err
	}
	counted, err := s.changes(found[changesKey])
	if err != nil {
		return r, err
	}
	s.sawData(counted.Generation)
	r.Changes = counted.Changes
	r.Epoch, err = s.epoch(found)
	return r, err
}

// sawData notes a generation of the dataset. Of answers that come at the same time, the latest counts.
func (s *State) sawData(last int64) {
	for known := s.lastData.Load(); known < last && !s.lastData.CompareAndSwap(known, last); known = s.lastData.Load() {
	}
}

// Epoch implements [Store].
func (s *State) Epoch(ctx context.Context) (int64, error) {
	found, err := s.engine.Get(ctx, EpochKey)
	if err != nil {
		return 0, err
	}
	return s.epoch(found)
}

// epoch reads the epoch; 0: nothing was ever replaced.
func (s *State) epoch(found map[string]string) (epoch int64, err error) {
	if value, is := found[EpochKey]; is {
		if epoch, err = strconv.ParseInt(value, 10, 64); err != nil {
			return 0, s.damaged("epoch", err)
		}
	}
	return epoch, nil
}

// still refuses to store something that was made with a state that is gone.
func (s *State) still(epoch int64, found map[string]string) error {
	if now, err := s.epoch(found); err != nil || now != epoch {
		return cmp.Or(err, dataset.ErrReplaced)
	}
	return nil
}

// AppendData implements [Store].
func (s *State) AppendData(ctx context.Context, epoch, generation int64, batch []byte) error {
	key, value := dataTable+numberKey(generation), string(batch)
	var last int64
	tried := false
	err := s.changeOnce(ctx, []string{changesKey, EpochKey, key}, func(found map[string]string, _ int64) ([]Entry, error) {
		if err := s.still(epoch, found); err != nil {
			return nil, err
		}
		counted, err := s.changes(found[changesKey])
		if err != nil {
			return nil, err
		}
		last = counted.Generation
		switch there, is := found[key]; {
		case tried && is && there == value:
			return nil, nil // it is stored: its rows must not count twice
		case generation > last+1:
			return nil, dataset.ErrReplaced
		case generation <= last:
			return nil, dataset.ErrBehind
		}
		tried, counted.Generation, last = true, generation, generation
		return []Entry{{Key: key, Value: value}, counted.entry()}, nil
	})
	s.sawData(last)
	return err
}

// dataPage is how many batches are read at once, of some megabytes each.
const dataPage = 4

// DataAfter implements [Store]. Every export that is created asks, so the answer to the last [State.Revision] has to do: batches
// that other servers add after it are found after the next one.
func (s *State) DataAfter(ctx context.Context, generation int64) (batches [][]byte, err error) {
	next := max(0, generation) + 1
	if known := s.lastData.Load(); s.engine.Shared() && known >= 0 && next > known {
		return nil, s.engine.Check(ctx)
	}
	found, err := s.engine.Scan(ctx, Range{From: dataTable + numberKey(next), To: behind(dataTable), Limit: dataPage})
	if err != nil {
		return nil, err
	}
	for i, entry := range found {
		if want := next + int64(i); numberOf(entry.Key) != want {
			return nil, s.damaged("dataset", fmt.Errorf("generation %d is missing", want))
		}
		batches = append(batches, []byte(entry.Value))
	}
	return batches, nil
}

// ReplaceData implements [Store].
func (s *State) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	var keys []string
	for _, generation := range generations {
		keys = append(keys, dataTable+numberKey(generation))
	}
	return s.engine.Change(ctx, keys, func(found map[string]string, _ int64) (entries []Entry, err error) {
		for key := range found {
			entries = append(entries, Entry{Key: key, Value: string(batch)})
		}
		return entries, nil
	})
}

// EmptiedSetting is the setting that tells every server which keys were emptied.
const EmptiedSetting = "emptied"

// Emptied is the setting of that name.
type Emptied struct {
	// Count is how many keys were ever emptied; Keys are the last of them.
	Count int64    `json:"count"`
	Keys  []string `json:"keys"`
}

// After lists the keys that were emptied since the count was another one.
func (e Emptied) After(count int64) []string {
	return e.Keys[len(e.Keys)-int(min(max(e.Count-count, 0), int64(len(e.Keys)))):]
}

// unemptied refuses a record whose key was emptied after its creation began: it may have been made with the clock that is gone.
func (s *State) unemptied(record *exports.Record, found map[string]string) error {
	value, is := found[EmptiedKey]
	if !is || strings.HasPrefix(value, fmt.Sprintf(`{"count":%d,`, record.Emptied)) {
		return nil
	}
	var now Emptied
	if err := json.Unmarshal([]byte(value), &now); err != nil {
		return s.damaged("setting", err)
	}
	if slices.Contains(now.After(record.Emptied), record.Owner) {
		return dataset.ErrReplaced
	}
	return nil
}
