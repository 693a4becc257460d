package exports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// part is one key of a scenario, for what it sets a field of.
type part[T any] struct {
	name string
	// example is a value, for messages; empty for a flag.
	example string
	// also are further values, and about what the part does, for the reference.
	also  []string
	about string
	// flag is a part without a value.
	flag bool
	// set reads a value; a flag gets its empty one.
	set func(into *T, value string) error
	// text is the value that set would read; has is false when the part is not set.
	text func(of *T) (value string, has bool)
}

// answerParts are the parts about answers, in the order in which String writes them.
var answerParts = []part[Answer]{
	{
		name: "error", example: "MAINTENANCE_ERROR",
		about: "answers the request with this error, any name of the error table",
		set: func(a *Answer, value string) error {
			if value == "" {
				return errorf(InvalidScenario, "error is empty: give the name of an error, for example error=MAINTENANCE_ERROR")
			}
			a.Error = value
			return nil
		},
		text: func(a *Answer) (string, bool) { return a.Error, a.Error != "" },
	},
	parsed(part[Answer]{
		name: "retry-after", example: "30s",
		about: "sets how long that error asks to wait, from 1ms to 24h: in seconds, with a fraction where there is one, as a date, or " +
			"without the header",
		also: []string{"0.5s", "date:30s", "none"},
	}, func(a *Answer) *RetryAfter { return &a.RetryAfter }, parseRetryAfter),
	parsed(part[Answer]{
		name: "latency", example: "200ms",
		about: "waits in real time before the request is processed, at most ten minutes: a fixed time, uniformly distributed, or log-normal " +
			"with a median and a sigma; drawn from the seed, so that every run is the same",
		also: []string{"uniform:50ms-500ms", "lognormal:200ms,0.5"},
	}, func(a *Answer) *Latency { return &a.Latency }, parseLatency),
	word(part[Answer]{
		name: "reset", flag: true,
		about: "resets the connection: before the request is processed, after it but before the response, or in the middle of the body",
		also:  []string{"after", "middle"},
	}, func(a *Answer) *Reset { return &a.Reset }, ResetBefore, ResetAfter, ResetMiddle),
	{
		name: "cut", example: "1000",
		about: "closes the connection after this number of bytes of the body, or inside a quoted cell or a text of JSON, also where the file " +
			"is compressed; ranges from there on come to their end",
		also: []string{"cell"},
		set: func(a *Answer, value string) error {
			bytes, ok := wholeNumber(value, 0)
			if a.Cut = CutAfter(bytes); value == cutCell {
				a.Cut = CutInCell
			} else if !ok {
				return errorf(InvalidScenario, "cut %s is not a number of bytes: use 0 to %d, or cell", quote(value), mostBytes)
			}
			return nil
		},
		text: func(a *Answer) (string, bool) {
			if a.Cut == CutInCell {
				return cutCell, true
			}
			return strconv.FormatInt(a.Cut.Bytes(), 10), a.Cut != NoCut
		},
	},
	{
		name: "slow", example: "64000",
		about: "sends this number of bytes of the body per second",
		set: func(a *Answer, value string) error {
			bytes, ok := wholeNumber(value, 1)
			if !ok {
				return errorf(InvalidScenario, "slow %s is not a number of bytes per second: use 1 to %d", quote(value), mostBytes)
			}
			a.Slow = bytes
			return nil
		},
		text: func(a *Answer) (string, bool) { return strconv.FormatInt(a.Slow, 10), a.Slow != 0 },
	},
	{
		name: "length", example: "+10",
		about: "makes `Content-Length` too large, or too small, by this number of bytes",
		also:  []string{"-10"},
		set: func(a *Answer, value string) error {
			number, signed := strings.CutPrefix(value, "+")
			if !signed {
				number, signed = strings.CutPrefix(value, "-")
			}
			bytes, ok := wholeNumber(number, 1)
			if !signed || !ok {
				return errorf(InvalidScenario,
					"length %s is not a difference: use +1 to +%d for a Content-Length that is too large, -1 to -%d for one that is too small",
					quote(value), mostBytes, mostBytes)
			}
			if a.Length = bytes; value[0] == '-' {
				a.Length = -bytes
			}
			return nil
		},
		text: func(a *Answer) (string, bool) {
			if a.Length > 0 {
				return "+" + strconv.FormatInt(a.Length, 10), true
			}
			return strconv.FormatInt(a.Length, 10), a.Length != 0
		},
	},
}

