package strict

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLong says that something is longer than the limit of its lines.
var ErrTooLong = errors.New("too long")

// Lines passes bytes on, remembers where lines begin in the part that is still of interest, and refuses to read on beyond a limit.
type Lines struct {
	Source io.Reader
	// Limit is the offset where reading must stop, 0 for nowhere; read counts the bytes passed on.
	Limit, read int64
	// failed is an error of the source that is not its end.
	failed error
	// lines counts the line ends before keep; start is where the line at keep begins.
	lines int
	start int64
	// ends holds the offsets of the line ends since then.
	ends []int64
}

// Read implements [io.Reader].
func (r *Lines) Read(p []byte) (int, error) {
	if r.Limit > 0 && r.read >= r.Limit {
		return 0, ErrTooLong
	}
	n, err := r.Source.Read(p)
	for at := 0; ; {
		next := bytes.IndexByte(p[at:n], '\n')
		if next < 0 {
			break
		}
		at += next + 1
		r.ends = append(r.ends, r.read+int64(at)-1)
	}
	r.read += int64(n)
	if err != nil && err != io.EOF {
		r.failed = err
	}
	return n, err
}

// Forget drops what lies before an offset.
func (r *Lines) Forget(offset int64) {
	passed := 0
	for passed < len(r.ends) && r.ends[passed] < offset {
		r.start = r.ends[passed] + 1
		passed++
	}
	r.lines += passed
	r.ends = append(r.ends[:0], r.ends[passed:]...)
}

// Position gives the line and column of an offset that was not forgotten.
func (r *Lines) Position(offset int64) (line, column int) {
	line, start := r.lines+1, r.start
	for _, end := range r.ends {
		if end >= offset {
			break
		}
		line, start = line+1, end+1
	}
	return line, int(offset-start) + 1
}
