package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// held is a store of which the first answer once it is armed waits to be let go.
type held struct {
	dataset.Store
	armed          atomic.Bool
	reached, letGo chan struct{}
}

func (h *held) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	texts, err := h.Store.DataAfter(ctx, generation)
	if h.armed.CompareAndSwap(true, false) {
		close(h.reached)
		<-h.letGo
	}
	return texts, err
}

// TestSnapshotOfWhatIsGone: a snapshot that was being made while its rows went is
// not what the generation shows afterwards, which has its number again.
func TestSnapshotOfWhatIsGone(t *testing.T) {
	for name, of := range map[string]struct {
		key    string
		away   func(kept *store.State, log *dataset.Log) error
		events int64
	}{
		"the store is replaced": {"", func(kept *store.State, log *dataset.Log) error {
			batches := dataset.BatchesOf([]byte(`{"at":1,"events":[{"type":"visit","install_id":"new"}]}`))
			if err := kept.Restore(context.Background(), &store.Snapshot{Data: batches}); err != nil {
				return err
			}
			return log.Reopen(context.Background(), noon)
		}, 1},
		"a key is emptied": {"mine", func(_ *store.State, log *dataset.Log) error {
			return log.Of("mine").Empty(context.Background())
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			kept := memory.New()
			waiting := &held{Store: kept, reached: make(chan struct{}), letGo: make(chan struct{})}
			log := open(t, waiting)
			must.Get(log.Of(of.key).Load(t.Context(), read(t, input.Events, fmt.Sprintf(visit+"\n"+visit, 1, 2)), noon))(t)
			waiting.armed.Store(true)
			made := make(chan error)
			go func() {
				_, err := log.At(context.Background(), 1)
				made <- err
			}()
			<-waiting.reached
			must.Do(t, of.away(kept, log))
			close(waiting.letGo)
			if err := <-made; err != nil && !errors.Is(err, dataset.ErrReplaced) {
				t.Error(err)
			}
			must.Equal(t, must.Get(log.At(t.Context(), 1))(t).Events(), of.events, "the generation shows")
		})
	}
}

// TestReadySnapshots: what small datasets show is made once, however many there are; of large ones those that were asked for last stay.
func TestReadySnapshots(t *testing.T) {
	log := open(t, memory.New())
	at := func(generation int64) *dataset.Snapshot {
		t.Helper()
		return must.Get(log.At(t.Context(), generation))(t)
	}
	made := map[int64]*dataset.Snapshot{}
	for generation := range int64(9) {
		if generation > 0 {
			load(t, log, input.Events, fmt.Sprintf(visit, generation))
		}
		made[generation] = at(generation)
	}
	for generation, snapshot := range made {
		must.Equal(t, at(generation) == snapshot, true, "generation %d is made once", generation)
	}
	large := load(t, log, input.Events, strings.Repeat(fmt.Sprintf(visit, 1)+"\n", 100_000)).Generation
	for _, generation := range []int64{7, 8, 5, large} {
		at(generation)
	}
	for _, generation := range []int64{7, 8, 5, 6, 0} {
		must.Equal(t, at(generation) == made[generation], generation != 6 && generation != 0, "generation %d is kept", generation)
	}
}
