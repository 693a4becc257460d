package api

import (
	"io"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// response is what a handler decided. Nothing has been sent yet.
type response struct {
	status      int
	contentType string // of body; empty means JSON
	headers     map[string]string
	body        []byte
	// content, when set, is sent instead of body, with ranges and validators.
	content *content
	// stream, when set, writes the body as it comes, once the head was sent.
	stream func(http.ResponseWriter)
	// refused is the error that the body tells; nil for all other answers.
	refused *journal.Refusal
}

// content is a file that can be read from any offset.
type content struct {
	reader   io.ReadSeekCloser
	size     int64
	modified time.Time
	// gzip sends it compressed; turn is how that gets the processor.
	gzip bool
	turn func(work func())
}

// handler answers one route. A refusal is an *Error; any other error is
// unexpected: it is logged and answered as SERVER_ERROR.
type handler func(*request) (response, error)

// request is what a handler is given: the route has matched, the caller is
// known, and the clock of the caller's key was read once.
type request struct {
	exchange
	variables map[string]string // of the path, decoded
	caller    caller
	forced    *Error // by a scenario; nil if none

	// What was read once, and is read by several: the body, what scenarios know
	// of it, and the export that the request is about.
	payloadRead  bool
	payload      []byte
	payloadError error
	peeked       peeked
	recordID     string
	record       *exports.Record
	recordError  error
}
