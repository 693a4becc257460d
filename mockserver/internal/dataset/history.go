package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// history is one dataset of a log, that of a key or, for the empty key, of the server.
type history struct {
	batches []applied // of all generations
	named   *named    // since the last reset
	origin  string
	status  Status
	// own tells whether a key has a dataset; one that has none shows that of the server.
	own bool
	// left are the generations of a key that was emptied, and of which the store still holds something.
	left []int64
}

func newHistory(kept blocks.Store) *history {
	return &history{named: newNamed(kept), status: Status{Mode: Mixed}}
}

// history is that of a key; one that has nothing is not kept: there may be a new key for every test.
func (l *Log) history(key string) *history {
	if h := l.histories[key]; h != nil {
		return h
	}
	return newHistory(l.blocks)
}

// add adds a batch, and who is named after it.
func (h *history) add(b applied, who *named) {
	h.batches, h.named, h.own, h.status.Generation = append(h.batches, b), who, !b.Reset, b.generation
	if b.Reset {
		h.origin = b.Origin
	}
	if b.Mode != "" {
		h.status.Mode = b.Mode
	}
	h.status.Profiles, h.status.Installations, h.status.Events = int(who.loadedProfiles), int(who.loadedInstallations), int(who.events)
}

// until are the batches that say what there was in a generation, and since which one they do.
func (h *history) until(generation int64) (since int64, batches []applied) {
	end := sort.Search(len(h.batches), func(i int) bool { return h.batches[i].generation > generation })
	for begin := end - 1; begin >= 0; begin-- {
		if b := h.batches[begin]; b.Reset {
			return b.generation, h.batches[begin:end:end]
		}
	}
	return 0, h.batches[:end:end]
}

// stored are the generations in which the store holds something of a key.
func (h *history) stored() []int64 {
	found := slices.Clone(h.left)
	for _, b := range h.batches {
		found = append(append(found, b.Parts...), b.generation)
	}
	return found
}

// Dataset is the dataset of a key, or, for the empty key, that of the server. A key that has none of its own shows that of the server:
// one that has shows that and not the server's. Its first rows, or a mode, make one, in the mode of the server unless it is given
// another. See docs/how-to/load-a-dataset.md#which-dataset-does-an-export-show
type Dataset struct {
	log *Log
	key string
}

// Of is the dataset of a key; the empty key is the server.
func (l *Log) Of(key string) Dataset { return Dataset{l, key} }

// Load adds rows: a profile or an installation with a known identifier takes the place of the one before, an event comes in addition. An
// event without a date happened in the last whole second before now. It loads all rows, or none and says why: an [*InvalidError], or what
// the store found wrong.
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

// Reset goes back to the start: to the rows and the mode of Begin, or to none and Mixed. A key goes back to the dataset of the server.
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
		next := begin(l.history(d.key))
		if next != nil {
			next.Key = d.key
		}
		return next
	}, rows)
	return l.published.Load().of(d.key), err
}

// Empty takes all of a key out of the log and the store, its history too: whatever was made of it shows nothing of it any more. The
// server and other keys keep what they have.
func (d Dataset) Empty(ctx context.Context) error {
	if err := d.log.turn.take(ctx); err != nil {
		return err
	}
	defer d.log.turn.give()
	if err := d.log.catchUp(ctx); err != nil || len(d.log.history(d.key).stored()) == 0 {
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
	stored := d.log.history(d.key).stored()
	// What is interrupted here is left over, and goes when the key is emptied again.
	if err := d.log.store.ReplaceData(ctx, stored, text); err != nil {
		return fmt.Errorf("deleting the rows of a key: %w", err)
	}
	delete(d.log.histories, d.key)
	return nil
}

// Current is what an export that is created now shows: the latest generation of the dataset and its mode.
func (d Dataset) Current(ctx context.Context) (Status, error) {
	err := d.log.follow(ctx)
	return d.log.published.Load().of(d.key), err
}

// Own reports whether a key shows a dataset of its own, as far as is known here.
func (d Dataset) Own() bool {
	_, has := d.log.published.Load().statuses[d.key]
	return has && d.key != ""
}

// Attributes are the names of the custom attributes that a dataset has had since it began, sorted.
func (d Dataset) Attributes() []string {
	shown := d.log.published.Load()
	if _, own := shown.statuses[d.key]; own {
		return shown.attributes[d.key]
	}
	return shown.attributes[""]
}
