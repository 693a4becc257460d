package httpd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// Response is what a handler decided. Nothing has been sent yet.
type Response struct {
	Status      int
	ContentType string // of Body; empty means JSON
	Location    string // the header; empty: there is none
	Headers     map[string]string
	Body        []byte
	// Content, when set, is sent instead of Body, with ranges and validators.
	Content *Content
	// Stream, when set, writes the body as it comes, once the head was sent.
	Stream func(http.ResponseWriter)

	refused    *journal.Refusal // the error that the body tells; nil for all other answers
	retryAfter int              // seconds that the client is told to wait; 0: it is not
}

// Content is a file that can be read from any offset.
type Content struct {
	Reader   io.ReadSeekCloser
	Size     int64 // in bytes
	Modified time.Time
	// Gzip sends it compressed; Do runs the compressor, within a limit of the processor.
	Gzip bool
	Do   func(work func())
}

// OK is the answer 200 with a value as JSON.
func OK(value any) Response { return Response{Status: http.StatusOK, Body: JSON(value)} }

// JSON encodes values of the server's own types, which cannot fail.
func JSON(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("encoding a response: %v", err))
	}
	return buffer.Bytes()
}
