package exports

import (
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Scenario is what a test forces on requests and on the exports that they make. The zero value forces nothing. A Scenario is not changed
// once it was made, so it may be shared.
type Scenario struct {
	// Answer is what happens to the answers of all requests, of whichever stage.
	Answer
	// At is what happens only to the answers of requests of one stage, before what Answer says. An export remembers it for the requests
	// that follow its creation. nil is nothing.
	At map[Stage]Answer
	// Only keeps scenarios that are weaker than this one from adding parts.
	Only bool

	// The rest is about exports, and means something to the request that creates one.

	// Outcome is how the export ends. Empty means success.
	Outcome Outcome
	// MaxRows, if set, is the largest number of rows of the file.
	MaxRows *int64
	// Progress, if set, replaces the progression of the server.
	Progress *Progress
	// Link is what becomes of the link of an export that is SUCCESS.
	Link Link
	// Faults are in the bytes of the file.
	Faults Faults
	// Arrival is how rows arrive, beside what the server says of it.
	Arrival arrival.Arrival
	// Texture, if set, replaces that of the world.
	Texture texture.Level
}

// Stage is a group of requests.
type Stage string

// The stages, in the order in which a client goes through them.
const (
	StageCreate   Stage = "create"   // requests that make an export
	StageStatus   Stage = "status"   // lookups of one export
	StageList     Stage = "list"     // lists of exports
	StageDownload Stage = "download" // redirects to a file (profile interface)
	StageFile     Stage = "file"     // files behind links
)

// Stages lists all stages in their order.
func Stages() []Stage {
	return []Stage{StageCreate, StageStatus, StageList, StageDownload, StageFile}
}

// ParseScenario reads parts that are joined by semicolons, such as "latency=200ms;outcome=error;progress=polls:3;file.cut=1000". A part
// about answers may begin with a stage and a dot. Blanks around parts, keys and values are ignored, and so is a semicolon with nothing
// before it; an empty text is the zero Scenario. Unknown keys, repeated parts and values that are not allowed are an [Error] with code
// [InvalidScenario].
func ParseScenario(text string) (Scenario, error) {
	var scenario Scenario
	seen := make(map[string]bool)
	for text := range strings.SplitSeq(text, ";") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		key, value, hasValue := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if seen[key] {
			return Scenario{}, errorf(InvalidScenario, "%s is given twice: give it once", quote(key))
		}
		seen[key] = true
		if err := scenario.set(key, value, hasValue); err != nil {
			return Scenario{}, err
		}
	}
	return scenario, nil
}

// set reads one part.
func (s *Scenario) set(key, value string, hasValue bool) error {
	if stage, name, staged := strings.Cut(key, "."); staged {
		return s.setAt(Stage(stage), name, value, hasValue)
	}
	if part, found := find(answerParts, key); found {
		return part.read(&s.Answer, key, value, hasValue)
	}
	if part, found := find(exportParts, key); found {
		return part.read(s, key, value, hasValue)
	}
	return unknownPart(key, append(namesOf(answerParts), namesOf(exportParts)...), append(formsOf(answerParts), formsOf(exportParts)...))
}

// setAt reads a part that belongs to a stage.
func (s *Scenario) setAt(stage Stage, name, value string, hasValue bool) error {
	if !slices.Contains(Stages(), stage) {
		return unknownStage(stage)
	}
	part, found := find(answerParts, name)
	if _, export := find(exportParts, name); export {
		return errorf(InvalidScenario, "%s is about the export and not about one stage of its life: leave %q out", quote(name), string(stage)+".")
	}
	if !found {
		return unknownPart(name, namesOf(answerParts), formsOf(answerParts))
	}
	answer := s.At[stage]
	if err := part.read(&answer, name, value, hasValue); err != nil {
		return err
	}
	if answer == (Answer{}) { // a latency of nothing
		return nil
	}
	if s.At == nil {
		s.At = map[Stage]Answer{}
	}
	s.At[stage] = answer
	return nil
}

// String returns the text that [ParseScenario] reads as this scenario.
func (s Scenario) String() string {
	texts := textsOf(answerParts, &s.Answer, "")
	for _, stage := range Stages() {
		if answer, has := s.At[stage]; has {
			texts = append(texts, textsOf(answerParts, &answer, string(stage)+".")...)
		}
	}
	return strings.Join(append(texts, textsOf(exportParts, &s, "")...), ";")
}

// MarshalText writes the form of [Scenario.String].
func (s Scenario) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the form of [ParseScenario].
func (s *Scenario) UnmarshalText(text []byte) error {
	parsed, err := ParseScenario(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}

// IsZero reports whether the scenario forces nothing.
func (s Scenario) IsZero() bool {
	return s.Answer == (Answer{}) && len(s.At) == 0 && !s.Only && s.Outcome == "" &&
		s.MaxRows == nil && s.Progress == nil && s.Link == "" && s.Faults == (Faults{}) && s.Arrival.IsZero() && s.Texture == ""
}

// Over returns the scenario with the parts of a weaker one that it has not itself; with Only it takes none. See
// docs/how-to/force-errors.md#which-scenario-wins
func (s Scenario) Over(weaker Scenario) Scenario {
	if s.Only || weaker.IsZero() {
		return s
	}
	merged := s
	merged.Answer = s.Answer.Over(weaker.Answer)
	fill(exportParts, &merged, &weaker)
	merged.At = maps.Clone(s.At)
	for stage, answer := range weaker.At {
		if merged.At == nil {
			merged.At = map[Stage]Answer{}
		}
		merged.At[stage] = merged.At[stage].Over(answer)
	}
	return merged
}

// Over returns what happens to an answer with the parts of a weaker one that it has not itself.
func (a Answer) Over(weaker Answer) Answer {
	switch (Answer{}) {
	case weaker:
		return a
	case a:
		return weaker
	}
	fill(answerParts, &a, &weaker)
	return a
}

// Of returns what happens to the answer of a request of a stage.
func (s Scenario) Of(stage Stage) Answer {
	if len(s.At) == 0 {
		return s.Answer
	}
	return s.At[stage].Over(s.Answer)
}

// Remembered is what an export takes along from the request that made it: what the scenario says of the stages after its creation.
func (s Scenario) Remembered() Scenario {
	later := maps.Clone(s.At)
	delete(later, StageCreate)
	if len(later) == 0 {
		return Scenario{}
	}
	return Scenario{At: later}
}

// Says reports whether the scenario changes anything about a request of a stage: about its answer, or, where it makes an export, about
// that. What an export only remembers is not meant.
func (s Scenario) Says(stage Stage) bool {
	if s.Only || s.Of(stage) != (Answer{}) {
		return true
	}
	s.Answer, s.At = Answer{}, nil
	return stage == StageCreate && !s.IsZero()
}

// Errors lists the names of errors that the scenario forces, sorted. The names depend on the interface, so the caller checks them.
func (s Scenario) Errors() []string {
	var names []string
	for _, answer := range append(slices.Collect(maps.Values(s.At)), s.Answer) {
		if answer.Error != "" {
			names = append(names, answer.Error)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func unknownPart(name string, known, forms []string) error {
	return errorf(InvalidScenario, "the key %s is not known: use %s, separated by semicolons%s", quote(name), strings.Join(forms, ", "),
		schemas.DidYouMean(name, known))
}

func unknownStage(stage Stage) error {
	var names []string
	for _, known := range Stages() {
		names = append(names, string(known))
	}
	return errorf(InvalidScenario, "the stage %s is not known: use %s", quote(string(stage)), strings.Join(names, ", "))
}
