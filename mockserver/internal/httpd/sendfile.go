package httpd

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

const (
	// writePatience is how long one write may take before the client is taken for dead. There is no limit for a whole response: a file
	// may be large, and its reader slow.
	writePatience = 30 * time.Second
	// blockSize is how many bytes are sent at a time.
	blockSize = 64 << 10
)

var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// sendContent streams a file with everything net/http knows about ranges, validators and HEAD. It returns the refusal when the request
// asks for a part that is not there, or for another file; nothing was sent then.
func (s *Server) sendContent(w http.ResponseWriter, r *Request, answer Response) error {
	file := answer.Content
	defer file.Reader.Close()
	out := &blockWriter{ResponseWriter: w, head: r.Method == http.MethodHead, promised: -1}
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
	if file.Gzip {
		sendCompressed(out, r.Request, file)
	} else {
		http.ServeContent(out, withPlainRange(r.Request, file.Size), "", file.Modified, file.Reader)
	}
	written = true
	switch out.refused {
	case http.StatusPreconditionFailed:
		return exports.Refuse(exports.PreconditionFailed,
			"the file is not the one that If-Match or If-Unmodified-Since asks for: its entity tag is %s, its date %s; begin again "+
				"without these headers",
			w.Header().Get("ETag"), file.Modified.UTC().Format(http.TimeFormat))
	case http.StatusRequestedRangeNotSatisfiable:
		return WithHeader(exports.Refuse(exports.RangeNotSatisfiable,
			"the header Range is %q, and the file has %d bytes, the first being 0; ask for bytes=FIRST-LAST inside of it, or leave the header out",
			exports.Shorten(r.Header.Get("Range")), file.Size), "Content-Range", fmt.Sprintf("bytes */%d", file.Size))
	}
	return nil
}

// sendCompressed streams a file through gzip. Its compressed length is not known before its end, so there is no Content-Length, and there
// are no ranges: the header Range is passed over, as RFC 9110 section 14.2 allows.
func sendCompressed(w http.ResponseWriter, r *http.Request, file *Content) {
	whole := *r
	whole.Header = r.Header.Clone()
	whole.Header.Del("Range")
	whole.Header.Del("If-Range")
	// The bytes depend on the compressor, which may change: the tag is weak.
	w.Header().Set("ETag", "W/"+w.Header().Get("ETag"))
	w.Header().Set("Content-Encoding", "gzip")
	out := newGzipWriter(w, file.Do)
	defer out.release()
	http.ServeContent(out, &whole, "", file.Modified, file.Reader)
	out.finish(r, file.Size)
}

// blockWriter gives every block its own deadline, and holds the refusals of net/http back: they have no body, or one in plain text.
//
// It tells of the beginning of the download before the first byte is sent, and of its end before the last one is: a client that has
// everything finds that in the journal.
type blockWriter struct {
	http.ResponseWriter
	refused int // the status held back; 0 if none

	begin    func(status int)
	end      func(broken bool)
	head     bool
	begun    bool
	promised int64 // the length of the body; negative when nobody knows
	sent     int64 // bytes of the body
}

// See docs/explanation/specification.md#why-do-412-and-416-have-a-body
func (f *blockWriter) WriteHeader(status int) {
	if status == http.StatusPreconditionFailed || status == http.StatusRequestedRangeNotSatisfiable {
		f.refused = status
		return
	}
	if !f.begun {
		f.begun = true
		if length, err := strconv.ParseInt(f.Header().Get("Content-Length"), 10, 64); err == nil && !f.head {
			f.promised = length
		}
		f.begin(status)
	}
	f.ResponseWriter.WriteHeader(status)
}

// ReadFrom is what net/http sends a file with. Where the system sends a file by itself, nothing is copied.
func (f *blockWriter) ReadFrom(source io.Reader) (sent int64, err error) {
	part, limited := source.(*io.LimitedReader)
	to, takes := f.ResponseWriter.(io.ReaderFrom)
	if !limited || !takes || f.refused != 0 {
		return copyBlocks(f, source)
	}
	if _, isFile := part.R.(syscall.Conn); !isFile {
		return copyBlocks(f, source)
	}
	for part.N > 0 && err == nil {
		block := &io.LimitedReader{R: part.R, N: min(part.N, blockSize)}
		f.prepare(block.N)
		wanted, n := block.N, int64(0)
		n, err = to.ReadFrom(block)
		sent, part.N = sent+n, part.N-n
		f.lack(wanted-n, err)
		if n < wanted {
			break
		}
	}
	return sent, err
}

// prepare is for the next bytes of the body.
func (f *blockWriter) prepare(bytes int64) {
	ExtendDeadline(f.ResponseWriter)
	if f.sent += bytes; f.sent == f.promised {
		f.end(false)
	}
}

// lack takes back what was not sent.
func (f *blockWriter) lack(bytes int64, err error) {
	if f.sent -= bytes; err != nil {
		f.end(true)
	}
}

func (f *blockWriter) Write(block []byte) (int, error) {
	if f.refused != 0 {
		return len(block), nil
	}
	f.prepare(int64(len(block)))
	written, err := f.ResponseWriter.Write(block)
	f.lack(int64(len(block)-written), err)
	return written, err
}

// copyBlocks copies in blocks larger than io.Copy would choose.
func copyBlocks(w io.Writer, source io.Reader) (int64, error) {
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	// Only Write: with ReadFrom the copy would call this again.
	return io.CopyBuffer(struct{ io.Writer }{w}, source, block[:])
}

// ExtendDeadline gives the next write its time. A deadline is about the machine, never about the virtual clock. Writers that know none
// (in tests) cannot hang either.
func ExtendDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
}
