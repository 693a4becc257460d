package dataset

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// Counted is a store that knows how many rows it keeps: those of every batch, for
// a batch stays when later ones have replaced all that it said. It counts what
// passes by, so somebody else has to read it from the beginning, as a [Log] does.
type Counted struct {
	Store

	lock    sync.Mutex // for the fields below
	kept    map[int64]batchContents
	rows    int64
	last    int64 // generation
	changes int   // that have begun or ended
}

// batchContents is what is known of a stored batch.
type batchContents struct {
	key   string
	parts []int64
	again int64 // the generation whose rows it repeats; 0: none
	rows  int64
	// emptied says that the batches of the key before this one are gone.
	emptied bool
}

// NewCounted counts the rows of a store.
func NewCounted(of Store) *Counted {
	return &Counted{Store: of, kept: map[int64]batchContents{}}
}

// Rows is how many rows are kept, as far as batches were read.
func (c *Counted) Rows() int64 {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.rows
}

// AppendData implements [Store].
func (c *Counted) AppendData(ctx context.Context, generation int64, batch []byte) error {
	c.change(func() {})
	err := c.Store.AppendData(ctx, generation, batch)
	if err == nil {
		contents := contentsOf(batch)
		c.change(func() { c.note(generation, contents) })
	}
	return err
}

// DataAfter implements [Store].
func (c *Counted) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	c.lock.Lock()
	before := c.changes
	c.lock.Unlock()
	texts, err := c.Store.DataAfter(ctx, generation)
	if err != nil {
		return nil, err
	}
	contents := make([]batchContents, len(texts))
	for i, text := range texts {
		contents[i] = contentsOf(text)
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	for i := range contents {
		c.note(generation+int64(i)+1, contents[i])
	}
	if len(texts) == 0 && c.changes == before { // there may have been more before all was replaced
		for ; c.last > generation; c.last-- {
			c.forget(c.last)
		}
	}
	return texts, nil
}

// ReplaceData implements [Store].
func (c *Counted) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	c.change(func() {})
	err := c.Store.ReplaceData(ctx, generations, batch)
	if err == nil {
		contents := contentsOf(batch)
		contents.emptied = false // what was before it has been forgotten with the first one
		c.change(func() {
			for _, generation := range generations {
				c.note(generation, contents)
			}
		})
	}
	return err
}

func (c *Counted) change(do func()) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.changes++
	do()
}

// note notes what a batch holds, and what it says of those before.
func (c *Counted) note(generation int64, contents batchContents) {
	c.forget(generation)
	if contents.emptied {
		for before, its := range c.kept {
			if before < generation && its.key == contents.key {
				c.forget(before)
				for _, part := range its.parts {
					c.forget(part)
				}
			}
		}
	}
	c.last = max(c.last, generation)
	if contents.rows > 0 || len(contents.parts) > 0 {
		c.kept[generation] = contents
		c.rows += contents.rows
	}
}

func (c *Counted) forget(generation int64) {
	c.rows -= c.kept[generation].rows
	delete(c.kept, generation)
}

// contentsOf reads what a batch says of itself, and counts its rows. What is wrong
// with it is for the log to say.
func contentsOf(text []byte) (contents batchContents) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if next, err := d.ReadToken(); err != nil || next.Kind() != '{' {
		return contents
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return contents
		}
		counted := slices.Contains(input.Kinds(), input.Kind(name.String()))
		switch member := name.String(); {
		case counted && d.PeekKind() == '[':
			err = eachValue(d, func() error {
				contents.rows++
				return d.SkipValue()
			})
		case member == "parts" && d.PeekKind() == '[':
			err = eachValue(d, func() error {
				number, err := d.ReadToken()
				if err != nil {
					return err
				}
				part, err := number.Int()
				contents.parts = append(contents.parts, part)
				return err
			})
		case member == "again" && d.PeekKind() == '0':
			var number jsontext.Token
			if number, err = d.ReadToken(); err == nil {
				contents.again, err = number.Int()
			}
		case member == "key" && d.PeekKind() == '"':
			var key jsontext.Token
			if key, err = d.ReadToken(); err == nil {
				contents.key = key.String()
			}
		case member == "emptied":
			contents.emptied = d.PeekKind() == 't'
			err = d.SkipValue()
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return contents
		}
	}
	return contents
}

// eachValue visits the values of an array.
func eachValue(d *jsontext.Decoder, visit func() error) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := visit(); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
