package rows

import (
	"runtime"
	"sync"
)

// parking keeps the rows of units of which a block has shown only a part: who
// reads on finds them, and need not search the world for them again. It holds
// few, so that a client that never comes back costs nothing.
type parking struct {
	lock   sync.Mutex
	places []parked
	next   int
}

type parked struct {
	file   *File
	unit   int64
	memory *scratch
}

func newParking() parking { return parking{places: make([]parked, 4*runtime.GOMAXPROCS(0))} }

// park keeps the rows of a unit, in the place of those that came longest ago.
func (r *Renderer) park(f *File, unit int64, memory *scratch) {
	p := &r.resume
	p.lock.Lock()
	old := p.places[p.next].memory
	p.places[p.next] = parked{f, unit, memory}
	p.next = (p.next + 1) % len(p.places)
	p.lock.Unlock()
	if old != nil {
		r.giveBack(old)
	}
}

// unpark lends the memory of a render, with the rows of the first unit of a
// block in it if they were kept.
func (r *Renderer) unpark(f *File, b block) (memory *scratch, found bool) {
	if b.skip > 0 {
		p := &r.resume
		p.lock.Lock()
		defer p.lock.Unlock()
		for i := range p.places {
			if p.places[i].file == f && p.places[i].unit == b.unit {
				memory = p.places[i].memory
				p.places[i] = parked{}
				return memory, true
			}
		}
	}
	return r.borrow(), false
}
