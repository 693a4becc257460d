package exports

import (
	"strconv"
	"strings"
)

// Scenario is what a test forces on one creation request. The zero value
// forces nothing.
type Scenario struct {
	// Error is the name of the error that answers the request, for example
	// MAINTENANCE_ERROR. When it is set no export is made and the other fields
	// have no effect. The names depend on the interface, so the caller checks
	// them.
	Error string
	// Outcome is how the export ends. Empty means success.
	Outcome Outcome
	// Rows, if set, is the largest number of rows of the file.
	Rows *int64
	// Progress, if set, replaces the progression of the server.
	Progress *Progress
}

const scenarioForm = "use error=NAME, outcome=success, outcome=error, rows=0, progress=now, progress=time:2s, progress=polls:3 or progress=manual, separated by semicolons"

// ParseScenario reads a scenario header such as
// "outcome=error;rows=0;progress=polls:3". Blanks around keys and values are
// ignored, and so is a semicolon with nothing before it; an empty header is
// the zero Scenario. Unknown keys, repeated keys and values that are not
// allowed are an [Error] with code [InvalidScenario].
func ParseScenario(header string) (Scenario, error) {
	var scenario Scenario
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(header, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, found := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !found:
			return Scenario{}, errorf(InvalidScenario, "%s has no value: %s", quote(part), scenarioForm)
		case seen[key]:
			return Scenario{}, errorf(InvalidScenario, "%s is given twice: give it once", quote(key))
		}
		seen[key] = true
		if err := scenario.set(key, value); err != nil {
			return Scenario{}, err
		}
	}
	return scenario, nil
}

func (s *Scenario) set(key, value string) error {
	switch key {
	case "error":
		if value == "" {
			return errorf(InvalidScenario, "error is empty: give the name of an error, for example error=MAINTENANCE_ERROR")
		}
		s.Error = value
	case "outcome":
		switch Outcome(value) {
		case OutcomeSuccess, OutcomeError:
			s.Outcome = Outcome(value)
		default:
			return errorf(InvalidScenario, "outcome %s is not known: use success or error", quote(value))
		}
	case "rows":
		rows, err := strconv.ParseInt(value, 10, 64)
		if err != nil || !digitsOnly(value) {
			return errorf(InvalidScenario, "rows %s is not a number of rows: use 0 to 9223372036854775807", quote(value))
		}
		s.Rows = &rows
	case "progress":
		progress, err := ParseProgress(value)
		if err != nil {
			return errorf(InvalidScenario, "%s", err.Error())
		}
		s.Progress = &progress
	default:
		return errorf(InvalidScenario, "the key %s is not known: %s", quote(key), scenarioForm)
	}
	return nil
}

// String returns the shortest header that [ParseScenario] reads as this
// scenario.
func (s Scenario) String() string {
	var parts []string
	if s.Error != "" {
		parts = append(parts, "error="+s.Error)
	}
	if s.Outcome != "" {
		parts = append(parts, "outcome="+string(s.Outcome))
	}
	if s.Rows != nil {
		parts = append(parts, "rows="+strconv.FormatInt(*s.Rows, 10))
	}
	if s.Progress != nil {
		parts = append(parts, "progress="+s.Progress.String())
	}
	return strings.Join(parts, ";")
}
