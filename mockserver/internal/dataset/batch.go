package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// batch is what one generation changed. Its rows stand behind these members, or in the parts.
type batch struct {
	// Key is whose dataset it is about; empty for that of the server.
	Key   string `json:"key,omitempty"`
	Reset bool   `json:"reset,omitempty"` // everything before is gone
	// Origin names the directory rows that this batch begins with, by their digest; empty for none.
	Origin string `json:"origin,omitempty"`
	// Again says that the rows are those of an earlier generation.
	Again int64 `json:"again,omitempty"`
	Mode  Mode  `json:"mode,omitempty"`
	At    int64 `json:"at"` // the moment of loading, seconds since 1970
	// Parts are the generations that hold the rows; nil: this one.
	Parts []int64 `json:"parts,omitempty"`
	// Emptied says that the key has nothing from here on, and nothing before.
	Emptied bool `json:"emptied,omitempty"`
}

// Mode says what is shown beside the dataset.
type Mode string

const (
	// Mixed shows the dataset among the synthetic rows. It is the default.
	Mixed Mode = "mixed"
	// Only shows the dataset and nothing else.
	Only Mode = "only"
)

// ParseMode reads a mode; the empty text is Mixed.
func ParseMode(text string) (Mode, error) {
	switch Mode(text) {
	case "", Mixed:
		return Mixed, nil
	case Only:
		return Only, nil
	}
	return "", fmt.Errorf("data mode %q is not known; use mixed (the dataset among the synthetic rows) or only (the dataset alone)", text)
}

// noPart is a part without rows.
const noPart = input.PartBeginning + "}"

// applied is a batch of the store that the log knows.
type applied struct {
	batch
	generation int64
	rows       int64 // that it and its parts hold
}

// plain reports whether a batch does nothing but load rows.
func (b *batch) plain() bool {
	return !b.Reset && b.Again == 0 && b.Mode == "" && b.Parts == nil && !b.Emptied
}

// decodeBatch reads a batch without its rows.
func decodeBatch(text []byte) (b batch, err error) {
	if err = json.Unmarshal(text, &b); err == nil {
		_, err = ParseMode(string(b.Mode))
	}
	return b, err
}

// check refuses a batch that says of its rows what cannot be. Anybody may have written it: it may be from a snapshot.
func (b *batch) check(generation int64, parts map[int64]bool) error {
	if b.Again < 0 || b.Again >= generation {
		return fmt.Errorf("again: %d is not an earlier generation, which has a number from 1 and below %d; leave it out for rows of its own",
			b.Again, generation)
	}
	last := int64(0)
	for i, part := range b.Parts {
		if part <= last {
			return fmt.Errorf("parts: the generation at %d, %d, does not come after the one before it, %d; they stand in order, each once", i,
				part, last)
		}
		if last = part; !parts[part] {
			return fmt.Errorf("parts: generation %d, at %d, is not an earlier one that is a part, %s, of this batch alone", part, i,
				input.PartBeginning+",...}")
		}
	}
	return nil
}

// isPart reports whether a stored text is that of a part, and whether it has rows.
func isPart(text []byte) (is, some bool) {
	is = bytes.HasPrefix(text, []byte(input.PartBeginning))
	return is, is && len(text) > len(noPart)
}

// batchReader reads batches of a store; those behind the last one may be in memory.
type batchReader struct {
	store Store
	first int64
	texts [][]byte
}

func (r *batchReader) text(ctx context.Context, generation int64) ([]byte, error) {
	if at := generation - r.first; at < 0 || at >= int64(len(r.texts)) {
		texts, err := r.store.DataAfter(ctx, generation-1)
		if err == nil && len(texts) == 0 {
			err = fmt.Errorf("generation %d, which it repeats or is a part of it, is missing", generation)
		}
		if err != nil {
			return nil, err
		}
		r.first, r.texts = generation, texts
	}
	return r.texts[generation-r.first], nil
}

// storedRows are the rows of a batch that is stored.
type storedRows struct {
	from       *batchReader
	batch      batch
	generation int64
	known      bool // they were read before
}

// Each implements [input.Source].
func (s storedRows) Each(ctx context.Context, visit func([]input.Row) error) error {
	of, parts := s.batch, []int64{s.generation}
	if of.Again > 0 {
		text, err := s.from.text(ctx, of.Again)
		if err == nil {
			of, err = decodeBatch(text)
		}
		if err == nil && of.Again != 0 { // a chain of them might have no end
			err = fmt.Errorf("again: generation %d, which it repeats, repeats another one, %d; it may be one that has rows itself",
				s.batch.Again, of.Again)
		}
		if err != nil {
			return err
		}
		parts[0] = s.batch.Again
	}
	if len(of.Parts) > 0 {
		parts = of.Parts
	}
	for _, part := range parts {
		text, err := s.from.text(ctx, part)
		if err == nil {
			err = input.Batch{Text: text, Known: s.known}.Each(ctx, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
