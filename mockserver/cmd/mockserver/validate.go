package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const validateHelp = `usage: mockserver validate --schema NAME [flags] FILE...

Checks payloads and files, CSV included, against a schema: the kind of an export
(userbase, profiles.events) for its file, or the path of a schema file, such as
legacy/campaign.request. The file - is standard input.

Every fault is one line: FILE:LINE:COLUMN: POINTER: MESSAGE (KEYWORD). The exit code is
0 without faults, 1 with faults, 2 when the command line is wrong.
`

type validateFlags struct {
	schema, schemas string
	maxFaults       int
	files           []string
}

func validateCommand(t terminal) *cobra.Command {
	var f validateFlags
	command := newCommand("validate --schema NAME [flags] FILE...", "check payloads and files against a schema", validateHelp)
	flags := command.Flags()
	flags.StringVar(&f.schema, "schema", "", "validate against the schema `NAME`: the kind of an export, or a schema file such as legacy/campaign.request (required)")
	flags.StringVar(&f.schemas, "schemas", "", schemasUsage)
	flags.IntVar(&f.maxFaults, "max-faults", 100, "stop reading a file after `N` faults; 0 reads to the end")
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		if err := f.check(); err != nil {
			return err
		}
		return validate(command.Context(), f, t)
	}
	return command
}

// check refuses values that no flag can have alone or beside the others.
func (f *validateFlags) check() error {
	switch {
	case f.schema == "":
		return misuse("--schema is missing; it names what the files must be, such as userbase or legacy/campaign.request")
	case len(f.files) == 0:
		return misuse("no file is given; name files to check, or - for standard input")
	case f.maxFaults < 0:
		return misuse("--max-faults is %d; it must not be negative", f.maxFaults)
	}
	return nil
}

// validate checks files and prints their faults.
func validate(ctx context.Context, f validateFlags, t terminal) error {
	library, err := openLibrary(f.schemas)
	if err != nil {
		return err
	}
	if _, err := library.Resolve(f.schema); err != nil {
		return misuse("--schema: %v", err)
	}
	out := bufio.NewWriter(t.out)
	defer out.Flush()
	faulty := false
	for _, name := range f.files {
		summary, err := validateFile(ctx, library, f, name, out, t)
		if err != nil {
			out.Flush()
			return fmt.Errorf("%s: %w", name, err)
		}
		faulty = faulty || summary.Faults > 0
		printSummary(out, name, summary, f.maxFaults)
	}
	if faulty {
		return errFaults
	}
	return nil
}

// validateFile checks one file and prints a line for each fault.
func validateFile(ctx context.Context, library *schemas.Library, f validateFlags, name string, out io.Writer, t terminal) (schemas.Summary, error) {
	in := t.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return schemas.Summary{}, err
		}
		defer file.Close()
		in = file
	}
	faults := 0
	summary, err := library.CheckFile(f.schema, in, func(fault schemas.Fault) bool {
		faults++
		fmt.Fprintf(out, "%s:%d:%d: %s: %s (%s)\n", name, fault.Line, fault.Column, orDefault(fault.Pointer, "/"), fault.Message, fault.Keyword)
		return ctx.Err() == nil && (f.maxFaults == 0 || faults < f.maxFaults)
	})
	if err == nil {
		err = ctx.Err()
	}
	return summary, err
}

func printSummary(out io.Writer, name string, summary schemas.Summary, most int) {
	verdict := "no faults"
	switch {
	case summary.Faults == 1:
		verdict = "1 fault"
	case summary.Faults > 1:
		verdict = fmt.Sprintf("%d faults", summary.Faults)
	}
	if most > 0 && summary.Faults >= int64(most) {
		verdict = fmt.Sprintf("stopped after %s; --max-faults 0 shows all", verdict)
	}
	what := "rows"
	switch {
	case summary.Single:
		what = "value"
	case summary.Rows == 1:
		what = "row"
	}
	fmt.Fprintf(out, "%s: %s: %d %s, %s\n", name, summary.Schema, summary.Rows, what, verdict)
}
