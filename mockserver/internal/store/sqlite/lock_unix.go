//go:build unix

package sqlite

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// fileLock is a file that one process holds for its life: the system lets go of
// it however the process ends.
type fileLock struct{ file *os.File }

// takeLock takes a lock file, or returns an [*errLocked]. The file holds the
// number of the process.
// See docs/decisions/server.md#can-two-servers-share-one-state
func takeLock(path string) (*fileLock, error) {
	for {
		// It is not the state file itself: SQLite has locks of its own there, and
		// loses them when any descriptor of the process is closed.
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = flock(file)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			holder, _ := io.ReadAll(io.LimitReader(file, 20))
			file.Close()
			return nil, &errLocked{strings.TrimSpace(string(holder))}
		}
		if err == nil && !stillAt(path, file) { // the one before removed it
			file.Close()
			continue
		}
		if err == nil {
			err = file.Truncate(0)
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		// The number is for people: without it, on a full disk, the lock holds.
		_, _ = file.WriteString(strconv.Itoa(os.Getpid()) + "\n")
		return &fileLock{file}, nil
	}
}

func flock(file *os.File) error {
	for {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func stillAt(path string, file *os.File) bool {
	there, err := os.Stat(path)
	mine, mineErr := file.Stat()
	return err == nil && mineErr == nil && os.SameFile(there, mine)
}

// hardLinks is how many names a file has.
func hardLinks(path string) (int, error) {
	var found syscall.Stat_t
	if err := syscall.Stat(path, &found); err != nil {
		return 0, err
	}
	return int(found.Nlink), nil
}

// release removes the file while it is still held, so that nobody can have
// taken it.
func (l *fileLock) release() error {
	return errors.Join(os.Remove(l.file.Name()), l.file.Close())
}
