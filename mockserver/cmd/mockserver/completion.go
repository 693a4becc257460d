package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// addCompletions lists the formats of commands, and registers proposals of the shell for values of flags. Without one
// the shell proposes files.
func addCompletions(program *cobra.Command) {
	for _, command := range program.Commands() {
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "format" {
				settings.OneOf(command.Flags(), f.Name, formatsOf(command)...)
			}
			place, _ := pflag.UnquoteUsage(f)
			propose := cobra.FixedCompletions(settings.Choices(f), cobra.ShellCompDirectiveNoFileComp)
			switch {
			case place == "DIR":
				_ = command.MarkFlagDirname(f.Name)
				return
			case strings.HasPrefix(place, "FILE"), place == "SETTING", f.Value.Type() == "bool":
				return
			case place == "KIND":
				propose = proposeKinds
			}
			_ = command.RegisterFlagCompletionFunc(f.Name, propose) // the only error is that there is one already
		})
		if command.ValidArgsFunction == nil && strings.HasSuffix(command.Use, "[flags]") {
			command.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// formatsOf are the formats in which a command answers.
func formatsOf(command *cobra.Command) []string {
	if command.Annotations[judgesKey] == "" {
		return []string{report.Text, report.JSON}
	}
	return report.Formats()
}

// proposeKinds are the kinds of exports.
func proposeKinds(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
	if library, err := schemas.Embedded(); err == nil {
		for _, export := range library.Exports() {
			names = append(names, export.Kind+"\t"+export.Summary)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
