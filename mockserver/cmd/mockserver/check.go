package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

const checkHelp = `usage: mockserver check [flags] FILE...

Checks export files against each other, yours or the real service's: the same person
is the same everywhere, sent comes before delivered before open before click, and so on.
Any mix of kinds and any number of files is one check, compressed with gzip or not;
the file - is standard input.

Every violation is one line: FILE:LINE (row ROW): MESSAGE; see OTHER FILE AND ROW [RULE].
A line per rule follows: held, violated, or not checkable with these files and why. The
exit code is 0 without violations, 1 with violations, 2 when the command line is wrong.
--rules list explains every rule.
`

type checkFlags struct {
	rules, format, schemas, temporary, now string
	maxFindings, memory                    int
	reach                                  time.Duration
	kinds, campaigns, windows              perFile
	files                                  []string
}

// perFile collects flags of the form FILE=VALUE. Both may hold further equals signs.
type perFile struct {
	given  []string
	values map[string]string // by file, once the files are known
}

// add keeps a flag until the files are known.
func (p *perFile) add(text string) error {
	if at := strings.IndexByte(text, '='); at <= 0 || at == len(text)-1 {
		return fmt.Errorf("%q is not of the form FILE=VALUE", text)
	}
	p.given = append(p.given, text)
	return nil
}

// resolve finds the file of every flag; the longest name wins.
func (p *perFile) resolve(name string, files []string) error {
	p.values = map[string]string{}
	for _, text := range p.given {
		found := ""
		for _, file := range files {
			if strings.HasPrefix(text, file+"=") && len(file) > len(found) {
				found = file
			}
		}
		if found == "" {
			file, _, _ := strings.Cut(text, "=")
			return misuse("%s speaks of %s, which is not among the files", name, file)
		}
		p.values[found] = text[len(found)+1:]
	}
	return nil
}

func checkCommand(t terminal) *cobra.Command {
	var f checkFlags
	command := newCommand("check [flags] FILE...", "check export files against each other", checkHelp)
	f.define(command.Flags())
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		if err := f.check(); err != nil {
			return err
		}
		return checkFiles(command.Context(), f, t)
	}
	return command
}

func (f *checkFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.rules, "rules", "", "check only the rules in `LIST`, or, prefixed with a minus sign, leave them out: --rules=-time-order; list explains all rules (default all rules)")
	flags.StringVar(&f.format, "format", "text", "print findings as `FORMAT`: text, or json with one object per finding and one for the summary")
	flags.IntVar(&f.maxFindings, "max-findings", 20, "print at most `N` findings of each rule and count the rest; 0 prints all")
	severalBy(flags, "kind", "treat a file as the kind of export given by `FILE=KIND` (default inferred from its content)", f.kinds.add)
	severalBy(flags, "campaign", "declare which campaign or transactional group a file belongs to, as `FILE=NAME`; only files of one campaign are compared as such", f.campaigns.add)
	severalBy(flags, "window", "declare the window that was requested for a file, as `FILE=FROM/TO`, or the moment that a snapshot shows, as FILE=DATE (default inferred from the rows, roughly)", f.windows.add)
	flags.StringVar(&f.now, "now", "", "use `DATE` as the present; no date may lie after it (default the real time)")
	flags.DurationVar(&f.reach, "reach", check.DefaultReach, "expect an event at most `DURATION` after its cause; an earlier cause that the files cover and lack is a violation")
	flags.IntVar(&f.memory, "memory", check.DefaultMemory>>20, "sort rows in `N` MB of memory, and in temporary files beyond that; the whole check stays below 256 MB by default")
	flags.StringVar(&f.temporary, "temporary", "", "create temporary files, about as large as the files checked, in `DIR` (default that of the system)")
	flags.StringVar(&f.schemas, "schemas", "", schemasUsage)
}

// check refuses values that no flag can have alone or beside the others.
func (f *checkFlags) check() error {
	switch {
	case f.format != "text" && f.format != "json":
		return misuse("--format %q is not known; it must be text or json", f.format)
	case f.maxFindings < 0:
		return misuse("--max-findings is %d; it must not be negative", f.maxFindings)
	case f.memory < 1 || f.memory > 1<<20:
		return misuse("--memory is %d; it must be from 1 to %d MB", f.memory, 1<<20)
	case f.reach <= 0:
		return misuse("--reach is %v; it must be above zero", f.reach)
	case f.rules == "list" && len(f.files) == 0:
		return nil
	case len(f.files) == 0:
		return misuse("no file is given; name files to check, or - for standard input")
	}
	for _, of := range []struct {
		name  string
		given *perFile
	}{{"--kind", &f.kinds}, {"--campaign", &f.campaigns}, {"--window", &f.windows}} {
		if err := of.given.resolve(of.name, f.files); err != nil {
			return err
		}
	}
	return nil
}

