package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	_ "time/tzdata" // the zones of people, wherever the program runs

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/imports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
)

const learnHelp = `usage: mockserver learn --out FILE [flags] FILE...

Finds the settings under which the synthetic world resembles the base that export files
tell of, yours or the real service's, and writes them as a file for --config of serve and
generate. Any mix of the eleven kinds and any number of files and days is one base,
compressed with gzip or not; the file - is standard input.

Nothing is written that fewer than --people people share: no value, and no share of fewer.
What settings cannot say, such as delays, is written as schema files beside the file.
--report shows the base beside the world that was learned, with plots.

The exit code is 0 when settings were written, 1 when rows do not fit the schemas or tell
of too few people, and then nothing is, 2 when the command line is wrong.
`

type learnFlags struct {
	out, schemas     string
	reports          []string
	people           int64
	kinds, campaigns files.PerFile
	files            []string
}

func learnCommand(t terminal) *cobra.Command {
	var f learnFlags
	command := newCommand("learn --out FILE [flags] FILE...", "find the settings of a world that resembles a base", learnHelp)
	f.define(command.Flags())
	command.PreRunE = func(*cobra.Command, []string) error { return f.check() }
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		return learnFiles(command.Context(), &f, t)
	}
	return command
}

func (f *learnFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "write the settings to `FILE`, such as world.yaml, and schema files to world.schemas beside it (required)")
	flags.Int64Var(&f.people, "people", learn.DefaultPeople, "learn nothing that fewer than `N` people share")
	settings.RepeatedFunc(flags, "report", "write a report to `FILE`: a page with plots if its name ends in .html, JSON if in .json; repeatable", func(name string) error {
		if ending := filepath.Ext(name); ending != ".html" && ending != ".json" {
			return errors.New("must end in .html or .json")
		}
		f.reports = append(f.reports, name)
		return nil
	})
	imports.Define(flags, &f.schemas, &f.kinds, &f.campaigns)
	settings.AtLeast(flags, "people", 2)
}

func (f *learnFlags) check() error {
	switch {
	case f.out == "":
		return usage.Errorf("--out is missing: name the file for the settings, such as world.yaml")
	case f.people < 2:
		return usage.Errorf("--people is %d; it must be at least 2, since what one person has would be theirs", f.people)
	}
	return nil
}

// learnFiles learns a world and writes it.
func learnFiles(ctx context.Context, f *learnFlags, t terminal) error {
	overlay, err := files.OpenSchemas(f.schemas)
	if err != nil {
		return err
	}
	if _, err := files.OpenLibrary(f.schemas); err != nil {
		return err
	}
	inputs, err := imports.Inputs(ctx, f.files, &f.kinds, &f.campaigns, t.in)
	if err != nil {
		return err
	}
	if err := imports.CheckOutputs(f.out, f.reports, f.files, report.Wrote); err != nil {
		return err
	}
	options := learn.Options{People: f.people, Overlay: overlay}
	if isTerminal(t.err) {
		options.Progress = func(part, of int) {
			fmt.Fprintf(t.err, "learning: part %d of %d\n", part, of)
		}
	}
	learned, err := learn.Files(ctx, inputs, options)
	if err != nil {
		return imports.Fault(err)
	}
	if err := writeLearned(f, learned); err != nil {
		return err
	}
	return learned.Print(t.out)
}

// writeLearned writes the settings, beside them the schema files, and the reports.
func writeLearned(f *learnFlags, learned *learn.Learned) error {
	directory, within, made := "", "", learned.Schemas()
	if len(made) > 0 {
		directory = strings.TrimSuffix(f.out, filepath.Ext(f.out)) + ".schemas"
		within = filepath.Base(directory)
	}
	if stray := files.Stray(directory, made); directory != "" && stray != "" {
		return fmt.Errorf("--out: %s is not of this world, and would be part of it: remove it, or choose another name", stray)
	}
	if err := errors.Join(files.WriteTree(directory, made), files.Write(f.out, learned.YAML(within))); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	report := learned.Report()
	for _, name := range f.reports {
		var content bytes.Buffer
		write := report.HTML
		if filepath.Ext(name) == ".json" {
			write = report.JSON
		}
		if err := errors.Join(write(&content), files.Write(name, content.Bytes())); err != nil {
			return fmt.Errorf("--report: %w", err)
		}
	}
	return nil
}
