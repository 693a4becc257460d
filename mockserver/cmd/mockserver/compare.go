package main

import (
	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/comparing"
)

const compareHelp = `usage: mockserver compare --a URL --b URL [flags]

Has the same written-down conversations with two services, and reports by meaning where
they differ: statuses, errors, headers, members, states, columns, what values look like,
orders, compression, limits. Either may be a recording that "proxy --record" has written.
What only reads comes first, and what makes the most exports last.

The first service is asked twice: values that it changes itself are noise, and only their
shape is compared. What is there at all is compared whatever the noise.

Every difference is one line, however often it was seen: ID SEVERITY: ENDPOINT: WHAT:
a ...; b ... [KIND]. Values appear by their shape only. --dry-run prints what would be
sent, and sends nothing.

The exit code is 0 without differences that --fail-on counts, 1 with one, 2 when the
command line is wrong, and 3 when the comparison could not run or nothing was decided.
`

func compareCommand(t terminal) *cobra.Command {
	var f comparing.Flags
	command := newCommand("compare --a URL --b URL [flags]", "ask two services the same, and report how they differ", compareHelp)
	judge(command)
	f.Define(command.Flags())
	command.PreRunE = func(_ *cobra.Command, arguments []string) error { return f.Check(arguments) }
	command.RunE = func(command *cobra.Command, _ []string) error {
		return comparing.Run(command.Context(), f, comparing.Terminal{Out: t.out, Err: t.err, Watched: isTerminal(t.err), Now: t.now, Version: versionNow().version})
	}
	return command
}
