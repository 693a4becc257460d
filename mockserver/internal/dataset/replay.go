package dataset

import (
	"context"
	"encoding/json"
	"fmt"
)

// batch is what one generation changed.
type batch struct {
	Reset bool `json:"reset,omitempty"` // everything before is gone
	// Origin names the directory rows that this batch begins with, by their
	// digest; empty for none.
	Origin string `json:"origin,omitempty"`
	// Again says that the rows are those of an earlier generation.
	Again         int64             `json:"again,omitempty"`
	Mode          Mode              `json:"mode,omitempty"`
	At            int64             `json:"at"` // the moment of loading, seconds since 1970
	Profiles      []json.RawMessage `json:"profiles,omitempty"`
	Installations []json.RawMessage `json:"installations,omitempty"`
	Events        []json.RawMessage `json:"events,omitempty"`
}

func (b *batch) list(kind Kind) *[]json.RawMessage {
	switch kind {
	case Profiles:
		return &b.Profiles
	case Installations:
		return &b.Installations
	}
	return &b.Events
}

// rows reads the rows back.
func (b *batch) rows() ([]Row, error) {
	var rows []Row
	for _, kind := range Kinds() {
		for _, text := range *b.list(kind) {
			row := Row{Kind: kind, Text: text, number: len(rows)}
			if err := row.decode(); err != nil {
				return nil, err
			}
			if !row.hasIdentifier() {
				return nil, fmt.Errorf("a row of %s has no identifier: %.80s", kind, text)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
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
	next, err := decodeBatch(text)
	if err != nil {
		return err
	}
	from := next
	if next.Again > 0 {
		texts, err := l.store.DataAfter(ctx, next.Again-1)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return fmt.Errorf("generation %d, which it repeats, is missing", next.Again)
		}
		if from, err = decodeBatch(texts[0]); err != nil {
			return err
		}
	}
	rows, err := from.rows()
	if err != nil {
		return err
	}
	_, err = l.apply(next, rows, false)
	return err
}

func decodeBatch(text []byte) (b batch, err error) {
	if err = json.Unmarshal(text, &b); err == nil {
		_, err = ParseMode(string(b.Mode))
	}
	return b, err
}

// apply makes a batch part of the log, or refuses it and changes nothing. Rows
// that were accepted before are not checked again. The function that it
// returns takes the batch out again.
func (l *Log) apply(next batch, rows []Row, check bool) (undo func(), err error) {
	before := l.status
	generation := before.Generation + 1
	current := l.segments[len(l.segments)-1]
	count := len(l.segments)
	if next.Reset {
		current = newLogSegment(generation)
		current.origin = next.Origin
		l.segments = append(l.segments, current)
	}
	takeOut := current.load(rows, generation, next.At, l.checker(check))
	undo = func() {
		takeOut()
		l.segments, l.status = l.segments[:count], before
		delete(l.origins, generation)
	}
	if err := current.faults.err(); err != nil {
		undo()
		current.faults = faults{}
		return nil, err
	}
	if next.Origin != "" && next.Again == 0 {
		l.origins[generation] = next.Origin
	}
	l.status.Generation = generation
	if next.Mode != "" {
		l.status.Mode = next.Mode
	}
	l.status.Profiles, l.status.Installations, l.status.Events = len(current.loadedProfiles), len(current.loadedInstallations), len(current.events)
	return undo, nil
}

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
