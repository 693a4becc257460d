package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// partName is the name of a file that is being written, in the directory in
// which it will be.
const partName = ".mockserver-%016x.part"

// Part is a file that is being written. The process that writes it holds a lock,
// so that others can tell it from what a killed one left behind.
type Part struct {
	*os.File
	blocks *bufio.Writer // nil: what is written goes to the file as it comes
	lock   io.Closer
}

// blockBytes is how much of a large file is written at a time, always from a multiple of it on: a file
// system takes a fifth to a third less time for that than for pieces of any length.
const blockBytes = 128 << 10

// Blocks writes to the file in blocks, the last of which comes when it ends.
func (p *Part) Blocks() io.Writer {
	p.blocks = bufio.NewWriterSize(p.File, blockBytes)
	return p.blocks
}

// NewPart begins a file in a directory. A sweep that comes between the creation
// and the lock takes it for a leftover; then there is another one.
func NewPart(directory string) (*Part, error) {
	for {
		file, err := os.OpenFile(filepath.Join(directory, fmt.Sprintf(partName, rand.Uint64())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return nil, err
		}
		lock, err := lockPart(file.Name())
		if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, fs.ErrNotExist) || err == nil && !isAt(file) {
			if lock != nil {
				lock.Close()
			}
			file.Close()
			continue
		}
		return &Part{File: file, lock: lock}, nil // where files cannot be locked, nothing is swept
	}
}

func isAt(file *os.File) bool {
	there, err := os.Stat(file.Name())
	mine, mineErr := file.Stat()
	return err == nil && mineErr == nil && os.SameFile(there, mine)
}

// End puts the file in its place, or removes it if it could not be written.
func (p *Part) End(path string, err error) error {
	if p.lock != nil {
		defer p.lock.Close()
	}
	if err == nil && p.blocks != nil {
		err = p.blocks.Flush()
	}
	if err = errors.Join(err, p.Close()); err == nil {
		err = os.Rename(p.Name(), path)
	}
	if err != nil {
		os.Remove(p.Name())
	}
	return err
}

// SweepParts removes what killed runs have left in a directory, and says so.
func SweepParts(directory string, say io.Writer) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return // writing there will fail, and say why
	}
	ours := regexp.MustCompile(`^\.mockserver-[0-9a-f]{16}\.part$`)
	for _, entry := range entries {
		if !ours.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			continue
		}
		path := filepath.Join(directory, entry.Name())
		lock, err := lockPart(path)
		if err != nil {
			continue // somebody writes it, or it is not ours
		}
		if os.Remove(path) == nil && say != nil {
			fmt.Fprintf(say, "removed %s, which a run that was killed had left\n", report.Printable(path))
		}
		if lock != nil {
			lock.Close()
		}
	}
}

// Write writes a file that appears when it is complete, and the directories that it needs.
func Write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	part, err := NewPart(filepath.Dir(path))
	if err != nil {
		return err
	}
	_, err = part.Write(content)
	return part.End(path, err)
}

// Writable makes the directory of a flag, if it is given, and tells why nothing can be written into it.
func Writable(flag, directory string) error {
	if directory == "" {
		return nil
	}
	err := os.MkdirAll(directory, 0o755)
	if err == nil {
		var tried *os.File
		if tried, err = os.CreateTemp(directory, ".mockserver-*.tried"); err == nil {
			err = errors.Join(tried.Close(), os.Remove(tried.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

// WriteTree writes files into a directory, by names with slashes.
func WriteTree(directory string, contents map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := Write(filepath.Join(directory, filepath.FromSlash(name)), contents[name]); err != nil {
			return err
		}
	}
	return nil
}
