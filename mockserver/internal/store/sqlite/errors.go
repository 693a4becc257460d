package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// primaryCode returns the primary result code of an SQLite error, or 0 for any
// other error.
func primaryCode(err error) int {
	var typed *sqlite.Error
	if !errors.As(err, &typed) {
		return 0
	}
	return typed.Code() & 0xff
}

// errLocked is the error of a lock file that another process holds, and its
// number if that is known.
type errLocked struct{ holder string }

func (e *errLocked) Error() string {
	if e.holder == "" {
		return "another process has it open"
	}
	return "process " + e.holder + " has it open"
}

// explainLock says why a state file could not be locked.
func explainLock(path string, err error) error {
	var locked *errLocked
	switch {
	case errors.As(err, &locked):
		return fmt.Errorf("state file %s is in use by another server (%w): end that one or choose another path; several servers can share a PostgreSQL database", path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("state file %s cannot be written, nor its companion -lock: make it and the directory %s writable or choose another path: %w", path, filepath.Dir(path), err)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("state file %s cannot be used, %w: make room or choose another path: %w", path, store.ErrFull, err)
	}
	return fmt.Errorf("state file %s cannot be locked: choose a path on a disk of this machine: %w", path, err)
}

// explain names the file an error is about, and says what to do.
func explain(path string, err error) error {
	switch primaryCode(err) {
	case 0:
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return fmt.Errorf("state file %s cannot be used: %w", path, err)
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("state file %s is not a state file: choose another path: %w", path, err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("state file %s is damaged: restore a copy, or move it away to start afresh: %w", path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("state file %s cannot be written, or not its companions -wal and -shm (%w): make it and the directory %s writable: %w", path, store.ErrReadOnly, filepath.Dir(path), err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("state file %s cannot be read or written (%w): look after its disk: %w", path, store.ErrAway, err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("state file %s is locked by another process (%w): end that one or choose another path: %w", path, store.ErrAway, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("state file %s cannot grow, %w: make room: %w", path, store.ErrFull, err)
	}
	return fmt.Errorf("state file %s: %w", path, err)
}
