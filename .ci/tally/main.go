// Command tally runs the steps of `make test` and `make check`, keeps their output readable and counts what they did.
//
//	tally go NAME -- go test -json ./...     counts every Go test and subtest, shows what failed and why something was skipped
//	tally suite NAME -- COMMAND...           counts from the closing lines of another test runner (see count.go)
//	tally check NAME -- COMMAND...           one check: it passes when the command exits 0, and is silent then
//	tally skip NAME REASON                   notes a check that could not be done here
//	tally sum                                prints the total of all steps as the last line; exits 1 when anything failed
//
// Every step writes its counts to a file in the directory named by TALLY_DIR, and `tally sum` adds these files up: the
// numbers at the end are those of the real runs.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	directory := os.Getenv("TALLY_DIR")
	if directory == "" {
		return fmt.Errorf("the environment variable TALLY_DIR is empty, name a directory for the counts")
	}
	if len(arguments) == 0 {
		return fmt.Errorf("no step given, use go, suite, check, skip or sum")
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	kind, rest := arguments[0], arguments[1:]
	switch kind {
	case "sum":
		return sum(os.Stdout, directory)
	case "skip":
		if len(rest) != 2 {
			return fmt.Errorf("skip takes a name and a reason, found %d arguments", len(rest))
		}
		fmt.Printf("skip  %s: %s\n", rest[0], rest[1])
		return write(directory, rest[0], Counts{Skipped: 1})
	}
	if len(rest) < 3 || rest[1] != "--" {
		return fmt.Errorf("%s takes a name, then --, then a command", kind)
	}
	name, command := rest[0], rest[2:]
	var counts Counts
	var err error
	switch kind {
	case "go":
		counts, err = runGo(os.Stdout, name, command)
	case "suite":
		counts, err = runSuite(os.Stdout, name, command)
	case "check":
		counts, err = runCheck(os.Stdout, name, command)
	default:
		return fmt.Errorf("unknown step %q, use go, suite, check, skip or sum", kind)
	}
	if err != nil {
		counts.Failed++
		fmt.Printf("FAIL  %s: %v\n", name, err)
	}
	if err := write(directory, name, counts); err != nil {
		return err
	}
	if counts.Failed > 0 {
		return fmt.Errorf("%s failed", name)
	}
	return nil
}
