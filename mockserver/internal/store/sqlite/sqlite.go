// Package sqlite keeps the state of a server in an SQLite file, for one process
// at a time.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Store is the [store.Store] in a file. An acknowledged write survives the end of
// the process, kill -9 included; after a power failure the last writes may be
// gone unless it was opened with [OpenDurable], but the file is intact. One process at a time may use a file.
//
// All writes go through one goroutine, which commits those that wait together:
// a commit costs far more than a write. Reads have connections of their own
// and never wait for writes.
type Store struct {
	path string
	lock *fileLock // nil before it is taken
	opened
	writes *sql.DB // one connection, the writer's
	writer writer
	readSide

	known known

	// use is held for reading by every operation while it must not be cut off,
	// and for writing to close.
	use       sync.RWMutex
	closed    bool
	closeOnce sync.Once
	closeErr  error
}

// opened is the file itself, whatever its path leads to later.
type opened struct {
	inode    *os.File // nil where it is not locked
	identity os.FileInfo
}

// known is what need not be read from the file, since nobody else writes it.
type known struct {
	lastData atomic.Int64 // the last generation of the dataset
	claims   store.Claims
}

// readSide is what reads go through, beside the writer.
type readSide struct {
	reads  *sql.DB
	recent recent

	get, listAll, listOwned, after, setting, dataAfter *sql.Stmt
}

var _ store.Store = (*Store)(nil)

// prepare makes the statements of the read side.
func (s *Store) prepare(ctx context.Context) error {
	return prepareAll(ctx, s.reads, map[**sql.Stmt]string{
		&s.get:   `SELECT record FROM exports WHERE id = ?`,
		&s.after: `SELECT sequence, owner, interface FROM exports WHERE id = ?`,
		&s.listAll: `SELECT record FROM exports
			WHERE sequence < ?1 AND (?3 = '' OR interface = ?3) AND ?2 = ''
			ORDER BY sequence DESC LIMIT ?4`,
		// A statement of its own: an owner that is optional uses no index.
		&s.listOwned: `SELECT record FROM exports
			WHERE sequence < ?1 AND (?3 = '' OR interface = ?3) AND owner = ?2
			ORDER BY sequence DESC LIMIT ?4`,
		&s.setting:   `SELECT value FROM settings WHERE name = ?`,
		&s.dataAfter: `SELECT generation, batch FROM data WHERE generation > ? ORDER BY generation`,
	})
}

// preparer is a pool or one connection.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

func prepareAll(ctx context.Context, on preparer, queries map[**sql.Stmt]string) (err error) {
	for statement, query := range queries {
		if *statement, err = on.PrepareContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// begin starts an operation that Close has to wait for. The caller calls the
// returned function at its end.
func (s *Store) begin(ctx context.Context) (end func(), err error) {
	s.use.RLock()
	if err = ctx.Err(); s.closed {
		err = store.ErrClosed
	}
	if err != nil {
		s.use.RUnlock()
		return nil, err
	}
	return s.use.RUnlock, nil
}

// Insert implements [store.Store].
func (s *Store) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	text, err := store.EncodeRecord(record)
	if err != nil {
		return err
	}
	id, owner, name := record.ID, record.Owner, record.Interface
	return s.write(ctx, func(w *writer) error {
		var bucket string // as it is afterwards
		if token != nil {
			var err error
			if bucket, err = s.take(w, token); err != nil {
				return err
			}
		}
		result, err := w.insert.Exec(id, owner, name, text)
		if err != nil {
			return err
		}
		if inserted, err := result.RowsAffected(); err != nil || inserted == 0 {
			return errors.Join(fmt.Errorf("record %.80q: %w", id, store.ErrExists), err)
		}
		if token != nil {
			if _, err := w.setBucket.Exec(token.Bucket, bucket); err != nil {
				return halfway{err}
			}
		}
		w.changes.note(id, text)
		return nil
	})
}

// take returns the bucket of a token without it. It writes nothing.
func (s *Store) take(w *writer, token *store.Token) (string, error) {
	var before exports.Bucket
	var encoded []byte
	switch err := w.bucket.QueryRow(token.Bucket).Scan(&encoded); {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return "", err
	default:
		if err := json.Unmarshal(encoded, &before); err != nil {
			return "", explain(s.path, fmt.Errorf("a stored bucket is not readable: %w", err))
		}
	}
	after, err := token.TakeFrom(before)
	if err != nil {
		return "", err
	}
	if encoded, err = json.Marshal(after); err != nil {
		return "", fmt.Errorf("bucket %.80q cannot be stored: %w", token.Bucket, err)
	}
	return string(encoded), nil
}

// Get implements [store.Store].
func (s *Store) Get(ctx context.Context, id string) (*exports.Record, error) {
	record, err := s.GetKnown(ctx, id)
	if err != nil {
		return nil, err
	}
	copied := *record
	return &copied, nil
}

// GetKnown implements [store.Store]: nobody else writes the file.
func (s *Store) GetKnown(ctx context.Context, id string) (*exports.Record, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	found, commits := s.recent.get(id)
	if found == nil {
		var encoded []byte
		// Reading one row takes no longer than watching for the end of a context.
		if err := s.get.QueryRow(id).Scan(&encoded); err != nil {
			return nil, s.readError(err, "record", id)
		}
		found = &kept{encoded: string(encoded)}
		if len(encoded) <= store.LargestLatest {
			s.recent.put(id, found, commits)
		}
	}
	record, err := found.decode()
	if err != nil {
		return nil, explain(s.path, err)
	}
	return record, nil
}

func (s *Store) readError(err error, kind, name string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.NotFound(kind, name)
	}
	return explain(s.path, err)
}

