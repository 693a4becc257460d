package dataset

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// Batches are the batches of a log on their way out of a store or into one, or a [Store] of a log that nobody keeps. They are in blocks,
// so that none but the one that is read is in memory. Nil stands for none.
type Batches struct {
	blocks  blocks.Store
	numbers []int64
	bytes   int64
}

// NewBatches are none so far, to be kept in blocks.
func NewBatches(kept blocks.Store) *Batches { return &Batches{blocks: kept} }

// BatchesOf are texts, in memory.
func BatchesOf(texts ...[]byte) *Batches {
	b := NewBatches(blocks.Memory())
	for _, text := range texts {
		_ = b.Add(text) // memory has no errors
	}
	return b
}

// Add adds a copy of a batch.
func (b *Batches) Add(batch []byte) error {
	number, err := b.blocks.Add(batch)
	if err == nil {
		b.numbers, b.bytes = append(b.numbers, number), b.bytes+int64(len(batch))
	}
	return err
}

// Len is how many there are.
func (b *Batches) Len() int {
	if b == nil {
		return 0
	}
	return len(b.numbers)
}

// Bytes is how long they are in total.
func (b *Batches) Bytes() int64 {
	if b == nil {
		return 0
	}
	return b.bytes
}

// Each visits them in order. What it visits is good until visit returns.
func (b *Batches) Each(visit func(generation int64, batch []byte) error) error {
	var memory []byte
	for i := range b.Len() {
		batch, err := b.blocks.Get(b.numbers[i], memory[:0])
		if err == nil {
			err = visit(int64(i)+1, batch)
		}
		if err != nil {
			return err
		}
		memory = batch
	}
	return nil
}

// Rows counts the rows in them, and those that are read to open them as a log: what a batch repeats is read again.
func (b *Batches) Rows() (kept, read int64, err error) {
	whole := map[int64]int64{} // rows by generation, with those of parts
	err = b.Each(func(generation int64, text []byte) error {
		rows := input.Batch{Text: text}.Count() // as far as it can be read: the log says what is wrong with it
		kept += rows
		var says batch
		_ = json.Unmarshal(text, &says)
		read += rows + whole[says.Again]
		whole[generation] = rows
		for _, part := range says.Parts {
			whole[generation] += whole[part]
		}
		return nil
	})
	return kept, read, err
}

// Clear forgets them: there are none again.
func (b *Batches) Clear() error {
	if b == nil {
		return nil
	}
	gone := b.numbers
	b.numbers, b.bytes = nil, 0
	return b.blocks.Drop(gone)
}

// Check opens them as a log, until the context ends, and says why none can be made of them. What that
// derives is kept in blocks for as long.
func (b *Batches) Check(ctx context.Context) error {
	if b.Len() == 0 {
		return nil
	}
	log, err := (&Log{store: b, blocks: b.blocks, untrusted: true}).open(ctx)
	if err != nil {
		return err
	}
	return log.Close()
}

// Epoch implements [Store].
func (b *Batches) Epoch(context.Context) (int64, error) { return 0, nil }

// Shared implements [Store]: what is half loaded stays.
func (b *Batches) Shared() bool { return true }

// AppendData implements [Store].
func (b *Batches) AppendData(_ context.Context, _, generation int64, batch []byte) error {
	if generation != int64(b.Len())+1 {
		return ErrBehind
	}
	return b.Add(batch)
}

// ReplaceData implements [Store].
func (b *Batches) ReplaceData(context.Context, []int64, []byte) error {
	return errors.New("these batches are not replaced")
}

// DataAfter implements [Store], one batch at a time.
func (b *Batches) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	if err := context.Cause(ctx); err != nil || generation >= int64(b.Len()) {
		return nil, err
	}
	batch, err := b.blocks.Get(b.numbers[generation], nil)
	return [][]byte{batch}, err
}
