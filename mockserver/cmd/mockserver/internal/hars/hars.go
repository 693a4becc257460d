// Package hars is the command har: its flags, and what it does in either direction.
package hars

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/imports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/output"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/har"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Help is that of the command.
const Help = `usage: mockserver har --out PATH [flags] RECORDING|FILE

Turns a recording that "proxy --record" has written, a directory, into a HAR 1.2 file for
browsers and other tools; and a HAR file, of a browser, another proxy or a testing tool,
into a recording for "serve --replay" and "compare".

There are no credentials and no cookies in what is written, whatever was in the HAR file,
and the address of the service is not in it. What cannot be replayed is left out and
counted: requests that were not answered, were for something else than the export API, or
whose answers the HAR file does not hold.

The exit code is 0 when it is written, 1 when it cannot be read, 2 when the command line
is wrong.
`

// Flags are those of the command.
type Flags struct{ out, schemas, pseudonymise string }

// Define defines them.
func (f *Flags) Define(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "write to `PATH`: a new file for a recording, a new or empty directory for a HAR file (required)")
	flags.StringVar(&f.pseudonymise, "pseudonymise", "", imports.PseudonymiseUsage)
	flags.StringVar(&f.schemas, "schemas", "", files.SchemasUsage)
}

// Check refuses values that no flag can have alone or together with the others.
func (f *Flags) Check(arguments []string) error {
	switch {
	case f.out == "":
		return usage.Errorf("--out is missing: name the HAR file or the directory to write")
	case len(arguments) != 1:
		return usage.Errorf("%d paths are given; name one recording, or one HAR file", len(arguments))
	}
	information, err := os.Stat(arguments[0])
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage.Errorf("%s is not there; name a recording, or a HAR file", arguments[0])
	case err == nil && information.IsDir() && f.pseudonymise != "":
		return usage.Errorf("--pseudonymise is for what becomes a recording; make it of this one with proxy --record, or of its HAR file")
	}
	return nil
}

// Run writes the one or the other, and says what is in it.
func Run(f Flags, from, version string, out io.Writer) error {
	if information, err := os.Stat(from); err == nil && information.IsDir() {
		return f.export(from, version, out)
	}
	return f.record(from, out)
}

// export makes a HAR file of a recording.
func (f *Flags) export(from, version string, out io.Writer) (err error) {
	recording, err := files.OpenRoot("the recording", from)
	if err != nil {
		return err
	}
	into, err := os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--out: %s is there already, and nothing is written over; name another file", f.out)
	} else if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	buffered := bufio.NewWriter(into)
	written, err := har.Write(buffered, recording, version)
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	if err = errors.Join(err, buffered.Flush(), into.Close()); err != nil {
		return errors.Join(err, os.Remove(f.out))
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", output.Printable(f.out), output.Count(written, "exchange"))
	return err
}

// record makes a recording of a HAR file.
func (f *Flags) record(from string, out io.Writer) error {
	key, err := imports.Key(f.pseudonymise)
	if err != nil {
		return err
	}
	observer, err := files.Observer(f.schemas)
	if err != nil {
		return err
	}
	if err := files.CheckInput(from); err != nil {
		return err
	}
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	bodies, err := os.MkdirTemp("", "mockserver-har-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bodies)
	exchanges, err := har.Read(bufio.NewReader(file), bodies)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	var began time.Time
	if len(exchanges) > 0 {
		began = exchanges[0].Began
	}
	var change recorder.Change
	if key != nil {
		change = imports.Pseudonymise(key, func() *schemas.Library { return observer.Bench().Library() })
	}
	into, err := recorder.New(f.out, began, change)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	lost := har.Import(exchanges, observer, into)
	summary, err := into.Close()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, output.Printable(summary))
	if lost > 0 {
		fmt.Fprintf(out, "  taken to have had a credential: %s without one, which the service let in\n", output.Count(lost, "request"))
	}
	if observer.Seen.Known == 0 {
		return fmt.Errorf("%s: no request in it is for an endpoint of the schema files that a service answered", from)
	}
	return nil
}
