package dataset_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// slow is a store whose generation 1 takes until it is let go, or until whoever
// asks for it has gone: as a part it is asked for when a batch is applied.
type slow struct {
	dataset.Store
	asked, begun   atomic.Int32
	once           sync.Once
	reached, letGo chan struct{}
}

const slowLoad = 3 // generations: two parts, and the batch that names them

func newSlow(t *testing.T) (*slow, *dataset.Log) {
	t.Helper()
	shared := memory.New()
	kept := &slow{Store: shared, reached: make(chan struct{}), letGo: make(chan struct{})}
	log := open(t, kept) // while the store is empty
	for generation, batch := range []string{
		`{"part":true,"events":[{"type":"visit","install_id":"phone-1"}]}`,
		`{"part":true,"events":[{"type":"visit","install_id":"phone-2"}]}`,
		`{"at":1773575999,"parts":[1,2]}`,
	} {
		must.Do(t, shared.AppendData(t.Context(), 0, int64(generation)+1, []byte(batch)))
	}
	return kept, log
}

// DataAfter tells one who asks what there is from one who reads the parts: when
// somebody asks for the second time, what there is is being applied.
func (s *slow) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	s.begun.Add(1)
	defer s.begun.Add(-1)
	found, err := s.Store.DataAfter(ctx, generation)
	if err != nil || len(found) < slowLoad || s.asked.Add(1) < 3 {
		return found, err
	}
	s.once.Do(func() { close(s.reached) })
	select {
	case <-s.letGo:
		return found, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// TestImpatientClients: a client that leaves does not undo what is applied for all, and need not wait for it.
func TestImpatientClients(t *testing.T) {
	kept, log := newSlow(t)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := log.Of("").Current(ctx)
		left <- err
	}()
	<-kept.reached
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client left with %v", err)
	}
	found := make(chan dataset.Status)
	go func() {
		status, err := log.Of("").Current(context.Background())
		if err != nil {
			t.Error(err)
		}
		found <- status
	}()
	close(kept.letGo)
	if status := <-found; status.Events != 2 {
		t.Errorf("there is %+v, want 2 events", status)
	}
	// The two clients, what they both waited for, and its parts.
	if asked := kept.asked.Load(); asked > 4 {
		t.Errorf("what there is was read %d times: what was applied was undone", asked)
	}
	must.Equal(t, load(t, log, input.Events, `{"type":"visit","install_id":"phone-3"}`).Events, 3, "events after a load")
}

// TestStop: nothing goes on when a log is closed, and nothing begins.
func TestStop(t *testing.T) {
	kept, log := newSlow(t)
	left := make(chan error)
	go func() {
		_, err := log.Of("").Current(context.Background())
		left <- err
	}()
	<-kept.reached
	log.Stop()
	must.Equal(t, kept.begun.Load(), 0, "questions to the store go on")
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	close(kept.letGo)
	if _, err := log.Of("").Current(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("a later client got %v", err)
	}
	must.Equal(t, log.Close(), nil, "the error")
}
