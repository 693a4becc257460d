package dataset_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// held are blocks of which the first that is read once they are armed waits to be let go.
type held struct {
	blocks.Store
	armed          atomic.Bool
	once           sync.Once
	reached, letGo chan struct{}
}

func (h *held) Get(number int64, dst []byte) ([]byte, error) {
	if h.armed.Load() {
		h.once.Do(func() {
			close(h.reached)
			<-h.letGo
		})
	}
	return h.Store.Get(number, dst)
}

// TestSnapshotOfWhatIsGone: a snapshot that was being made while its rows went is
// not what the generation shows afterwards, which has its number again.
func TestSnapshotOfWhatIsGone(t *testing.T) {
	var visits strings.Builder
	for i := range 2 * blocks.RecordsPerBlock {
		fmt.Fprintf(&visits, visit+"\n", i)
	}
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
			kept, waiting := memory.New(), &held{Store: blocks.Memory(), reached: make(chan struct{}), letGo: make(chan struct{})}
			log := must.Get(dataset.OpenIn(t.Context(), waiting, kept, nil))(t)
			must.Get(log.Of(of.key).Load(t.Context(), read(t, input.Events, visits.String()), noon))(t)
			waiting.armed.Store(true)
			made := make(chan error)
			go func() {
				_, err := log.At(context.Background(), 1)
				made <- err
			}()
			<-waiting.reached
			must.Do(t, of.away(kept, log))
			close(waiting.letGo)
			must.Do(t, <-made)
			must.Equal(t, must.Get(log.At(t.Context(), 1))(t).Events(), of.events, "the generation shows")
		})
	}
}

// TestReadySnapshots: what an export shows that is created now is made once, however many datasets there are; of earlier generations
// those that were asked for last.
func TestReadySnapshots(t *testing.T) {
	log := open(t, memory.New())
	generation := func(key string) int64 {
		t.Helper()
		status := must.Get(log.Of(key).Load(t.Context(), read(t, input.Events, fmt.Sprintf(visit, 1)), noon))(t)
		return status.Generation
	}
	at := func(generation int64) *dataset.Snapshot {
		t.Helper()
		return must.Get(log.At(t.Context(), generation))(t)
	}
	var earlier []int64
	for range 5 {
		earlier = append(earlier, generation(""))
	}
	latest := map[int64]*dataset.Snapshot{}
	for _, key := range []string{"", "a", "b", "c", "d", "e", "f"} {
		number := generation(key)
		latest[number] = at(number)
	}
	first := at(earlier[0])
	for _, number := range earlier[1:4] {
		at(number)
	}
	if at(earlier[0]) != first {
		t.Error("one of four earlier generations was made again")
	}
	second := at(earlier[1])
	at(earlier[4]) // in the place of the third, which was asked for before the others
	if at(earlier[0]) != first || at(earlier[1]) != second {
		t.Error("an earlier generation was forgotten that was asked for later than another one")
	}
	for number, made := range latest {
		if at(number) != made {
			t.Errorf("generation %d, which a dataset has now, was made again", number)
		}
	}
	generation("")
	for _, number := range earlier[:4] { // the latest of before is one of the earlier
		at(number)
	}
	for number, made := range latest {
		if again := at(number) != made; again != (number == earlier[4]+1) {
			t.Errorf("generation %d was made again: %t", number, again)
		}
	}
}
