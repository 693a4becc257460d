package bolt

import (
	"cmp"
	"context"
	"errors"

	"go.etcd.io/bbolt"
)

// apply does the work of a request in a transaction that it shares with others. It reads and refuses first, and writes then: an
// error other than a [fileError] leaves nothing behind. A panic spoils the transaction. It may be run again.
type apply func(tx *bbolt.Tx) error

// write waits until a request is committed.
func (e *engine) write(ctx context.Context, work apply) error {
	return e.explain(e.writes.do(ctx, work))
}

// commit writes a group with one commit. When that fails for a reason that is no single request's own, each request is
// tried again alone: what can be written is written, and every request gets its own error.
func (e *engine) commit(group []*request) {
	err := cmp.Or(e.broken, e.syncs.failed())
	if err == nil {
		err = e.transaction(group)
	}
	switch {
	case err == nil:
	case len(group) == 1:
		group[0].err = err
	default:
		for _, r := range group {
			e.commit([]*request{r})
		}
	}
}

// transaction applies a group and commits. An error of one request is left with it; the error returned is that of the whole.
func (e *engine) transaction(group []*request) error {
	err := guarded(func() error {
		tx, err := e.db.Begin(true)
		if err != nil {
			return fileError{err}
		}
		defer func() { _ = tx.Rollback() }() // unless it is over
		for _, r := range group {
			if r.err = r.apply(tx); errors.As(r.err, new(fileError)) {
				return r.err
			}
		}
		if err := e.isThere(); err != nil {
			return err
		}
		return fileErrorOf(tx.Commit())
	})
	if errors.As(err, new(damageError)) {
		e.broken = err
	} else if err == nil {
		e.syncs.soon(e.file)
	}
	return err
}
