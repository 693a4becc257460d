// Command bare answers every request as plainly as net/http can: with a constant 202, or with the files of the folder that is its
// argument. It is a program of its own so that its start is a floor for that of the server.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	if len(os.Args) > 1 {
		handler = http.FileServer(http.Dir(os.Args[1]))
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	fail(http.Serve(listener, handler))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bare:", err)
	os.Exit(1)
}
