package live

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// room is what is known of the room on disks. It remembers when a write last found none: a full disk may have room for the small write of
// a readiness probe, and none for an export.
type room struct {
	now              func() time.Time
	last             atomic.Pointer[time.Time]
	damage           sync.Map // error, by the kind of work that met it last
	state, temporary func() (directory string)
	budgets          *budget.Set
}

// directoryOf is the directory that something fills; empty for none.
func directoryOf(kept any) func() string {
	if filling, is := kept.(interface{ Directory() string }); is {
		return filling.Directory
	}
	return func() string { return "" }
}

// Directory is where the state is; empty for nowhere on a disk.
func (r *room) Directory() string { return r.state() }

// smallLoad is below what nobody asks whether there is room.
const smallLoad = 1 << 20

// Holds refuses something that needs more bytes than the disk of the state, or that of temporary files, has room for, or than temporary
// files may take, before any of it is written.
func (r *room) Holds(what string, state, temporary int64) error {
	if most := temporary - blocks.SpillBytes; most > 0 && r.temporary() != "" {
		if err := r.budgets.Of(budget.Disk).Fits(most); err != nil {
			return err
		}
	}
	for _, disk := range []struct {
		need           int64
		directory      func() string
		holds, another string
	}{
		{state, r.state, "the state", "--state"},
		{temporary, r.temporary, "temporary files", "TMPDIR"},
	} {
		if disk.need < smallLoad {
			continue
		}
		directory := disk.directory()
		if free, known := r.budgets.Free(directory); directory != "" && known && free < disk.need {
			return exports.RefuseOutage("%s: at least %.1f MiB are needed for %s in %s (%s), and %.1f MiB are free; nothing was changed: make room "+
				"there, or start the server with another place, and try again",
				what, mebibytes(disk.need), disk.holds, directory, disk.another, mebibytes(free))
		}
	}
	return nil
}

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// shortageDoubt is for how long a server is not ready after a write found no room: if it still has none, the next write says so.
const shortageDoubt = 5 * time.Second

// Lacking reports whether a write has found no room a moment ago.
func (r *room) Lacking() bool {
	last := r.last.Load()
	return last != nil && r.now().Sub(*last) < shortageDoubt
}

// Ended notes how a kind of work ended. A damaged file does not heal: the server is not ready until work of the kind succeeds.
func (r *room) Ended(kind string, err error) {
	if errors.Is(err, store.ErrDamaged) {
		r.damage.Store(kind, err)
	} else if err == nil {
		r.damage.Delete(kind)
	}
}

// Damage is what a kind of work met last; nil: nothing.
func (r *room) Damage() error {
	for _, met := range r.damage.Range {
		return met.(error)
	}
	return nil
}

// Explain returns the refusal that a client gets for an error, and notes a lack of room.
func (r *room) Explain(err error) *exports.Refusal {
	if errors.Is(err, store.ErrFull) {
		now := r.now()
		r.last.Store(&now)
	}
	return explain(err)
}

// explain is what a client is told of a store that cannot do its work.
func explain(err error) *exports.Refusal {
	var exceeded *budget.ExceededError
	var failed *tempfile.Error
	switch {
	case errors.As(err, &exceeded) && exceeded.Budget.Sent && !exceeded.Busy:
		return exports.Refuse(exports.MalformedParameter, "%v", exceeded)
	case errors.As(err, &exceeded) && exceeded.Busy && exceeded.Budget.Relief != "":
		return exports.Refuse(exports.Conflict, "%v; %s", exceeded, exceeded.Budget.Relief)
	case errors.As(err, &exceeded) && exceeded.Busy:
		return exports.RefuseOutage("%v; send the request again", exceeded)
	case errors.As(err, &exceeded):
		return exports.Refuse(exports.MaintenanceError, "%v", exceeded)
	case errors.Is(err, budget.ErrDeadline):
		return exports.Refuse(exports.MaintenanceError, "%v", err)
	case errors.Is(err, dataset.ErrReplaced):
		return exports.RefuseOutage("the whole state was replaced meanwhile, and nothing was changed; send the request again")
	case errors.Is(err, store.ErrFull):
		return exports.RefuseOutage("the state of the server cannot grow, because its disk is full; nothing was changed, and nothing is lost: " +
			"make room and send the request again")
	case errors.Is(err, store.ErrReadOnly):
		return exports.RefuseOutage("the state of the server can only be read at present; nothing was changed: send the request again when it " +
			"can be written; the reason is in the log of the server")
	case errors.Is(err, store.ErrGone):
		return exports.RefuseOutage("the state file of the server was deleted, moved or replaced; nothing was changed: send the request again " +
			"when the file is back; the reason is in the log of the server")
	case errors.Is(err, store.ErrDamaged):
		return exports.RefuseOutage("the state of the server is damaged: restore a copy, or save the rest by mockserver state check; the " +
			"reason is in the log")
	case errors.As(err, &failed):
		return exports.RefuseOutage("the server cannot write %s; make room there and send the request again", failed.Place())
	case errors.Is(err, store.ErrAway):
		return exports.RefuseOutage("the database of the server does not answer; send the request again when it does; the reason is in the " +
			"log of the server")
	}
	return nil
}
