package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// addCompletions registers proposals of the shell for values of flags. Without one the shell proposes files.
func addCompletions(program *cobra.Command) {
	words := map[string]func() []string{
		"progress": func() []string { return []string{"now", "time:2s", "polls:3", "manual", "stuck"} },
		"tls":      func() []string { return []string{listen.SelfSigned} },
		"kind":     kinds, "schema": kinds, "rules": rules,
	}
	for _, command := range program.Commands() {
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name == "format" {
				settings.OneOf(command.Flags(), f.Name, formatsOf(command)...)
			}
			place, _ := pflag.UnquoteUsage(f)
			propose := words[f.Name]
			switch choices := settings.Choices(f); {
			case place == "DIR":
				_ = command.MarkFlagDirname(f.Name)
			case strings.HasPrefix(place, "FILE"), f.Value.Type() == "bool":
			case choices != nil:
				_ = command.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
			case propose != nil:
				// The only error is that the flag has a completion already.
				_ = command.RegisterFlagCompletionFunc(f.Name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
					return propose(), cobra.ShellCompDirectiveNoFileComp
				})
			case place != "SETTING": // KEY=VALUE, or a file
				_ = command.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
			}
		})
		switch command.Name() {
		case "validate", "check", "import", "merge": // take files
		case "schemas":
			command.ValidArgsFunction = completeSchemas
		default:
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

// kinds are the kinds of exports.
func kinds() []string {
	library, err := schemas.Embedded()
	if err != nil {
		return nil
	}
	var names []string
	for _, export := range library.Exports() {
		names = append(names, export.Kind+"\t"+export.Summary)
	}
	return names
}

// completeSchemas proposes what the command schemas does, and to what.
func completeSchemas(command *cobra.Command, given []string, _ string) (proposed []string, _ cobra.ShellCompDirective) {
	switch {
	case len(given) == 0:
		for _, action := range schemaActions {
			proposed = append(proposed, action.name+"\t"+action.about)
		}
	case len(given) == 1 && given[0] == "show":
		overlays := files.Overlays(settings.List(command.Flags().Lookup("schemas").Value.String()))
		if library, err := overlays.Library(); err == nil {
			proposed = library.Names()
		}
		proposed = append(kinds(), proposed...)
	case len(given) == 1 && given[0] == "export":
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return proposed, cobra.ShellCompDirectiveNoFileComp
}

// rules are the rules of the command check.
func rules() []string {
	names := []string{"list\texplain all rules"}
	for _, rule := range check.Rules() {
		names = append(names, rule.Name+"\t"+rule.About)
	}
	return names
}
