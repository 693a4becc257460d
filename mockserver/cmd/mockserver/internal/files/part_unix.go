//go:build unix

package files

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockPart takes the lock of a file, which the system lets go of however the
// process ends.
func lockPart(path string) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0) // NFS locks only what is open for writing
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, syscall.EINTR) {
			file.Close()
			return nil, err
		}
	}
}
