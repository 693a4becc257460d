package httpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// deliver sends a response, with the faults that were decided. It panics with http.ErrAbortHandler where a response breaks off.
func (s *Server) deliver(w http.ResponseWriter, r *Request, answer Response) {
	fault := r.Fault
	if fault.Cut == exports.CutInCell && fault.Reset != exports.ResetBefore && fault.Reset != exports.ResetAfter {
		var broken *brokenOff
		fault.Cut, broken = cutInCell(r.Request, &answer)
		if broken != nil && fault.Reset == exports.ResetMiddle {
			fault.Reset = ""
		}
		defer func() { broken.close(w, r.Fault.Reset == exports.ResetMiddle) }()
	}
	switch {
	case fault.Reset == exports.ResetBefore || fault.Reset == exports.ResetAfter:
		// The client learns nothing: no status, and nothing of an export.
		r.Entry.Broken, r.Entry.ExportStatus, r.Entry.Parts = true, "", 0
		s.recordStart(r, Response{}, 0, 0, false)
		resetConnection(w)
	case fault.Reset == exports.ResetMiddle || fault.Cut != exports.NoCut || fault.Slow > 0 || fault.Length != 0:
		faulty := &faultyWriter{ResponseWriter: w, request: r.Request, fault: fault, sleep: s.Sleep, left: -1}
		faulty.mislead = func(length int64) {
			if r.Entry.Part == 0 {
				s.recordEnd(r, length, true)
			}
		}
		defer func() { // also when a compressed body aborts
			if faulty.broken {
				s.recordEnd(r, faulty.sent, true)
			}
			faulty.finish()
		}()
		s.send(faulty, r, answer)
	default:
		s.send(w, r, answer)
	}
}

// errBrokenOff ends the writing of a response that was to break off.
var errBrokenOff = errors.New("the response breaks off here, as a scenario asked for")

// unknownMiddle is where a body of unknown length has its middle.
const unknownMiddle = 1024

// faultyWriter sends a response as a faulty network or server would. Only a body has faults: answers to HEAD, and those without a body,
// are as they should be, and so are the headers that say which range was sent.
type faultyWriter struct {
	http.ResponseWriter
	request *http.Request
	fault   exports.Answer
	sleep   func(context.Context, time.Duration) error

	// mislead is called with the length of the body right before a wrong Content-Length is sent: a client that is told of fewer bytes
	// than there are goes on before the last of them is written.
	mislead func(length int64)

	began   bool
	body    bool     // there is one
	left    int64    // bytes until the body breaks off; -1: it does not
	swallow bool     // it does not break off there, it ends
	broken  bool     // the body has broken off
	sent    int64    // bytes of the body
	raw     net.Conn // of a response with a Content-Length that is too small
}

// Unwrap gives http.ResponseController the writer underneath.
func (f *faultyWriter) Unwrap() http.ResponseWriter { return f.ResponseWriter }

