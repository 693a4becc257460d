package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// pseudonymiseUsage is the help of --pseudonymise.
const pseudonymiseUsage = "replace what is personal by pseudonyms that follow from `KEY`, which --new-key of import writes, " +
	"or @FILE with it; a passphrase of 16 bytes is worse"

// pseudonymKey is the key of a flag; nil for none.
func pseudonymKey(of secret.Text) (*pseudonym.Key, error) {
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

// newKey writes a key that nobody has into a new file.
func newKey(name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("--new-key: %w", err)
	}
	_, err = file.WriteString(pseudonym.Make() + "\n")
	return errors.Join(err, file.Close())
}

// printKey says by which key there are pseudonyms, if there are: somebody who gives another key the next time can see it.
func printKey(out io.Writer, key *pseudonym.Key) {
	if key != nil {
		fmt.Fprintf(out, "pseudonyms are by the key with the check value %s\n", key.Check())
	}
}

// unpacked reads a file without its archive.
type unpacked struct {
	io.Reader
	io.Closer
}

// pseudonymisedFile copies a file with pseudonyms, in an archive if it came in one.
func pseudonymisedFile(
	library *schemas.Library, export schemas.Export, key *pseudonym.Key, open func() (io.ReadCloser, error), into io.Writer,
) error {
	plain := func() (io.ReadCloser, error) {
		file, err := open()
		if err != nil {
			return nil, err
		}
		content, err := exports.Unpacked(export, file)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return unpacked{content, file}, nil
	}
	packed, err := exports.Pack(export, 1, time.Time{}, into)
	if err != nil {
		return err
	}
	if packed == nil {
		return importer.Pseudonymise(library, export, key, plain, into)
	}
	return errors.Join(importer.Pseudonymise(library, export, key, plain, packed), packed.Close())
}

// pseudonymised copies files with the pseudonyms of a key, by the schema files of the moment.
func pseudonymised(key *pseudonym.Key, library func() *schemas.Library) recorder.Change {
	return func(kind string, open func() (io.ReadCloser, error), into io.Writer) error {
		library := library()
		for _, export := range library.Exports() {
			if export.Kind == kind {
				return pseudonymisedFile(library, export, key, open, into)
			}
		}
		return fmt.Errorf("%q is no kind of export", kind)
	}
}
