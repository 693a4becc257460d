package check

import (
	"fmt"
	"slices"
	"strings"
)

// Place says where something stands.
type Place struct {
	// File is the name of the file, as the input gives it.
	File string `json:"file"`
	// Row counts the rows of a CSV file, its header being 0, or the items of a JSON array, from 1.
	Row int64 `json:"row"`
	// Line is the line where the row begins, from 1.
	Line int64 `json:"line"`
}

// String gives file, line and row.
func (p Place) String() string { return fmt.Sprintf("%s:%d (row %d)", p.File, p.Line, p.Row) }

// Finding is one violation of a rule.
type Finding struct {
	// Rule is the name of the rule.
	Rule string `json:"rule"`
	Place
	// Message says what contradicts what.
	Message string `json:"message"`
	// Other is the row that the message contradicts; nil where a row contradicts itself or the schema.
	Other *Place `json:"other,omitempty"`
}

// String gives the place, the message, the other place and the rule in one line.
func (f Finding) String() string {
	text := f.Place.String() + ": " + f.Message
	if f.Other != nil {
		text += "; see " + f.Other.String()
	}
	return text + " [" + f.Rule + "]"
}

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