func (s *Store) decode(encoded []byte) (*exports.Record, error) {
	record, err := store.DecodeRecord(encoded)
	if err != nil {
		return nil, explain(s.path, err)
	}
	return record, nil
}

// Update implements [store.Store]. The change runs inside the writer's transaction,
// and again if that has to be repeated.
func (s *Store) Update(ctx context.Context, id string, change func(*exports.Record) error) (*exports.Record, error) {
	var after *exports.Record
	err := s.write(ctx, func(w *writer) error {
		var encoded []byte
		if err := w.get.QueryRow(id).Scan(&encoded); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				return store.NotFound("record", id)
			}
			return err
		}
		before, err := s.decode(encoded)
		if err != nil {
			return err
		}
		if after, err = store.Apply(before, change); err != nil {
			return err
		}
		text, err := store.EncodeRecord(after)
		if err != nil {
			return err
		}
		if _, err = w.update.Exec(text, id); err == nil {
			w.changes.note(id, text)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// List implements [store.Store].
func (s *Store) List(ctx context.Context, options store.ListOptions) ([]*exports.Record, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	before, err := s.position(ctx, options)
	if err != nil {
		return nil, err
	}
	list := s.listAll
	if options.Owner != "" {
		list = s.listOwned
	}
	rows, err := list.QueryContext(ctx, before, options.Owner, options.Interface, options.PageSize())
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var page []*exports.Record
	var encoded sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&encoded); err != nil {
			return nil, explain(s.path, err)
		}
		record, err := s.decode(encoded)
		if err != nil {
			return nil, err
		}
		page = append(page, record)
	}
	if err := rows.Err(); err != nil {
		return nil, explain(s.path, err)
	}
	return page, nil
}

// position returns the sequence number before which a page lies.
func (s *Store) position(ctx context.Context, options store.ListOptions) (int64, error) {
	if options.After == "" {
		return 1<<63 - 1, nil
	}
	var sequence int64
	var last exports.Record
	if err := s.after.QueryRowContext(ctx, options.After).Scan(&sequence, &last.Owner, &last.Interface); err != nil {
		return 0, s.readError(err, "record", options.After)
	}
	if !options.Matches(&last) {
		return 0, store.NotFound("record", options.After)
	}
	return sequence, nil
}

// Check implements [store.Store].
func (s *Store) Check(ctx context.Context) error {
	end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return s.opened.at(s.path)
}

// at says why a file that is open is not the one at a path: one that was deleted, or
// that another one has replaced, takes everything that is written to it, and is gone
// when it is closed.
func (o *opened) at(path string) error {
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("state file %s was deleted or moved while the server uses it (%w), and nothing more is written: put it back, or restart the server to begin anew", path, store.ErrGone)
	case err != nil:
		return fmt.Errorf("state file %s cannot be found (%w): %w", path, store.ErrAway, err)
	case !os.SameFile(there, o.identity):
		return fmt.Errorf("state file %s was replaced by another one while the server uses it (%w), and nothing more is written: restart the server to use the file that is there", path, store.ErrGone)
	}
	return nil
}

// Directory is the one that the file fills.
func (s *Store) Directory() string { return filepath.Dir(s.path) }

// Close implements [store.Store]. Writes that were handed in are finished first.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.use.Lock()
		s.closed = true
		close(s.writer.queue)
		s.use.Unlock()
		<-s.writer.done
		s.closeErr = s.release()
	})
	return s.closeErr
}

// release closes what is open. The last connection to close moves the write
// ahead log into the file.
func (s *Store) release() error {
	var errs []error
	if s.reads != nil {
		errs = append(errs, s.reads.Close())
	}
	errs = append(errs, s.writer.release())
	if s.writes != nil {
		errs = append(errs, s.writes.Close())
	}
	if s.inode != nil { // after SQLite: to close it would take SQLite's locks away
		errs = append(errs, s.inode.Close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	if err := errors.Join(errs...); err != nil {
		return explain(s.path, err)
	}
	return nil
}
