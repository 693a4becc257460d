package exports

import (
	"strconv"
	"strings"
	"time"
)

// Mode is what moves an export from CREATED to its end.
type Mode string

// The modes of a [Progress].
const (
	// ModeNow: final at the instant of creation. The zero Mode means the same.
	ModeNow Mode = "now"
	// ModeTime: CREATED for the first quarter of the duration, PENDING until the duration has passed, then final.
	ModeTime Mode = "time"
	// ModePolls: final at the lookup with the given number. The first lookup answers CREATED, those between answer PENDING.
	ModePolls Mode = "polls"
	// ModeManual: moves only when it is stepped, finished or failed by hand.
	ModeManual Mode = "manual"
	// ModeStuck: PENDING from its creation on, for ever, unless it is finished or failed by hand.
	ModeStuck Mode = "stuck"
)

// The largest values a [Progress] may carry.
const (
	MaxProgressDuration = 365 * 24 * time.Hour
	MaxProgressPolls    = 1_000_000
)

// Progress says how an export moves from CREATED to its end. The zero value is
// final at once. In JSON it is the text of [Progress.String].
type Progress struct {
	Mode Mode
	// Duration is the time from creation to completion, for ModeTime.
	Duration time.Duration
	// Polls is the number of the lookup that completes the export, for ModePolls.
	Polls int
}

const progressForms = "use now, time:2s (0s to 8760h), polls:3 (1 to 1000000), manual or stuck"

// ParseProgress reads the form that [Progress.String] writes: "now", "time:2s", "polls:3", "manual" or "stuck". Times are Go durations
// from 0s to 8760h, polls are numbers from 1 to 1000000. The error is an [Error] with code [InvalidProgress].
func ParseProgress(text string) (Progress, error) {
	mode, value, hasValue := strings.Cut(text, ":")
	switch Mode(mode) {
	case ModeNow, ModeManual, ModeStuck:
		if hasValue {
			return Progress{}, errorf(InvalidProgress, "progress %s: %s takes no value: %s", quote(text), mode, progressForms)
		}
		return Progress{Mode: Mode(mode)}, nil
	case ModeTime:
		duration, err := time.ParseDuration(value)
		if err != nil || duration < 0 || duration > MaxProgressDuration {
			return Progress{}, errorf(InvalidProgress, "progress %s: %s is not a duration from 0s to 8760h, such as 500ms, 2s or 1h30m", quote(text),
				quote(value))
		}
		return Progress{Mode: ModeTime, Duration: duration}, nil
	case ModePolls:
		polls, err := strconv.Atoi(value)
		if err != nil || !digitsOnly(value) || polls < 1 || polls > MaxProgressPolls {
			return Progress{}, errorf(InvalidProgress, "progress %s: %s is not a number of lookups from 1 to 1000000", quote(text), quote(value))
		}
		return Progress{Mode: ModePolls, Polls: polls}, nil
	}
	return Progress{}, errorf(InvalidProgress, "progress %s is not known: %s", quote(text), progressForms)
}

// String returns the form that [ParseProgress] reads.
func (p Progress) String() string {
	switch p.Mode {
	case ModeTime:
		return string(ModeTime) + ":" + p.Duration.String()
	case ModePolls:
		return string(ModePolls) + ":" + strconv.Itoa(p.Polls)
	case ModeManual, ModeStuck:
		return string(p.Mode)
	}
	return string(ModeNow)
}

// MarshalText writes the form of [Progress.String].
func (p Progress) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the form of [ParseProgress].
func (p *Progress) UnmarshalText(text []byte) error {
	parsed, err := ParseProgress(string(text))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// digitsOnly refuses the signs that strconv would read.
func digitsOnly(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
