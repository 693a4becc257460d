package sqlite

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// lockInode locks the state file itself, whatever its name becomes: the lock file
// beside it goes by the name. The lock is on one byte that no file has and that
// SQLite does not lock, and it belongs to the descriptor, so that SQLite neither
// meets it nor loses it, as it would lose one of the process.
func lockInode(path string) (*os.File, error) {
	const openFileDescriptionLock = 0x25 // F_OFD_SETLK of fcntl(2)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	err = syscall.FcntlFlock(file.Fd(), openFileDescriptionLock, &syscall.Flock_t{Type: syscall.F_WRLCK, Start: math.MaxInt64 - 1, Len: 1})
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		file.Close()
		return nil, &errLocked{}
	}
	if err != nil { // not every file system has such locks; there is the lock file still
		file.Close()
		return nil, nil
	}
	return file, nil
}
