package main

import (
	"fmt"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
)

// outsideHeap is memory that the runtime does not see: the caches of SQLite.
const outsideHeap = 32 << 20

// limitMemory gives the runtime nine tenths of the memory that the container
// has, less what it does not see, as its soft limit, unless the environment sets
// one, and returns what undoes that. The note is for the banner; empty without a
// limit. Only this command does so; a package leaves the choice to its program.
func limitMemory(t terminal, container func() (uint64, error)) (note string, undo func()) {
	undo = func() {}
	if set := t.environment("GOMEMLIMIT"); set != "" {
		return "limit " + set + ", set by GOMEMLIMIT", undo
	}
	all, err := container()
	if err != nil || all == 0 || all > 1<<50 { // there is no container, or no limit
		return "", undo
	}
	limit := max(int64(all/10*9)-outsideHeap, int64(all/2)) &^ (1<<20 - 1)
	before := debug.SetMemoryLimit(limit)
	return fmt.Sprintf("limit %s of the %s that the container has", budget.FormatBytes(limit), budget.FormatBytes(int64(all))), func() { debug.SetMemoryLimit(before) }
}

// containerMemory is the limit of memory of the container; 0 for none.
func containerMemory() (uint64, error) { return memlimit.FromCgroup() }
