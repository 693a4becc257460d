package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// command is one of the things the program can do.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, arguments []string, t terminal) error
}

func commands() []command {
	return []command{
		{"serve", "answer the export API over HTTP", serve},
		{"generate", "make one export file without a server", generate},
		{"validate", "check payloads and files against a schema", validate},
		{"check", "check export files against each other", checkFiles},
	}
}

const usage = `mockserver stands in for the asynchronous export service.

usage:
  mockserver serve     [flags]                        answer the export API over HTTP
  mockserver generate  --kind KIND [flags]            make one export file without a server
  mockserver validate  --schema NAME [flags] FILE...  check payloads and files against a schema
  mockserver check     [flags] FILE...                check export files against each other

"mockserver COMMAND --help" lists the flags of a command.
`

// usageError is a mistake on the command line: the exit code is exitUsage.
type usageError struct {
	message string
}

func (e *usageError) Error() string { return e.message }

func misuse(format string, arguments ...any) error {
	return &usageError{fmt.Sprintf(format, arguments...)}
}

// errFaults is returned by a command that did its work and found faults, which
// it has printed.
var errFaults = errors.New("faults found")

// run executes a command line and returns the exit code.
func run(ctx context.Context, arguments []string, t terminal) int {
	if len(arguments) == 0 {
		fmt.Fprint(t.err, usage)
		return exitUsage
	}
	name := arguments[0]
	if name == "help" || name == "-h" || name == "-help" || name == "--help" {
		if len(arguments) == 1 || name != "help" {
			fmt.Fprint(t.out, usage)
			return exitOK
		}
		name, arguments = arguments[1], []string{arguments[1], "--help"}
	}
	names := make([]string, 0, 3)
	for _, command := range commands() {
		names = append(names, command.name)
		if command.name != name {
			continue
		}
		return finish(command.run(ctx, arguments[1:], t), command.name, t)
	}
	fmt.Fprintf(t.err, "mockserver: there is no command %q%s; the commands are %s\n", name, suggestion(name, names), strings.Join(names, ", "))
	return exitUsage
}

// finish prints the error of a command and chooses the exit code.
func finish(err error, name string, t terminal) int {
	var wrong *usageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errFaults):
		return exitFailed
	case errors.As(err, &wrong):
		fmt.Fprintf(t.err, "mockserver %s: %v\nrun \"mockserver %s --help\" for its flags\n", name, err, name)
		return exitUsage
	default:
		fmt.Fprintf(t.err, "mockserver %s: %v\n", name, err)
		return exitFailed
	}
}

// parseFlags parses the flags of a command, which may stand between and after
// the other arguments, and returns those. Help goes to standard output; a
// mistake is a usageError that suggests what was probably meant.
func parseFlags(flags *flag.FlagSet, arguments []string, help string, t terminal) ([]string, error) {
	flags.SetOutput(io.Discard)
	var others []string
	for {
		if err := flags.Parse(arguments); err != nil {
			return nil, explainFlags(flags, err, help, t)
		}
		rest := flags.Args()
		read := len(arguments) - len(rest)
		if len(rest) == 0 || read > 0 && arguments[read-1] == "--" {
			return append(others, rest...), nil
		}
		others, arguments = append(others, rest[0]), rest[1:]
	}
}

// explainFlags turns what is wrong with flags into a usageError, and prints
// the help if that is what was asked for.
func explainFlags(flags *flag.FlagSet, err error, help string, t terminal) error {
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(t.out, help)
		fmt.Fprint(t.out, "\nflags:\n")
		flags.VisitAll(func(f *flag.Flag) { printFlag(t.out, f) })
		return flag.ErrHelp
	}
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); unknown {
		var names []string
		flags.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
		name = "--" + strings.TrimPrefix(name, "-")
		return misuse("there is no flag %s%s", name, suggestion(name, names))
	}
	return misuse("%v", strings.ReplaceAll(err.Error(), " -", " --"))
}

// printFlag writes one flag on two lines.
func printFlag(out io.Writer, f *flag.Flag) {
	placeholder, text := flag.UnquoteUsage(f)
	if placeholder != "" {
		placeholder = " " + placeholder
	}
	fmt.Fprintf(out, "  --%s%s\n        %s", f.Name, placeholder, text)
	if f.DefValue != "" && f.DefValue != "false" && !strings.Contains(text, "(default ") {
		fmt.Fprintf(out, " (default %s)", f.DefValue)
	}
	fmt.Fprintln(out)
}

// suggestion names what a misspelt word probably means, ready to be appended.
func suggestion(word string, known []string) string {
	if likely := schemas.Likely(word, known); likely != "" {
		return fmt.Sprintf(", did you mean %s?", likely)
	}
	return ""
}
