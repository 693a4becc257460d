package rows

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// pool recycles the memory of renders: a reader that waits for its client holds
// none.
type pool struct {
	scratches sync.Pool // of *scratch
	buffers   sync.Pool // of *[]byte
}

func (p *pool) getScratch() *program.Scratch {
	if s, is := p.scratches.Get().(*program.Scratch); is {
		return s
	}
	return &program.Scratch{}
}

// putScratch takes a scratch back; nil is none.
func (p *pool) putScratch(s *program.Scratch) {
	if s != nil {
		p.scratches.Put(s)
	}
}

// getBuffer returns an empty buffer for the text of a piece.
func (p *pool) getBuffer() []byte {
	if text, is := p.buffers.Get().(*[]byte); is {
		return (*text)[:0]
	}
	return make([]byte, 0, pieceBytes+pieceBytes/8) // with room for the last row
}

// putBuffer takes a buffer back, unless it has grown too large to keep.
func (p *pool) putBuffer(text []byte) {
	if cap(text) > 0 && cap(text) <= 2*pieceBytes {
		p.buffers.Put(&text)
	}
}
