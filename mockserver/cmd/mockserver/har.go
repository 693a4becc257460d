package main

import (
	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/hars"
)

func harCommand(t terminal) *cobra.Command {
	var f hars.Flags
	command := newCommand("har --out PATH [flags] RECORDING|FILE", "turn a recording into a HAR file, or a HAR file into a recording", hars.Help)
	f.Define(command.Flags())
	command.PreRunE = func(_ *cobra.Command, arguments []string) error { return f.Check(arguments) }
	command.RunE = func(_ *cobra.Command, arguments []string) error {
		return hars.Run(f, arguments[0], versionNow().version, t.out)
	}
	return command
}
