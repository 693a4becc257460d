package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// history is one dataset of a log, that of a key or, for the empty key, of the
// server.
type history struct {
	segments []*logSegment // in order; each but the first begins with a reset
	status   Status
	// own tells whether a key has a dataset; one that has none shows that of the
	// server.
	own bool
	// stored are the generations in which the store holds rows of a key.
	stored []int64
}

// history is that of a key, for rows to be added to it or read from it.
func (l *Log) history(key string) *history {
	h := l.known(key)
	if len(h.segments) == 0 {
		stored := h.stored
		h = newHistory(l.blocks)
		h.stored = stored
		l.histories[key] = h
	}
	return h
}

// known is what is known of a key. Of one that has nothing no segments are kept:
// there may be a new key for every test.
func (l *Log) known(key string) *history {
	if h := l.histories[key]; h != nil {
		return h
	}
	return &history{}
}

func newHistory(kept blocks.Store) *history {
	return &history{segments: []*logSegment{newLogSegment(0, kept)}, status: Status{Mode: Mixed}}
}

// last is the segment that grows.
func (h *history) last() *logSegment { return h.segments[len(h.segments)-1] }

// at is the segment of a generation.
func (h *history) at(generation int64) *logSegment {
	return h.segments[sort.Search(len(h.segments), func(i int) bool { return h.segments[i].since > generation })-1]
}

// giveUp gives the blocks of a history back that nobody asks for any more.
func (h *history) giveUp() {
	for _, segment := range h.segments {
		segment.giveUp()
	}
}

// Dataset is the dataset of a key, or, for the empty key, that of the server. A
// key that has none of its own shows that of the server: one that has shows that
// and not the server's. Its first rows, or a mode, make one, in the mode of the
// server unless it is given another.
// See docs/how-to/load-a-dataset.md#which-dataset-does-an-export-show
type Dataset struct {
	log *Log
	key string
}

// Of is the dataset of a key; the empty key is the server.
func (l *Log) Of(key string) Dataset { return Dataset{l, key} }

// Load adds rows: a profile or an installation with a known identifier takes
// the place of the one before, an event comes in addition. An event without a
// date happened in the last whole second before now. It loads all rows, or none
// and says why: an [*InvalidError], or what the store found wrong.
func (d Dataset) Load(ctx context.Context, rows input.Source, now time.Time) (Status, error) {
	return d.change(ctx, rows, func(*history) *batch { return &batch{At: LastSecond(now)} })
}

// SetMode says what is shown beside the dataset from now on.
func (d Dataset) SetMode(ctx context.Context, mode Mode, now time.Time) (Status, error) {
	return d.change(ctx, nil, func(h *history) *batch {
		if mode == h.status.Mode && (d.key == "" || h.own) {
			return nil
		}
		return &batch{Mode: mode, At: LastSecond(now)}
	})
}

// Reset goes back to the start: to the rows and the mode of Begin, or to none
// and Mixed. A key goes back to the dataset of the server.
func (d Dataset) Reset(ctx context.Context, now time.Time) (Status, error) {
	if d.key == "" {
		return d.change(ctx, d.log.initial.rows, func(*history) *batch { return d.log.reset(now) })
	}
	return d.change(ctx, nil, func(h *history) *batch {
		if !h.own {
			return nil
		}
		return &batch{Reset: true, Mode: Mixed, At: LastSecond(now)}
	})
}

// change adds a batch, if one is to be made.
func (d Dataset) change(ctx context.Context, rows input.Source, begin func(*history) *batch) (Status, error) {
	l := d.log
	if err := l.turn.take(ctx); err != nil {
		return Status{}, err
	}
	defer l.turn.give()
	err := l.add(ctx, func() *batch {
		next := begin(l.known(d.key))
		if next != nil {
			next.Key = d.key
		}
		return next
	}, rows)
	return l.published.Load().of(d.key), err
}

// Empty takes all of a key out of the log and the store, its history too:
// whatever was made of it shows nothing of it any more. The server and other keys
// keep what they have.
func (d Dataset) Empty(ctx context.Context) error {
	if err := d.log.turn.take(ctx); err != nil {
		return err
	}
	defer d.log.turn.give()
	if err := d.log.catchUp(ctx); err != nil || len(d.log.known(d.key).stored) == 0 {
		return err
	}
	emptied := batch{Key: d.key, Emptied: true}
	if err := d.log.add(ctx, func() *batch { return &emptied }, nil); err != nil {
		return err
	}
	text, err := json.Marshal(emptied)
	if err != nil {
		return err
	}
	// What is interrupted here is left over, and goes when the key is emptied again.
	if err := d.log.store.ReplaceData(ctx, d.log.known(d.key).stored, text); err != nil {
		return fmt.Errorf("deleting the rows of a key: %w", err)
	}
	delete(d.log.histories, d.key)
	return nil
}

// Current is what an export that is created now shows: the latest generation of
// the dataset and its mode.
func (d Dataset) Current(ctx context.Context) (Status, error) {
	err := d.log.follow(ctx)
	return d.log.published.Load().of(d.key), err
}

// Own reports whether a key shows a dataset of its own, as far as is known here.
func (d Dataset) Own() bool {
	_, has := d.log.published.Load().statuses[d.key]
	return has && d.key != ""
}
