package world

import (
	"sync"
	"sync/atomic"
	"weak"
)

// windows are those of a view whose slots are asked for now, by whoever reads it: of a
// file that several processors write, or that is read in pieces, each window is found once.
type windows struct {
	claim   sync.Mutex // held while the place for another window is sought
	places  [8]windowPlace
	last    int          // the place that was claimed last
	users   sync.Pool    // of *appUsers
	density atomic.Int64 // about how many rows a slot has, in parts of densityParts
	rows    int64        // about how many a window has
}

// windowPlace is where a window is kept, until there is no memory for it.
type windowPlace struct {
	atomic.Uint64 // the slots: the first one, and in the lowest bits how many
	sync.Mutex
	finder weak.Pointer[eventFinder]
}

const (
	slotsBits    = 16
	densityParts = 1 << 10
)

// A window has about windowRows rows, or manyRows where many orchestrations send, each of which is
// looked at in each window, and at most mostSlots slots; the first one of a reader,
// who may want no other, has one, and each is at most growth times as long as the one before.
// One in which more than mostSent times as many messages are sent, or that would get more than mostRows
// times as many rows, is made shorter.
const (
	windowRows = 2048
	manyRows   = 4096
	growth     = 4
	mostSent   = 2
	mostRows   = 4
	mostSlots  = 1 << 10
)

func (p *windowPlace) slots() slotRun {
	packed := p.Load()
	return slotRun{int64(packed >> slotsBits), int64(packed % (1 << slotsBits))}
}

func (p *windowPlace) set(slots slotRun) {
	p.Store(uint64(slots.first)<<slotsBits | uint64(slots.count))
}

func (r slotRun) has(slot int64) bool { return slot >= r.first && slot < r.first+r.count }

// holding is a place whose window has a slot, or is about to; nil: none is.
func (w *windows) holding(slot int64) *windowPlace {
	for i := range w.places {
		if w.places[i].slots().has(slot) {
			return &w.places[i]
		}
	}
	return nil
}

// append adds the rows of a slot, which is followed by so many others.
func (w *windows) append(rows []Row, v *messages, slot, others int64) []Row {
	for {
		place := w.holding(slot)
		if place == nil {
			if place = w.claimed(slot, others); place == nil {
				return w.alone(rows, v, slot)
			}
		} else if place.Lock(); !place.slots().has(slot) {
			place.Unlock()
			continue // it was needed for another one
		}
		return w.give(rows, v, place, slot)
	}
}

// give adds the rows of a slot of the window at a place, which is locked.
func (w *windows) give(rows []Row, v *messages, place *windowPlace, slot int64) []Row {
	defer place.Unlock()
	window := place.slots()
	finder := place.finder.Value()
	if finder == nil || finder.window != window {
		finder = v.finders.Get().(*eventFinder)
		// What was found may be gone, and was asked for as far as here.
		finder.find(v, slotRun{slot, window.first + window.count - slot})
		if finder.window != window {
			window = finder.window
			place.set(window)
		}
		w.density.Store(int64(len(finder.rows.order)+1) * densityParts / window.count)
		place.finder = weak.Make(finder)
	}
	rows = finder.give(v, rows, slot*v.stream.slot, (slot+1)*v.stream.slot)
	if finder.given++; finder.given == window.count { // few ask again
		place.finder = weak.Pointer[eventFinder]{}
		v.finders.Put(finder)
	}
	return rows
}

// claimed is a place for a window that begins with a slot, locked; nil: all are in use.
func (w *windows) claimed(slot, others int64) *windowPlace {
	w.claim.Lock()
	defer w.claim.Unlock()
	for range w.places {
		w.last = (w.last + 1) % len(w.places)
		if place := &w.places[w.last]; place.TryLock() {
			place.set(slotRun{slot, min(w.size(slot), others+1)})
			return place
		}
	}
	return nil
}

// size is how many slots a window gets. It ends where another one begins, which somebody
// else reads.
func (w *windows) size(slot int64) int64 {
	before, density := w.holding(slot-1), w.density.Load()
	if before == nil || density == 0 {
		return 1
	}
	size := min(w.rows*densityParts/density, growth*before.slots().count, mostSlots)
	for i := range w.places {
		if at := w.places[i].slots(); at.first > slot {
			size = min(size, at.first-slot)
		}
	}
	return max(size, 1)
}

// alone adds the rows of a slot without a place for it.
func (w *windows) alone(rows []Row, v *messages, slot int64) []Row {
	finder := v.finders.Get().(*eventFinder)
	defer v.finders.Put(finder)
	finder.find(v, slotRun{slot, 1})
	return finder.give(v, rows, slot*v.stream.slot, (slot+1)*v.stream.slot)
}
