// Command bare answers every request as plainly as net/http can: with a constant 202; with the files of the folder that is its
// argument; or, with -answer FILE, with the head and the body of a file, under the deadlines that the server sets. It is a program
// of its own so that its start is a floor for that of the server.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	file := flag.String("answer", "", "answer with the head and the body in `FILE`")
	flag.Parse()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })}
	if flag.NArg() > 0 {
		server.Handler = http.FileServer(http.Dir(flag.Arg(0)))
	}
	if *file != "" {
		if server, err = answering(*file); err != nil {
			fail(err)
		}
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	fail(server.Serve(listener))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bare:", err)
	os.Exit(1)
}
