package httpd

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// AcceptsGzip tells whether a client would rather have a file compressed with gzip.
func AcceptsGzip(header http.Header) bool { return Encoding(header, "gzip") != "" }

// Encoding is the coding, of those that are offered, in which a client would rather have a file (RFC 9110 section 12.5.3): it names the
// coding, or a wildcard, with a quality above zero, and does not name "identity", the plain file, with a higher one. Of several with one
// quality it is the first; empty: the plain file.
func Encoding(header http.Header, offered ...string) (best string) {
	named := map[string]float64{}
	for _, value := range header["Accept-Encoding"] {
		for _, entry := range strings.Split(value, ",") {
			coding, quality := acceptEntry(entry)
			coding = strings.TrimPrefix(coding, "x-")
			named[coding] = max(named[coding], quality)
		}
	}
	most := named["identity"]
	for _, coding := range offered {
		quality, is := named[coding]
		if !is {
			quality = named["*"]
		}
		if quality > 0 && (quality > most || best == "" && quality == most) {
			best, most = coding, quality
		}
	}
	return best
}

// compressors hold about a megabyte each, so they are used again.
var compressors = sync.Pool{New: func() any {
	// The level is a constant that exists. The fastest one: a stronger one makes export files a tenth smaller at a third of the speed.
	compressor, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	return compressor
}}

// gzipWriter compresses what net/http writes of a file. It holds one block and the compressor, however large the file is. See
// docs/explanation/specification.md#why-is-gzip-off-and-what-changes-with-it
type gzipWriter struct {
	http.ResponseWriter
	do         func(work func()) // limits how many compress at once
	compressor *gzip.Writer
	pending    bytes.Buffer // compressed, not yet sent
	taken      int64        // bytes of the file
	status     int
}

func newGzipWriter(w http.ResponseWriter, do func(work func())) *gzipWriter {
	g := &gzipWriter{ResponseWriter: w, do: do, compressor: compressors.Get().(*gzip.Writer)}
	g.compressor.Reset(&g.pending)
	return g
}

// WriteHeader takes back what net/http promises of every file.
func (g *gzipWriter) WriteHeader(status int) {
	g.status = status
	if status == http.StatusOK {
		g.Header().Set("Accept-Ranges", "none")
	}
	g.ResponseWriter.WriteHeader(status)
}

func (g *gzipWriter) ReadFrom(source io.Reader) (int64, error) { return copyBlocks(g, source) }

func (g *gzipWriter) Write(block []byte) (int, error) {
	g.do(func() { _, _ = g.compressor.Write(block) }) // a buffer takes everything
	if err := g.send(); err != nil {
		return 0, err
	}
	g.taken += int64(len(block))
	return len(block), nil
}

// send passes on what has been compressed so far.
func (g *gzipWriter) send() error {
	_, err := g.pending.WriteTo(g.ResponseWriter)
	return err
}

// finish ends a response. A file that broke off is not ended like a whole one: the connection is.
func (g *gzipWriter) finish(r *http.Request, size int64) {
	if g.status != http.StatusOK || r.Method == http.MethodHead {
		return
	}
	if g.taken != size {
		_ = g.compressor.Flush() // what there is comes first
		_ = g.send()
		panic(http.ErrAbortHandler)
	}
	_ = g.compressor.Close() // into a buffer
	if g.send() != nil {
		panic(http.ErrAbortHandler)
	}
}

func (g *gzipWriter) release() {
	g.compressor.Reset(nil)
	compressors.Put(g.compressor)
}
