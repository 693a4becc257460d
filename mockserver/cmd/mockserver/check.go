package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	checked "github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

const checkHelp = `usage: mockserver check [flags] FILE...

Checks export files against each other, yours or the real service's: the same person
is the same everywhere, sent comes before delivered before open before click, and so on.
Any mix of kinds and any number of files is one check, compressed with gzip or not;
the file - is standard input.

Every violation is one line: FILE:LINE (row ROW): MESSAGE; see OTHER FILE AND ROW [RULE].
A line per rule follows: held, violated, or not checkable with these files and why.
--rules list explains every rule. --format prints JSON, JUnit XML, SARIF or HTML instead. The
exit code is 0 without violations, 1 with violations, 2 when the command line is wrong,
and 3 when something could not be read.
`

type checkFlags struct {
	schemas                       files.Overlays
	rules, format, temporary, now string
	world                         *settings.Block
	maxFindings, memory           int
	reach                         time.Duration
	kinds, campaigns, windows     files.PerFile
	files                         []string
}

func checkCommand(t terminal) *cobra.Command {
	var f checkFlags
	command := newCommand("check [flags] FILE...", "check export files against each other", checkHelp)
	judge(command)
	f.define(command.Flags())
	command.PreRunE = func(*cobra.Command, []string) error { return f.check() }
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.files = arguments
		if err := f.checkFiles(); err != nil {
			return err
		}
		return checkFiles(command.Context(), f, t)
	}
	return command
}

func (f *checkFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.rules, "rules", "",
		"check only the rules in `LIST`, or all but those with a minus sign; list explains them (default all rules)")
	flags.StringVar(&f.format, "format", report.Text, "print findings as `FORMAT`: text, json, junit, sarif or html")
	flags.IntVar(&f.maxFindings, "max-findings", 20, "print at most `N` findings of each rule and count the rest; 0 prints all")
	settings.RepeatedFunc(flags, "kind", "take a file for the kind of export of `FILE=KIND` (default inferred from its content)", f.kinds.Add)
	settings.RepeatedFunc(flags, "campaign",
		"name the campaign or transactional group of a file by `FILE=NAME`: files of one are compared", f.campaigns.Add)
	settings.RepeatedFunc(flags, "window",
		"name the window of a file by `FILE=FROM/TO`, or its moment by FILE=DATE (default inferred)", f.windows.Add)
	f.world = settings.AddBlock(flags, "world", worldSchema,
		"expect rows that arrive as in the world of `SETTING`, such as arrival=late,unordered", true)
	flags.StringVar(&f.now, "now", "", "use `DATE` as the present; no date may lie after it (default the real time)")
	flags.DurationVar(&f.reach, "reach", check.DefaultReach,
		"expect an event at most `DURATION` after its cause, which must be there if the files cover it")
	flags.IntVar(&f.memory, "memory", check.DefaultMemory>>20, "sort rows in `N` MB of memory, and in temporary files beyond that")
	flags.StringVar(&f.temporary, "temporary", "",
		"create temporary files, about as large as the files checked, in `DIR` (default that of the system)")
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	settings.AtLeast(flags, "max-findings", 0)
	settings.Between(flags, "memory", 1, mostMemory)
}

// mostMemory is what --memory may be, in MB.
const mostMemory = 1 << 20

// check refuses values that no flag can have alone or together with the others.
func (f *checkFlags) check() error {
	switch {
	case f.rules == "list" && f.format != report.Text && f.format != report.JSON:
		return usage.Errorf("--format is %q; of --rules list it must be text or json", f.format)
	case f.reach <= 0:
		return usage.Errorf("--reach is %v; it must be above zero", f.reach)
	}
	return nil
}

// checkFiles refuses flags that are about other files than those that are given.
func (f *checkFlags) checkFiles() error {
	if f.rules == "list" && len(f.files) == 0 {
		return nil
	}
	if len(f.files) == 0 {
		return usage.Errorf("no file is given; name files to check, or - for standard input")
	}
	for _, of := range []struct {
		name  string
		given *files.PerFile
	}{{"--kind", &f.kinds}, {"--campaign", &f.campaigns}, {"--window", &f.windows}} {
		if err := of.given.Resolve(of.name, f.files); err != nil {
			return err
		}
	}
	return nil
}

