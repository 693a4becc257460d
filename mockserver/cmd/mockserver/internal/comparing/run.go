// Package comparing is the command compare: its flags, the two sides, and what it prints.
package comparing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/output"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Terminal is where a command prints, and the clock that it goes by.
type Terminal struct {
	Out, Err io.Writer
	// Watched tells that somebody looks at Err: progress is for nobody else.
	Watched bool
	Now     func() time.Time
	Version string
}

// Run compares, or prints what would be sent.
func Run(ctx context.Context, f Flags, t Terminal) error {
	library, chosen, err := f.chosen()
	if err != nil {
		return err
	}
	if f.dryRun {
		return printConversations(chosen, t)
	}
	known, err := files.ReadKnown("--known-differences", f.report.known)
	if err != nil {
		return err
	}
	a, closeA, err := f.side(f.a, "a", t)
	if err != nil {
		return err
	}
	defer closeA()
	b, closeB, err := f.side(f.b, "b", t)
	if err != nil {
		return err
	}
	defer closeB()
	kept, err := output.Keep(f.report.file, t.Out)
	if err != nil {
		return err
	}
	options := compare.Options{Library: library, Conversations: chosen, A: a, B: b, Patience: f.patience, Progress: func(string) {}}
	if t.Watched {
		options.Progress = func(what string) { fmt.Fprintln(t.Err, output.Printable(what)) }
	}
	if f.keep != "" {
		options.Keep = &compare.Keep{Directory: f.keep}
	}
	made, err := compare.Compare(ctx, options)
	if err != nil {
		return err
	}
	found := f.print(made, known, t.Version, kept)
	return cmp.Or(kept.End(), found)
}

// errUndecided is that no conversation came to an end: a report without differences would look like a good one.
var errUndecided = errors.New("nothing was decided: no conversation was had with both services; the report says why")

// print prints what was found.
func (f *Flags) print(made *compare.Result, known []string, version string, out io.Writer) error {
	shown := output.Differences{Result: made, Judged: output.Judge(made.Differences, func(d compare.Difference) string { return d.ID }, compare.Implied(made.Differences, known), f.report.failOn)}
	err := output.PrintDifferences(output.NewFindings("mockserver compare", version, f.report.format, out), shown)
	decided := slices.ContainsFunc(made.Had, func(h compare.Had) bool { return h.Undecided == "" })
	if !decided && (err == nil || errors.Is(err, output.ErrFaults)) {
		return errUndecided
	}
	return err
}

// chosen are the conversations to have.
func (f *Flags) chosen() (*schemas.Library, []*conversation.Conversation, error) {
	overlay, err := files.OpenSchemas(f.schemas)
	if err != nil {
		return nil, nil, err
	}
	library, err := schemas.Embedded()
	if overlay != nil {
		library, err = schemas.Open(overlay)
	}
	if err != nil {
		return nil, nil, files.OverlayFault(f.schemas, err)
	}
	made, err := conversation.Default(library)
	if err != nil {
		return nil, nil, err
	}
	var own []*conversation.Conversation
	if f.talks.directory != "" {
		const largest = 1 << 20
		directory, err := files.OpenDirectory("--conversations", f.talks.directory, largest)
		if err != nil {
			return nil, nil, err
		}
		if own, err = conversation.Load(library, directory); err != nil {
			return nil, nil, fmt.Errorf("--conversations %s: %w", f.talks.directory, err)
		}
	}
	made = conversation.Together(made, own)
	if err := compare.Fits(library, made); err != nil {
		return nil, nil, err
	}
	if len(f.talks.only) == 0 {
		return library, made, nil
	}
	var names []string
	for _, each := range made {
		names = append(names, each.Name)
	}
	for _, name := range f.talks.only {
		if !slices.Contains(names, name) {
			return nil, nil, usage.Errorf("--only %q is no conversation%s; they are %s", name, usage.Suggestion(name, names), strings.Join(names, ", "))
		}
	}
	return library, slices.DeleteFunc(made, func(c *conversation.Conversation) bool { return !slices.Contains(f.talks.only, c.Name) }), nil
}

// printConversations prints what would be sent, credentials by the names of their values.
func printConversations(conversations []*conversation.Conversation, t Terminal) error {
	for _, each := range conversations {
		needs := ""
		if len(each.Needs) > 0 {
			needs = ", needs " + strings.Join(each.Needs, ", ")
		}
		fmt.Fprintf(t.Out, "%s: %s (%s%s)\n", output.Printable(each.Name), output.Printable(each.About), output.Count(each.Exports(), "export"), needs)
		for i := range each.Steps {
			for _, line := range conversation.Lines(each, &each.Steps[i]) {
				fmt.Fprintf(t.Out, "    %s\n", output.Printable(line))
			}
		}
	}
	exports := 0
	for _, each := range conversations {
		exports += each.Exports()
	}
	_, err := fmt.Fprintf(t.Out, "%s, %s; a is asked twice and b once; nothing was sent\n", output.Count(len(conversations), "conversation"), output.Count(exports, "export"))
	return err
}

// realPause waits.
func realPause(ctx context.Context, by time.Duration) error {
	timer := time.NewTimer(by)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
