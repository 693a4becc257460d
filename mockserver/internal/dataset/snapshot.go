package dataset

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
)

// Snapshot is the dataset as it was in one generation: people, each with their installations and events. It is immutable and safe for
// concurrent use. Its blocks are dropped when nothing refers to it any more.
type Snapshot struct {
	generation int64
	since      int64 // the generation of the reset before
	people     *blocks.List
	events     int64

	deriving sync.Mutex
	results  map[string]any
}

// Events is how many events there are.
func (s *Snapshot) Events() int64 { return s.events }

// Derived keeps, as long as the snapshot lives, what others derive from it: it is made once for each key, while other callers wait.
func (s *Snapshot) Derived(key string, make func() any) any {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	if s.results[key] == nil {
		s.results[key] = make()
	}
	return s.results[key]
}

// newSnapshot gathers the people of some batches, which follow a reset. A block that cannot be read panics, see [blocks.Decoder]; here it
// is an error.
func (l *Log) newSnapshot(ctx context.Context, generation, since int64, batches []applied) (s *Snapshot, err error) {
	g := &gatherer{devices: blocks.NewList(l.blocks), used: blocks.NewList(l.blocks), people: blocks.NewList(l.blocks),
		sorter: extsort.New("", sortBytes).Within(l.blocks.Room())}
	who := newNamed(l.blocks)
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the dataset cannot be read: %v", cause)
		}
		g.sorter.Close()
		err = errors.Join(err, who.names.Close(), g.devices.Drop()(), g.used.Drop()())
		if err != nil {
			s, err = nil, errors.Join(err, g.people.Drop()())
		}
	}()
	from := &batchReader{store: l.store}
	for _, b := range batches {
		rows := loader{named: who, at: b.At, to: g}
		if err := rows.load(ctx, storedRows{from, b.batch, b.generation, true}); err != nil {
			return nil, err
		}
	}
	if err := g.join(); err != nil {
		return nil, err
	}
	s = &Snapshot{generation: generation, since: since, people: g.people, events: g.events, results: map[string]any{}}
	// An error means that the disk is in trouble, or closed: others will say it.
	runtime.AddCleanup(s, func(drop func() error) { _ = drop() }, g.people.Drop())
	return s, nil
}

// sortBytes is how much of a sort is in memory; the rest is on disk.
const sortBytes = 6 << 20

// gatherer puts entries to the people they are about. Whose installation it is in the end is known after all entries, so those of
// installations, and the events on them, wait for that.
type gatherer struct {
	count, events int64
	devices, used *blocks.List // entries of installations, and of events on them
	owners        []int32      // of installations
	elsewhere     []elsewhere  // in order, at the end
	sorter        *extsort.Sorter
	people        *blocks.List
	text, record  []byte
	err           error
}

// elsewhere is an installation that an event of somebody else names.
type elsewhere struct{ installation, person int32 }

// take takes an entry, with a row; nil: another one names it.
func (g *gatherer) take(e *entry, row *input.Row) {
	e.when.number = int32(g.count)
	g.count++
	switch e.kind {
	case ofInstallation:
		e.when.second = int64(e.installation)
		if missing := int(e.installation) + 1 - len(g.owners); missing > 0 {
			g.owners = append(g.owners, make([]int32, missing)...)
		}
		g.owners[e.installation] = e.profile
	case ofEvent:
		e.when.second = e.at
		g.events++
	}
	if g.text = e.append(g.text[:0]); row != nil {
		g.text = row.Append(g.text)
	}
	switch {
	case e.kind == ofInstallation:
		g.err = cmp.Or(g.err, g.devices.Add(g.text))
	case e.kind == ofEvent && e.installation >= 0:
		g.err = cmp.Or(g.err, g.used.Add(g.text))
	default:
		g.put(e.profile, g.text)
	}
}

func (g *gatherer) put(person int32, text []byte) {
	g.record = append(binary.BigEndian.AppendUint32(g.record[:0], uint32(person)), text...)
	if g.err == nil {
		g.err = g.sorter.Add(g.record)
	}
}

// join makes people of all entries.
func (g *gatherer) join() error {
	each := func(list *blocks.List, put func(e entry, owner int32, text []byte)) {
		list.Each(0, list.Count, func(_ int64, record string) {
			e := decodeEntry(record)
			g.text = append(g.text[:0], record...)
			put(e, g.owners[e.installation], g.text)
		})
	}
	each(g.used, func(e entry, owner int32, text []byte) {
		if e.profile >= 0 && e.profile != owner {
			text[sideAt] = ofDeviceAlone
			g.put(owner, text)
			text[sideAt] = ofPersonAlone
			g.elsewhere = append(g.elsewhere, elsewhere{e.installation, e.profile})
			owner = e.profile
		}
		g.put(owner, text)
	})
	compare := func(a, b elsewhere) int {
		return cmp.Or(cmp.Compare(a.installation, b.installation), cmp.Compare(a.person, b.person))
	}
	slices.SortFunc(g.elsewhere, compare)
	g.elsewhere = slices.Compact(g.elsewhere)
	each(g.devices, func(e entry, owner int32, text []byte) {
		g.put(owner, text)
		text[sideAt] = ofPersonAlone
		at, _ := slices.BinarySearchFunc(g.elsewhere, elsewhere{e.installation, -1}, compare)
		for ; at < len(g.elsewhere) && g.elsewhere[at].installation == e.installation; at++ {
			g.put(g.elsewhere[at].person, text)
		}
	})
	if g.err != nil {
		return g.err
	}
	record, last := g.record[:0], uint32(0) // they have all numbers from 0 on
	err := g.sorter.Each(func(text []byte) error {
		if person := binary.BigEndian.Uint32(text); person != last {
			if err := g.people.Add(record); err != nil {
				return err
			}
			last, record = person, record[:0]
		}
		record = append(binary.AppendUvarint(record, uint64(len(text)-4)), text[4:]...)
		return nil
	})
	if err == nil && g.count > 0 {
		err = g.people.Add(record)
	}
	return err
}

// ready are snapshots that were made, for those who ask for them again. The lock of the log guards them.
type ready struct {
	// forgotten counts how often there was something to forget: a snapshot that was being made meanwhile shows what is gone.
	forgotten int64
	snapshots []*Snapshot // the one that was asked for last at the end
}

// What is kept ready: a few snapshots of any size, and more when they are small, for there may be a dataset for every test.
const (
	fewReady    = 4
	peopleReady = 100_000
)

// of is the snapshot of a generation; nil: there is none.
func (r *ready) of(generation int64) *Snapshot {
	at := slices.IndexFunc(r.snapshots, func(made *Snapshot) bool { return made.generation == generation })
	if at < 0 {
		return nil
	}
	found := r.snapshots[at]
	r.snapshots = append(slices.Delete(r.snapshots, at, at+1), found)
	return found
}

// keep keeps a snapshot that was begun when so much was forgotten.
func (r *ready) keep(made *Snapshot, forgotten int64) {
	if forgotten != r.forgotten {
		return
	}
	r.snapshots = append(r.snapshots, made)
	people := int64(0)
	for _, made := range r.snapshots {
		people += made.People() + made.events
	}
	for len(r.snapshots) > fewReady && people > peopleReady {
		people -= r.snapshots[0].People() + r.snapshots[0].events
		r.snapshots = slices.Delete(r.snapshots, 0, 1)
	}
}

// forget forgets the snapshots of some generations, and those that are being made.
func (r *ready) forget(gone func(generation int64) bool) {
	r.forgotten++
	r.snapshots = slices.DeleteFunc(r.snapshots, func(made *Snapshot) bool { return gone(made.generation) })
}
