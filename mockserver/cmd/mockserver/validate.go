package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const validateHelp = `usage: mockserver validate --schema NAME [flags] FILE...

Checks payloads and files, CSV included, against a schema: the kind of an export
(userbase, profiles.events) for its file, or the path of a schema file, such as
legacy/campaign.request. The file - is standard input.

Every fault is one line: FILE:LINE:COLUMN: POINTER: MESSAGE [KEYWORD]. --format prints
JSON, JUnit XML, SARIF or HTML instead. The exit code is 0 without faults, 1 with faults, 2
when the command line is wrong, and 3 when something could not be read.
`

type validateFlags struct {
	schemas        files.Overlays
	schema, format string
	maxFaults      int
	files          []string
}

func validateCommand(t terminal) *cobra.Command {
	var f validateFlags
	command := newCommand("validate --schema NAME [flags] FILE...", "check payloads and files against a schema", validateHelp)
	judge(command)
	flags := command.Flags()
	flags.StringVar(&f.schema, "schema", "",
		"validate against `NAME`: a kind of export, or a schema file such as legacy/campaign.request (required)")
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	flags.StringVar(&f.format, "format", report.Text, "print faults as `FORMAT`: text, json, junit, sarif or html")
	flags.IntVar(&f.maxFaults, "max-faults", 100, "stop reading a file after `N` faults; 0 reads to the end")
	settings.AtLeast(flags, "max-faults", 0)
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		switch {
		case f.schema == "":
			return usage.Errorf("--schema is missing; it names what the files must be, such as userbase or legacy/campaign.request")
		case len(f.files) == 0:
			return usage.Errorf("no file is given; name files to check, or - for standard input")
		}
		return validate(command.Context(), f, t)
	}
	return command
}

// validate checks files and prints their faults.
func validate(ctx context.Context, f validateFlags, t terminal) error {
	library, err := f.schemas.Library()
	if err != nil {
		return err
	}
	schema, err := library.Resolve(f.schema)
	if err != nil {
		return usage.Errorf("--schema: %v", err)
	}
	out := report.New(t.out, f.format, "mockserver validate", versionNow().version)
	for _, name := range f.files {
		if err := f.validateFile(ctx, library, schema, name, out, t); err != nil {
			return out.End(err)
		}
	}
	return out.End(nil)
}

// validateFile checks one file and prints its faults.
func (f *validateFlags) validateFile(ctx context.Context, library *schemas.Library, schema, name string, out *report.Report, t terminal) error {
	file := out.Case(schema, name)
	if err := files.CheckInput(name); err != nil {
		file.Break(name, err)
		return err
	}
	content := files.Input(ctx, name, t.in)
	defer content.Close()
	count := 0
	summary, err := library.CheckFile(schema, content, func(fault schemas.Fault) bool {
		if ctx.Err() != nil { // it may be a fault only of what was not read
			return false
		}
		count++
		file.Find(report.Finding{
			Rule: fault.Keyword, Pointer: fault.Pointer, Message: fault.Message,
			Place: &report.Place{File: name, Row: fault.Row, Line: int64(fault.Line), Column: int64(fault.Column)},
		})
		return f.maxFaults == 0 || count < f.maxFaults
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		left := fmt.Sprintf("only rows up to %d were read, with %d faults", summary.Rows, summary.Faults)
		err = fmt.Errorf("%s: %w", name, interrupted(ctx, err, left))
		file.Break(name, err)
		return err
	}
	seen := validated{name, summary, f.maxFaults > 0 && count >= f.maxFaults}
	out.Summarize(seen, seen.String())
	return nil
}

// validated is what became of a file.
type validated struct {
	File string `json:"file"`
	schemas.Summary
	// Stopped says that there may be more faults.
	Stopped bool `json:"stopped"`
}

func (v validated) String() string {
	verdict := "no faults"
	if v.Faults > 0 {
		verdict = report.Count(v.Faults, "fault")
	}
	if v.Stopped {
		verdict = fmt.Sprintf("stopped after %s; --max-faults 0 shows all", verdict)
	}
	rows := report.Count(v.Rows, "row")
	if v.Single {
		rows = "1 value"
	}
	return fmt.Sprintf("%s: %s: %s, %s\n", report.Printable(v.File), v.Schema, rows, verdict)
}
