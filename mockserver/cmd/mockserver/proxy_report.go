package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// never is --fail-on, with which nothing fails.
const never = "never"

// failLevels are the values of --fail-on.
func failLevels() []string {
	levels := []string{never}
	for _, each := range drift.Severities() {
		levels = append(levels, string(each))
	}
	return levels
}

// errNothing is that nothing was seen: a report without drifts would look like a good one.
var errNothing = errors.New("nothing was seen: no request was for an endpoint of the schema files that the service answered; let the " +
	"client use the address of the proxy")

// proxySummary is what the proxy has seen.
type proxySummary struct {
	drift.Seen
	// Unseen are the endpoints that nobody asked for, Gone the drifts that were known and are not found any more.
	Unseen   []string `json:"unseen"`
	Gone     []string `json:"gone"`
	Findings int      `json:"findings"`
	// Shown are drifts that a mock under the suggested overlay shows; nil: nobody has asked one.
	Shown *int `json:"shown,omitempty"`
	Lints int  `json:"lints"`
}

// printDrifts prints what was found: a test case for each drift and each lint.
func printDrifts(out *report.Report, observer *drift.Observer, lints []journal.Finding, known []string, failOn string) error {
	found := observer.Findings()
	if len(found) == 0 {
		out.Case("drift", "the service speaks as the schema files say")
	}
	gone := slices.Clone(known)
	for _, each := range found {
		made := out.Case(each.Where.Route, each.ID+" "+each.Kind)
		switch {
		case slices.Contains(known, each.ID):
			made.Excuse(each.Report("known"), "known")
		case failOn == never || !each.Severity.AtLeast(drift.Severity(failOn)):
			made.Excuse(each.Report("new"), "below --fail-on")
		default:
			made.Find(each.Report("new"))
		}
		gone = slices.DeleteFunc(gone, func(id string) bool { return id == each.ID })
	}
	for _, each := range lints {
		out.Case("client", strings.TrimSpace(strings.Join([]string{each.Code, each.Key, each.Export}, " "))).Excuse(lintFinding(each), "no drift")
	}
	seen := proxySummary{observer.Seen, append([]string{}, observer.Unseen()...), append([]string{}, gone...), len(found), nil, len(lints)}
	for _, each := range found {
		if each.Mock == "" {
			continue
		}
		if seen.Shown == nil {
			seen.Shown = new(int)
		}
		if each.Mock == drift.Shows {
			*seen.Shown++
		}
	}
	out.Summarize(seen, seen.String())
	err := out.End(nil)
	if seen.Known == 0 && (err == nil || errors.Is(err, report.ErrFaults)) {
		return errNothing
	}
	return err
}

func (s proxySummary) String() string {
	var text strings.Builder
	for _, id := range s.Gone {
		fmt.Fprintf(&text, "known and not found any more: %s\n", report.Printable(id))
	}
	fmt.Fprintf(&text, "%d exchanges, %d of them known to the schema files; %d files checked, %d not kept; %d without a whole answer\n",
		s.Exchanges, s.Known, s.Files, s.UncheckedFiles, s.Faults)
	for _, reason := range slices.Sorted(maps.Keys(s.NotRecorded)) {
		fmt.Fprintf(&text, "not in the recording: %d %s\n", s.NotRecorded[reason], reason)
	}
	if len(s.Unseen) > 0 {
		fmt.Fprintf(&text, "nobody asked for %s\n", strings.Join(s.Unseen, ", "))
	}
	if s.Shown != nil {
		fmt.Fprintf(&text, "under the overlay, a mock shows %d of %s\n", *s.Shown, report.Count(s.Findings, "drift"))
	}
	if s.NotAsked > 0 {
		fmt.Fprintf(&text, "%s of the client were not asked of the mock\n", report.Count(s.NotAsked, "request"))
	}
	fmt.Fprintf(&text, "%s, %s about the client\n", report.Count(s.Findings, "drift"), report.Count(s.Lints, "lint"))
	return text.String()
}

// keptReport is a report that goes to a file, or to the standard output without one. It is printed there as well if the file
// cannot be written in the end: what took hours to see is not lost for that.
type keptReport struct {
	bytes.Buffer
	path string
	out  io.Writer
}

// keepReport creates the file of --report, so that one that cannot be written is known before the work.
func keepReport(path string, out io.Writer) (*keptReport, error) {
	if path != "" {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666) // what is in it stays until there is something else
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("--report: %w; name a file that can be written", err)
		}
	}
	return &keptReport{path: path, out: out}, nil
}

// soFar writes the drifts that were found so far: a proxy that is killed leaves them behind.
func (k *keptReport) soFar(observer *drift.Observer, f proxyFlags, known []string) {
	if k.path == "" {
		return
	}
	var text bytes.Buffer
	_ = printDrifts(report.New(&text, f.out.format, "mockserver proxy", versionNow().version), observer, nil, known, f.failOn)
	_ = os.WriteFile(k.path, text.Bytes(), 0o666) // the report at the end says what is wrong with the file
}

// End writes the report.
func (k *keptReport) End() error {
	if k.path == "" {
		_, err := k.out.Write(k.Bytes())
		return err
	}
	err := os.WriteFile(k.path, k.Bytes(), 0o666)
	if err == nil {
		return nil
	}
	_, printed := k.out.Write(k.Bytes())
	return errors.Join(fmt.Errorf("--report: %w; the report was printed instead", err), printed)
}

// printWritten says how many drifts there were and where the report and the overlay are, as far as those are in files.
func printWritten(out io.Writer, drifts int, file, overlay string) {
	line := ""
	if file != "" {
		line = report.Count(drifts, "drift") + ": " + file
	}
	if entries, _ := os.ReadDir(overlay); overlay != "" && len(entries) > 0 { // without drifts there is none
		if line != "" {
			line += "; "
		}
		line += "overlay: " + overlay
	}
	if line != "" {
		fmt.Fprintln(out, report.Printable(line))
	}
}

// lintFinding is what the client did wrong, as commands print findings.
func lintFinding(f journal.Finding) report.Finding {
	return report.Finding{
		Rule: f.Code, Severity: string(f.Severity), Subject: "client", Message: f.Message, Count: int64(f.Count), Details: f,
		Notes: []string{"advice   " + f.Advice},
	}
}
