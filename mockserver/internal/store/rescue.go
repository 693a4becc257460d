package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Rescue makes a snapshot of the entries of a damaged state: of those that are whole and need nothing that is lost.
type Rescue struct {
	Snapshot Snapshot
	// Faults say what is lost.
	Faults  []string
	numbers map[*exports.Record]int64
	batches map[int64]string
}

// NewRescue returns a snapshot without entries.
func NewRescue() *Rescue {
	return &Rescue{numbers: map[*exports.Record]int64{}, batches: map[int64]string{},
		Snapshot: Snapshot{Buckets: map[string]exports.Bucket{}, Settings: map[string][]byte{}, Data: dataset.BatchesOf()}}
}

// Lose notes a fault.
func (r *Rescue) Lose(format string, arguments ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, arguments...))
}

// Add takes an entry. The order of records is in themselves.
func (r *Rescue) Add(entry Entry) {
	name := entry.Key[1:]
	switch entry.Key[:1] {
	case recordTable:
		record, number, err := decode(name, entry.Value)
		if err != nil {
			r.Lose("the export %.80q cannot be read: %v", name, err)
			return
		}
		r.numbers[record] = number
	case limitTable:
		bucket, err := decodeBucket(entry.Value)
		if err != nil {
			r.Lose("the rate limit %.80q cannot be read: %v", name, err)
			return
		}
		r.Snapshot.Buckets[name] = bucket
	case settingTable:
		r.Snapshot.Settings[name] = []byte(entry.Value)
	case dataTable:
		r.batches[numberOf(entry.Key)] = entry.Value
	}
}

// End completes the snapshot: the dataset up to its first gap, and the exports that show no more of it.
func (r *Rescue) End(ctx context.Context) error {
	for len(r.batches) > r.Snapshot.Data.Len() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		batch, is := r.batches[int64(r.Snapshot.Data.Len())+1]
		if !is {
			r.Lose("generation %d of the dataset is missing, and others come after it", r.Snapshot.Data.Len()+1)
			break
		}
		if err := r.Snapshot.Data.Add([]byte(batch)); err != nil {
			return err
		}
	}
	inOrder := func(a, b *exports.Record) int { return cmp.Compare(r.numbers[a], r.numbers[b]) }
	for _, record := range slices.SortedFunc(maps.Keys(r.numbers), inOrder) {
		if shown := record.File.DataGeneration; shown > int64(r.Snapshot.Data.Len()) {
			r.Lose("the export %.80q shows generation %d of the dataset, which is lost", record.ID, shown)
			continue
		}
		r.Snapshot.Records = append(r.Snapshot.Records, record)
	}
	return nil
}
