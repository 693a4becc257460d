package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
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
of fewer than 50 people; the file and standard error say which settings are left out.

--pseudonymise KEY keeps dates, codes, flags and texts that 20 people share, and replaces
everything else by values of the synthetic world, the same ones in every run with that
key; --new-key FILE makes one, which is better than a passphrase. A report says what is
kept and how many people are unique by it.

The exit code is 0 when all rows were imported, 1 when some do not fit the schemas or
more people are unique than --most-unique allows, and then nothing is, 2 when the command
line is wrong.
`

type importFlags struct {
	schemas          files.Overlays
	out, made, world string
	pseudonymise     secret.Text
	coarsen          bool
	mostUnique       float64
	kinds, campaigns files.PerFile
	files            []string
}

func importCommand(t terminal) *cobra.Command {
	var f importFlags
	command := newCommand("import --out DIR [flags] FILE...", "turn export files into a dataset", importHelp)
	f.define(command.Flags())
	command.PreRunE = func(*cobra.Command, []string) error {
		if f.pseudonymise == "" && (f.coarsen || command.Flags().Changed("most-unique")) {
			return usage.Errorf("--coarsen and --most-unique need --pseudonymise: without its key, values are written as they are")
		}
		if f.out == "" && f.made == "" && f.world == "" {
			return usage.Errorf("--out is missing: name the directory of the dataset, or with --world a file for settings")
		}
		if _, err := os.Lstat(f.world); f.world != "" && err == nil {
			return usage.Errorf("--world: %s is there; name a new file", f.world)
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		if f.made != "" && len(arguments) == 0 {
			return newKey(f.made)
		}
		return interrupted(command.Context(), importFiles(command.Context(), &f, t), "nothing was written")
	}
	return command
}

func (f *importFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "write the dataset to `DIR`, which is new or empty (required without --world)")
	flags.StringVar(&f.world, "world", "", "count settings of the world into a new `FILE`, for --world of serve and generate")
	settings.Secret(flags, &f.pseudonymise, "pseudonymise", pseudonymiseUsage, nil)
	flags.StringVar(&f.made, "new-key", "", "write a new random key for --pseudonymise into `FILE`, which must not be there, and end")
	flags.BoolVar(&f.coarsen, "coarsen", false, "with --pseudonymise, cut dates of people to the month and of events to the hour, "+
		"and leave out values that fewer than 20 people share")
	flags.Float64Var(&f.mostUnique, "most-unique", 100,
		"with --pseudonymise, fail if more than `PERCENT` of the people are unique by values and dates")
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	settings.RepeatedFunc(flags, "kind", "take a file for the kind of export of `FILE=KIND` (default inferred from its content)", f.kinds.Add)
	settings.RepeatedFunc(flags, "campaign",
		"name the campaign or group of a file by `FILE=NAME` (default the name of the file up to its first dot)", f.campaigns.Add)
}

// importFiles makes a dataset and says what is in it.
func importFiles(ctx context.Context, f *importFlags, t terminal) error {
	key, err := pseudonymKey(f.pseudonymise)
	if err != nil {
		return err
	}
	library, err := f.schemas.Library()
	if err != nil {
		return err
	}
	inputs, err := f.inputs(ctx, t.in)
	if err != nil {
		return err
	}
	accept := func(summary *importer.Summary) error {
		printKey(t.err, key)
		unique := summary.Unique()
		if unique <= f.mostUnique {
			return printImport(t.out, summary, f.out)
		}
		advice := ", and --coarsen may help"
		if f.coarsen {
			advice = ""
		}
		return errors.Join(printImport(t.out, summary, ""),
			fmt.Errorf("%.1f %% of the people are unique by values and dates, and --most-unique allows less; nothing was written%s", unique, advice))
	}
	options := importer.Options{Key: key, Coarse: f.coarsen}
	counter := worldcount.New(library)
	if f.world != "" {
		options.Counter = counter
	}
	if f.out != "" {
		_, err = importer.Into(ctx, library, inputs, options, f.out, accept)
	} else if summary, failed := importer.Files(ctx, library, inputs, options, func(string, []byte) error { return nil }); failed != nil {
		err = failed
	} else {
		err = accept(&summary)
	}
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return usage.Errorf("%v", unknown)
	}
	if err != nil || f.world == "" {
		return err
	}
	counted := counter.Settings()
	for _, each := range counted.LeftOut {
		fmt.Fprintln(t.err, "left out of --world:", each)
	}
	return files.Write(f.world, counted.YAML())
}

// inputs returns the files of the command line, with their kinds from flags.
func (f *importFlags) inputs(ctx context.Context, standard io.Reader) (list []importer.Input, err error) {
	if len(f.files) == 0 {
		return nil, usage.Errorf("no file is given; name export files, or - for standard input")
	}
	if err := errors.Join(f.kinds.Resolve("--kind", f.files), f.campaigns.Resolve("--campaign", f.files)); err != nil {
		return nil, err
	}
	for _, name := range f.files {
		if err := files.CheckInput(name); errors.Is(err, fs.ErrNotExist) {
			return nil, usage.Errorf("%s is not there; name export files, or - for standard input", name)
		} else if err != nil {
			return nil, err
		}
		reader := files.Input(ctx, name, standard)
		list = append(list, importer.Input{Name: name, Reader: reader, Kind: f.kinds.Values[name], Campaign: f.campaigns.Values[name]})
	}
	return list, nil
}

// leftOut lists the parts of a file without a place in the dataset, a line each.
func leftOut(file *importer.File) (lines []string) {
	if file.Nameless > 0 {
		lines = append(lines, report.Count(file.Nameless, "row")+" without an identifier, left out")
	}
	part := "column"
	if strings.HasPrefix(file.Kind, "profiles.") {
		part = "member"
	}
	for _, name := range slices.Sorted(maps.Keys(file.Unknown)) {
		lines = append(lines, fmt.Sprintf("left out: %s %s, for which a dataset has no place (%s)", part, name,
			report.Count(file.Unknown[name], "row")))
	}
	return lines
}

// printImport prints the contents of each file and their place in the dataset.
func printImport(out io.Writer, summary *importer.Summary, directory string) error {
	for _, file := range summary.Files {
		switch {
		case file.Kind == "":
			fmt.Fprintf(out, "%s: no rows, of whatever kind\n", file.Name)
		case file.Campaign != "":
			fmt.Fprintf(out, "%s: %s of %s, %s\n", file.Name, file.Kind, file.Campaign, report.Count(file.Rows, "row"))
		default:
			fmt.Fprintf(out, "%s: %s, %s\n", file.Name, file.Kind, report.Count(file.Rows, "row"))
		}
		for _, line := range leftOut(&file) {
			fmt.Fprintf(out, "%s: %s\n", file.Name, line)
		}
	}
	for _, line := range summary.Report() {
		fmt.Fprintln(out, line)
	}
	if directory == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d profiles, %d installations, %d events\n", directory, summary.Profiles, summary.Installations,
		summary.Events)
	return err
}
