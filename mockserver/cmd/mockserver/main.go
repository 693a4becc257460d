// Command mockserver is a mock of the asynchronous export service. It serves
// the API, makes files without a server, validates payloads and files, and checks
// files against each other.
//
// Run "mockserver help" for the commands and their flags.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], terminal{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, environment: os.Getenv, now: time.Now,
	}))
}

// terminal is what a command may use of the machine.
type terminal struct {
	in          io.Reader
	out, err    io.Writer
	environment func(name string) string
	now         func() time.Time
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command ran, and failed or found faults
	exitUsage  = 2 // the command line is wrong
)
