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

// maxEarlier is how many generations are kept ready beside those that datasets
// have now. These stay: nearly every export shows one.
const maxEarlier = 4

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

// keep keeps a snapshot that was begun when so much was forgotten. Present are the generations
// that datasets have now, of those with rows.
func (r *ready) keep(made *Snapshot, forgotten int64, present func(generation int64) bool) {
	if forgotten != r.forgotten || r.of(made.generation) != nil {
		return
	}
	r.snapshots = append(r.snapshots, made)
	earlier := 0
	for _, made := range r.snapshots {
		if !present(made.generation) {
			earlier++
		}
	}
	r.snapshots = slices.DeleteFunc(r.snapshots, func(made *Snapshot) bool {
		if earlier <= maxEarlier || present(made.generation) {
			return false
		}
		earlier--
		return true
	})
}

// forget forgets the snapshots of some generations, and those that are being made.
func (r *ready) forget(gone func(generation int64) bool) {
	r.forgotten++
	r.snapshots = slices.DeleteFunc(r.snapshots, func(made *Snapshot) bool { return gone(made.generation) })
}
