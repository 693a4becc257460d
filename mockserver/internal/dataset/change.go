package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// add makes the next batch and stores it. When another process was faster, its batches come first.
func (l *Log) add(ctx context.Context, begin func() *batch, rows input.Source) (err error) {
	spool, err := l.spooled(ctx, rows)
	if err != nil {
		return err
	}
	if spool != rows {
		defer spool.Close()
	}
	var stored []int64 // the generations of parts
	defer func() {
		if err != nil && len(stored) > 0 {
			l.removeParts(context.WithoutCancel(ctx), stored)
		}
	}()
	for range maxRaces {
		if err := l.catchUp(ctx); err != nil {
			return err
		}
		began := begin()
		if began == nil {
			return nil
		}
		next := *began
		source, parts := input.Source(spool), spool.Parts()
		if next.Reset {
			next.Again = l.generationOf(next.Origin)
		}
		if next.Again > 0 {
			source, parts = storedRows{&batchReader{store: l.store}, next, 0, true}, 0
		}
		if parts == 0 && next.plain() {
			return nil // there is nothing to load
		}
		if next.Mode == "" && next.Key != "" && !next.Emptied && !l.history(next.Key).own {
			next.Mode = l.history("").status.Mode // a key begins with that of the server
		}
		if parts == 1 {
			parts = 0 // it is in the batch itself
		}
		generation := l.generation + int64(parts-min(len(stored), parts)) + 1
		err := l.apply(ctx, applied{batch: next, generation: generation}, source, true, func() (_ []int64, err error) {
			stored, err = l.storeBatch(ctx, next, spool, parts, stored, generation)
			return stored, err
		})
		if !errors.Is(err, ErrBehind) {
			return err
		}
	}
	return fmt.Errorf("the dataset was not stored: other processes changed it %d times meanwhile; try again", maxRaces)
}

// spooled are rows in a spool, which may be empty.
func (l *Log) spooled(ctx context.Context, rows input.Source) (*input.Spool, error) {
	if spool, is := rows.(*input.Spool); is {
		return spool, spool.Flush()
	}
	spool := input.NewSpool(l.blocks)
	if rows == nil {
		return spool, nil
	}
	if err := spool.Fill(ctx, rows); err != nil {
		return nil, err
	}
	return spool, spool.Flush()
}

// storeBatch stores a batch. The parts of large ones come before it, as batches
// of their own that show nothing until then; it returns those that are stored.
func (l *Log) storeBatch(ctx context.Context, next batch, spool *input.Spool, parts int, stored []int64, generation int64) ([]int64,
	error) {
	for len(stored) < parts {
		text, err := spool.Part(len(stored))
		number := generation - int64(parts-len(stored))
		if err == nil {
			err = l.store.AppendData(ctx, l.epoch.Load(), number, text)
		}
		if err != nil {
			return stored, err
		}
		stored = append(stored, number)
	}
	next.Parts = stored
	text, err := json.Marshal(next)
	if err == nil && parts == 0 && next.Again == 0 && spool.Parts() == 1 { // the rows are in the batch itself
		var rows []byte
		rows, err = spool.Part(0)
		text = append(text[:len(text)-1], rows[min(len(rows), len(input.PartBeginning)):]...)
	}
	if err != nil {
		return stored, fmt.Errorf("the dataset cannot be stored: %w", err)
	}
	return stored, l.store.AppendData(ctx, l.epoch.Load(), generation, text)
}

// removeParts takes the rows out of the parts of a load that has failed. What fails here is left over, and shows nothing.
func (l *Log) removeParts(ctx context.Context, stored []int64) {
	for range maxRaces {
		if l.catchUp(ctx) != nil {
			return
		}
		// The batch that they belong to may have been stored, and only the answer lost:
		// what takes the next number knows of all before it.
		switch err := l.store.AppendData(ctx, l.epoch.Load(), l.generation+1, []byte(noPart)); {
		case errors.Is(err, ErrBehind):
			continue
		case err != nil:
			return
		}
		var left []int64
		for _, part := range stored {
			if l.parts[part] {
				left = append(left, part)
			}
		}
		_ = l.store.ReplaceData(ctx, left, []byte(noPart))
		return
	}
}

// maxRaces is how often a batch gives way to those of other processes.
const maxRaces = 100

// generationOf is the batch that holds the rows of a directory already; 0: none.
func (l *Log) generationOf(digest string) int64 {
	for _, b := range l.history("").batches {
		if b.Origin == digest && b.Again == 0 && digest != "" {
			return b.generation
		}
	}
	return 0
}

