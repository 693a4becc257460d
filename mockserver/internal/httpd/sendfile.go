package httpd

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

const (
	// writePatience is how long one write may take before the client is taken
	// for dead. There is no limit for a whole response: a file may be large,
	// and its reader slow.
	writePatience = 30 * time.Second
	// blockSize is how many bytes are sent at a time.
	blockSize = 64 << 10
)

var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// sendContent streams a file with everything net/http knows about ranges,
// validators and HEAD. It returns the refusal when the request asks for a part
// that is not there, or for another file; nothing was sent then.
func (s *Server) sendContent(w http.ResponseWriter, r *Request, answer Response) error {
	file := answer.Content
	defer file.Reader.Close()
	out := &blockWriter{ResponseWriter: w, head: r.Method == http.MethodHead, promised: -1, endless: file.Size < 0}
	out.begin = func(status int) {
		r.Entry.Received = sentRange(w.Header(), status, file)
		s.recordStart(r, answer, status, 0, true)
	}
	out.end = func(broken bool) { s.recordEnd(r, out.sent, broken) }
	written := false
	defer func() { // after a panic, too
		if out.begun {
			out.end(!written || out.sent < out.promised)
		}
	}()
	reader := file.Reader
	if endless, is := reader.(Endless); is && out.endless {
		reader = boundless{endless}
	}
	if file.Gzip {
		sendCompressed(out, r.Request, file, reader)
	} else {
		http.ServeContent(out, withPlainRange(r.Request, file.Size), "", file.Modified, reader)
		if out.endless && out.ok && !out.head && !out.lost && !file.isWhole(out.sent) {
			panic(http.ErrAbortHandler) // or it would end like a whole file
		}
	}
	written = true
	switch out.refused {
	case http.StatusPreconditionFailed:
		return exports.Refuse(exports.PreconditionFailed, "the file is not the one that If-Match or If-Unmodified-Since asks for: its entity tag is %s, its date %s; begin again without these headers",
			w.Header().Get("ETag"), file.Modified.UTC().Format(http.TimeFormat))
	case http.StatusRequestedRangeNotSatisfiable:
		return WithHeader(exports.Refuse(exports.RangeNotSatisfiable, "the header Range is %q, and the file has %d bytes, the first being 0; ask for bytes=FIRST-LAST inside of it, or leave the header out",
			exports.Shorten(r.Header.Get("Range")), file.Size), "Content-Range", fmt.Sprintf("bytes */%d", file.Size))
	}
	return nil
}

// sendCompressed streams a file through gzip. Its compressed length is not
// known before its end, so there is no Content-Length, and there are no ranges:
// the header Range is passed over, as RFC 9110 section 14.2 allows.
func sendCompressed(w http.ResponseWriter, r *http.Request, file *Content, reader io.ReadSeeker) {
	whole := *r
	whole.Header = r.Header.Clone()
	whole.Header.Del("Range")
	whole.Header.Del("If-Range")
	// The bytes depend on the compressor, which may change: the tag is weak.
	w.Header().Set("ETag", "W/"+w.Header().Get("ETag"))
	w.Header().Set("Content-Encoding", "gzip")
	out := newGzipWriter(w, file.Do)
	defer out.release()
	http.ServeContent(out, &whole, "", file.Modified, reader)
	out.finish(r, file.isWhole)
}

// boundless tells net/http a length that no file has: only its end ends it.
type boundless struct{ Endless }

func (b boundless) Seek(offset int64, from int) (int64, error) {
	if from == io.SeekEnd {
		return math.MaxInt64, nil
	}
	return b.Endless.Seek(offset, from)
}

// blockWriter gives every block its own deadline, and holds the refusals of
// net/http back: they have no body, or one in plain text.
//
// It tells of the beginning of the download before the first byte is sent, and
// of its end before the last one is: a client that has everything finds that in
// the journal.
type blockWriter struct {
	http.ResponseWriter
	refused int // the status held back; 0 if none

	begin    func(status int)
	end      func(broken bool)
	head     bool
	endless  bool // the length is not known: it is left out, and the beginning is not held back
	ok       bool // the status is 200
	lost     bool // the client has gone
	begun    bool
	promised int64 // the length of the body; negative when nobody knows
	sent     int64 // bytes of the body
}

// See docs/explanation/files-and-links.md#why-do-412-and-416-have-a-body
func (f *blockWriter) WriteHeader(status int) {
	if status == http.StatusPreconditionFailed || status == http.StatusRequestedRangeNotSatisfiable {
		f.refused = status
		return
	}
	if f.endless {
		f.Header().Del("Content-Length")
	}
	if !f.begun {
		f.begun, f.ok = true, status == http.StatusOK
		if length, err := strconv.ParseInt(f.Header().Get("Content-Length"), 10, 64); err == nil && !f.head {
			f.promised = length
		}
		f.begin(status)
	}
	f.ResponseWriter.WriteHeader(status)
}

// ReadFrom is what net/http sends a file with. The blocks of a generated file
// go from where they were rendered to the connection, without a copy between.
func (f *blockWriter) ReadFrom(source io.Reader) (int64, error) {
	if part, limited := source.(*io.LimitedReader); limited {
		if file, is := part.R.(blockReader); is {
			return sendBlocks(f, file, part)
		}
	}
	return copyBlocks(f, source)
}

// blockReader gives the next bytes of a file where they are.
type blockReader interface {
	Next(most int64) ([]byte, error)
}

func sendBlocks(w io.Writer, file blockReader, part *io.LimitedReader) (sent int64, err error) {
	for part.N > 0 {
		block, err := file.Next(part.N)
		if err == io.EOF {
			return sent, nil // io.CopyN tells that there was less than it wanted
		}
		if err != nil {
			return sent, err
		}
		n, err := w.Write(block)
		sent += int64(n)
		part.N -= int64(n)
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (f *blockWriter) Write(block []byte) (int, error) {
	if f.refused != 0 {
		return len(block), nil
	}
	ExtendDeadline(f.ResponseWriter)
	first := f.sent == 0
	f.sent += int64(len(block))
	if f.sent == f.promised {
		f.end(false)
	}
	written, err := f.ResponseWriter.Write(block)
	if first && f.endless && err == nil {
		_ = http.NewResponseController(f.ResponseWriter).Flush() // the next write meets the same error
	}
	if err != nil {
		f.lost = true
		f.sent -= int64(len(block) - written)
		f.end(true)
	}
	return written, err
}

// copyBlocks copies in blocks larger than io.Copy would choose.
func copyBlocks(w io.Writer, source io.Reader) (int64, error) {
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	// Only Write: with ReadFrom the copy would call this again.
	return io.CopyBuffer(struct{ io.Writer }{w}, source, block[:])
}

// ExtendDeadline gives the next write its time. A deadline is about the
// machine, never about the virtual clock. Writers that know none (in tests)
// cannot hang either.
func ExtendDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
}
