package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// batch is what one generation changed. Its rows stand behind these members,
// or in the parts.
type batch struct {
	Reset bool `json:"reset,omitempty"` // everything before is gone
	// Origin names the directory rows that this batch begins with, by their
	// digest; empty for none.
	Origin string `json:"origin,omitempty"`
	// Again says that the rows are those of an earlier generation.
	Again int64 `json:"again,omitempty"`
	Mode  Mode  `json:"mode,omitempty"`
	At    int64 `json:"at"` // the moment of loading, seconds since 1970
	// Parts are the generations that hold the rows; nil: this one.
	Parts []int64 `json:"parts,omitempty"`
}

// partBeginning is how a batch begins that is a part of a later one.
const partBeginning = `{"part":true`

// plain reports whether a batch does nothing but load rows.
func (b *batch) plain() bool { return !b.Reset && b.Again == 0 && b.Mode == "" && b.Parts == nil }

// storedRows are the rows of a generation.
type storedRows struct {
	store      Store
	generation int64
}

func (l *Log) storedRows(generation int64) input.Source { return storedRows{l.store, generation} }

// Each implements [input.Source].
func (s storedRows) Each(ctx context.Context, visit func([]input.Row) error) error {
	text, err := s.text(ctx, s.generation)
	if err != nil {
		return err
	}
	from, err := decodeBatch(text)
	if err != nil {
		return err
	}
	return rowsOf(s.store, from, text).Each(ctx, visit)
}

func (s storedRows) text(ctx context.Context, generation int64) ([]byte, error) {
	texts, err := s.store.DataAfter(ctx, generation-1)
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("generation %d, which it repeats, is missing", generation)
	}
	if err != nil {
		return nil, err
	}
	return texts[0], nil
}

// rowsOf are the rows of a batch that is stored.
func rowsOf(store Store, b batch, text []byte) input.Source {
	switch {
	case b.Again > 0:
		return storedRows{store, b.Again}
	case len(b.Parts) > 0:
		return storedParts{store, b.Parts}
	}
	return input.Batch{Text: text}
}

// storedParts are the rows of some generations.
type storedParts struct {
	store       Store
	generations []int64
}

// Each implements [input.Source].
func (s storedParts) Each(ctx context.Context, visit func([]input.Row) error) error {
	for rest := s.generations; len(rest) > 0; {
		texts, err := s.store.DataAfter(ctx, rest[0]-1)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return fmt.Errorf("generation %d, which is a part of it, is missing", rest[0])
		}
		for i, first := 0, rest[0]; i < len(texts) && len(rest) > 0 && rest[0] == first+int64(i); i++ {
			if err := (input.Batch{Text: texts[i]}).Each(ctx, visit); err != nil {
				return err
			}
			rest = rest[1:]
		}
	}
	return nil
}

// catchUp applies the batches of the store that the log does not have yet.
func (l *Log) catchUp(ctx context.Context) error {
	for {
		texts, err := l.store.DataAfter(ctx, l.status.Generation)
		if err != nil || len(texts) == 0 {
			return err
		}
		for _, text := range texts {
			if err := l.replay(ctx, text); err != nil {
				return fmt.Errorf("generation %d of the dataset cannot be read: %w", l.status.Generation+1, err)
			}
		}
		l.publish()
	}
}

func (l *Log) replay(ctx context.Context, text []byte) error {
	if bytes.HasPrefix(text, []byte(partBeginning)) {
		l.status.Generation++
		return nil
	}
	next, err := decodeBatch(text)
	if err == nil {
		_, err = l.apply(ctx, next, rowsOf(l.store, next, text), l.status.Generation+1, false)
	}
	if err != nil {
		return err
	}
	return l.keep()
}

// decodeBatch reads a batch without its rows.
func decodeBatch(text []byte) (b batch, err error) {
	if err = json.Unmarshal(text, &b); err == nil {
		_, err = ParseMode(string(b.Mode))
	}
	return b, err
}

// apply makes a batch part of the log, or refuses it and changes nothing. Rows
// that were accepted before are not checked again. The function that it
// returns takes the batch out again; it or keep comes next.
func (l *Log) apply(ctx context.Context, next batch, rows input.Source, generation int64, check bool) (undo func() error, err error) {
	before := l.status
	current := l.segments[len(l.segments)-1]
	count := len(l.segments)
	if next.Reset {
		current = newLogSegment(generation, l.blocks)
		current.origin = next.Origin
		l.segments = append(l.segments, current)
	}
	if l.Progress != nil {
		rows = &watchedRows{Source: rows, told: l.Progress}
	}
	takeOut, err := current.load(ctx, rows, generation, next.At, l.checker(check))
	undo = func() error {
		l.segments, l.status = l.segments[:count], before
		delete(l.origins, generation)
		return takeOut()
	}
	if err == nil {
		err = current.faults.Err()
	}
	if err != nil {
		current.faults = input.Faults{}
		if undone := undo(); undone != nil {
			err = undone
		}
		return nil, err
	}
	if next.Origin != "" && next.Again == 0 {
		l.origins[generation] = next.Origin
	}
	l.status.Generation = generation
	if next.Mode != "" {
		l.status.Mode = next.Mode
	}
	l.status.Profiles, l.status.Installations, l.status.Events = current.marks.loadedProfiles.Count, current.marks.loadedInstallations.Count, int(current.events.Count)
	return undo, nil
}

// watchedRows tells how many rows were taken.
type watchedRows struct {
	input.Source
	told func(rows int64)
	rows int64
}

// Each implements [input.Source].
func (w *watchedRows) Each(ctx context.Context, visit func([]input.Row) error) error {
	return w.Source.Each(ctx, func(rows []input.Row) error {
		err := visit(rows)
		w.rows += int64(len(rows))
		w.told(w.rows)
		return err
	})
}

// keep ends a batch that was applied, and stored.
func (l *Log) keep() error { return l.segments[len(l.segments)-1].names.Keep() }

// checker recognises identifiers of the world while rows are checked; nil
// while they are not.
func (l *Log) checker(check bool) Synthetic {
	switch {
	case !check:
		return nil
	case l.synthetic == nil:
		return noSynthetic{}
	}
	return l.synthetic
}

type noSynthetic struct{}

func (noSynthetic) InstallationByID(string) (int64, bool)  { return 0, false }
func (noSynthetic) ProfileByID(string) (int64, bool)       { return 0, false }
func (noSynthetic) ProfileByCustomID(string) (int64, bool) { return 0, false }
