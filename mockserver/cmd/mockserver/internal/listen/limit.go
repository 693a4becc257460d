package listen

import (
	"io"
	"net/http"
	"time"
)

// limitBody limits the time a client may take to send a body. The server's own limit would also end requests without a body that are
// answered slowly, such as for a large file.
//
// A body in chunks ends its connection. net/http takes one that gives a length as well, goes by the chunks and does not tell; RFC 9112
// section 6.3 wants the connection closed then, so that nothing behind it is taken for a request.
func limitBody(handler http.Handler, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			// Every connection of this server knows deadlines.
			controller := http.NewResponseController(w)
			_ = controller.SetReadDeadline(now().Add(bodyLimit))
			r.Body = &timedBody{r.Body, controller}
		}
		if r.ContentLength < 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	})
}

// timedBody takes the limit off once the body was read: an answer may take its time, and the deadline would end the request.
type timedBody struct {
	io.ReadCloser
	controller *http.ResponseController
}

func (b *timedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	if err == io.EOF {
		_ = b.controller.SetReadDeadline(time.Time{})
	}
	return n, err
}
