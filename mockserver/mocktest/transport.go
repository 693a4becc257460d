package mocktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// Base is the address of the mock for clients in the same process: for those that send through [Mock.Client] or [Mock.Transport].
const Base = "http://mock.test"

// transport calls a handler as a server would, without a network. Bodies are streamed both ways, and end with the context of the request.
type transport struct {
	handler http.Handler
	reaches func(*url.URL) bool
	ended   context.Context // when the mock ends, so does everything under way
	running *sync.WaitGroup // of handlers
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body := r.Body
	if body == nil {
		body = http.NoBody
	}
	if err := t.check(r); err != nil {
		body.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	w := newResponseWriter(r, cancel)
	served := asServed(r, body).WithContext(ctx)
	stopAtEnd := context.AfterFunc(t.ended, func() {
		w.reader.CloseWithError(errEnded)
		cancel()
	})
	stopAtCancel := context.AfterFunc(r.Context(), func() { w.reader.CloseWithError(r.Context().Err()) })
	t.running.Go(func() {
		defer stopAtEnd()
		defer stopAtCancel()
		defer body.Close()
		defer func() { w.end(recover()) }()
		t.handler.ServeHTTP(w, served)
	})
	select {
	case <-w.ready:
		if w.response == nil {
			cancel()
			return nil, w.failure
		}
		return w.response, nil
	case <-r.Context().Done(): // the handler sees that too
		cancel()
		return nil, r.Context().Err()
	}
}

var errEnded = errors.New("mocktest: the mock has ended")

// check refuses what no server would be sent, and what is meant for another one: a test should not find out in production that its client
// leaves the mock.
func (t *transport) check(r *http.Request) error {
	switch {
	case r.URL == nil || r.URL.Host == "":
		return errors.New("mocktest: the request has no address")
	case r.URL.Scheme != "http" && r.URL.Scheme != "https":
		return fmt.Errorf("mocktest: the scheme of %s is not http or https", r.URL.Redacted())
	case !t.reaches(r.URL):
		return fmt.Errorf("mocktest: this client reaches the mock only, under %s, and was to ask %s", Base, r.URL.Redacted())
	}
	if t.ended.Err() != nil {
		return errEnded
	}
	return r.Context().Err()
}

// asServed is the request as a server would have read it.
func asServed(r *http.Request, body io.ReadCloser) *http.Request {
	served := &http.Request{
		Method: r.Method, URL: &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     r.Header.Clone(), Body: body, ContentLength: r.ContentLength, Host: r.Host, RequestURI: r.URL.RequestURI(),
	}
	if served.Method == "" {
		served.Method = http.MethodGet
	}
	if served.URL.Path == "" {
		served.URL.Path = "/"
	}
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Header == nil {
		served.Header = http.Header{}
	}
	if _, given := served.Header["User-Agent"]; !given {
		served.Header.Set("User-Agent", "Go-http-client/1.1")
	}
	if body == http.NoBody {
		served.ContentLength = 0
	} else if served.ContentLength == 0 {
		served.ContentLength = -1 // of a body whose length nobody told
	}
	return served
}

// responseWriter is where a handler writes its answer. The client reads it on the other side of a pipe.
type responseWriter struct {
	request *http.Request
	header  http.Header
	reader  *io.PipeReader
	writer  *io.PipeWriter
	cancel  context.CancelFunc

	once     sync.Once
	ready    chan struct{} // closed when response or failure is set
	response *http.Response
	failure  error

	promised int64 // the length of the body; negative when the handler did not say
	written  int64
}

func newResponseWriter(r *http.Request, cancel context.CancelFunc) *responseWriter {
	w := &responseWriter{request: r, header: http.Header{}, cancel: cancel, ready: make(chan struct{}), promised: -1}
	w.reader, w.writer = io.Pipe()
	return w
}

// Header implements [http.ResponseWriter].
func (w *responseWriter) Header() http.Header { return w.header }

// Flush implements [http.Flusher]: the head is sent, and every write is.
func (w *responseWriter) Flush() { w.WriteHeader(http.StatusOK) }

// WriteHeader implements [http.ResponseWriter].
func (w *responseWriter) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		return // informational; the client would not see it either
	}
	w.once.Do(func() {
		header := w.header.Clone()
		if length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64); err == nil {
			w.promised = length
		}
		w.response = &http.Response{
			Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: w.promised, Request: w.request,
			Body: &responseBody{w.reader, w.request.Context(), w.cancel},
		}
		if !w.hasBody() {
			w.response.Body = http.NoBody
			if w.request.Method != http.MethodHead {
				w.response.ContentLength = 0
			}
		}
		close(w.ready)
	})
}

func (w *responseWriter) hasBody() bool {
	status := w.response.StatusCode
	return w.request.Method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified
}

// Write implements [http.ResponseWriter]. It waits until the client has read.
func (w *responseWriter) Write(block []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.response == nil {
		return 0, w.failure
	}
	if !w.hasBody() {
		return len(block), nil
	}
	if w.promised >= 0 && w.written+int64(len(block)) > w.promised {
		return 0, http.ErrContentLength
	}
	n, err := w.writer.Write(block)
	w.written += int64(n)
	return n, err
}

// end finishes the answer when the handler has returned, or panicked.
func (w *responseWriter) end(cause any) {
	broken := cause != nil
	if !broken {
		w.WriteHeader(http.StatusOK)
		broken = w.hasBody() && w.promised >= 0 && w.written < w.promised
	}
	w.once.Do(func() {
		w.failure = fmt.Errorf("mocktest: the connection was ended without an answer: %w", io.EOF)
		close(w.ready)
	})
	if broken {
		w.writer.CloseWithError(io.ErrUnexpectedEOF)
	} else {
		w.writer.Close()
	}
	if w.response == nil || !w.hasBody() {
		w.cancel() // nobody closes a body
	}
	if cause != nil && cause != http.ErrAbortHandler {
		panic(cause) // a mistake of the handler must not look like a network
	}
}

// responseBody ends the request when the client closes it.
type responseBody struct {
	*io.PipeReader
	request context.Context
	cancel  context.CancelFunc
}

// Read implements [io.Reader]. Nothing is read after the request was cancelled.
func (b *responseBody) Read(into []byte) (int, error) {
	if err := b.request.Err(); err != nil {
		return 0, err
	}
	return b.PipeReader.Read(into)
}

// Close implements [io.Closer].
func (b *responseBody) Close() error {
	defer b.cancel()
	return b.PipeReader.Close()
}

// isMock tells whether an address is that of every mock.
func isMock(address *url.URL) bool {
	base, _ := strings.CutPrefix(Base, "http://")
	return strings.EqualFold(address.Hostname(), base)
}

// bodyOf makes a request body of text.
func bodyOf(text []byte) io.Reader {
	if text == nil {
		return nil
	}
	return bytes.NewReader(text)
}
