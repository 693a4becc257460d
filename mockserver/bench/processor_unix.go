//go:build unix

package main

import (
	"os"
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

// peakMemory is the most memory that a process that has ended ever had, in kB; zero where it is not told in this unit.
func peakMemory(process *os.ProcessState) float64 {
	if usage, is := process.SysUsage().(*syscall.Rusage); is {
		return float64(usage.Maxrss)
	}
	return 0
}
