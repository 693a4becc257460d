// Package scratch keeps blocks of bytes in a temporary SQLite file: what a
// dataset derives from its rows, which can be derived again.
// See docs/decisions/server.md#where-are-the-rows-of-a-dataset
package scratch

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the engine

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// File is blocks in a file that is removed when it is closed. It is safe for
// concurrent use.
type File struct {
	directory string
	room      blocks.Room
	db        *sql.DB
	add, get  *sql.Stmt

	lock  sync.Mutex // one writer at a time; for the fields below
	last  int64      // number
	bytes int64      // of the room
}

// settings are for a file that nobody misses: no journal, no waiting for the
// disk, and little memory.
const settings = "?_pragma=page_size(16384)&_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=locking_mode(exclusive)" +
	"&_pragma=cache_size(-8192)&_pragma=temp_store(file)&_pragma=auto_vacuum(none)"

// Open makes a file in a new directory under another one; "" stands for that of
// the system. What it takes is asked of the room; nil: as much as the disk has.
func Open(ctx context.Context, under string, room blocks.Room) (*File, error) {
	directory, err := os.MkdirTemp(under, "rehearsal-data-")
	if err != nil {
		return nil, fmt.Errorf("a temporary directory is needed for the dataset: %w", err)
	}
	f := &File{directory: directory, room: room}
	if err := f.begin(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the temporary file of the dataset: %w", err), f.Close())
	}
	// A program that is killed leaves nothing: the open file lives on without its
	// name, but for Windows, where Close removes it.
	_ = os.RemoveAll(directory)
	return f, nil
}

func (f *File) begin(ctx context.Context) (err error) {
	if f.db, err = sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(f.directory, "blocks.db"))+settings); err != nil {
		return err
	}
	f.db.SetMaxOpenConns(1) // it is locked for one connection, and that is fast enough
	if _, err = f.db.ExecContext(ctx, `CREATE TABLE blocks (number INTEGER PRIMARY KEY, block BLOB NOT NULL)`); err != nil {
		return err
	}
	if f.add, err = f.db.PrepareContext(ctx, `INSERT INTO blocks (number, block) VALUES (?, ?)`); err != nil {
		return err
	}
	f.get, err = f.db.PrepareContext(ctx, `SELECT block FROM blocks WHERE number = ?`)
	return err
}

// Room is that of what the file takes; nil: the disk alone is the limit.
func (f *File) Room() blocks.Room { return f.room }

// Add keeps a copy of a block.
func (f *File) Add(block []byte) (int64, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	size := int64(len(block))
	if f.room != nil {
		if err := f.room.Take(size); err != nil {
			return 0, err
		}
	}
	f.last++
	if _, err := f.add.Exec(f.last, block); err != nil {
		f.give(size)
		return 0, fmt.Errorf("the temporary file of the dataset cannot be written: %w", err)
	}
	f.bytes += size
	return f.last, nil
}

// give gives room back.
func (f *File) give(size int64) {
	if f.room != nil {
		f.room.Give(size)
	}
}

// Get appends a block to dst.
func (f *File) Get(number int64, dst []byte) ([]byte, error) {
	var block sql.RawBytes
	rows, err := f.get.Query(number)
	if err != nil {
		return dst, fmt.Errorf("the temporary file of the dataset cannot be read: %w", err)
	}
	defer rows.Close()
	if !rows.Next() {
		return dst, errors.Join(fmt.Errorf("block %d of the dataset is missing", number), rows.Err())
	}
	if err := rows.Scan(&block); err != nil {
		return dst, fmt.Errorf("the temporary file of the dataset cannot be read: %w", err)
	}
	return append(dst, block...), nil
}

// Drop forgets blocks; their room is used again.
func (f *File) Drop(numbers []int64) error {
	for len(numbers) > 0 {
		some := numbers[:min(len(numbers), dropped)]
		numbers = numbers[len(some):]
		if err := f.drop(some); err != nil {
			return err
		}
	}
	return nil
}

// dropped is how many blocks are dropped before others may read again.
const dropped = 100

func (f *File) drop(numbers []int64) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, number := range numbers {
		var size int64
		if err := f.db.QueryRow(`DELETE FROM blocks WHERE number = ? RETURNING length(block)`, number).Scan(&size); err != nil {
			return err
		}
		f.bytes -= size
		f.give(size)
	}
	return nil
}

// Directory is the one that the file fills.
func (f *File) Directory() string { return filepath.Dir(f.directory) }

// Close removes the file.
func (f *File) Close() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.give(f.bytes)
	f.bytes = 0
	var err error
	if f.db != nil {
		err = f.db.Close()
	}
	return errors.Join(err, os.RemoveAll(f.directory))
}
