//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorUsed is the processor time that this process has used: other programs on the machine do not change it, as they change
// the time that passes.
func processorUsed() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
