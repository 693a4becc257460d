package httpd

import (
	"context"
	"errors"
	"io"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// received follows the body of a request while it is read.
type received struct {
	io.ReadCloser
	begun, ended bool
	fault        error // why it broke off
}

func (b *received) Read(into []byte) (int, error) {
	b.begun = true
	n, err := b.ReadCloser.Read(into)
	switch {
	case err == io.EOF:
		b.ended = true
	case err != nil:
		b.fault = err
	}
	return n, err
}

// follow begins to follow the body of a request, if it has one.
func (r *Request) follow() {
	if r.ContentLength != 0 && r.Body != nil {
		r.trace.body.ReadCloser = r.Body
		r.Body = &r.trace.body
	}
}

// drain reads what no handler has read of the body: most clients read an answer only once they have sent everything. How long that may
// take, and so how much it is, is a matter of the server's read deadline.
func (r *Request) drain() {
	body := &r.trace.body
	// A client that waits for "100 Continue" has not sent the body, and reading it would ask for it.
	waits := !body.begun && r.Header.Get("Expect") != ""
	if body.ReadCloser == nil || body.ended || body.fault != nil || waits {
		return
	}
	_, _ = io.Copy(io.Discard, body)
}

// Context returns the context of the work for the request. It survives a client that closes its half of the connection, as TCP allows:
// the answer can still be written. Work without an end of its own takes [Request.Connected].
func (r *Request) Context() context.Context { return context.WithoutCancel(r.Request.Context()) }

// Connected returns a context that ends when the client closes the connection, or its half of it.
func (r *Request) Connected() context.Context { return r.Request.Context() }

// brokenOff refuses a request that its client did not finish, or whose answer it
// did not wait for; nil if that is not why a handler failed.
func (r *Request) brokenOff() *exports.Refusal {
	if r.trace.body.fault != nil {
		return Unreadable(r.trace.body.fault)
	}
	if errors.Is(r.Connected().Err(), context.Canceled) {
		return exports.Refuse(exports.MalformedParameter,
			"the client closed the connection, or its sending half, before it had the answer; keep it open until then")
	}
	return nil
}