// At is the dataset as it was in a generation: that of the key whose dataset the generation changed, and otherwise that of the server.
func (l *Log) At(ctx context.Context, generation int64) (*Snapshot, error) {
	if generation > l.published.Load().generation {
		if err := l.follow(ctx); err != nil {
			return nil, err
		}
	}
	made, err := l.readyAt(ctx, generation)
	if made != nil || err != nil {
		return made, err
	}
	if err := l.building.take(ctx); err != nil {
		return nil, err
	}
	defer l.building.give()
	if made, err = l.readyAt(ctx, generation); made != nil || err != nil { // somebody else has made it meanwhile
		return made, err
	}
	if err := l.turn.take(ctx); err != nil {
		return nil, err
	}
	forgotten, epoch := l.ready.forgotten, l.epoch.Load()
	since, batches := l.history(l.keys[generation]).until(generation)
	l.turn.give()
	made, err = l.newSnapshot(ctx, generation, since, batches)
	if err == nil { // of this state, and no other
		var now int64
		if now, err = l.store.Epoch(ctx); err == nil && now != epoch {
			err = ErrReplaced
		}
	}
	if takes := l.turn.take(ctx); takes != nil {
		return nil, takes
	}
	defer l.turn.give()
	if err == nil {
		l.ready.keep(made, forgotten)
	}
	return made, err
}

// readyAt is the dataset of a generation if it is ready, or nil.
func (l *Log) readyAt(ctx context.Context, generation int64) (*Snapshot, error) {
	if err := l.turn.take(ctx); err != nil {
		return nil, err
	}
	defer l.turn.give()
	if generation > l.generation || generation < 0 {
		err := fmt.Errorf("the dataset has %d generations, and generation %d was requested", l.generation, generation)
		if !l.store.Shared() {
			err = fmt.Errorf("%w: %w", err, ErrMissing)
		}
		return nil, err
	}
	return l.ready.of(generation), nil
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
	generation := l.generation + 1
	if part, some := isPart(text); part {
		if l.generation = generation; some {
			l.parts[generation] = true
		}
		return nil
	}
	next, err := decodeBatch(text)
	if err == nil {
		err = next.check(generation, l.parts)
	}
	if err != nil {
		return err
	}
	rows := storedRows{&batchReader{l.store, generation, [][]byte{text}}, next, generation, false}
	return l.apply(ctx, applied{batch: next, generation: generation}, rows, l.untrusted, nil)
}

// apply makes a batch part of the log, unless its rows are refused or it cannot be kept: then it changes nothing. Keep stores it and
// returns its parts; nil: it is stored. Rows that were accepted before are not checked again.
func (l *Log) apply(ctx context.Context, next applied, rows input.Source, check bool, keep func() (parts []int64, err error)) error {
	h := l.history(next.Key)
	who := h.named
	if next.Reset || next.Emptied {
		who = newNamed(l.blocks)
	}
	undo := who.begin()
	watched := &watchedRows{Source: rows, told: l.Progress}
	adding := loader{named: who, at: next.At, check: check, drawn: l.drawn}
	err := adding.load(ctx, watched)
	if err == nil && keep != nil {
		next.Parts, err = keep()
	}
	if err != nil {
		return errors.Join(err, undo())
	}
	for _, part := range next.Parts {
		delete(l.parts, part)
	}
	if l.generation = next.generation; next.Emptied {
		return errors.Join(l.forgetKey(next.Key, h), who.names.Close())
	}
	if who != h.named {
		err = h.named.names.Close()
	}
	if next.Again == 0 {
		next.rows = watched.rows
		l.rows.Add(next.rows)
	}
	if next.Key != "" {
		l.keys[next.generation] = next.Key
	}
	l.histories[next.Key] = h
	h.add(next, who)
	who.names.Keep()
	l.publish()
	return err
}

// forgetKey forgets what a key had, but for the generations that the store holds.
func (l *Log) forgetKey(key string, h *history) error {
	l.ready.forget(func(generation int64) bool { return l.keys[generation] == key })
	for _, b := range h.batches {
		delete(l.keys, b.generation)
		l.rows.Add(-b.rows)
	}
	left := h.stored()
	if delete(l.histories, key); len(left) > 0 {
		l.histories[key] = newHistory(l.blocks)
		l.histories[key].left = left
	}
	l.publish()
	return h.named.names.Close()
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
