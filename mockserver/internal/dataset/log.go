package dataset

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// ErrBehind is what a [Store] answers to a batch that does not follow the last one: another process has added batches meanwhile.
var ErrBehind = errors.New("batches were added meanwhile")

// ErrMissing is the error of a generation that is gone: no other will have the number for the same rows.
var ErrMissing = errors.New("it is not there any more")

// ErrReplaced is what a [Store] answers to a batch for a state that was replaced meanwhile, see [Log.Reopen].
var ErrReplaced = errors.New("the dataset was replaced meanwhile")

// Store keeps batches, in order. A generation is the number of a batch, from 1, without gaps.
type Store interface {
	// Epoch is the number of the state: another one after everything was replaced.
	Epoch(ctx context.Context) (int64, error)
	// AppendData adds the batch of a generation. It is durable when AppendData returns. A batch that does not follow the last one is
	// ErrBehind, and ErrReplaced when there is a gap before it, or another epoch.
	AppendData(ctx context.Context, epoch, generation int64, batch []byte) error
	// DataAfter gives the batches after a generation, in order, a few at a time: none only when there are no more.
	DataAfter(ctx context.Context, generation int64) ([][]byte, error)
	// ReplaceData puts one batch in the place of those of some generations; ones that are not there are left out.
	ReplaceData(ctx context.Context, generations []int64, batch []byte) error
	// Shared tells whether other processes may be loading rows into it.
	Shared() bool
}

// Status is what a dataset holds.
type Status struct {
	Generation    int64 `json:"generation"`
	Mode          Mode  `json:"mode"`
	Profiles      int   `json:"profiles"`
	Installations int   `json:"installations"`
	Events        int   `json:"events"`
}

// Log is the dataset of the server and those of keys, with their history. It is safe for concurrent use. [Log.Of] gives what can be done
// with one of them. See docs/how-to/load-a-dataset.md#why-does-every-load-have-a-generation
type Log struct {
	store  Store
	blocks blocks.Store
	// drawn are the people beside whom the rows stand; nil: there are none.
	drawn *world.World
	// untrusted rows of the store are checked as if they were loaded now.
	untrusted bool

	// Progress, if not nil, is called now and then while rows are added, with how
	// many there are so far. It is set before there are several callers.
	Progress func(rows int64)

	// published is what is in the store: readers need not wait for a load.
	published atomic.Pointer[published]

	epoch    atomic.Int64 // of the state that the log was read from
	rows     atomic.Int64 // see Rows
	follower *follower
	turn     turn // for the fields below, and for loading
	initial  origin
	building turn // for making a snapshot: one after the other takes memory
	ready    ready
	replayed
}

// replayed is what the batches of the store say.
type replayed struct {
	generation int64 // the last one
	histories  map[string]*history
	keys       map[int64]string // of the generations that changed the dataset of a key
	parts      map[int64]bool   // that belong to no batch so far
}

// published is what readers see.
type published struct {
	generation int64
	statuses   map[string]Status // by key; those that have a dataset
	attributes map[string][]string
}

// of is what exports of a key show.
func (p *published) of(key string) Status {
	if shown, own := p.statuses[key]; own {
		return shown
	}
	return p.statuses[""]
}

// origin is what a reset goes back to.
type origin struct {
	rows   input.Source // nil: none
	digest string
	mode   Mode
}

// Open opens the log that a store holds, and keeps what it derives in memory.
func Open(ctx context.Context, store Store, drawn *world.World) (*Log, error) {
	return OpenIn(ctx, blocks.Memory(), store, drawn)
}

// OpenIn opens the log that a store holds, and keeps what it derives in blocks.
func OpenIn(ctx context.Context, blocks blocks.Store, store Store, drawn *world.World) (*Log, error) {
	return (&Log{store: store, blocks: blocks, drawn: drawn}).open(ctx)
}

