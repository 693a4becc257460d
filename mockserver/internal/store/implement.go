package store

import (
	"encoding/json"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// What follows is for implementations.

// DataPage is how many bytes of batches DataAfter reads at once, beside the
// first batch.
const DataPage = 16 << 20

// PrunePage is how many records Prune looks at.
const PrunePage = 256

// NotFound says what was not found.
func NotFound(kind, name string) error {
	return fmt.Errorf("%s %.80q: %w", kind, name, ErrNotFound)
}

// NotNext is the error of a batch that does not follow the last one.
func NotNext(generation, last int64) error {
	if generation > last+1 {
		return dataset.ErrReplaced
	}
	return dataset.ErrBehind
}

// MissingData is the error of a gap between batches.
func MissingData(generation int64) error {
	return fmt.Errorf("generation %d of the dataset is missing", generation)
}

// Apply runs a change on a copy of a record and refuses one that would break
// what the record is found by.
func Apply(record *exports.Record, change func(*exports.Record) error) (*exports.Record, error) {
	next := record.Clone()
	if err := change(next); err != nil {
		return nil, err
	}
	if next.ID != record.ID || next.Owner != record.Owner || next.Interface != record.Interface {
		return nil, fmt.Errorf("record %s: a change must not alter id, owner or interface", record.ID)
	}
	return next, nil
}

// EncodeRecord writes a record as JSON.
func EncodeRecord(record *exports.Record) (string, error) {
	encoded, err := json.Marshal(record)
	if err != nil {
		return "", fmt.Errorf("record %.80q cannot be stored: %w", record.ID, err)
	}
	return string(encoded), nil
}

// DecodeRecord reads a record that was stored as JSON.
func DecodeRecord(encoded []byte) (*exports.Record, error) {
	record := new(exports.Record)
	if err := json.Unmarshal(encoded, record); err != nil {
		return nil, fmt.Errorf("a stored record is not readable: %w", err)
	}
	return record, nil
}
