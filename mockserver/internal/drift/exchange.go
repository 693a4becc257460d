package drift

import (
	"io"
	"net/http"
	"time"
)

// Exchange is one request and its answer, as they passed.
type Exchange struct {
	Number       uint64
	Began, Ended time.Time
	// Answered is when the head of the answer came; zero if nobody noted that.
	Answered time.Time
	To       Target
	// Sent is the request, Received the answer.
	Sent, Received Message
	// Status is that of the answer; 0 without one.
	Status int
	// Fault says why there is no answer, or not the whole of one; Broken tells of the latter.
	Fault  string
	Broken bool
}

// Target is what a request was for.
type Target struct {
	Method string
	// Origin is the scheme and the host that the request went to; Path and Query are as they were sent.
	Origin, Path, Query string
	// SameHost tells that links lead through the proxy, and that this one led to the host of the service, as the client sees it.
	SameHost bool
}

// Message is a request or an answer.
type Message struct {
	// Header has canonical names.
	Header map[string][]string
	// Body is a copy; nil where there is none.
	Body Body
}

// Body is a copy of a body.
type Body interface {
	// Size is how long the body was, Whole whether all of it was kept.
	Size() int64
	Whole() bool
	Open() (io.ReadCloser, error)
	Discard()
}

// mostRead is how much of a body is read at once; files are read as streams.
const mostRead = 16 << 20

// text is a body that is no file.
func text(body Body) []byte {
	if body == nil || !body.Whole() || body.Size() > mostRead {
		return nil
	}
	reader, err := body.Open()
	if err != nil {
		return nil
	}
	defer reader.Close()
	read, _ := io.ReadAll(io.LimitReader(reader, mostRead))
	return read
}

// header is the first value of a header.
func header(of map[string][]string, name string) string {
	return http.Header(of).Get(name)
}
