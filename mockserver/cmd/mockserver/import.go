package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/imports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/worldcount"
)

const importHelp = `usage: mockserver import --out DIR [flags] FILE...

Turns export files, yours or the real service's, into a dataset: a directory with
profiles.ndjson, installations.ndjson and events.ndjson, which --data of serve and
generate loads. Any mix of the eleven kinds and any number of files and days is one
import, compressed with gzip or not; the file - is standard input. Of two snapshots of
one person the one named later counts.

--world FILE counts settings of the synthetic world in the same files, such as how many
have an address, and writes them for --world of serve and generate. Nothing is written
of fewer than 50 people; what is left out is said in the file and on standard error.

--pseudonymise KEY replaces every identifier, address, number, name and text by one of
the same shape before anything is kept, the same one in every run with that key.

The exit code is 0 when all rows were imported, 1 when some do not fit the schemas, and
then nothing is, 2 when the command line is wrong.
`

type importFlags struct {
	schemas          files.Overlays
	out, world       string
	pseudonymise     secret.Text
	kinds, campaigns files.PerFile
	files            []string
}

func importCommand(t terminal) *cobra.Command {
	var f importFlags
	command := newCommand("import --out DIR [flags] FILE...", "turn export files into a dataset", importHelp)
	f.define(command.Flags())
	command.PreRunE = func(*cobra.Command, []string) error {
		if f.out == "" && f.world == "" {
			return usage.Errorf("--out is missing: name the directory of the dataset, or with --world a file for settings")
		}
		if _, err := os.Lstat(f.world); f.world != "" && err == nil {
			return usage.Errorf("--world: %s is there; name a new file", f.world)
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		return importFiles(command.Context(), &f, t)
	}
	return command
}

func (f *importFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "write the dataset to `DIR`, which is new or empty (required without --world)")
	flags.StringVar(&f.world, "world", "", "count settings of the world into a new `FILE`, for --world of serve and generate")
	settings.Secret(flags, &f.pseudonymise, "pseudonymise", imports.PseudonymiseUsage, nil)
	imports.Define(flags, &f.schemas, &f.kinds, &f.campaigns)
}

// importFiles makes a dataset and says what is in it.
func importFiles(ctx context.Context, f *importFlags, t terminal) error {
	key, err := imports.Key(f.pseudonymise)
	if err != nil {
		return err
	}
	library, err := f.schemas.Library()
	if err != nil {
		return err
	}
	inputs, err := imports.Inputs(ctx, f.files, &f.kinds, &f.campaigns, t.in)
	if err != nil {
		return err
	}
	var counter *worldcount.Counter
	if f.world != "" {
		counter = worldcount.New(library)
	}
	summary, err := imports.Write(ctx, library, inputs, key, f.out, counter)
	if err != nil {
		return err
	}
	imports.PrintKey(t.err, key)
	if err := imports.Print(t.out, &summary, f.out); err != nil || counter == nil {
		return err
	}
	counted := counter.Settings()
	for _, each := range counted.LeftOut {
		fmt.Fprintln(t.err, "left out of --world:", each)
	}
	return files.Write(f.world, counted.YAML())
}
