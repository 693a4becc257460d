package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

const schemasHelp = `usage: mockserver schemas [flags] list | show NAME | export DIR

Shows the schema files, those of --schemas included, which a server serves at /schemas/:

  list        every file: path, origin, kind of export, title. The origin is embedded,
              or replaced or added by --schemas
  show NAME   one file as it is. NAME is the kind of an export (userbase) for the schema
              of its file, or the path of a file, such as legacy/campaign.request
  export DIR  all files, into a directory that is new or empty
`

type schemasFlags struct {
	schemas files.Overlays
	format  string
}

// schemaActions are the actions of the command schemas, by the first argument; argument, if any, is the second.
var schemaActions = []struct {
	name, argument, about string
	run                   func(ctx context.Context, library *schemas.Library, argument string, f schemasFlags, t terminal) error
}{
	{"list", "", "list the schema files", listSchemas},
	{"show", "NAME", "print a schema file", showSchema},
	{"export", "DIR", "write all schema files into a directory", exportSchemas},
}

func schemasCommand(t terminal) *cobra.Command {
	var f schemasFlags
	command := newCommand("schemas [flags] list | show NAME | export DIR", "list, print and export the schema files", schemasHelp)
	flags := command.Flags()
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	flags.StringVar(&f.format, "format", report.Text,
		"print as `FORMAT`: text, or json with one object per line; show prints the file in both")
	command.ValidArgs = []string{"list", "show", "export"}
	command.RunE = func(command *cobra.Command, arguments []string) error {
		return runSchemas(command, arguments, f, t)
	}
	return command
}

// runSchemas does what the first argument says.
func runSchemas(command *cobra.Command, arguments []string, f schemasFlags, t terminal) error {
	var names []string
	for _, action := range schemaActions {
		names = append(names, action.name)
	}
	if len(arguments) == 0 {
		return usage.Errorf("what to do is missing; it must be one of %s", strings.Join(names, ", "))
	}
	for _, action := range schemaActions {
		if action.name != arguments[0] {
			continue
		}
		given, most := arguments[1:], len(strings.Fields(action.argument))
		switch {
		case len(given) < most:
			return usage.Errorf("%s needs %s", action.name, action.argument)
		case len(given) > most:
			return usage.Errorf("unexpected argument %q behind %s", given[most], strings.Join(arguments[:1+most], " "))
		}
		library, err := f.schemas.Library()
		if err != nil {
			return err
		}
		return action.run(command.Context(), library, strings.Join(given, ""), f, t)
	}
	return usage.Errorf("%q is nothing that schemas does%s; it must be one of %s", arguments[0], usage.Suggestion(arguments[0], names),
		strings.Join(names, ", "))
}

func listSchemas(_ context.Context, library *schemas.Library, _ string, f schemasFlags, t terminal) error {
	all, err := catalog.Files(library, schemas.Base)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(t.out)
	widest := 0
	for _, file := range all {
		widest = max(widest, len(file.Name))
	}
	for _, file := range all {
		if f.format == report.JSON {
			_ = report.WriteJSON(out, file) // a writer that fails is found at the end
			continue
		}
		title := file.Title
		if file.Kind != "" {
			title = file.Kind + ": " + title
		}
		fmt.Fprintf(out, "%-*s  %-8s  %s\n", widest, report.Printable(file.Name), file.Origin, report.Printable(title))
	}
	return out.Flush()
}

func showSchema(_ context.Context, library *schemas.Library, name string, _ schemasFlags, t terminal) error {
	file, err := library.Resolve(name)
	if err != nil {
		return usage.Errorf("%v", err)
	}
	_, err = t.out.Write(library.Source(file))
	return err
}

// exportSchemas writes all files. A directory that has something in it is
// refused: what is left of an earlier export would look like a part of this one.
func exportSchemas(ctx context.Context, library *schemas.Library, directory string, f schemasFlags, t terminal) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	there, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s is not empty: it has %s; name a new directory", directory, there[0].Name())
	}
	names := library.Names()
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return interrupted(ctx, err, fmt.Sprintf("%d of %d files were written to %s", i, len(names), directory))
		}
		if err := files.Write(filepath.Join(directory, filepath.FromSlash(name)), library.Source(name)); err != nil {
			return err
		}
	}
	if f.format == report.JSON {
		return report.WriteJSON(t.out, struct {
			Directory string `json:"directory"`
			Files     int    `json:"files"`
			Digest    string `json:"digest"`
		}{directory, len(names), library.Digest()})
	}
	_, err = fmt.Fprintf(t.out, "wrote %d schema files to %s\n", len(names), report.Printable(directory))
	return err
}
