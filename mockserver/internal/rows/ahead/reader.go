package ahead

// Reader is one reader of a file. It belongs to one goroutine.
type Reader struct {
	Shared *Shared
	// End is the number of the block after the last one.
	End int
	// Render appends the text of a block. It is called by any goroutine.
	Render func(dst []byte, block int) []byte
	// CanBegin reports whether rendering may begin with a block; with others it costs
	// more than is gained.
	CanBegin func(block int) bool

	last    int // the block that was asked for last
	inOrder int // how many were asked for one after another
	runs    []*run
}

// Take appends the text of a block if it was rendered ahead. Once the reader is seen to
// read on, it has the blocks rendered that follow.
func (r *Reader) Take(dst []byte, block int) (text []byte, there bool) {
	r.Shared.count()
	if r.inOrder++; block != r.last+1 {
		r.inOrder = 0
	}
	r.last = block
	for len(r.runs) > 0 && (block < r.runs[0].first || block >= r.runs[0].end) {
		r.Shared.end(r.runs[0])
		r.runs = r.runs[1:]
	}
	if r.inOrder >= RunBlocks {
		r.begin(block + 1)
	}
	if len(r.runs) == 0 || block < r.runs[0].first {
		return dst, false
	}
	next := r.runs[0]
	if r.Shared.isDropped(next) {
		return dst, false
	}
	if <-next.ready; next.text == nil {
		return dst, false
	}
	begin := 0
	if block > next.first {
		begin = next.ends[block-next.first-1]
	}
	return append(dst, next.text[begin:next.ends[block-next.first]]...), true
}

// begin has runs rendered from a block on, or from the end of those that are.
func (r *Reader) begin(first int) {
	for len(r.runs) < r.Shared.each {
		if len(r.runs) > 0 {
			first = r.runs[len(r.runs)-1].end
		}
		if first >= r.End || !r.CanBegin(first) {
			return
		}
		next := r.Shared.begin(first, min(first+RunBlocks, r.End), r.Render)
		if next == nil {
			return
		}
		r.runs = append(r.runs, next)
	}
}

// Close forgets what is ahead.
func (r *Reader) Close() {
	for _, left := range r.runs {
		r.Shared.end(left)
	}
	r.runs = nil
}
