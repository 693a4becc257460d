package rows

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/layouts"
)

// EncodeLayout writes the layout down, some five bytes for each block. Layout comes first.
func (f *File) EncodeLayout() []byte {
	return layouts.Encode(f.digest(0), func(yield func(layouts.Block) bool) {
		for i, b := range f.blocks[:len(f.blocks)-1] {
			if !yield(layouts.Block{Unit: b.unit, Skip: b.skip, Rows: b.rows, Size: f.blocks[i+1].offset - b.offset}) {
				return
			}
		}
	})
}

// UseLayout takes what EncodeLayout has written in the place of Layout. It fails when that
// was of another file, or is damaged, or has more blocks than may be kept.
func (f *File) UseLayout(encoded []byte) error {
	f.laidOut.Lock()
	defer f.laidOut.Unlock()
	if f.parts != nil {
		return nil
	}
	var blocks []block
	end, room := int64(0), f.renderer.mostPlaces/blockBytesKept // the limit may have been higher when it was made
	begin := func(about int) { blocks = make([]block, 0, min(int64(about), room)+1) }
	err := layouts.Decode(encoded, f.digest(0), f.view.Units(), begin, func(b layouts.Block) {
		if room--; room < 0 {
			return
		}
		blocks = append(blocks, block{unit: b.Unit, offset: end, skip: b.Skip, rows: b.Rows})
		end += b.Size
	})
	if err == nil && room < 0 {
		err = &PlacesError{Bytes: f.renderer.mostPlaces}
	}
	if err != nil {
		return fmt.Errorf("the layout that is kept cannot be used: %w", err)
	}
	return f.use(blocks, end)
}
