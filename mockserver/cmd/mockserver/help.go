package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// helpGroup is a part of the flags of serve. With a page, "serve --help PAGE" shows it, and otherwise the first screen.
type helpGroup struct {
	page, title string
	flags       string // names, separated by blanks
}

var serveGroups = []helpGroup{
	{"", "where it answers", "addr port tls ready-file control-token"},
	{"", "what exports show", "world seed profiles data schemas replay"},
	{"", "how it behaves", "test progress scenario now credentials state watch"},
	{"", "the program", "limit log-level"},
	{"network", "addresses, files, browsers, the end",
		"lan host callback-host cors public-url files-addr files-url gzip refuse-authorization part-size tls-save web log-format shutdown-timeout " +
			"until-stdin-closes"},
	{"world", "the keys of --world", "world seed profiles"},
	{"limits", "the keys of --limit, and what is kept", "limit journal retention"},
	{"data", "datasets, recordings, and the disk", "data data-mode replay replay-strict replay-ignore durable"},
}

// helpPages are the words that may follow --help.
func helpPages(command *cobra.Command) []string {
	if command.Name() != "serve" {
		if command.Flags().Lookup("world") != nil && command.Flags().Lookup("profiles") != nil {
			return []string{"world"}
		}
		return nil
	}
	pages := map[string]bool{}
	for _, group := range serveGroups {
		pages[group.page] = true
	}
	delete(pages, "")
	return slices.Sorted(maps.Keys(pages))
}

// cutHelp takes "--help", and the page behind it, out of a command line.
func cutHelp(arguments []string) (rest []string, page string, asked bool) {
	for i, argument := range arguments {
		name, page, joined := strings.Cut(argument, "=")
		switch {
		case argument == "--":
			return arguments, "", false
		case name != "--help" && name != "-h":
			continue
		case !joined && i+1 < len(arguments) && !strings.HasPrefix(arguments[i+1], "-"):
			page = arguments[i+1]
		}
		return arguments[:i], page, true
	}
	return arguments, "", false
}

// printHelp writes the help of a command: its first screen, or a page.
func printHelp(command *cobra.Command, page string, t terminal) error {
	pages := helpPages(command)
	if page != "" && !slices.Contains(pages, page) {
		if len(pages) == 0 {
			return usage.Errorf("%s has one page of help; use --help alone", command.Name())
		}
		return usage.Errorf("there is no page %q%s; the pages are %s", page, usage.Suggestion(page, pages), strings.Join(pages, ", "))
	}
	if page == "" {
		fmt.Fprint(t.out, command.Long)
	}
	if !command.HasParent() {
		return nil
	}
	switch {
	case page == "" && command.Name() != "serve":
		if settings.Has(command) {
			fmt.Fprint(t.out, "\nflags:\n")
		}
		settings.Each(command, func(f *pflag.Flag) { printFlag(t, f) })
	case command.Name() != "serve":
		fmt.Fprintf(t.out, "%s:\n", page)
		printKeys(t, command.Flags().Lookup(page))
	}
	for _, group := range serveGroups {
		if group.page != page || command.Name() != "serve" {
			continue
		}
		fmt.Fprintf(t.out, "\n%s:\n", group.title)
		for name := range strings.FieldsSeq(group.flags) {
			f := command.Flags().Lookup(name)
			printFlag(t, f)
			if page != "" {
				printKeys(t, f)
			}
		}
	}
	if page != "" {
		return nil
	}
	fmt.Fprint(t.out, "\nflags of every command:\n")
	command.InheritedFlags().VisitAll(func(f *pflag.Flag) { printFlag(t, f) })
	if len(pages) > 0 {
		fmt.Fprintf(t.out, "\nMore: mockserver %s --help %s\n", command.Name(), strings.Join(pages, "|"))
	}
	return nil
}

// printKeys writes the keys of a flag that has some.
func printKeys(t terminal, f *pflag.Flag) {
	block, is := f.Value.(*settings.Block)
	if !is {
		return
	}
	for _, key := range block.Described() {
		fmt.Fprintf(t.out, "    %s\n        %s", key.Name, strings.TrimSuffix(key.About, "."))
		if key.Default != nil {
			fmt.Fprintf(t.out, " (default %v)", key.Default)
		}
		fmt.Fprintln(t.out)
	}
}

// printFlag writes one flag on two lines.
func printFlag(t terminal, f *pflag.Flag) {
	placeholder, text := pflag.UnquoteUsage(f)
	if placeholder != "" {
		placeholder = " " + placeholder
	}
	fmt.Fprintf(t.out, "  --%s%s\n        %s", f.Name, placeholder, text)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && !strings.Contains(text, "(default ") {
		fmt.Fprintf(t.out, " (default %s)", f.DefValue)
	}
	fmt.Fprintln(t.out)
}
