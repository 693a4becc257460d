package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// queueLength is how many writes may wait. Further ones wait to be let in,
	// or for the end of their context.
	queueLength = 1024
	// largestGroup is how many writes share one commit at most, so that the
	// first of them does not wait long.
	largestGroup = 256
)

// writer is the write side of an SQLite store: one connection, used by one
// goroutine.
type writer struct {
	conn  *sql.Conn
	queue chan *request
	done  chan struct{} // closed when the goroutine ends
	// check says why what is committed would be lost. It costs a hundredth of a
	// commit.
	check func() error
	// recent are the records in memory, and changes what the transaction under way does to them.
	recent  *recent
	changes changes

	transactionStatements
	recordStatements
	stateStatements
}

// The statements of the writer, by what they are about.
type (
	transactionStatements struct{ begin, commit, rollback *sql.Stmt }
	recordStatements      struct{ insert, get, update *sql.Stmt }
	stateStatements       struct {
		bucket, setBucket                 *sql.Stmt
		setting, setSetting, initSetting  *sql.Stmt
		appendData, lastData, replaceData *sql.Stmt
	}
)

func (w *writer) prepare(ctx context.Context) error {
	return prepareAll(ctx, w.conn, map[**sql.Stmt]string{
		&w.begin:      `BEGIN IMMEDIATE`,
		&w.commit:     `COMMIT`,
		&w.rollback:   `ROLLBACK`,
		&w.insert:     `INSERT INTO exports (id, owner, interface, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		&w.get:        `SELECT record FROM exports WHERE id = ?`,
		&w.update:     `UPDATE exports SET record = ? WHERE id = ?`,
		&w.bucket:     `SELECT bucket FROM buckets WHERE key = ?`,
		&w.setBucket:  `INSERT INTO buckets (key, bucket) VALUES (?, ?) ON CONFLICT DO UPDATE SET bucket = excluded.bucket`,
		&w.setting:    `SELECT value FROM settings WHERE name = ?`,
		&w.setSetting: `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
		&w.appendData: `INSERT INTO data (generation, batch)
			SELECT ?1, ?2 WHERE ?1 = 1 + (SELECT coalesce(max(generation), 0) FROM data)`,
		&w.replaceData: `UPDATE data SET batch = ? WHERE generation = ?`,
		&w.lastData:    `SELECT coalesce(max(generation), 0) FROM data`,
		&w.initSetting: `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING`,
	})
}

// release closes the connection and, because a statement of a single
// connection does not end with it, the statements: SQLite would keep the file
// open for them.
func (w *writer) release() error {
	var errs []error
	for _, statement := range []*sql.Stmt{w.begin, w.commit, w.rollback, w.insert, w.get, w.update,
		w.bucket, w.setBucket, w.setting, w.setSetting, w.initSetting, w.appendData, w.lastData, w.replaceData} {
		if statement != nil {
			errs = append(errs, statement.Close())
		}
	}
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
	}
	return errors.Join(errs...)
}

// request is one write that waits for the writer.
type request struct {
	// apply does the work inside a transaction that it shares with others. A
	// failure leaves nothing behind, because all but the last statement only
	// read: it needs no rollback, which would take the neighbours along. Where
	// that is not so, its error is halfway. It may be run again.
	apply    func(*writer) error
	claimed  atomic.Bool // by the writer to run it, or by the caller to withdraw it
	err      error
	panicked any
	done     chan struct{} // closed when err and panicked are set
}

func (s *Store) start() {
	s.writer.queue = make(chan *request, queueLength)
	s.writer.done = make(chan struct{})
	s.writer.recent = &s.recent
	s.writer.check = func() error { return s.opened.at(s.path) }
	go s.writer.run()
}

// write hands a write in and waits until it is committed. When it returns the
// error of the context, the write was withdrawn before it began.
func (s *Store) write(ctx context.Context, apply func(*writer) error) error {
	r := &request{apply: apply, done: make(chan struct{})}
	if err := s.enqueue(ctx, r); err != nil {
		return err
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.claimed.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-r.done // it is being written: that takes no time to speak of
	}
	if r.panicked != nil {
		panic(r.panicked)
	}
	if primaryCode(r.err) != 0 {
		return explain(s.path, r.err)
	}
	return r.err
}

func (s *Store) enqueue(ctx context.Context, r *request) error {
	end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	select {
	case s.writer.queue <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run writes until the queue is closed and empty.
func (w *writer) run() {
	defer close(w.done)
	group := make([]*request, 0, largestGroup)
	for first := range w.queue {
		// The caller that was served last tends to run first and to come back
		// alone. Let the others in as well before the group is closed.
		for waiting := -1; waiting < len(w.queue) && len(w.queue) < largestGroup; {
			waiting = len(w.queue)
			runtime.Gosched()
		}
		group = w.gather(append(group[:0], first))
		w.runGroup(group)
		for _, r := range group {
			close(r.done)
		}
		clear(group)
	}
}

// gather adds the requests that wait already to the first one and leaves out
// those that were withdrawn.
func (w *writer) gather(group []*request) []*request {
	first := group[0]
	group = group[:0]
	for r := first; r != nil; r = w.next(len(group)) {
		if r.claimed.CompareAndSwap(false, true) {
			group = append(group, r)
		}
	}
	return group
}

// next returns a request that waits already, or nil.
func (w *writer) next(grouped int) *request {
	if grouped == largestGroup {
		return nil
	}
	select {
	case r := <-w.queue: // nil when it is closed and empty
		return r
	default:
		return nil
	}
}

// runGroup writes a group with one commit. When that fails for a reason that
// is no single request's own, each request is tried again alone: what can be
// written is written, and every request gets its own error.
func (w *writer) runGroup(group []*request) {
	if len(group) == 0 {
		return
	}
	err := w.transaction(group)
	if err == nil {
		return
	}
	if len(group) == 1 {
		group[0].err = err
		return
	}
	for _, r := range group {
		r.err, r.panicked = nil, nil
		w.runGroup([]*request{r})
	}
}

// transaction applies a group and commits. An error of one request is left
// with it; the error returned is that of the whole.
func (w *writer) transaction(group []*request) (err error) {
	w.changes.reset()
	if _, err := w.begin.Exec(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			// SQLite may have rolled back already, which makes this an error.
			_, _ = w.rollback.Exec()
		}
	}()
	for _, r := range group {
		r.run(w)
		if spoilsTransaction(r.err) {
			return r.err
		}
	}
	if err = w.check(); err != nil {
		return err
	}
	w.recent.begin(&w.changes)
	_, err = w.commit.Exec()
	w.recent.end(&w.changes, err == nil)
	return err
}

// run applies a request. A panic of foreign code is kept for its caller.
func (r *request) run(w *writer) {
	defer func() { r.panicked = recover() }()
	r.err = r.apply(w)
}

// halfway is the error of a request that has written something before it
// failed.
type halfway struct{ error }

func (h halfway) Unwrap() error { return h.error }

// spoilsTransaction tells errors of SQLite itself, such as a full disk, after
// which the transaction may be gone, and those of a request that only a rollback
// takes back, from those of a request that has left nothing behind: a refused
// change, a record that is not there, a value that is too long.
func spoilsTransaction(err error) bool {
	if errors.As(err, new(halfway)) {
		return true
	}
	switch primaryCode(err) {
	case 0, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG:
		return false
	}
	return true
}
