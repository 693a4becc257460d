package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const validateHelp = `usage: mockserver validate --schema NAME [flags] FILE...

Checks payloads and files, CSV included, against a schema: the kind of an export
(userbase, profiles.events) for its file, or the path of a schema file, such as
legacy/campaign.request. The file - is standard input.

Every fault is one line: FILE:LINE:COLUMN: POINTER: MESSAGE (KEYWORD). --format prints
JSON, JUnit XML or SARIF instead. The exit code is 0 without faults, 1 with faults, 2
when the command line is wrong, and 3 when something could not be read.
`

type validateFlags struct {
	schema, schemas, format string
	maxFaults               int
	files                   []string
}

func validateCommand(t terminal) *cobra.Command {
	var f validateFlags
	command := newCommand("validate --schema NAME [flags] FILE...", "check payloads and files against a schema", validateHelp)
	judge(command)
	flags := command.Flags()
	flags.StringVar(&f.schema, "schema", "", "validate against the schema `NAME`: the kind of an export, or a schema file such as legacy/campaign.request (required)")
	flags.StringVar(&f.schemas, "schemas", "", schemasUsage)
	defineFormat(flags, &f.format, "print faults as `FORMAT`: text, json with one object per fault and one per file, junit with a test case per file, or sarif")
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
	return checkFormat(f.format, formatText, formatJSON, formatJUnit, formatSARIF)
}

// validate checks files and prints their faults.
func validate(ctx context.Context, f validateFlags, t terminal) error {
	library, err := openLibrary(f.schemas)
	if err != nil {
		return err
	}
	schema, err := library.Resolve(f.schema)
	if err != nil {
		return misuse("--schema: %v", err)
	}
	faults := &faults{newFindings("mockserver validate", f.format, t), schema, f.maxFaults}
	faulty := false
	for _, name := range f.files {
		summary, err := validateFile(ctx, library, name, faults, t)
		if err != nil {
			return faults.end(err)
		}
		faulty = faulty || summary.Faults > 0
	}
	if faulty {
		return faults.end(errFaults)
	}
	return faults.end(nil)
}

// validateFile checks one file and prints its faults.
func validateFile(ctx context.Context, library *schemas.Library, name string, to *faults, t terminal) (summary schemas.Summary, err error) {
	file := to.begin(name)
	if err := checkInput(name); err != nil {
		file.broken(err)
		return summary, err
	}
	content := input(ctx, name, t)
	defer content.Close()
	summary, err = library.CheckFile(to.schema, content, func(fault schemas.Fault) bool {
		if ctx.Err() != nil { // it may be a fault only of what was not read
			return false
		}
		return file.fault(fault)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, interrupted(ctx, err, fmt.Sprintf("only rows up to %d were read, with %d faults", summary.Rows, summary.Faults)))
		file.broken(err)
		return summary, err
	}
	file.end(summary)
	return summary, nil
}
