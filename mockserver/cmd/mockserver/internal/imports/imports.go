// Package imports writes the dataset that export files tell of.
package imports

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

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/worldcount"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Fault makes a kind that cannot be told a mistake of the command line.
func Fault(err error) error {
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return usage.Errorf("%v", unknown)
	}
	return err
}

// Define defines the flags of commands that read export files as such.
func Define(flags *pflag.FlagSet, overlays *files.Overlays, kinds, campaigns *files.PerFile) {
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, overlays.Add)
	settings.RepeatedFunc(flags, "kind", "take a file for the kind of export of `FILE=KIND` (default inferred from its content)", kinds.Add)
	settings.RepeatedFunc(flags, "campaign",
		"name the campaign or group of a file by `FILE=NAME` (default the name of the file up to its first dot)", campaigns.Add)
}

// Inputs are the files of a command line, with what flags say of some.
func Inputs(ctx context.Context, names []string, kinds, campaigns *files.PerFile, standard io.Reader) (list []importer.Input, err error) {
	if len(names) == 0 {
		return nil, usage.Errorf("no file is given; name export files, or - for standard input")
	}
	if err := errors.Join(kinds.Resolve("--kind", names), campaigns.Resolve("--campaign", names)); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := files.CheckInput(name); errors.Is(err, fs.ErrNotExist) {
			return nil, usage.Errorf("%s is not there; name export files, or - for standard input", name)
		} else if err != nil {
			return nil, err
		}
		list = append(list, importer.Input{Name: name, Reader: files.Input(ctx, name, standard), Kind: kinds.Values[name], Campaign: campaigns.Values[name]})
	}
	return list, nil
}

// PseudonymiseUsage is the help of --pseudonymise.
const PseudonymiseUsage = "replace what is personal by pseudonyms that follow from `KEY`, a secret of at least 16 bytes, or @FILE with one"

// Key is the key of a flag; nil for none.
func Key(of secret.Text) (*pseudonym.Key, error) {
	text := of.Reveal()
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

// PrintKey says by which key there are pseudonyms, if there are: somebody who gives another key the next time can see it.
func PrintKey(out io.Writer, key *pseudonym.Key) {
	if key != nil {
		fmt.Fprintf(out, "pseudonyms are by the key with the check value %s\n", key.Check())
	}
}

// Pseudonymise copies files with the pseudonyms of a key, by the schema files of the moment.
func Pseudonymise(key *pseudonym.Key, library func() *schemas.Library) func(kind string, from io.Reader, into io.Writer) error {
	return func(kind string, from io.Reader, into io.Writer) error {
		library := library()
		for _, export := range library.Exports() {
			if export.Kind == kind {
				return importer.Pseudonymise(library, export, key, from, into)
			}
		}
		return fmt.Errorf("%q is no kind of export", kind)
	}
}

// write writes the rows of export files into the files of a dataset; counter counts them as well, unless it is nil.
func write(ctx context.Context, library *schemas.Library, inputs []importer.Input, options importer.Options, directory string, counter *worldcount.Counter) (importer.Summary, error) {
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

// checkOut refuses what a dataset would replace: anything but an empty directory, or nothing.
func checkOut(out string) error {
	information, err := os.Lstat(out)
	switch {
	case err != nil: // it is not there, or what makes it says what is wrong
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

// Write makes a directory with the dataset of export files, all of it or nothing. Without a directory the rows are counted only.
func Write(ctx context.Context, library *schemas.Library, inputs []importer.Input, key *pseudonym.Key, out string,
	counter *worldcount.Counter) (summary importer.Summary, err error) {
	if out == "" {
		summary, err = importer.Files(ctx, library, inputs, importer.Options{Begin: counter.Begin}, counter.Row)
		return summary, Fault(err)
	}
	if err := checkOut(out); err != nil {
		return summary, err
	}
	parent, _ := filepath.Split(filepath.Clean(out))
	directory, err := os.MkdirTemp(parent, ".import-")
	if err != nil {
		return summary, fmt.Errorf("--out: %w", err)
	}
	defer os.RemoveAll(directory)
	if summary, err = write(ctx, library, inputs, importer.Options{Key: key, Directory: directory}, directory, counter); err != nil {
		return summary, Fault(err)
	}
	if err := checkOut(out); err != nil { // it may have come since
		return summary, err
	}
	_ = os.Remove(out) // if it is there, it is an empty directory
	if err := errors.Join(os.Chmod(directory, 0o755), os.Rename(directory, out)); err != nil {
		return summary, fmt.Errorf("--out: %w", err)
	}
	return summary, nil
}

func rows(count int64) string {
	if count == 1 {
		return "1 row"
	}
	return fmt.Sprint(count, " rows")
}

// leftOut is what of a file is not in the dataset, a line each.
func leftOut(file *importer.File) (lines []string) {
	if file.Nameless > 0 {
		lines = append(lines, rows(file.Nameless)+" without an identifier, left out")
	}
	part := "column"
	if strings.HasPrefix(file.Kind, "profiles.") {
		part = "member"
	}
	for _, name := range slices.Sorted(maps.Keys(file.Unknown)) {
		lines = append(lines, fmt.Sprintf("left out: %s %s, for which a dataset has no place (%s)", part, name, rows(file.Unknown[name])))
	}
	return lines
}

func printLeftOut(out io.Writer, file *importer.File) {
	for _, line := range leftOut(file) {
		fmt.Fprintf(out, "%s: %s\n", file.Name, line)
	}
}

// Print says what was found in each file, and what became of it.
func Print(out io.Writer, summary *importer.Summary, directory string) error {
	for _, file := range summary.Files {
		switch {
		case file.Kind == "":
			fmt.Fprintf(out, "%s: no rows, of whatever kind\n", file.Name)
		case file.Campaign != "":
			fmt.Fprintf(out, "%s: %s of %s, %s\n", file.Name, file.Kind, file.Campaign, rows(file.Rows))
		default:
			fmt.Fprintf(out, "%s: %s, %s\n", file.Name, file.Kind, rows(file.Rows))
		}
		printLeftOut(out, &file)
	}
	if directory == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d profiles, %d installations, %d events\n", directory, summary.Profiles, summary.Installations, summary.Events)
	return err
}
