package store

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Snapshot is everything that a store keeps, at one instant. What it points to
// must not be changed.
type Snapshot struct {
	// Records are in the order of their insertion.
	Records []*exports.Record
	// Buckets and Settings are by their key and name. A setting may be a
	// secret.
	Buckets  map[string]exports.Bucket
	Settings map[string][]byte
	// Data are the batches of the dataset, from generation 1; they are read one
	// at a time.
	Data *dataset.Batches
}
