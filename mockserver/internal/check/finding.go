package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// What a check finds.
type (
	Finding = report.Finding
	Place   = report.Place
)

// The outcomes of a rule.
const (
	// Held means that something was checked and nothing broke the rule.
	Held = "held"
	// Violated means that something broke it.
	Violated = "violated"
	// NotCheckable means that the files show nothing to check it with.
	NotCheckable = "not checkable"
	// LeftOut means that the rule was not asked for.
	LeftOut = "left out"
)

// Verdict is what became of one rule.
type Verdict struct {
	Rule string `json:"rule"`
	// Outcome is one of [Held], [Violated], [NotCheckable] and [LeftOut].
	Outcome string `json:"outcome"`
	// Checked counts the comparisons that were made.
	Checked int64 `json:"checked"`
	// Violations counts those that failed, reported or not.
	Violations int64 `json:"violations"`
	// Why says why nothing could be checked, and what could not be where something was.
	Why string `json:"why,omitempty"`
}

// FileSummary is what was read of one file.
type FileSummary struct {
	Name string `json:"name"`
	// Kind is the kind of export; "" for an empty JSON array, which may be any.
	Kind string `json:"kind"`
	Rows int64  `json:"rows"`
}

// Summary is the result of a check.
type Summary struct {
	Files []FileSummary `json:"files"`
	Rules []Verdict     `json:"rules"`
}

// Violations counts the violations of all rules.
func (s Summary) Violations() (sum int64) {
	for _, verdict := range s.Rules {
		sum += verdict.Violations
	}
	return sum
}

// String has a line for each file and each rule that was asked for.
func (s Summary) String() string {
	var text strings.Builder
	for _, file := range s.Files {
		fmt.Fprintf(&text, "%s: %s, %d rows\n", report.Printable(file.Name), cmp.Or(file.Kind, "an empty array"), file.Rows)
	}
	for _, verdict := range s.Rules {
		switch verdict.Outcome {
		case LeftOut:
			continue
		case Violated:
			fmt.Fprintf(&text, "%s: violated, %d of %d checked", verdict.Rule, verdict.Violations, verdict.Checked)
		case Held:
			fmt.Fprintf(&text, "%s: held, %d checked", verdict.Rule, verdict.Checked)
		default:
			fmt.Fprintf(&text, "%s: not checkable", verdict.Rule)
		}
		if verdict.Why != "" {
			fmt.Fprintf(&text, ": %s", report.Printable(verdict.Why))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// tally counts what becomes of one rule.
type tally struct {
	chosen              bool
	expected            string // what was asked for, when violations follow from it and do not count
	checked, violations int64
	notes               []string // why something could not be checked, a few of them
}

func (t *tally) note(format string, arguments ...any) {
	const most = 3
	text := fmt.Sprintf(format, arguments...)
	if len(t.notes) < most && !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}

func (t *tally) verdict(rule Rule) Verdict {
	made := Verdict{Rule: rule.Name, Checked: t.checked, Violations: t.violations, Why: strings.Join(t.notes, "; ")}
	switch {
	case !t.chosen:
		made.Outcome, made.Why = LeftOut, ""
	case t.expected != "":
		made = Verdict{Rule: rule.Name, Outcome: NotCheckable, Why: "the files were asked for with " + t.expected}
	case t.violations > 0:
		made.Outcome = Violated
	case t.checked > 0:
		made.Outcome = Held
	default:
		made.Outcome = NotCheckable
		if made.Why == "" {
			made.Why = "needs " + rule.Needs
		}
	}
	return made
}
