package rows

import (
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// stretchBytes is about how much of the text of a small file is kept in one piece, and sent
// at once.
const stretchBytes = 64 << 10

// isKept reports whether the text of the file is kept, or will be when somebody reads it.
func (f *File) isKept() bool { return f.renderer.texts.Keeps(f.blocks[len(f.blocks)-1].offset) }

// stretchAt is the text of the blocks that begin in the same stretch as the one with an
// offset, and the first of them.
func (f *File) stretchAt(at int64) (text []byte, first int) {
	last := len(f.blocks) - 1
	begin := func(offset int64) int {
		return sort.Search(last, func(i int) bool { return f.blocks[i].offset >= offset })
	}
	block := sort.Search(last, func(i int) bool { return f.blocks[i+1].offset > at })
	number := f.blocks[block].offset / stretchBytes
	first = begin(number * stretchBytes)
	key := program.TextKey{File: f.number, Stretch: number}
	if text = f.renderer.texts.Get(key); text != nil {
		return text, first
	}
	end := begin((number + 1) * stretchBytes)
	text = make([]byte, 0, f.blocks[end].offset-f.blocks[first].offset)
	f.renderer.Do(func() {
		for _, b := range f.blocks[first:end] {
			text = f.render(text, b)
		}
	})
	f.renderer.texts.Put(key, text)
	return text, first
}

// textKeeper keeps the text of a file while it is laid out.
type textKeeper struct {
	file    *File
	stretch int64
	text    []byte
}

// add adds the text of the next block, which begins at an offset.
func (k *textKeeper) add(offset int64, text []byte) {
	if number := offset / stretchBytes; number != k.stretch {
		k.end()
		k.stretch = number
	}
	k.text = append(k.text, text...)
}

// end keeps what was added last.
func (k *textKeeper) end() {
	if len(k.text) > 0 {
		k.file.renderer.texts.Put(program.TextKey{File: k.file.number, Stretch: k.stretch}, append([]byte{}, k.text...))
		k.text = k.text[:0]
	}
}