// exportParts are the parts about exports, and Only.
var exportParts = []part[Scenario]{
	word(part[Scenario]{
		name: "outcome", example: "error",
		about: "lets the export fail, or succeed against a scenario of lower precedence",
		also:  []string{"success"},
	}, func(s *Scenario) *Outcome { return &s.Outcome }, OutcomeSuccess, OutcomeError),
	{
		name: "rows", example: "0",
		about: "limits the file to this number of rows",
		set: func(s *Scenario, value string) error {
			rows, err := strconv.ParseInt(value, 10, 64)
			if err != nil || !digitsOnly(value) {
				return errorf(InvalidScenario, "rows %s is not a number of rows: use 0 to 9223372036854775807", quote(value))
			}
			s.MaxRows = &rows
			return nil
		},
		text: func(s *Scenario) (string, bool) {
			if s.MaxRows == nil {
				return "", false
			}
			return strconv.FormatInt(*s.MaxRows, 10), true
		},
	},
	{
		name: "progress", example: "polls:3",
		about: "sets how this export progresses: `now`, `time:2s`, `polls:3`, `manual`, or `stuck`, which runs forever",
		set: func(s *Scenario, value string) error {
			progress, err := ParseProgress(value)
			if err != nil {
				return errorf(InvalidScenario, "%s", err.Error())
			}
			s.Progress = &progress
			return nil
		},
		text: func(s *Scenario) (string, bool) {
			if s.Progress == nil {
				return "", false
			}
			return s.Progress.String(), true
		},
	},
	word(part[Scenario]{
		name: "link", example: "404",
		about: "lets the export succeed without a link, or with one that answers 404 or 410",
		also:  []string{"410", "none"},
	}, func(s *Scenario) *Link { return &s.Link }, LinkNone, LinkMissing, LinkGone),
	flag("truncated", "ends the file in the middle of its last row", func(s *Scenario) *bool { return &s.Faults.Truncated }),
	flag("bom", "starts the file with a byte order mark", func(s *Scenario) *bool { return &s.Faults.ByteOrderMark }),
	flag("crlf", "ends lines of CSV with carriage return and line feed", func(s *Scenario) *bool { return &s.Faults.CRLF }),
	flag("extra-date", "repeats the last date of every CSV row, as in the specification's sample of the userbase",
		func(s *Scenario) *bool { return &s.Faults.ExtraDate }),
	{
		name: "surprise", example: "column",
		about: "adds what no schema announces: a status of the record, a member of answers and rows, a column, a type of events, a custom " +
			"attribute, or a null in the first value of each row",
		also: []string{"status", "member", "event", "attribute", "null", "status,column,event"},
		set: func(s *Scenario, value string) (err error) {
			s.Faults.Surprises, err = parseSurprises(value)
			return err
		},
		text: func(s *Scenario) (string, bool) { return string(s.Faults.Surprises), s.Faults.Surprises != "" },
	},
	parsed(part[Scenario]{name: "late", example: "0.03,72h",
		about: "lets this share of what devices tell arrive late, up to so much later: the file of a window that is asked for " +
			"again has more rows",
	}, func(s *Scenario) *arrival.Spread { return &s.Arrival.Late }, parseSpread("late")),
	{
		name: "duplicates", example: "0.003",
		about: "lets this share of events come twice, one in twenty of them in a later window",
		set: func(s *Scenario, value string) (err error) {
			if s.Arrival.Duplicates, err = arrival.ParseShare(value); err != nil {
				return errorf(InvalidScenario, "duplicates: %v", err)
			}
			return nil
		},
		text: func(s *Scenario) (string, bool) {
			return strconv.FormatFloat(s.Arrival.Duplicates, 'g', -1, 64), s.Arrival.Duplicates != 0
		},
	},
	parsed(part[Scenario]{name: "skew", example: "0.005,12h",
		about: "sets the clocks of this share of people wrong, up to so much: what their devices tell has another date",
	}, func(s *Scenario) *arrival.Spread { return &s.Arrival.Skew }, parseSpread("skew")),
	flag("unordered", "turns the order of events around, a few at a time", func(s *Scenario) *bool { return &s.Arrival.Unordered }),
	flagOf("hostile", "makes nearly every value of the file awkward, as the world with `texture=hostile` does for all files",
		func(s *Scenario) *texture.Level { return &s.Texture }, texture.Hostile),
	flag("only", "keeps every scenario of lower precedence from adding parts", func(s *Scenario) *bool { return &s.Only }),
}