func (f *faultyWriter) WriteHeader(status int) {
	if f.began {
		return
	}
	f.began = true
	f.body = f.request.Method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified
	if !f.body {
		f.ResponseWriter.WriteHeader(status)
		return
	}
	length, err := strconv.ParseInt(f.Header().Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	f.plan(length)
	if announced := max(length+f.fault.Length, 0); length >= 0 && announced != length {
		f.Header().Set("Content-Length", strconv.FormatInt(announced, 10))
		if announced < length && !f.takeOver() {
			// Without the bare connection, what is beyond cannot be sent.
			if f.left < 0 || f.left > announced {
				f.left, f.swallow = announced, true
			}
		}
		if f.left >= 0 {
			length = f.left
		}
		f.mislead(length)
	}
	if f.raw == nil {
		f.ResponseWriter.WriteHeader(status)
	} else {
		f.writeHead(status)
	}
}

// plan works out where a body of a length breaks off, if it does; -1 is a length that is not known.
func (f *faultyWriter) plan(length int64) {
	switch {
	case f.fault.Cut != exports.NoCut:
		f.left = f.fault.Cut.Bytes()
	case f.fault.Reset == exports.ResetMiddle && length >= 0:
		f.left = length / 2
	case f.fault.Reset == exports.ResetMiddle:
		f.left = unknownMiddle
	}
	if length >= 0 && f.left >= length {
		f.left = -1 // the body is over before
	}
}

// takeOver gets the bare connection for the response: net/http sends no more than Content-Length says.
func (f *faultyWriter) takeOver() bool {
	connection, _, err := http.NewResponseController(f.ResponseWriter).Hijack()
	if err != nil {
		return false
	}
	f.raw = connection
	return true
}

// writeHead writes the head of the response to the bare connection.
func (f *faultyWriter) writeHead(status int) {
	f.Header().Set("Connection", "close")
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = f.Header().Write(&head) // into a buffer
	head.WriteString("\r\n")
	_, _ = f.write(head.Bytes()) // a client that has gone away is nobody's error
}

func (f *faultyWriter) Write(block []byte) (written int, err error) {
	if !f.began {
		f.WriteHeader(http.StatusOK)
	}
	if !f.body {
		return f.ResponseWriter.Write(block)
	}
	for len(block) > 0 {
		if f.left == 0 && f.swallow {
			return written + len(block), nil
		}
		if f.left == 0 {
			f.broken = true
		}
		if f.broken {
			return written, errBrokenOff
		}
		piece := block
		if f.left > 0 {
			piece = piece[:min(int64(len(piece)), f.left)]
		}
		if f.fault.Slow > 0 {
			piece = piece[:min(int64(len(piece)), max(f.fault.Slow/10, 1))]
		}
		if err := f.pause(len(piece)); err != nil {
			f.broken = true
			return written, err
		}
		n, err := f.write(piece)
		written += n
		f.sent += int64(n)
		if f.left > 0 {
			f.left -= int64(n)
		}
		if err != nil {
			f.broken = true
			return written, err
		}
		block = block[n:]
	}
	return written, nil
}

// write sends bytes to whichever writer is in use, each within its time.
func (f *faultyWriter) write(block []byte) (int, error) {
	if f.raw == nil {
		ExtendDeadline(f.ResponseWriter)
		return f.ResponseWriter.Write(block)
	}
	_ = f.raw.SetWriteDeadline(time.Now().Add(writePatience))
	return f.raw.Write(block)
}

// pause sends what was written and lets the time pass that a number of further bytes take.
func (f *faultyWriter) pause(bytes int) error {
	if f.fault.Slow == 0 {
		return nil
	}
	if f.raw == nil {
		_ = http.NewResponseController(f.ResponseWriter).Flush()
	}
	return f.sleep(f.request.Context(), time.Duration(float64(bytes)/float64(f.fault.Slow)*float64(time.Second)))
}

// finish ends a response that broke off, or took the connection over.
// See docs/how-to/force-errors.md#why-does-length-10-close-the-connection
func (f *faultyWriter) finish() {
	switch {
	case f.raw != nil:
		reset(f.raw, f.broken && f.fault.Reset == exports.ResetMiddle)
	case !f.broken:
	case f.fault.Reset == exports.ResetMiddle:
		_ = http.NewResponseController(f.ResponseWriter).Flush()
		resetConnection(f.ResponseWriter)
	default:
		// What was written so far is sent, then the connection is closed.
		_ = http.NewResponseController(f.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
}

// resetConnection ends a connection with a reset. Where it cannot be had
// (HTTP/2, requests from inside the process) the response is aborted.
func resetConnection(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	reset(connection, true)
}

// reset closes a connection, with a reset if that is asked for: TCP sends one when unsent data is thrown away.
func reset(connection net.Conn, hard bool) {
	inner := connection
	if secure, is := inner.(interface{ NetConn() net.Conn }); is && hard {
		inner = secure.NetConn()
	}
	if tcp, is := inner.(*net.TCPConn); is && hard {
		_ = tcp.SetLinger(0)
	}
	_ = inner.Close()
}
