package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/worldcount"
	"github.com/rehearsal-sdk/rehearsal/schemas"
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
	settings.Secret(flags, &f.pseudonymise, "pseudonymise", pseudonymiseUsage, nil)
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
	var counter *worldcount.Counter
	if f.world != "" {
		counter = worldcount.New(library)
	}
	summary, err := importInto(ctx, library, inputs, key, f.out, counter)
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return usage.Errorf("%v", unknown)
	} else if err != nil {
		return err
	}
	printKey(t.err, key)
	if err := printImport(t.out, &summary, f.out); err != nil || counter == nil {
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

// writeDataset writes the rows of export files into the files of a dataset; counter counts them as well, unless it is nil.
func writeDataset(ctx context.Context, library *schemas.Library, inputs []importer.Input, key *pseudonym.Key, directory string,
	counter *worldcount.Counter) (importer.Summary, error) {
	writers := map[string]*bufio.Writer{}
	var open []*os.File
	for _, kind := range input.Kinds() {
		file, err := os.Create(filepath.Join(directory, string(kind)+".ndjson"))
		if err != nil {
			return importer.Summary{}, err
		}
		defer file.Close()
		open, writers[string(kind)] = append(open, file), bufio.NewWriterSize(file, 1<<16)
	}
	options := importer.Options{Key: key, Directory: directory}
	count := func(string, []byte) error { return nil }
	if counter != nil {
		options.Begin, count = counter.Begin, counter.Row
	}
	summary, err := importer.Files(ctx, library, inputs, options, func(kind string, row []byte) error {
		counted := count(kind, row)
		_, err := writers[kind].Write(append(row, '\n'))
		return errors.Join(counted, err)
	})
	for _, kind := range input.Kinds() {
		err = errors.Join(err, writers[string(kind)].Flush())
	}
	for _, file := range open {
		err = errors.Join(err, file.Close())
	}
	return summary, err
}

// checkDataset refuses a path that a dataset would replace, unless it is an empty directory.
func checkDataset(out string) error {
	information, err := os.Lstat(out)
	switch {
	case err != nil: // it is not there, or creating it reports the reason
		return nil
	case !information.IsDir():
		return fmt.Errorf("--out: %s is a file; name a new directory", out)
	}
	if entries, err := os.ReadDir(out); err != nil {
		return fmt.Errorf("--out: %w", err)
	} else if len(entries) > 0 {
		return fmt.Errorf("--out: %s is not empty; name a new directory", out)
	}
	return nil
}

// importInto makes a directory with the dataset of export files, all of it or nothing. Without a directory the rows are counted only.
func importInto(ctx context.Context, library *schemas.Library, inputs []importer.Input, key *pseudonym.Key, out string,
	counter *worldcount.Counter) (summary importer.Summary, err error) {
	if out == "" {
		summary, err = importer.Files(ctx, library, inputs, importer.Options{Begin: counter.Begin}, counter.Row)
		return summary, err
	}
	if err := checkDataset(out); err != nil {
		return summary, err
	}
	directory, err := os.MkdirTemp(filepath.Dir(filepath.Clean(out)), ".import-")
	if err != nil {
		return summary, fmt.Errorf("--out: %w", err)
	}
	defer os.RemoveAll(directory)
	if summary, err = writeDataset(ctx, library, inputs, key, directory, counter); err != nil {
		return summary, err
	}
	if err := checkDataset(out); err != nil { // it may have come since
		return summary, err
	}
	_ = os.Remove(out) // if it is there, it is an empty directory
	if err := errors.Join(os.Chmod(directory, 0o755), os.Rename(directory, out)); err != nil {
		return summary, fmt.Errorf("--out: %w", err)
	}
	return summary, nil
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
		lines = append(lines, fmt.Sprintf("left out: %s %s, for which a dataset has no place (%s)", part, name, report.Count(file.Unknown[name], "row")))
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
	if directory == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d profiles, %d installations, %d events\n", directory, summary.Profiles, summary.Installations, summary.Events)
	return err
}
