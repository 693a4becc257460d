package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// ErrBehind is what a [Store] answers to a batch that does not follow the last
// one: another process has added batches meanwhile.
var ErrBehind = errors.New("batches were added meanwhile")

// ErrReplaced is what a [Store] answers to a batch that would leave a gap: the
// batches before it were replaced meanwhile, see [Log.Reopen].
var ErrReplaced = errors.New("the dataset was replaced meanwhile")

// Store keeps batches for ever, in order. A generation is the number of a
// batch, from 1, without gaps.
type Store interface {
	// AppendData adds the batch of a generation. It is durable when AppendData
	// returns. A batch that does not follow the last one is ErrBehind, or
	// ErrReplaced when there is a gap before it.
	AppendData(ctx context.Context, generation int64, batch []byte) error
	// DataAfter gives the batches after a generation, in order, a few at a
	// time: none only when there are no more.
	DataAfter(ctx context.Context, generation int64) ([][]byte, error)
}

// Status is what a log holds.
type Status struct {
	Generation    int64 `json:"generation"`
	Mode          Mode  `json:"mode"`
	Profiles      int   `json:"profiles"`
	Installations int   `json:"installations"`
	Events        int   `json:"events"`
}

// Log is a dataset with its history. It is safe for concurrent use.
// See docs/explanation/dataset.md#why-does-every-load-have-a-generation
type Log struct {
	store  Store
	blocks blocks.Store
	// synthetic says whether an identifier is that of a synthetic installation
	// or profile; nil: none is.
	synthetic Synthetic

	// Progress, if not nil, is called now and then while rows are added, with how
	// many there are so far. It is set before there are several callers.
	Progress func(rows int64)

	// published is the status of what is in the store: readers need not wait
	// for a load.
	published atomic.Pointer[Status]

	lock      sync.Mutex    // for the fields below, and for loading
	segments  []*logSegment // in order; each but the first begins with a reset
	status    Status
	initial   origin
	origins   map[int64]string // of the batches that hold rows of a directory
	snapshots []*Snapshot
}

// origin is what a reset goes back to.
type origin struct {
	rows   input.Source // nil: none
	digest string
	mode   Mode
}

// Synthetic tells identifiers of the synthetic world from all others.
type Synthetic interface {
	InstallationByID(id string) (int64, bool)
	ProfileByID(id string) (int64, bool)
	ProfileByCustomID(id string) (int64, bool)
}

// Open opens the log that a store holds, and keeps what it derives in memory.
func Open(ctx context.Context, store Store, synthetic Synthetic) (*Log, error) {
	return OpenIn(ctx, blocks.Memory(), store, synthetic)
}

// OpenIn opens the log that a store holds, and keeps what it derives in blocks.
func OpenIn(ctx context.Context, blocks blocks.Store, store Store, synthetic Synthetic) (*Log, error) {
	l := &Log{store: store, blocks: blocks, synthetic: synthetic, segments: []*logSegment{newLogSegment(0, blocks)}, origins: map[int64]string{}}
	l.initial.mode = Mixed
	l.status.Mode = Mixed
	if err := l.catchUp(ctx); err != nil {
		return nil, err
	}
	l.publish()
	return l, nil
}

// Begin sets what a server shows at its start, and what a reset goes back to:
// rows, usually those of a directory, and a mode. A dataset that was loaded in an
// earlier run stays, if that run began with the same rows; otherwise these
// replace it. Without rows it stays in any case, and so does the mode when none
// is given.
func (l *Log) Begin(ctx context.Context, rows input.Source, digest string, mode Mode, now time.Time) error {
	l.lock.Lock()
	defer l.lock.Unlock()
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
	last := l.segments[len(l.segments)-1]
	if rows != nil && last.origin != digest {
		return l.add(ctx, func() batch { return l.reset(now) }, rows)
	}
	if mode != "" && mode != l.status.Mode {
		return l.add(ctx, func() batch { return batch{Mode: mode, At: LastSecond(now)} }, nil)
	}
	return nil
}

// Reopen reads the log anew from its store, after everything in that was
// replaced. A store without a dataset begins at the start, see Begin.
func (l *Log) Reopen(ctx context.Context, now time.Time) error {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.segments, l.origins, l.snapshots = []*logSegment{newLogSegment(0, l.blocks)}, map[int64]string{}, nil
	l.status = Status{Mode: Mixed}
	l.publish()
	if err := l.catchUp(ctx); err != nil || l.status.Generation > 0 || l.initial.rows == nil && l.initial.mode == Mixed {
		return err
	}
	return l.add(ctx, func() batch { return l.reset(now) }, l.initial.rows)
}

// reset is the batch that goes back to the start, without its rows.
func (l *Log) reset(now time.Time) batch {
	return batch{Reset: true, Origin: l.initial.digest, Mode: l.initial.mode, At: LastSecond(now)}
}

// Load adds rows: a profile or an installation with a known identifier takes
// the place of the one before, an event comes in addition. An event without a
// date happened in the last whole second before now. It loads all rows, or none
// and says why: an [*InvalidError], or what the store found wrong.
func (l *Log) Load(ctx context.Context, rows input.Source, now time.Time) (Status, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	err := l.add(ctx, func() batch { return batch{At: LastSecond(now)} }, rows)
	return l.status, err
}

// NewSpool is an empty spool beside the log, for rows that [Log.Load] gets.
func (l *Log) NewSpool() *input.Spool { return input.NewSpool(l.blocks) }

// SetMode says what is shown beside the dataset from now on.
func (l *Log) SetMode(ctx context.Context, mode Mode, now time.Time) (Status, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if err := l.catchUp(ctx); err != nil || mode == l.status.Mode {
		return l.status, err
	}
	err := l.add(ctx, func() batch { return batch{Mode: mode, At: LastSecond(now)} }, nil)
	return l.status, err
}

