package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
)

// Data is the dataset of --data: a directory with the files of one, or what was made of export files in it.
type Data struct {
	// Files are those of the dataset; nil without --data.
	Files fs.FS

	key    *pseudonym.Key  // by which there are pseudonyms; nil: there are none
	read   []importer.File // the export files
	forget func()
}

// OpenData opens the dataset of --data, for schema files and a key as their flags name them. Close removes what was made of export
// files.
func OpenData(ctx context.Context, name string, overlays files.Overlays, pseudonymise secret.Text) (*Data, error) {
	made := &Data{}
	if name == "" {
		return made, nil
	}
	directory, err := files.OpenDirectory("--data", name, 0)
	if err != nil {
		return made, err
	}
	made.Files = directory
	return made, made.importFrom(ctx, directory, overlays, pseudonymise)
}

// Close removes what was made of export files.
func (d *Data) Close() {
	if d != nil && d.forget != nil {
		d.forget()
	}
}

// Banner says in a line what the dataset of a server holds, which --data names or the state remembers, and in another by which key
// there are pseudonyms; "": there is no dataset.
func (d *Data) Banner(name string, profiles, installations, events int, only bool) string {
	if name == "" && profiles+installations+events == 0 && !only {
		return ""
	}
	mode := "beside the world"
	if only {
		mode = "only: exports show nothing of the world"
	}
	text := fmt.Sprintf("  data         %s: %d profiles, %d installations, %d events; %s\n", cmp.Or(name, "as it was left in the state"), profiles, installations, events, mode)
	if d.key != nil {
		text += fmt.Sprintf("  pseudonyms   by the key with the check value %s\n", d.key.Check())
	}
	return text
}

// PrintLeftOut says what of export files is not in the dataset, as [Print] does.
func (d *Data) PrintLeftOut(out io.Writer) {
	for _, file := range d.read {
		printLeftOut(out, &file)
	}
}

// Log says the same in a log.
func (d *Data) Log(logger *slog.Logger) {
	for _, file := range d.read {
		for _, line := range leftOut(&file) {
			logger.Warn("a part of --data is not shown", "file", file.Name, "because", line)
		}
	}
}

// importFrom replaces the files by the dataset of export files, if a directory holds those in place of the files of a dataset.
func (d *Data) importFrom(ctx context.Context, directory fs.FS, overlays files.Overlays, pseudonymise secret.Text) error {
	inputs, done, err := exportFiles(directory)
	defer done()
	if err != nil || len(inputs) == 0 {
		return err
	}
	key, err := Key(pseudonymise)
	if err != nil {
		return err
	}
	library, err := overlays.Library()
	if err != nil {
		return err
	}
	made, err := os.MkdirTemp("", "rehearsal-import-")
	if err != nil {
		return err
	}
	summary, err := write(ctx, library, inputs, importer.Options{Key: key, Directory: made}, made, nil)
	if err != nil {
		os.RemoveAll(made)
		if unknown := (*check.KindError)(nil); errors.As(err, &unknown) && misspelt(directory) {
			return nil // what reads it says what the file may be called
		}
		return fmt.Errorf("--data: %w", Fault(err))
	}
	d.key, d.read = key, summary.Files
	d.Files, d.forget, err = openAll(made)
	return err
}

// misspelt is whether a file of a directory has almost the name of a dataset's file.
func misspelt(directory fs.FS) bool {
	entries, _ := fs.ReadDir(directory, ".")
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		_, _, err := input.KindOf(entry)
		return err != nil
	})
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
		if _, is, _ := input.KindOf(entry); is {
			return nil, done, nil // it is a dataset already
		}
		ending := filepath.Ext(strings.TrimSuffix(entry.Name(), ".gz"))
		if entry.IsDir() || !slices.Contains([]string{".csv", ".json", ".ndjson", ".jsonl"}, ending) {
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
