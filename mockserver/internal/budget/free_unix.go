//go:build linux || darwin || freebsd

package budget

import "syscall"

// freeOf is how many bytes the disk of a directory has room for, where that can be told.
func freeOf(directory string) (bytes int64, known bool) {
	var disk syscall.Statfs_t
	if directory == "" || syscall.Statfs(directory, &disk) != nil {
		return 0, false
	}
	return int64(disk.Bavail) * int64(disk.Bsize), true
}
