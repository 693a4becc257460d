package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"time"
)

// answering is a server that sends the bytes of a response as it is stored, and does what no server can do without that sends
// these: it reads the body, and sets the deadlines that the mock server sets.
func answering(file string) (*http.Server, error) {
	stored, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	response, err := http.ReadResponse(bufio.NewReader(stored), nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Header.Del("Date") // net/http has its own
	handler := func(w http.ResponseWriter, r *http.Request) {
		controller := http.NewResponseController(w)
		if r.ContentLength != 0 {
			controller.SetReadDeadline(time.Now().Add(60 * time.Second))
			io.Copy(io.Discard, r.Body)
			controller.SetReadDeadline(time.Time{})
		}
		controller.SetWriteDeadline(time.Now().Add(30 * time.Second))
		header := w.Header()
		for name, values := range response.Header {
			header[name] = values
		}
		w.WriteHeader(response.StatusCode)
		w.Write(body)
	}
	return &http.Server{Handler: http.HandlerFunc(handler), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}, nil
}
