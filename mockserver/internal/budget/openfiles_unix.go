//go:build unix

package budget

import "syscall"

// connectionsFor is how many connections the limit of open files has room for:
// the state, the data and what is beyond the limit of connections need some too.
func connectionsFor(wanted int64) int64 {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return wanted
	}
	most := int64(min(files.Cur, 1<<40))
	return max(min(wanted, most-max(min(most/4, 256), 32)-ConnectionsBeyond), 8)
}
