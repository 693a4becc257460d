package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a file as ours, in the field of the SQLite header that
// exists for it ("Rhrs" in ASCII).
const applicationID = 0x52687273

// lockPatience is how long to wait for another process that holds the file.
const lockPatience = 5 * time.Second

// Open opens the store in an SQLite file, and makes the file, readable
// by its owner only, if there is none. A file that another process has open,
// that is damaged, that belongs to another program, that a newer version of this
// program wrote, or that cannot be written is an error that names the path and
// is left as it is. While the store is open there is a file beside it that keeps
// others out, PATH-lock.
// See docs/decisions/server.md#why-sqlite-and-why-moderncorgsqlite
func Open(ctx context.Context, path string) (*Store, error) { return openFile(ctx, path, "NORMAL") }

// OpenDurable is Open, and every commit waits for the disk: what is acknowledged
// survives a power failure too.
func OpenDurable(ctx context.Context, path string) (*Store, error) {
	return openFile(ctx, path, "FULL")
}

func openFile(ctx context.Context, path, synchronous string) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("state file %s: %w", path, err)
	}
	if err := checkPlace(absolute); err != nil {
		return nil, err
	}
	s := &Store{path: absolute}
	if s.lock, err = takeLock(resolved(absolute) + "-lock"); err != nil {
		return nil, explainLock(absolute, err)
	}
	if err = checkLinks(absolute); err == nil {
		err = makeFile(absolute)
	}
	if err == nil {
		s.identity, err = identify(absolute)
	}
	if err == nil {
		if s.inode, err = lockInode(absolute); err != nil {
			err = explainLock(absolute, err)
		}
	}
	if err == nil {
		if err = s.open(ctx, synchronous); err != nil {
			err = explain(absolute, err)
		}
	}
	if err != nil {
		s.release()
		return nil, err
	}
	s.start()
	return s, nil
}

// checkPlace gives clear errors for what the system and SQLite report as one
// and the same.
func checkPlace(path string) error {
	directory := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("state file %s is a directory: name a file in it", path)
	} else if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("state file %s is no file (%s): name a file", path, info.Mode().Type())
	}
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("state file %s: the directory %s does not exist: create it or choose another path: %w", path, directory, err)
	}
	return nil
}

// resolved is the path behind symbolic links, so that one file has one lock.
func resolved(path string) string {
	if behind, err := filepath.EvalSymlinks(path); err == nil {
		return behind
	}
	if directory, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(directory, filepath.Base(path))
	}
	return path
}

// fileMode: the file holds the secret that signs links.
const fileMode = 0o600

// makeFile makes a file unless there is one.
func makeFile(path string) error {
	putEmpty(resolved(path))
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err == nil {
		return file.Close()
	}
	return fmt.Errorf("state file %s cannot be written: make it and its directory writable or choose another path: %w", path, errors.Unwrap(err))
}

// identify notes which file a path leads to.
func identify(path string) (os.FileInfo, error) {
	information, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("state file %s cannot be used: %w", path, err)
	}
	// Windows finds out when it is first asked, which may be too late.
	os.SameFile(information, information)
	return information, nil
}

// checkLinks refuses a file with several names. The lock file, and SQLite's
// companions, which may hold what was written last, go by the name: under
// another one a second server would find neither.
// See https://www.sqlite.org/howtocorrupt.html, section 2.5.
func checkLinks(path string) error {
	names, err := hardLinks(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("state file %s cannot be used: %w", path, err)
	}
	if names > 1 {
		return fmt.Errorf("state file %s has %d names (hard links), under each of which another server could open it: remove the other names, or choose another path", path, names)
	}
	return nil
}

func (s *Store) open(ctx context.Context, synchronous string) error {
	var err error
	if s.writes, err = connect(s.path, "", 1); err != nil {
		return err
	}
	if s.writer.conn, err = s.writes.Conn(ctx); err != nil {
		return err
	}
	// Nothing may write before it is certain that the file is ours.
	if _, err := schemaVersion(ctx, s.writer.conn); err != nil {
		return err
	}
	if err := useWriteAheadLog(ctx, s.writer.conn); err != nil {
		return err
	}
	for _, pragma := range []string{
		// NORMAL: a commit is a write without a sync. It survives the end of the
		// process, kill -9 included; after a power failure the last commits may
		// be gone, and the file is intact. FULL: a commit is synced.
		// See docs/decisions/server.md#does-an-acknowledged-request-survive-a-power-failure
		"PRAGMA synchronous = " + synchronous,
		"PRAGMA cache_size = -8000", // kB
		// Pages, 16 MB: a checkpoint, which syncs, is rare even under load.
		"PRAGMA wal_autocheckpoint = 4000",
	} {
		if _, err := s.writer.conn.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	if err := migrate(ctx, s.writer.conn); err != nil {
		return err
	}
	if err := s.writer.prepare(ctx); err != nil {
		return err
	}
	var last int64
	if err := s.writer.conn.QueryRowContext(ctx, `SELECT coalesce(max(generation), 0) FROM data`).Scan(&last); err != nil {
		return err
	}
	s.knowData(last)
	if s.reads, err = connect(s.path, "&_query_only=1", max(4, runtime.GOMAXPROCS(0))); err != nil {
		return err
	}
	return s.prepare(ctx)
}

// useWriteAheadLog makes readers and the writer independent of each other. The
// change of a new file fails at once, without waiting, when another process is
// just making the same one, so it is tried for as long as other locks are
// waited for.
func useWriteAheadLog(ctx context.Context, conn *sql.Conn) error {
	const pause = 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += pause {
		_, err := conn.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		if primaryCode(err) != sqlite3.SQLITE_BUSY || waited >= lockPatience {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// connect returns a pool of connections to the file.
func connect(path, parameters string, connections int) (*sql.DB, error) {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	name := url.URL{Scheme: "file", Path: path}
	parameters = fmt.Sprintf("?_busy_timeout=%d&_error_rc=1%s", lockPatience.Milliseconds(), parameters)
	connector, err := sqlite.NewConnector(name.String() + parameters)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// schemaVersion returns the number of migrations the file has seen, and
// refuses a file that is not ours or is too new. It does not write.
func schemaVersion(ctx context.Context, conn *sql.Conn) (int, error) {
	var application, version, objects int
	row := conn.QueryRowContext(ctx, `SELECT
		(SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`)
	if err := row.Scan(&application, &version, &objects); err != nil {
		return 0, err
	}
	if application == 0 && version == 0 && objects == 0 {
		return 0, nil // a new file
	}
	if application != applicationID {
		return 0, errors.New("it is an SQLite file of another program: choose another path")
	}
	if known := len(migrations()); version > known {
		return 0, fmt.Errorf("it has schema version %d, but this program knows versions up to %d: use the newer program that wrote it or choose another path", version, known)
	}
	return version, nil
}
