package comparing

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/output"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// Flags are those of the command.
type Flags struct {
	a, b     side
	mocks    []string
	trust    string
	schemas  string
	talks    talks
	budget   []string
	patience time.Duration
	keep     string
	dryRun   bool
	report   reporting
}

// side is one of the services.
type side struct{ place, values string }

// talks are the conversations.
type talks struct {
	directory string
	only      []string
}

// reporting is what is written.
type reporting struct{ format, file, failOn, known string }

// Define defines them.
func (f *Flags) Define(flags *pflag.FlagSet) {
	flags.StringVar(&f.a.place, "a", "", "compare the service at `URL`, or the recording in a directory; it is asked twice (required)")
	flags.StringVar(&f.b.place, "b", "", "compare it with the service at `URL`, or with the recording in a directory (required)")
	flags.StringVar(&f.a.values, "a-values", "", "read what conversations name from `FILE` for --a, in YAML or JSON: company_key, api_key, token, project_key, campaign, group, in_app_campaign, segment (default those of the demo)")
	flags.StringVar(&f.b.values, "b-values", "", "read what conversations name from `FILE` for --b")
	flags.StringSliceVar(&f.mocks, "mock", nil, "say which of `a,b` are mock servers: scenarios may be used with them, and their clock is moved where a conversation waits")
	flags.StringVar(&f.trust, "ca", "", "trust the certificate authorities in `FILE` (PEM), beside those of the system")
	flags.StringVar(&f.schemas, "schemas", "", files.SchemasUsage)
	flags.StringVar(&f.talks.directory, "conversations", "", "have the conversations in `DIR` as well, in the place of those of the same name")
	flags.StringSliceVar(&f.talks.only, "only", nil, "have only the conversations with these `NAMES`, separated by commas")
	flags.StringSliceVar(&f.budget, "budget", nil, "send each service at most so much: `LIMITS` such as exports=5,requests=100; a conversation that needs more is not begun")
	flags.DurationVar(&f.patience, "patience", time.Minute, "have no conversation with a step that really waits for longer than `DURATION`, such as 25m")
	flags.StringVar(&f.keep, "keep", "", "keep what conversations that make exports have shown in `DIR`, by shape, and compare that the next time instead of asking again")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print what would be sent, and send nothing")
	output.DefineFormat(flags, &f.report.format, "print the report as `FORMAT`: text, json with one object per difference, per conversation and for the summary, or junit with a test case per conversation")
	flags.StringVar(&f.report.file, "report", "", "write the report to `FILE` instead of the standard output")
	flags.StringVar(&f.report.failOn, "fail-on", string(drift.Low), "exit with 1 on a difference that is not known and at least as bad as `LEVEL`: low, medium, high, critical, or never")
	flags.StringVar(&f.report.known, "known-differences", "", "read differences that are known from `FILE`: an identifier at the beginning of each line; what follows it is a comment")
	settings.OneOf(flags, "fail-on", output.FailLevels()...)
}

// Check refuses values that no flag can have alone or together with the others.
func (f *Flags) Check(arguments []string) error {
	if len(arguments) > 0 {
		return usage.Errorf("%q is not expected: compare takes flags only", arguments[0])
	}
	if err := output.CheckFormat(f.report.format, output.Text, output.JSON, output.JUnit); err != nil {
		return err
	}
	if f.dryRun && (f.report.format != output.Text || f.report.file != "") {
		return usage.Errorf("--dry-run compares nothing, so that there is no report for --format %s or --report; leave them out", f.report.format)
	}
	if !slices.Contains(output.FailLevels(), f.report.failOn) {
		return usage.Errorf("--fail-on is %q%s; it must be one of %s", f.report.failOn, usage.Suggestion(f.report.failOn, output.FailLevels()), strings.Join(output.FailLevels(), ", "))
	}
	for _, each := range f.mocks {
		if each != "a" && each != "b" {
			return usage.Errorf("--mock is %q; it must be a, b or a,b", each)
		}
	}
	if f.patience < 0 {
		return usage.Errorf("--patience is %v; it must not be negative", f.patience)
	}
	if _, err := f.limits(); err != nil {
		return err
	}
	for name, side := range map[string]side{"a": f.a, "b": f.b} {
		if side.place == "" && !f.dryRun {
			return usage.Errorf("--%s is missing: name a service, such as https://api.example.com, or the directory of a recording", name)
		}
	}
	return nil
}

// limits are what may be sent to a service.
func (f *Flags) limits() (*compare.Budget, error) {
	made := &compare.Budget{Exports: -1, Requests: -1}
	for _, each := range f.budget {
		name, written, _ := strings.Cut(each, "=")
		limit, err := strconv.Atoi(written)
		if err != nil || limit < 0 {
			return nil, usage.Errorf("--budget has %q; it must be exports=NUMBER or requests=NUMBER", each)
		}
		switch name {
		case "exports":
			made.Exports = limit
		case "requests":
			made.Requests = limit
		default:
			return nil, usage.Errorf("--budget has %q%s; it must be exports=NUMBER or requests=NUMBER", each, usage.Suggestion(name, []string{"exports", "requests"}))
		}
	}
	return made, nil
}
