package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

const stateHelp = `usage: mockserver state check [flags] FILE

Reads the file of a state (serve --state) that no server uses, and says what is wrong with
it, a line each, and what can be saved. With --save a new file gets that. FILE stays as it
is. The exit code is 0 without faults, 1 with faults, 2 when the command line is wrong,
and 3 when the file could not be read at all.
`

func stateCommand(t terminal) *cobra.Command {
	command := newCommand("state check [flags] FILE", "check the file of a state", stateHelp)
	judge(command)
	save := command.Flags().String("save", "", "write what can be saved to `FILE`, which must be new")
	command.PreRunE = func(_ *cobra.Command, arguments []string) error {
		if len(arguments) != 2 || arguments[0] != "check" {
			return usage.Errorf("say check, and name one file")
		}
		if _, err := os.Stat(*save); *save != "" && !errors.Is(err, fs.ErrNotExist) {
			return usage.Errorf("--save %s: it is there already; name a new file", *save)
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, arguments []string) error {
		ctx := command.Context()
		return interrupted(ctx, checkState(ctx, arguments[1], *save, t), "the check was not finished")
	}
	return command
}

func checkState(ctx context.Context, path, save string, t terminal) error {
	faults, whole, err := state.Check(ctx, path, save)
	for _, fault := range faults {
		fmt.Fprintf(t.out, "%s: %s\n", path, fault)
	}
	if err != nil {
		return err
	}
	if fmt.Fprintf(t.out, "%s; %s\n", report.Count(len(faults), "fault"), whole); len(faults) > 0 {
		return report.ErrFaults
	}
	return nil
}