// Reset goes back to the start: to the rows and the mode of Begin, or to none
// and Mixed.
func (l *Log) Reset(ctx context.Context, now time.Time) (Status, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	err := l.add(ctx, func() batch { return l.reset(now) }, l.initial.rows)
	return l.status, err
}

// Current is the latest generation and its mode, for an export to keep.
func (l *Log) Current(ctx context.Context) (Status, error) {
	shown := l.published.Load()
	if texts, err := l.store.DataAfter(ctx, shown.Generation); err != nil || len(texts) == 0 {
		return *shown, err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	err := l.catchUp(ctx)
	return l.status, err
}

// publish lets readers see the status. The caller holds the lock, or is the
// only one to know the log.
func (l *Log) publish() {
	status := l.status
	l.published.Store(&status)
}

// LastSecond is the last whole second before an instant: what happened then is
// inside a window that ends at that instant, even while the clock stands still.
// See docs/explanation/dataset.md#when-does-an-event-without-a-date-happen
func LastSecond(now time.Time) int64 {
	if now.Nanosecond() > 0 {
		return now.Unix()
	}
	return now.Unix() - 1
}

// add makes the next batch and stores it. When another process was faster, its
// batches come first.
func (l *Log) add(ctx context.Context, begin func() batch, rows input.Source) error {
	spool, err := l.spooled(ctx, rows)
	if err != nil {
		return err
	}
	if spool != rows {
		defer spool.Close()
	}
	var stored []int64 // the generations of parts
	for range maxRaces {
		if err := l.catchUp(ctx); err != nil {
			return err
		}
		next := begin()
		source, parts := input.Source(spool), spool.Parts()
		if next.Reset {
			next.Again = l.generationOf(next.Origin)
		}
		if next.Again > 0 {
			source, parts = l.storedRows(next.Again), 0
		}
		if parts == 0 && next.plain() {
			return nil // there is nothing to load
		}
		if parts == 1 {
			parts = 0 // it is in the batch itself
		}
		generation := l.status.Generation + int64(parts-min(len(stored), parts)) + 1
		undo, err := l.apply(ctx, next, source, generation, true)
		if err != nil {
			return err
		}
		if stored, err = l.storeBatch(ctx, next, spool, parts, stored, generation); err == nil {
			l.publish()
			return l.keep()
		}
		if undone := undo(); undone != nil {
			return undone
		}
		if !errors.Is(err, ErrBehind) {
			return err
		}
	}
	return fmt.Errorf("the dataset was not stored: other processes changed it %d times meanwhile; try again", maxRaces)
}

// spooled are rows in a spool, which may be empty.
func (l *Log) spooled(ctx context.Context, rows input.Source) (*input.Spool, error) {
	if spool, is := rows.(*input.Spool); is {
		return spool, spool.Flush()
	}
	spool := input.NewSpool(l.blocks)
	if rows == nil {
		return spool, nil
	}
	if err := spool.Fill(ctx, rows); err != nil {
		return nil, err
	}
	return spool, spool.Flush()
}

// storeBatch stores a batch. The parts of large ones come before it, as batches
// of their own that show nothing until then; it returns those that are stored.
func (l *Log) storeBatch(ctx context.Context, next batch, spool *input.Spool, parts int, stored []int64, generation int64) ([]int64, error) {
	for len(stored) < parts {
		text, err := spool.AppendRows([]byte(partBeginning), len(stored))
		if err != nil {
			return stored, err
		}
		number := generation - int64(parts-len(stored))
		if err := l.store.AppendData(ctx, number, append(text, '}')); err != nil {
			return stored, err
		}
		stored = append(stored, number)
	}
	next.Parts = stored
	text, err := json.Marshal(next)
	if err == nil && parts == 0 && next.Again == 0 && spool.Parts() == 1 {
		if text, err = spool.AppendRows(text[:len(text)-1], 0); err == nil {
			text = append(text, '}')
		}
	}
	if err != nil {
		return stored, fmt.Errorf("the dataset cannot be stored: %w", err)
	}
	return stored, l.store.AppendData(ctx, generation, text)
}

// mostRaces is how often a batch gives way to those of other processes.
const maxRaces = 100

// generationOf is the batch that holds the rows of a directory already; 0: none.
func (l *Log) generationOf(digest string) int64 {
	for generation, held := range l.origins {
		if held == digest && digest != "" {
			return generation
		}
	}
	return 0
}

// mostSnapshots is how many generations are kept ready.
const maxSnapshots = 4

// At is the dataset as it was in a generation.
func (l *Log) At(ctx context.Context, generation int64) (*Snapshot, error) {
	l.lock.Lock()
	if generation > l.status.Generation {
		if err := l.catchUp(ctx); err != nil {
			l.lock.Unlock()
			return nil, err
		}
	}
	if generation > l.status.Generation || generation < 0 {
		defer l.lock.Unlock()
		return nil, fmt.Errorf("the dataset has %d generations, and generation %d was requested", l.status.Generation, generation)
	}
	for _, ready := range l.snapshots {
		if ready.generation == generation {
			l.lock.Unlock()
			return ready, nil
		}
	}
	number := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].since > generation }) - 1
	segment := l.segments[number]
	frozen, err := segment.until(generation)
	l.lock.Unlock()
	if err != nil {
		return nil, err
	}
	made, err := newSnapshot(frozen, generation, segment.since) // two callers may make the same one
	if err != nil {
		return nil, err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.snapshots = append(l.snapshots, made)
	if len(l.snapshots) > maxSnapshots {
		l.snapshots = append([]*Snapshot(nil), l.snapshots[1:]...)
	}
	return made, nil
}