// checkFiles checks files and prints what it finds.
func checkFiles(ctx context.Context, f checkFlags, t terminal) error {
	out := bufio.NewWriter(t.out)
	defer out.Flush()
	if f.rules == "list" {
		return listRules(out, f.format)
	}
	library, err := openLibrary(f.schemas)
	if err != nil {
		return err
	}
	inputs, err := f.inputs(t)
	if err != nil {
		return err
	}
	options := check.Options{Reach: f.reach, Memory: f.memory << 20, Directory: f.temporary, MaxFindings: f.maxFindings, Now: t.now()}
	if f.rules != "" {
		options.Rules = strings.Split(f.rules, ",")
	}
	if f.now != "" {
		if options.Now, err = exports.ParseDate(f.now, t.now()); err != nil {
			return misuse("--now: %v", err)
		}
	}
	for _, rule := range options.Rules {
		if err := check.KnownRule(rule); err != nil {
			return misuse("--rules: %v", err)
		}
	}
	summary, err := check.Files(ctx, library, inputs, options, func(found check.Finding) bool {
		printFinding(out, f.format, found)
		return true
	})
	var unknown *check.KindError
	switch {
	case errors.As(err, &unknown):
		out.Flush()
		return misuse("%v", err)
	case err != nil:
		return err
	}
	printVerdicts(out, f.format, summary)
	if summary.Violations() > 0 {
		return errFaults
	}
	return nil
}

// inputs are the files with what the flags say of them.
func (f checkFlags) inputs(t terminal) ([]check.Input, error) {
	var inputs []check.Input
	for _, name := range f.files {
		input := check.Input{Name: name, Reader: &lazyFile{name: name}, Kind: f.kinds.values[name], Campaign: f.campaigns.values[name]}
		if name == "-" {
			input.Reader = t.in
		} else if information, err := os.Stat(name); err != nil {
			return nil, err
		} else if information.IsDir() {
			return nil, misuse("%s is a directory; name the files in it", name)
		}
		if window := f.windows.values[name]; window != "" {
			from, to, both := strings.Cut(window, "/")
			if !both {
				from, to = "", from
			}
			for _, date := range []struct {
				text string
				into *time.Time
			}{{from, &input.From}, {to, &input.To}} {
				if date.text == "" {
					continue
				}
				parsed, err := exports.ParseDate(date.text, t.now())
				if err != nil {
					return nil, misuse("--window %s: %v", name, err)
				}
				*date.into = parsed
			}
			if both && !input.From.IsZero() && !input.To.IsZero() && input.From.After(input.To) {
				return nil, misuse("--window %s: it begins after it ends", name)
			}
		}
		inputs = append(inputs, input)
	}
	return inputs, nil
}

// lazyFile opens a file when it is first read, and closes it at its end, so that many files can be checked.
type lazyFile struct {
	name string
	file *os.File
	done bool
}

func (l *lazyFile) Read(p []byte) (int, error) {
	if l.done {
		return 0, io.EOF
	}
	if l.file == nil {
		file, err := os.Open(l.name)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	n, err := l.file.Read(p)
	if err != nil {
		l.done = true
		l.file.Close()
	}
	return n, err
}

func printFinding(out io.Writer, format string, found check.Finding) {
	if format == "text" {
		fmt.Fprintln(out, found)
		return
	}
	printJSON(out, struct {
		Finding check.Finding `json:"finding"`
	}{found})
}

// printVerdicts prints what was read and what became of every rule.
func printVerdicts(out io.Writer, format string, summary check.Summary) {
	if format == "json" {
		printJSON(out, struct {
			Summary check.Summary `json:"summary"`
		}{summary})
		return
	}
	for _, file := range summary.Files {
		fmt.Fprintf(out, "%s: %s, %d rows\n", file.Name, orDefault(file.Kind, "an empty array"), file.Rows)
	}
	for _, verdict := range summary.Rules {
		switch verdict.Outcome {
		case check.LeftOut:
		case check.Violated:
			fmt.Fprintf(out, "%s: violated, %d of %d checked", verdict.Rule, verdict.Violations, verdict.Checked)
		case check.Held:
			fmt.Fprintf(out, "%s: held, %d checked", verdict.Rule, verdict.Checked)
		default:
			fmt.Fprintf(out, "%s: not checkable", verdict.Rule)
		}
		if verdict.Why != "" {
			fmt.Fprintf(out, ": %s", verdict.Why)
		}
		if verdict.Outcome != check.LeftOut {
			fmt.Fprintln(out)
		}
	}
}

func printJSON(out io.Writer, value any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // a writer that fails is found when it is flushed
}

// listRules explains every rule.
func listRules(out io.Writer, format string) error {
	for _, rule := range check.Rules() {
		if format == "json" {
			printJSON(out, rule)
			continue
		}
		fmt.Fprintf(out, "%s\n    %s.\n    Needs %s.\n", rule.Name, rule.About, rule.Needs)
		if rule.Innocent != "" {
			fmt.Fprintf(out, "    Files of the real service may break it without being wrong: %s.\n", rule.Innocent)
		}
	}
	return nil
}
