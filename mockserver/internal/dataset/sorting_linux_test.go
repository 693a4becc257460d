package dataset_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestSortingTakesRoom: what joining the rows of a dataset writes for a while counts in the room of its blocks.
func TestSortingTakesRoom(t *testing.T) {
	library := library(t)
	directory,
		err := input.OpenDirectory(library, generated{"events.csv": {count: 150_000, header: "type,date,custom_id\n", row: func(i int) string {
		return fmt.Sprintf("email_open,2026-03-14T%02d:%02d:00Z,customer-%d\n", i%24, i%60, i%1000)
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for about, fits := range map[string]bool{"enough": true, "too little": false} {
		t.Run(about, func(t *testing.T) {
			limits := budget.Limits{Disk: 256 << 20}
			if !fits {
				limits.Disk = 6 << 20
			}
			budgets := must.Get(budget.New(limits))(t)
			room := budgets.Of(budget.Disk)
			kept := openDisk(t, room)
			log := must.Get(dataset.OpenIn(t.Context(), kept, memory.NewWith(blocks.Memory()), nil))(t)
			must.Do(t, log.Begin(t.Context(), directory, "digest", dataset.Only, noon))
			before := room.Used()
			status := must.Get(log.Of("").Current(t.Context()))(t)
			_, err = log.At(t.Context(), status.Generation)
			var exceeded *budget.ExceededError
			if fits == errors.As(err, &exceeded) {
				t.Errorf("%d bytes were taken before the rows were joined; joining them: %v", before, err)
			}
			if err := errors.Join(log.Close(), kept.Close()); err != nil || room.Used() != 0 {
				t.Errorf("%d bytes were not given back: %v", room.Used(), err)
			}
		})
	}
}
