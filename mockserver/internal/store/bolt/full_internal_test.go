//go:build unix

package bolt

import (
	"context"
	"fmt"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// A write that the disk has no room for takes the whole transaction with it. Its neighbours in the group must be written
// nevertheless. It is tested from inside to know when they wait. A limit on the size of files stands for the disk.
func TestFullDisk(t *testing.T) {
	ctx := context.Background()
	e := must.Get(open(ctx, filepath.Join(t.TempDir(), "state.db"), false))(t)
	s := store.On(e)
	defer s.Close()
	must.Do(t, s.Insert(ctx, &exports.Record{ID: "first"}, nil))
	const room = 1 << 20
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: before.Max}))
	defer func() { must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()

	const neighbours = 20
	errs := make([]error, neighbours)
	var group sync.WaitGroup
	leave := make(chan struct{})
	entered := make(chan struct{})
	group.Go(func() {
		// The writer waits here until all others stand in the queue.
		var once sync.Once
		_, err := s.Update(ctx, "first", func(r *exports.Record) error {
			once.Do(func() { close(entered) })
			<-leave
			r.Polls++
			return nil
		})
		must.Hold(t, err == nil, "the write before them: %v", err)
	})
	<-entered
	for i := range neighbours {
		group.Go(func() {
			record := &exports.Record{ID: fmt.Sprint(i)}
			if i == neighbours/2 {
				record.URI = strings.Repeat("x", room)
			}
			errs[i] = s.Insert(ctx, record, nil)
		})
	}
	for count := 0; count < neighbours; count, _ = e.writes.waiting() {
		runtime.Gosched()
	}
	close(leave)
	group.Wait()

	for i, err := range errs {
		_, getErr := s.Get(ctx, fmt.Sprint(i))
		if i == neighbours/2 {
			if err == nil || getErr == nil || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), e.path) {
				t.Errorf("the write without room: %v, %v", err, getErr)
			}
			continue
		}
		must.Hold(t, err == nil && getErr == nil, "a neighbour of the write without room: %v, %v", err, getErr)
	}
	if got, err := s.Get(ctx, "first"); err != nil || got.Polls != 1 {
		t.Errorf("the write before them: %+v, %v", got, err)
	}
}
