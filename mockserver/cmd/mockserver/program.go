package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

const programHelp = `mockserver stands in for the asynchronous export service.

usage: mockserver COMMAND [flags]

the mock:
  serve       answer the export API over HTTP
  generate    make one export file without a server
  merge       put the shards of a file together

beside the real service:
  proxy       pass requests on to a service, and report how it differs
  import      turn export files into a dataset, and count a world in them

contracts:
  validate    check payloads and files against a schema
  check       check export files against each other
  schemas     list, show and export the schema files
  openapi     print the API document without a server

"state check" reads the file of a state, "recording audit" looks for people and secrets in
files, health asks a running server whether it is ready,
version prints the version, and
"completion SHELL" and "man" write completions and manual pages.

"mockserver COMMAND --help" lists the flags of a command; those of serve have further
pages: "mockserver serve --help network", world, limits and data.

Flags can also be set in the environment, REHEARSAL_LOG_LEVEL for --log-level, and in a
YAML or JSON file named by --config, in which log-level: debug applies to all commands
that have the flag, and serve: {log-level: debug} to one. Precedence, highest first:
command line, environment, file. A flag is given once, but for those that add up. "mockserver COMMAND --print-config" shows every value
and its origin.
`

// newProgram puts the commands together.
func newProgram(t terminal) *cobra.Command { return newProgramWith(t, serve) }

// newProgramWith is a program whose command serve calls a function.
func newProgramWith(t terminal, run func(context.Context, serveFlags, terminal) error) *cobra.Command {
	program := &cobra.Command{
		Use: "mockserver", Short: "stand in for the asynchronous export service", Long: programHelp,
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	program.SetIn(t.in)
	program.SetOut(t.out)
	program.SetErr(t.err)
	program.SetHelpFunc(func(command *cobra.Command, _ []string) { _ = printHelp(command, "", t) }) // the first page is there
	program.SetFlagErrorFunc(settings.ExplainFlag)
	settings.Add(program, t.environment, t.out)
	settings.WarnOfStrays(program, t.variables, func(format string, least slog.Level) *slog.Logger { return report.Log(t.err, format, least) })
	again := func(ctx context.Context, use func(serveFlags)) error {
		program := newProgramWith(terminal{environment: t.environment, now: t.now, out: t.out, err: t.err},
			func(_ context.Context, f serveFlags, _ terminal) error {
				use(f)
				return nil
			})
		program.SetArgs(t.arguments)
		return program.ExecuteContext(ctx)
	}
	program.AddCommand(serveCommand(t, run, again), manCommand())
	for _, command := range []func(terminal) *cobra.Command{
		proxyCommand, generateCommand, mergeCommand, validateCommand, checkCommand, importCommand, openapiCommand, schemasCommand, stateCommand,
		recordingCommand, healthCommand, versionCommand,
	} {
		program.AddCommand(command(t))
	}
	addCompletions(program)
	settings.Once(program)
	return program
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, arguments []string, t terminal) int {
	if len(arguments) == 0 {
		fmt.Fprint(t.err, programHelp)
		return exitUsage
	}
	t.arguments = arguments
	program := newProgram(t)
	asked := arguments
	if len(asked) == 1 && asked[0] == "--version" {
		asked, arguments = []string{"version"}, []string{"version"}
	}
	if asked[0] == "help" && len(asked) > 1 {
		asked = asked[1:]
		arguments = append([]string{asked[0], "--help"}, asked[1:]...)
	}
	if name := asked[0]; !strings.HasPrefix(name, "-") && !isCommand(program, name) {
		var names []string
		for _, command := range program.Commands() {
			names = append(names, command.Name())
		}
		fmt.Fprintf(t.err, "mockserver: there is no command %q%s; the commands are %s\n", name, usage.Suggestion(name, names),
			strings.Join(names, ", "))
		return exitUsage
	}
	if rest, page, asked := cutHelp(arguments); asked && page != "" && len(rest) > 0 {
		if command, _, err := program.Find(rest[:1]); err == nil {
			return finish(printHelp(command, page, t), command, t)
		}
	}
	program.SetArgs(arguments)
	command, err := program.ExecuteContextC(ctx)
	return finish(err, command, t)
}

// isCommand reports whether a word begins a command line, those among them that the library adds when it runs.
func isCommand(program *cobra.Command, name string) bool {
	return slices.Contains([]string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, name) ||
		slices.ContainsFunc(program.Commands(), func(command *cobra.Command) bool { return command.Name() == name })
}

// finish prints the error of a command and chooses the exit code.
func finish(err error, command *cobra.Command, t terminal) int {
	var wrong *usage.Error
	switch {
	case err == nil || errors.Is(err, settings.ErrPrinted):
		return exitOK
	case errors.Is(err, report.ErrFaults):
		return exitFailed
	case errors.As(err, &wrong):
		printError(err, command, t)
		fmt.Fprintf(t.err, "run \"%s --help\" for its flags\n", command.CommandPath())
		return exitUsage
	default:
		printError(err, command, t)
		if command.Annotations[judgesKey] != "" {
			return exitUnread
		}
		return exitFailed
	}
}

func printError(err error, command *cobra.Command, t terminal) {
	fmt.Fprintf(t.err, "%s: %s\n", command.CommandPath(), report.PrintableLines(settings.AddOrigins(err.Error(), command)))
}