// checkFiles checks files and prints what it finds.
func checkFiles(ctx context.Context, f checkFlags, t terminal) error {
	if f.rules == "list" {
		return listRules(f.format, t.out)
	}
	var named []report.Rule
	for _, rule := range check.Rules() {
		named = append(named, report.Rule{Name: rule.Name, About: rule.About, Innocent: rule.Innocent})
	}
	out := report.New(t.out, f.format, "mockserver check", versionNow().version, named...)
	broken := func(err error) error { // no rule is decided
		out.Case("files", "reading").Break("", err)
		return out.End(err)
	}
	library, err := f.schemas.Library()
	if err != nil {
		return err
	}
	inputs, err := f.inputs(ctx, exports.DialectOf(library), t)
	if err != nil {
		return broken(err)
	}
	options := check.Options{Reach: f.reach, Memory: f.memory << 20, Directory: f.temporary, MaxFindings: f.maxFindings, Now: t.now()}
	if f.rules != "" {
		options.Rules = strings.Split(f.rules, ",")
	}
	var world struct{ Arrival string }
	if err := f.world.Decode(&world); err != nil {
		return err
	}
	if world.Arrival != "" {
		if options.Arrival, err = arrival.Words(world.Arrival); err != nil {
			return usage.Errorf("--world arrival: %v", err)
		}
	}
	if _, err := checked.BrokenBy(options.Arrival); err != nil {
		return usage.Errorf("--world arrival: %v", err)
	}
	if f.now != "" {
		if options.Now, err = exports.ParseDate(f.now, t.now()); err != nil {
			return usage.Errorf("--now: %v", err)
		}
	}
	for _, rule := range options.Rules {
		if err := check.KnownRule(rule); err != nil {
			return usage.Errorf("--rules: %v", err)
		}
	}
	summary, err := check.Files(ctx, library, inputs, options, func(found check.Finding) bool {
		out.Case(rulesClass, found.Rule).Find(found)
		return true
	})
	var unknown *check.KindError
	switch {
	case errors.As(err, &unknown):
		return broken(usage.Errorf("%v", err))
	case err != nil:
		return broken(interrupted(ctx, err, "no rule is decided, and there may be more findings"))
	}
	for _, verdict := range summary.Rules {
		if verdict.Outcome == check.LeftOut {
			continue
		}
		rule := out.Case(rulesClass, verdict.Rule)
		rule.Count(verdict.Violations)
		if verdict.Outcome == check.NotCheckable {
			rule.Skip("not checkable: " + verdict.Why)
		}
	}
	out.Summarize(summary, summary.String())
	return out.End(nil)
}

// rulesClass is the class of the test cases, one for each rule.
const rulesClass = "rules"

// listRules explains every rule.
func listRules(format string, to io.Writer) error {
	out := bufio.NewWriter(to)
	for _, rule := range check.Rules() {
		if format == report.JSON {
			_ = report.WriteJSON(out, rule) // a writer that fails is found at the end
			continue
		}
		fmt.Fprintf(out, "%s\n    %s.\n    Needs %s.\n", rule.Name, rule.About, rule.Needs)
		if rule.Innocent != "" {
			fmt.Fprintf(out, "    Files of the real service may break it without being wrong: %s.\n", rule.Innocent)
		}
	}
	return out.Flush()
}

// inputs are the files with what the flags say of them.
func (f checkFlags) inputs(ctx context.Context, dialect exports.Dialect, t terminal) ([]check.Input, error) {
	var inputs []check.Input
	for _, name := range f.files {
		if err := files.CheckInput(name); err != nil {
			return nil, err
		}
		input := check.Input{Name: name, Reader: files.Input(ctx, name, t.in), Kind: f.kinds.Values[name], Campaign: f.campaigns.Values[name]}
		input.Export, input.Part = dialect.PartOf(name)
		if window := f.windows.Values[name]; window != "" {
			said, err := exports.ParseWindow(window, t.now())
			if err != nil {
				return nil, usage.Errorf("--window %s: %v", name, err)
			}
			input.From, input.To, input.Moment = said.From, said.To, said.IsMoment(window)
		}
		inputs = append(inputs, input)
	}
	return inputs, nil
}
