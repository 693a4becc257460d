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
	// Key is whose dataset it is about; empty for that of the server.
	Key   string `json:"key,omitempty"`
	Reset bool   `json:"reset,omitempty"` // everything before is gone
	// Origin names the directory rows that this batch begins with, by their
	// digest; empty for none.
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

// partBeginning is how a batch begins that is a part of a later one.
const partBeginning = `{"part":true`

// plain reports whether a batch does nothing but load rows.
func (b *batch) plain() bool {
	return !b.Reset && b.Again == 0 && b.Mode == "" && b.Parts == nil && !b.Emptied
}

// check refuses a batch that says of its rows what cannot be. Anybody may have
// written it: it may be from a snapshot.
func (r *replayed) check(b batch, generation int64) error {
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
		if last = part; !r.parts[part] {
			return fmt.Errorf("parts: generation %d, at %d, is not an earlier one that is a part, %s, of this batch alone", part, i,
				partBeginning+",...}")
		}
	}
	return nil
}

// rowsOf are the rows of a batch that is stored.
func (l *Log) rowsOf(ctx context.Context, b batch, text []byte) (input.Source, error) {
	if b.Again > 0 {
		texts, err := l.stored(ctx, b.Again)
		if err != nil {
			return nil, err
		}
		from, err := decodeBatch(texts[0])
		if err == nil && from.Again != 0 { // a chain of them might have no end
			err = fmt.Errorf("again: generation %d, which it repeats, repeats another one, %d; it may be one that has rows itself", b.Again,
				from.Again)
		}
		if err != nil {
			return nil, err
		}
		b, text = from, texts[0]
	}
	if len(b.Parts) > 0 {
		return storedParts{l, b.Parts}, nil
	}
	return input.Batch{Text: text}, nil
}

// stored reads a batch of the store, and perhaps some behind it.
func (l *Log) stored(ctx context.Context, generation int64) ([][]byte, error) {
	texts, err := l.store.DataAfter(ctx, generation-1)
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("generation %d, which it repeats or is a part of it, is missing", generation)
	}
	return texts, err
}

// storedParts are the rows of some generations.
type storedParts struct {
	log         *Log
	generations []int64
}

// Each implements [input.Source].
func (s storedParts) Each(ctx context.Context, visit func([]input.Row) error) error {
	for rest := s.generations; len(rest) > 0; {
		texts, err := s.log.stored(ctx, rest[0])
		if err != nil {
			return err
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
		texts, err := l.store.DataAfter(ctx, l.generation)
		if err != nil || len(texts) == 0 {
			return err
		}
		for _, text := range texts {
			if err := l.replay(ctx, text); err != nil {
				return fmt.Errorf("generation %d of the dataset cannot be read: %w", l.generation+1, err)
			}
		}
		l.publish()
	}
}

func (l *Log) replay(ctx context.Context, text []byte) error {
	if bytes.HasPrefix(text, []byte(partBeginning)) {
		l.generation++
		if len(text) > len(noPart) {
			l.parts[l.generation] = true
		}
		return nil
	}
	next, err := decodeBatch(text)
	if err != nil {
		return err
	}
	if err := l.check(next, l.generation+1); err != nil {
		return err
	}
	rows, err := l.rowsOf(ctx, next, text)
	if err != nil {
		return err
	}
	made, err := l.apply(ctx, next, rows, l.generation+1, false)
	if err != nil {
		return err
	}
	return made.keep(next.Parts)
}

// decodeBatch reads a batch without its rows.
func decodeBatch(text []byte) (b batch, err error) {
	if err = json.Unmarshal(text, &b); err == nil {
		_, err = ParseMode(string(b.Mode))
	}
	return b, err
}

// change is a batch that was applied. Either keep or undo comes next.
type change struct {
	log              *Log
	batch            batch
	generation, last int64    // its own, and the one before
	of, before       *history // another one when a key is emptied
	was              history
	takeOut          func() error
}

// apply makes a batch part of the log, or refuses it and changes nothing. Rows
// that were accepted before are not checked again.
func (l *Log) apply(ctx context.Context, next batch, rows input.Source, generation int64, check bool) (*change, error) {
	made := &change{log: l, batch: next, generation: generation, last: l.generation, before: l.history(next.Key)}
	h := made.before
	if next.Emptied {
		h = newHistory(l.blocks)
		h.stored = made.before.stored
		l.histories[next.Key] = h
	}
	made.of, made.was = h, *h
	current := h.last()
	if next.Reset {
		current = newLogSegment(generation, l.blocks)
		current.origin = next.Origin
		h.segments = append(h.segments, current)
	}
	watched := &watchedRows{Source: rows, told: l.Progress}
	var err error
	made.takeOut, err = current.load(ctx, watched, generation, next.At, check, l.drawn)
	if err == nil {
		err = current.faults.Err()
	}
	if err != nil {
		current.faults = input.Faults{}
		if undone := made.undo(); undone != nil {
			err = undone
		}
		return nil, err
	}
	if next.Origin != "" && next.Again == 0 {
		l.origins[generation] = next.Origin
	}
	if next.Key != "" {
		l.keys[generation] = next.Key
	}
	if l.generation = generation; next.Again == 0 {
		l.keepRows(generation, watched.rows)
	}
	h.own = !next.Reset && !next.Emptied
	h.status.Generation = generation
	if next.Mode != "" {
		h.status.Mode = next.Mode
	}
	h.status.Profiles, h.status.Installations, h.status.Events = int(current.loadedProfiles), int(current.loadedInstallations),
		int(current.events)
	return made, nil
}

// undo takes the batch out again.
func (c *change) undo() error {
	l := c.log
	*c.of = c.was
	l.histories[c.batch.Key], l.generation = c.before, c.last
	delete(l.origins, c.generation)
	delete(l.keys, c.generation)
	l.keepRows(c.generation, 0)
	l.tidy(c.batch.Key)
	return c.takeOut()
}

// tidy forgets a key of which the store holds nothing.
func (r *replayed) tidy(key string) {
	if key != "" && len(r.histories[key].stored) == 0 {
		delete(r.histories, key)
	}
}

// keep ends a batch that is stored, with its parts.
func (c *change) keep(parts []int64) error {
	for _, part := range parts {
		delete(c.log.parts, part)
	}
	switch {
	case c.batch.Emptied:
		c.before.giveUp()
		c.log.ready.forget(func(generation int64) bool { return c.log.keys[generation] == c.batch.Key })
		delete(c.log.keys, c.generation)
		for _, generation := range c.of.stored {
			delete(c.log.keys, generation)
			c.log.keepRows(generation, 0)
		}
		c.of.segments = nil
		c.log.tidy(c.batch.Key)
		return nil
	case c.batch.Key != "":
		c.of.stored = append(append(c.of.stored, parts...), c.generation)
	}
	return c.of.last().names.Keep()
}

// watchedRows tells how many rows were taken.
type watchedRows struct {
	input.Source
	told func(rows int64) // nil: nobody is
	rows int64
}

// Each implements [input.Source].
func (w *watchedRows) Each(ctx context.Context, visit func([]input.Row) error) error {
	return w.Source.Each(ctx, func(rows []input.Row) error {
		err := visit(rows)
		if w.rows += int64(len(rows)); w.told != nil {
			w.told(w.rows)
		}
		return err
	})
}
