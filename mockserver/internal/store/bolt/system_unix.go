//go:build unix

package bolt

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// noRoom reports whether an error says that the disk, the user's share of it, or the file can hold no more.
func noRoom(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// unlock lets go of a file.
func unlock(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// holder says which process has locked a file, where Linux tells.
func holder(path string) string {
	var found syscall.Stat_t
	locks, err := os.ReadFile("/proc/locks")
	if err == nil {
		err = syscall.Stat(path, &found)
	}
	for line := range strings.Lines(string(locks)) { // "1: FLOCK ADVISORY WRITE 1234 fe:00:5678 0 EOF"
		columns := strings.Fields(line)
		if err == nil && len(columns) > 5 && columns[1] == "FLOCK" && strings.HasSuffix(columns[5], fmt.Sprintf(":%d", found.Ino)) {
			return "process " + columns[4] + " has it open"
		}
	}
	return "another process has it open"
}
