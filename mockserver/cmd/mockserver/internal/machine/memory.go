package machine

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
)

// outsideHeap is memory that the runtime does not see: pages of the state file.
const outsideHeap = 32 << 20

// LimitMemory gives the runtime nine tenths of the memory that the container has, less what it does not see, as its soft limit, unless
// the environment sets one, and returns what undoes that. The note is for the banner; empty without a limit. Only this command does so; a
// package leaves the choice to its program.
func LimitMemory(environment Environment, container func() (uint64, error)) (note string, undo func()) {
	undo = func() {}
	if set := environment("GOMEMLIMIT"); set != "" {
		return "limit " + set + ", set by GOMEMLIMIT", undo
	}
	all, err := container()
	if err != nil || all == 0 || all > 1<<50 { // there is no container, or no limit
		return "", undo
	}
	limit := max(int64(all/10*9)-outsideHeap, int64(all/2)) &^ (1<<20 - 1)
	before := debug.SetMemoryLimit(limit)
	return fmt.Sprintf("limit %s of the %s that the program may have", budget.FormatBytes(limit), budget.FormatBytes(int64(all))), func() { debug.SetMemoryLimit(before) }
}

// dataMemory is how much memory a program takes to load and show a dataset.
const dataMemory = 128 << 20

// heapWatch keeps the soft limit of the runtime close to what is live, so that garbage does not grow with the heap.
type heapWatch struct {
	most  int64 // whatever is live
	ended atomic.Bool
}

// WatchHeap sets the soft limit of the runtime to what a server takes that shows a dataset, and raises it, up to the limit that there was
// before, as more is live: exports in memory, a large journal. A fixed one that is below what is live would keep the collector busy. What
// it returns undoes that. The environment wins.
func WatchHeap(environment Environment) (undo func()) {
	if environment("GOMEMLIMIT") != "" {
		return func() {}
	}
	watch := &heapWatch{most: debug.SetMemoryLimit(-1)}
	watch.follow()
	return func() {
		watch.ended.Store(true)
		debug.SetMemoryLimit(watch.most)
	}
}

// follow adapts the limit now, and after each collection.
func (w *heapWatch) follow() {
	if w.ended.Load() {
		return
	}
	debug.SetMemoryLimit(w.limit(liveHeap()))
	mark := new([64]byte)
	runtime.AddCleanup(mark, func(w *heapWatch) { w.follow() }, w)
}

// limit is half as much again as is live, and what is no heap.
func (w *heapWatch) limit(live int64) int64 {
	return min(max(dataMemory, live+live/2+outsideHeap), w.most)
}

// liveHeap is what the last collection found in use.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(min(sample[0].Value.Uint64(), math.MaxInt64/2))
}

// ContainerMemory is the limit of memory of the container; 0 for none.
func ContainerMemory() (uint64, error) { return memlimit.FromCgroup() }
