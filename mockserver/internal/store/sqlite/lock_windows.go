package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// fileLock is a file that one process holds for its life: the system closes and
// deletes it however the process ends.
type fileLock struct{ handle syscall.Handle }

const (
	fileFlagDeleteOnClose = 0x04000000
	errorSharingViolation = syscall.Errno(32)
)

// takeLock takes a lock file, or returns an [*errLocked].
func takeLock(path string) (*fileLock, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const notShared = 0
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, notShared, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL|fileFlagDeleteOnClose, 0)
	switch {
	case errors.Is(err, errorSharingViolation):
		return nil, &errLocked{}
	case err != nil:
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return &fileLock{handle}, nil
}

// hardLinks is how many names a file has.
func hardLinks(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var found syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &found); err != nil {
		return 0, err
	}
	return int(found.NumberOfLinks), nil
}

func (l *fileLock) release() error { return syscall.CloseHandle(l.handle) }
