// Command mockserver is a mock of the asynchronous export service. It serves the API, makes files without a server, validates payloads
// and files, and checks files against each other.
//
// Run "mockserver help" for the commands and their flags.
package main

import (
	"os"
	"time"
)

func main() {
	os.Exit(run(untilSignal(), os.Args[1:], terminal{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, environment: os.Getenv, variables: os.Environ, now: time.Now,
		ticks: func() <-chan time.Time { return time.Tick(time.Second) },
	}))
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the command ran, and failed or found faults
	exitUsage  = 2 // the command line is wrong
	exitUnread = 3 // a command that looks for faults could not read what it was given
)
