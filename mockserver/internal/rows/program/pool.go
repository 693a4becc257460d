package program

import "sync"

// PieceBytes is about how much text is rendered and written at a time.
const PieceBytes = 64 << 10

// Pool recycles the memory of renders: a reader that waits for its client holds
// none.
type Pool struct {
	scratches sync.Pool // of *Scratch
	buffers   sync.Pool // of *[]byte
}

// GetScratch returns the memory of a render.
func (p *Pool) GetScratch() *Scratch {
	if s, is := p.scratches.Get().(*Scratch); is {
		return s
	}
	return &Scratch{}
}

// PutScratch takes a scratch back; nil is none.
func (p *Pool) PutScratch(s *Scratch) {
	if s != nil {
		p.scratches.Put(s)
	}
}

// GetBuffer returns an empty buffer for the text of a piece.
func (p *Pool) GetBuffer() []byte {
	if text, is := p.buffers.Get().(*[]byte); is {
		return (*text)[:0]
	}
	return make([]byte, 0, PieceBytes+PieceBytes/8) // with room for the last row
}

// PutBuffer takes a buffer back, unless it has grown too large to keep.
func (p *Pool) PutBuffer(text []byte) {
	if cap(text) > 0 && cap(text) <= 2*PieceBytes {
		p.buffers.Put(&text)
	}
}
