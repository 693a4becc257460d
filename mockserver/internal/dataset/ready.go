package dataset

import "slices"

// ready are snapshots that were made, for those who ask for them again. The lock
// of the log guards them.
type ready struct {
	// forgotten counts how often there was something to forget: a snapshot that was
	// being made meanwhile shows what is gone.
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
