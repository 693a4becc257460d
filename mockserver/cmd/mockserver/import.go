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
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const importHelp = `usage: mockserver import --out DIR [flags] FILE...

Turns export files, yours or the real service's, into a dataset: a directory with
profiles.ndjson, installations.ndjson and events.ndjson, which --data of serve and
generate loads. Any mix of the eleven kinds and any number of files and days is one
import, compressed with gzip or not; the file - is standard input. Of two snapshots of
one person the one named later counts.

--pseudonymise KEY replaces every identifier, address, number, name and text by one of
the same shape before anything is kept, the same one in every run with that key.

The exit code is 0 when all rows were imported, 1 when some do not fit the schemas, and
then nothing is, 2 when the command line is wrong.
`

const pseudonymiseUsage = "replace identifiers, addresses, numbers, names and texts of export files by pseudonyms that follow from `KEY`, a secret of at least 16 bytes, or @FILE for one that is in a file"

type importFlags struct {
	out, schemas, pseudonymise string
	kinds, campaigns           perFile
	files                      []string
}

func importCommand(t terminal) *cobra.Command {
	var f importFlags
	command := newCommand("import --out DIR [flags] FILE...", "turn export files into a dataset", importHelp)
	f.define(command.Flags())
	command.PreRunE = func(*cobra.Command, []string) error {
		if f.out == "" {
			return usage.Errorf("--out is missing: name the directory of the dataset")
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
	flags.StringVar(&f.out, "out", "", "write the dataset to `DIR`, which does not exist yet or is empty (required)")
	flags.StringVar(&f.schemas, "schemas", "", schemasUsage)
	flags.StringVar(&f.pseudonymise, "pseudonymise", "", pseudonymiseUsage)
	settings.RepeatedFunc(flags, "kind", "treat a file as the kind of export given by `FILE=KIND` (default inferred from its content)", f.kinds.add)
	settings.RepeatedFunc(flags, "campaign", "declare which campaign or transactional group a file belongs to, as `FILE=NAME` (default the name of the file up to its first dot)", f.campaigns.add)
}

// importFiles makes a dataset and says what is in it.
func importFiles(ctx context.Context, f *importFlags, t terminal) error {
	if len(f.files) == 0 {
		return usage.Errorf("no file is given; name export files, or - for standard input")
	}
	if err := errors.Join(f.kinds.resolve("--kind", f.files), f.campaigns.resolve("--campaign", f.files)); err != nil {
		return err
	}
	key, err := pseudonymKey(f.pseudonymise)
	if err != nil {
		return err
	}
	library, err := openLibrary(f.schemas)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(f.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("--out: %s is not empty; name a new directory", f.out)
	}
	var inputs []importer.Input
	for _, name := range f.files {
		if err := files.CheckInput(name); err != nil {
			return err
		}
		inputs = append(inputs, importer.Input{Name: name, Reader: files.Input(ctx, name, t.in), Kind: f.kinds.values[name], Campaign: f.campaigns.values[name]})
	}
	parent, _ := filepath.Split(filepath.Clean(f.out))
	directory, err := os.MkdirTemp(parent, ".import-")
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer os.RemoveAll(directory)
	summary, err := writeDataset(ctx, library, inputs, importer.Options{Key: key, Directory: directory}, directory)
	if err != nil {
		return importFault(err)
	}
	_ = os.Remove(f.out) // if it is there, it is empty
	if err := errors.Join(os.Chmod(directory, 0o755), os.Rename(directory, f.out)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return printImport(t.out, &summary, f.out)
}

// importFault makes a kind that cannot be told a mistake of the command line.
func importFault(err error) error {
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return usage.Errorf("%v", unknown)
	}
	return err
}

// pseudonymKey is the key of a flag; nil for none.
func pseudonymKey(text string) (*pseudonym.Key, error) {
	if text == "" {
		return nil, nil
	}
	if name, is := strings.CutPrefix(text, "@"); is {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--pseudonymise: %w", err)
		}
		text = strings.TrimSpace(string(content))
	}
	key, err := pseudonym.New(text)
	if err != nil {
		return nil, usage.Errorf("--pseudonymise: %v", err)
	}
	return key, nil
}

// writeDataset writes the rows of export files into the files of a dataset.
func writeDataset(ctx context.Context, library *schemas.Library, inputs []importer.Input, options importer.Options, directory string) (importer.Summary, error) {
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
	summary, err := importer.Files(ctx, library, inputs, options, func(kind string, row []byte) error {
		_, err := writers[kind].Write(append(row, '\n'))
		return err
	})
	for _, kind := range input.Kinds() {
		err = errors.Join(err, writers[string(kind)].Flush())
	}
	for _, file := range open {
		err = errors.Join(err, file.Close())
	}
	return summary, err
}

// printImport says what was found in each file, and what became of it.
func printImport(out io.Writer, summary *importer.Summary, directory string) error {
	for _, file := range summary.Files {
		switch {
		case file.Kind == "":
			fmt.Fprintf(out, "%s: no rows, of whatever kind\n", file.Name)
		case file.Campaign != "":
			fmt.Fprintf(out, "%s: %s of %s, %s\n", file.Name, file.Kind, file.Campaign, rowsText(file.Rows))
		default:
			fmt.Fprintf(out, "%s: %s, %s\n", file.Name, file.Kind, rowsText(file.Rows))
		}
		for _, name := range slices.Sorted(maps.Keys(file.Unknown)) {
			fmt.Fprintf(out, "%s: %s: a dataset has no place for it (%s)\n", file.Name, name, rowsText(file.Unknown[name]))
		}
	}
	_, err := fmt.Fprintf(out, "%s: %d profiles, %d installations, %d events\n", directory, summary.Profiles, summary.Installations, summary.Events)
	return err
}

// importedData is the dataset of a directory that holds export files in place of the files of a dataset; what it returns
// besides removes it.
func importedData(ctx context.Context, directory fs.FS, schemas, secret string) (fs.FS, func(), error) {
	nothing := func() {}
	inputs, done, err := exportFiles(directory)
	defer done()
	if err != nil || len(inputs) == 0 {
		return directory, nothing, err
	}
	key, err := pseudonymKey(secret)
	if err != nil {
		return nil, nothing, err
	}
	library, err := openLibrary(schemas)
	if err != nil {
		return nil, nothing, err
	}
	made, err := os.MkdirTemp("", "rehearsal-import-")
	if err != nil {
		return nil, nothing, err
	}
	remove := func() { os.RemoveAll(made) }
	if _, err := writeDataset(ctx, library, inputs, importer.Options{Key: key, Directory: made}, made); err != nil {
		remove()
		return nil, nothing, fmt.Errorf("--data: %w", importFault(err))
	}
	return os.DirFS(made), remove, nil
}

// exportFiles opens the files of a directory without files of a dataset; done closes them.
func exportFiles(directory fs.FS) (inputs []importer.Input, done func(), err error) {
	var open []fs.File
	done = func() {
		for _, file := range open {
			file.Close()
		}
	}
	entries, err := fs.ReadDir(directory, ".")
	if err != nil {
		return nil, done, err
	}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".gz")
		stem, ending, _ := strings.Cut(name, ".")
		if slices.Contains(input.Kinds(), input.Kind(stem)) && slices.Contains([]string{"csv", "json", "ndjson", "jsonl"}, ending) {
			return nil, done, nil // it is a dataset already
		}
		if entry.IsDir() || !slices.Contains([]string{".csv", ".json", ".ndjson", ".jsonl"}, filepath.Ext(name)) {
			continue
		}
		file, err := directory.Open(entry.Name())
		if err != nil {
			return nil, done, err
		}
		open, inputs = append(open, file), append(inputs, importer.Input{Name: entry.Name(), Reader: file})
	}
	return inputs, done, nil
}
