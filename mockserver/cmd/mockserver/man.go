package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const manHelp = `usage: mockserver man --out DIR

Writes the manual pages of the program and of each command: mockserver.1,
mockserver-serve.1 and so on. A directory man1 in a directory of MANPATH is the place
for them.
`

// manEnd stands on the page of each command.
const manEnd = `
environment:
  Every flag is set by a variable as well: REHEARSAL_LOG_LEVEL stands for --log-level.
  REHEARSAL_CONFIG names a file of settings. The command line comes before the
  environment, and the environment before the file.

exit status:
  0 when all went well, 1 when something failed or faults were found, 2 when the command
  line is wrong, 3 when validate or check could not read what they were given.
`

func manCommand() *cobra.Command {
	command := newCommand("man --out DIR", "write the manual pages", manHelp)
	out := command.Flags().String("out", "", "write the pages to `DIR`, which is created if necessary (required)")
	command.RunE = func(command *cobra.Command, arguments []string) error {
		switch {
		case len(arguments) > 0:
			return usage.Errorf("unexpected argument %q; man takes only flags", arguments[0])
		case *out == "":
			return usage.Errorf("--out is missing; it names the directory for the pages")
		}
		for _, each := range append(command.Root().Commands(), command.Root()) {
			if !each.IsAvailableCommand() {
				continue
			}
			name := strings.ReplaceAll(each.CommandPath(), " ", "-")
			if err := files.Write(filepath.Join(*out, name+".1"), []byte(manPage(name, each, versionNow()))); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
		}
		return nil
	}
	return command
}

// manPage is the help of a command, in the language of man.
func manPage(name string, command *cobra.Command, version built) string {
	date := version.date
	if date.IsZero() {
		date = time.Unix(0, 0).UTC() // no two runs would be the same with the present
	}
	var help strings.Builder
	_ = printHelp(command, "", terminal{out: &help}) // the first page is there
	for _, page := range helpPages(command) {
		_ = printHelp(command, page, terminal{out: &help})
	}
	if command.HasParent() {
		help.WriteString(manEnd)
	}
	plain := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace
	return fmt.Sprintf(".nh\n.TH %q \"1\" %q %q \"Rehearsal\"\n.SH NAME\n%s\n.SH DESCRIPTION\n.nf\n%s.fi\n", strings.ToUpper(name),
		date.Format("Jan 2006"), "mockserver "+version.version, plain(name)+` \- `+plain(command.Short), plain(help.String()))
}
