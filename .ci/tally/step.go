package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// runCheck runs a command whose exit code is the verdict, and shows its output only when it failed.
func runCheck(out io.Writer, name string, command []string) (Counts, error) {
	text, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		fmt.Fprintf(out, "%s\n", bytes.TrimSpace(text))
		return Counts{}, err
	}
	fmt.Fprintf(out, "ok    %s\n", name)
	return Counts{Passed: 1}, nil
}

// runSuite runs a test runner of another language. Its output is shown when something failed; a suite without a closing
// line ran no test, which is a failure.
func runSuite(out io.Writer, name string, command []string) (Counts, error) {
	text, failure := exec.Command(command[0], command[1:]...).CombinedOutput()
	counts, err := countText(bytes.NewReader(text))
	if err != nil {
		return counts, err
	}
	if failure != nil || counts.Failed > 0 {
		fmt.Fprintf(out, "%s\n", bytes.TrimSpace(text))
	}
	switch {
	case failure != nil && counts.Failed == 0:
		return counts, failure
	case counts.total() == 0:
		fmt.Fprintf(out, "%s\n", bytes.TrimSpace(text))
		return counts, errors.New("ran no test")
	case counts.Failed == 0:
		showSkips(out, text)
		fmt.Fprintf(out, "ok    %s: %s\n", name, counts)
	}
	return counts, nil
}

// showSkips repeats the lines in which a suite says what it left out.
func showSkips(out io.Writer, text []byte) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); countLine(line) == (Counts{Skipped: 1}) {
			fmt.Fprintf(out, "skip  %s\n", line)
		}
	}
}

// event is one line of `go test -json`.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// runGo runs `go test -json` and prints a line per package, the output of what failed and the reason of what was skipped.
func runGo(out io.Writer, name string, command []string) (Counts, error) {
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr
	pipe, err := process.StdoutPipe()
	if err != nil {
		return Counts{}, err
	}
	if err := process.Start(); err != nil {
		return Counts{}, err
	}
	counts, err := countGo(out, pipe)
	if failure := process.Wait(); failure != nil && counts.Failed == 0 {
		return counts, fmt.Errorf("%s: %w", name, failure)
	}
	return counts, err
}

func countGo(out io.Writer, stream io.Reader) (Counts, error) {
	var all Counts
	packages := map[string]*Counts{}
	outputs := map[[2]string]*strings.Builder{} // by package and test; the empty test is the package itself
	decoder := json.NewDecoder(stream)
	for {
		var e event
		if err := decoder.Decode(&e); err == io.EOF {
			break
		} else if err != nil {
			return all, fmt.Errorf("reading the events of go test: %w", err)
		}
		if packages[e.Package] == nil {
			packages[e.Package] = &Counts{}
		}
		counts, key := packages[e.Package], [2]string{e.Package, e.Test}
		switch e.Action {
		case "output":
			if outputs[key] == nil {
				outputs[key] = &strings.Builder{}
			}
			outputs[key].WriteString(e.Output)
			continue
		case "build-output":
			fmt.Fprint(out, e.Output)
			continue
		case "pass", "fail", "skip":
		default:
			continue
		}
		text := ""
		if outputs[key] != nil {
			text = outputs[key].String()
		}
		delete(outputs, key)
		if e.Test == "" {
			finishPackage(out, e, counts, text)
			all.add(*counts)
			continue
		}
		switch e.Action {
		case "pass":
			counts.Passed++
		case "fail":
			counts.Failed++
			fmt.Fprintf(out, "FAIL  %s %s\n%s", e.Package, e.Test, text)
		case "skip":
			counts.Skipped++
			fmt.Fprintf(out, "skip  %s %s\n%s", e.Package, e.Test, text)
		}
	}
	return all, nil
}

func finishPackage(out io.Writer, e event, counts *Counts, text string) {
	switch {
	case e.Action == "fail" && counts.Failed == 0: // did not build, panicked outside a test, or timed out
		counts.Failed++
		fmt.Fprintf(out, "FAIL  %s\n%s", e.Package, text)
	case e.Action == "fail":
		fmt.Fprintf(out, "FAIL  %s: %s\n", e.Package, counts)
	case counts.total() > 0:
		fmt.Fprintf(out, "ok    %s: %s (%.1f s)\n", e.Package, counts, e.Elapsed)
	}
}