func (l *Log) open(ctx context.Context) (*Log, error) {
	l.follower, l.turn, l.building, l.initial.mode = newFollower(), make(turn, 1), make(turn, 1), Mixed
	if err := l.readAnew(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if len(l.parts) > 0 && !l.store.Shared() { // a load ended with the program
		l.removeParts(ctx, slices.Sorted(maps.Keys(l.parts)))
	}
	return l, nil
}

// Rows is how many rows the store keeps, as far as they were read: those of every
// load, for it stays when later ones have replaced all that it said.
func (l *Log) Rows() int64 { return l.rows.Load() }

// forget makes the log that of an empty store.
func (l *Log) forget() error {
	err := l.closeNames()
	l.replayed = replayed{histories: map[string]*history{"": newHistory(l.blocks)}, keys: map[int64]string{}, parts: map[int64]bool{}}
	l.rows.Store(0)
	l.ready.forget(func(int64) bool { return true })
	l.publish()
	return err
}

func (l *Log) closeNames() (err error) {
	for _, h := range l.histories {
		err = errors.Join(err, h.named.names.Close())
	}
	return err
}

// Close gives back what the log has in blocks. Nobody reads it any more.
func (l *Log) Close() error {
	l.Stop()
	if err := l.turn.take(context.Background()); err != nil {
		return err
	}
	defer l.turn.give()
	return l.closeNames()
}

// Draw changes the people beside whom the rows stand.
func (l *Log) Draw(ctx context.Context, drawn *world.World) (before *world.World, err error) {
	if err := l.turn.take(ctx); err != nil {
		return nil, err
	}
	defer l.turn.give()
	before, l.drawn = l.drawn, drawn
	return before, nil
}

// Begin sets what the server shows at its start, and what a reset goes back to: rows, usually those of a directory, and a mode. A dataset
// that was loaded in an earlier run stays, if that run began with the same rows; otherwise these replace it. Without rows it stays in any
// case, and so does the mode when none is given.
func (l *Log) Begin(ctx context.Context, rows input.Source, digest string, mode Mode, now time.Time) (err error) {
	if err := l.turn.take(ctx); err != nil {
		return err
	}
	defer l.turn.give()
	before := l.initial
	defer func() {
		if err != nil {
			l.initial = before
		}
	}()
	if some, is := rows.(input.Rows); is && len(some) == 0 {
		rows = nil
	}
	l.initial = origin{rows, digest, mode}
	if mode == "" {
		l.initial.mode = Mixed
	}
	if err := l.catchUp(ctx); err != nil {
		return err
	}
	own := l.history("")
	if rows != nil && own.origin != digest {
		return l.add(ctx, func() *batch { return l.reset(now) }, rows)
	}
	if mode != "" && mode != own.status.Mode {
		return l.add(ctx, func() *batch { return &batch{Mode: mode, At: LastSecond(now)} }, nil)
	}
	return nil
}

// Reopen reads the log anew from its store, after everything in that was
// replaced. A store without a dataset begins at the start, see Begin.
func (l *Log) Reopen(ctx context.Context, now time.Time) error {
	if err := l.turn.take(ctx); err != nil {
		return err
	}
	defer l.turn.give()
	if err := l.readAnew(ctx); err != nil || l.history("").status.Generation > 0 || l.initial.rows == nil && l.initial.mode == Mixed {
		return err
	}
	return l.add(ctx, func() *batch { return l.reset(now) }, l.initial.rows)
}

// readAnew reads everything from the store.
func (l *Log) readAnew(ctx context.Context) error {
	epoch, err := l.store.Epoch(ctx)
	if err != nil {
		return err
	}
	l.epoch.Store(epoch)
	if err := l.forget(); err != nil {
		return err
	}
	return l.catchUp(ctx)
}

// Epoch is that of the state that the log was read from.
func (l *Log) Epoch() int64 { return l.epoch.Load() }

// reset is the batch that takes the server back to the start, without its rows.
func (l *Log) reset(now time.Time) *batch {
	return &batch{Reset: true, Origin: l.initial.digest, Mode: l.initial.mode, At: LastSecond(now)}
}

// NewSpool is an empty spool beside the log, for rows to be loaded.
func (l *Log) NewSpool() *input.Spool { return input.NewSpool(l.blocks) }

// NewBatches are no batches so far, to be kept beside the log.
func (l *Log) NewBatches() *Batches { return NewBatches(l.blocks) }

// publish lets readers see the status. The caller holds the lock, or is the only one to know the log.
func (l *Log) publish() {
	shown := &published{generation: l.generation, statuses: map[string]Status{}, attributes: map[string][]string{}}
	for key, h := range l.histories {
		if key == "" || h.own {
			shown.statuses[key] = h.status
			shown.attributes[key] = h.named.attributes
		}
	}
	l.published.Store(shown)
}

// LastSecond is the last whole second before an instant: what happened then is inside a window that ends at that instant, even while the
// clock stands still. See docs/how-to/load-a-dataset.md#when-does-an-event-without-a-date-happen
func LastSecond(now time.Time) int64 {
	if now.Nanosecond() > 0 {
		return now.Unix()
	}
	return now.Unix() - 1
}