// parsed is a part that a function reads, and that writes itself.
func parsed[T any, E interface {
	comparable
	String() string
}](p part[T], field func(*T) *E, parse func(text string) (E, error)) part[T] {
	p.set = func(into *T, value string) (err error) {
		*field(into), err = parse(value)
		return err
	}
	p.text = func(of *T) (string, bool) {
		var zero E
		return (*field(of)).String(), *field(of) != zero
	}
	return p
}

// word is a part with one of some words, which of a flag may be missing: then it is the first.
func word[T any, E ~string](p part[T], field func(*T) *E, allowed ...E) part[T] {
	p.set = func(into *T, value string) error {
		if value == "" && p.flag {
			value = string(allowed[0])
		}
		if !slices.Contains(allowed, E(value)) {
			list := strings.ReplaceAll(strings.Trim(fmt.Sprint(allowed[:len(allowed)-1]), "[]"), " ", ", ")
			return errorf(InvalidScenario, "%s %s is not known: use %s or %s", p.name, quote(value), list, allowed[len(allowed)-1])
		}
		*field(into) = E(value)
		return nil
	}
	p.text = func(of *T) (string, bool) { return string(*field(of)), *field(of) != "" }
	return p
}

// parseSpread reads a share and a duration for a part.
func parseSpread(name string) func(text string) (arrival.Spread, error) {
	return func(text string) (arrival.Spread, error) {
		read, err := arrival.ParseSpread(text)
		if err != nil {
			return read, errorf(InvalidScenario, "%s: %v", name, err)
		}
		return read, nil
	}
}

// flag is a part that is there or not.
func flag(name, about string, field func(*Scenario) *bool) part[Scenario] {
	return flagOf(name, about, field, true)
}

// flagOf is a part that is there or not, and sets a value.
func flagOf[E comparable](name, about string, field func(*Scenario) *E, set E) part[Scenario] {
	return part[Scenario]{
		name: name, about: about, flag: true,
		set: func(s *Scenario, value string) error {
			if value != "" {
				return errorf(InvalidScenario, "%s takes no value: leave %s out", name, quote("="+value))
			}
			*field(s) = set
			return nil
		},
		text: func(s *Scenario) (string, bool) {
			var zero E
			return "", *field(s) != zero
		},
	}
}

// cutCell is the word for CutInCell.
const cutCell = "cell"

// mostBytes bounds numbers of bytes: a petabyte is more than any file has.
const mostBytes = 1_000_000_000_000_000

// wholeNumber reads digits alone.
func wholeNumber(text string, least int64) (int64, bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil && digitsOnly(text) && number >= least && number <= mostBytes
}

// read sets the part from what stands behind its key.
func (p part[T]) read(into *T, key, value string, hasValue bool) error {
	if !hasValue && !p.flag {
		return errorf(InvalidScenario, "%s has no value: write for example %s=%s", quote(key), key, p.example)
	}
	return p.set(into, value)
}

func find[T any](parts []part[T], name string) (part[T], bool) {
	for _, p := range parts {
		if p.name == name {
			return p, true
		}
	}
	return part[T]{}, false
}

// textsOf writes the parts that are set.
func textsOf[T any](parts []part[T], of *T, prefix string) (texts []string) {
	for _, p := range parts {
		value, has := p.text(of)
		switch {
		case !has:
		case p.flag && value == "":
			texts = append(texts, prefix+p.name)
		default:
			texts = append(texts, prefix+p.name+"="+value)
		}
	}
	return texts
}

// fill takes over the parts that are not set.
func fill[T any](parts []part[T], to, from *T) {
	for _, p := range parts {
		if _, has := p.text(to); has {
			continue
		}
		if value, has := p.text(from); has {
			_ = p.set(to, value) // it reads what it writes
		}
	}
}

// formsOf are examples of the parts.
func formsOf[T any](parts []part[T]) (forms []string) {
	for _, p := range parts {
		form := p.name
		if p.example != "" {
			form += "=" + p.example
		}
		forms = append(forms, form)
	}
	return forms
}

func namesOf[T any](parts []part[T]) (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}
