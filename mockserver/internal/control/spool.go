package control

import (
	"errors"
	"io"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// spool is a body that is written to temporary files as it is read, within the budget of the disk.
type spool struct {
	io.ReadCloser
	disk  *budget.Budget
	taken int64 // of the budget
	read  int64
	err   error // of the budget
}

// take takes the share of a number of bytes; fewer than none are not known yet.
func (s *spool) take(length int64) error {
	if length <= 0 {
		return nil
	}
	if length > s.disk.Limit() {
		return s.disk.Fits(length) // the double might be more than a number holds
	}
	if err := s.disk.Take(diskFactor * length); err != nil {
		return err
	}
	s.taken += diskFactor * length
	return nil
}

func (s *spool) Read(into []byte) (int, error) {
	n, err := s.ReadCloser.Read(into)
	s.read += int64(n)
	if missing := s.read - s.taken/diskFactor; missing > 0 { // in chunks
		if s.err = s.take(missing); s.err != nil {
			return 0, s.err
		}
	}
	return n, err
}

func (s *spool) release() { s.disk.Give(s.taken) }

// explain says whose fault it is that a form was not read to its end.
func (s *spool) explain(err error) error {
	if s.err != nil {
		return s.err
	}
	if errors.As(err, new(*fs.PathError)) {
		return tempfile.Failed("the form cannot be kept: %w", err)
	}
	return exports.Refuse(exports.MalformedParameter, "the form could not be read to its end: %v", err)
}
