package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// fileError is an error of the file, as opposed to a refusal.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

func fileErrorOf(err error) error {
	if err == nil {
		return nil
	}
	return fileError{err}
}

// damageError is the error of a file that is damaged.
type damageError struct{ found any }

func (e damageError) Error() string {
	if _, is := e.found.(runtime.Error); is { // about memory, which tells nothing of the file
		return "the file is cut off or damaged"
	}
	return fmt.Sprint(e.found)
}

// Is reports whether an error is [store.ErrDamaged].
func (damageError) Is(target error) bool { return target == store.ErrDamaged }

// codeError is a panic of this program within a transaction, which is no fault of the file.
type codeError struct {
	value any
	stack []byte
}

func (e *codeError) Error() string {
	return fmt.Sprintf("using the state panicked: %v\n%s", e.value, e.stack)
}

// unsyncedError is the error of a sync that came after the writes were acknowledged.
type unsyncedError struct{ error }

func (e unsyncedError) Unwrap() error { return e.error }

// guarded runs work on the file. What is damaged makes bbolt panic, and what was cut off the file makes the memory panic.
func guarded(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if found := recover(); found != nil && isOfFile(found) {
			err = damageError{found}
		} else if found != nil {
			err = &codeError{found, debug.Stack()}
		}
	}()
	return work()
}

// isOfFile reports whether a panic, which the caller recovers, came from the memory of the file or from bbolt.
func isOfFile(found any) bool {
	if _, is := found.(interface{ Addr() uintptr }); is {
		return true
	}
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)]) // without this function and its caller
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "go.etcd.io/bbolt") {
			return true
		}
		if !more || strings.HasPrefix(frame.Function, "github.com/rehearsal-sdk/") {
			return false
		}
	}
}

// explain returns an error of the file with its name and what to do; other errors are returned as they are.
func (e *engine) explain(err error) error {
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return store.ErrClosed
	}
	if errors.As(err, new(fileError)) || errors.As(err, new(damageError)) || errors.As(err, new(unsyncedError)) {
		return explain(e.path, err)
	}
	return err
}

// explain names the file that an error is about, and says what to do.
func explain(path string, err error) error {
	is := func(any ...error) bool {
		for _, one := range any {
			if errors.Is(err, one) {
				return true
			}
		}
		return false
	}
	switch {
	case errors.As(err, new(unsyncedError)):
		return fmt.Errorf("state file %s: the last writes did not reach the disk (%w), and nothing more is written: "+
			"look after the disk, then restart the server, which checks the whole file: %w", path, store.ErrAway, err)
	case errors.As(err, new(damageError)), is(bolterrors.ErrChecksum, bolterrors.ErrInvalidMapping):
		return fmt.Errorf("state file %s is damaged: restore a copy, or move it away to start afresh; "+
			"mockserver state check says what can be saved: %w",
			path, damageError{err})
	case is(bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("state file %s is not a state file: choose another path: %w", path, err)
	case is(bolterrors.ErrTimeout):
		return fmt.Errorf("state file %s is in use by another server (%s): end that one or choose another path; "+
			"several servers can share a PostgreSQL database", path, holder(path))
	case noRoom(err):
		return fmt.Errorf("state file %s cannot grow, %w: make room: %w", path, store.ErrFull, err)
	case is(fs.ErrPermission, syscall.EROFS):
		return fmt.Errorf("state file %s cannot be written (%w): make it and the directory %s writable or choose another path: %w",
			path, store.ErrReadOnly, filepath.Dir(path), err)
	case is(syscall.EIO):
		return fmt.Errorf("state file %s cannot be read or written (%w): look after its disk: %w", path, store.ErrAway, err)
	}
	return fmt.Errorf("state file %s cannot be used: %w", path, err)
}
