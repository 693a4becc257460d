package api

import (
	"io"
	"net/http"
	"sync"
	"time"
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
// validators and HEAD.
func sendContent(w http.ResponseWriter, r *http.Request, file *content) {
	defer file.reader.Close()
	http.ServeContent(&patientWriter{ResponseWriter: w}, r, "", file.modified, file.reader)
}

// patientWriter gives every block its own deadline.
type patientWriter struct {
	http.ResponseWriter
}

// ReadFrom copies in blocks larger than io.Copy would choose.
func (p *patientWriter) ReadFrom(source io.Reader) (int64, error) {
	block := blocks.Get().(*[blockSize]byte)
	defer blocks.Put(block)
	// Hide this method from the copy, or it would call itself.
	return io.CopyBuffer(struct{ io.Writer }{p}, source, block[:])
}

func (p *patientWriter) Write(block []byte) (int, error) {
	extendDeadline(p.ResponseWriter)
	return p.ResponseWriter.Write(block)
}

// extendDeadline gives the next write its time. A deadline is about the
// machine, never about the virtual clock. Writers that know none (in tests)
// cannot hang either.
func extendDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
}
