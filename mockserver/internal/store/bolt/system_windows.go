package bolt

import (
	"errors"
	"os"
	"syscall"
)

// noRoom reports whether an error says that the disk can hold no more.
func noRoom(err error) bool {
	const handleDiskFull, diskFull = syscall.Errno(39), syscall.Errno(112)
	return errors.Is(err, handleDiskFull) || errors.Is(err, diskFull)
}

// unlock does nothing: the lock goes when the file is closed.
func unlock(*os.File) {}

// holder says who has locked a file.
func holder(string) string { return "another process has it open" }
