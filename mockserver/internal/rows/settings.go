package rows

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// CheckSettings finds settings of a world that are out of range, that contradict each other, or that name an event whose rate no
// schema gives.
func CheckSettings(library *schemas.Library, settings world.Settings) error {
	var document any
	if text, err := json.Marshal(settings); err != nil {
		return err // a number that JSON does not have
	} else if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	if err := library.Validate("mock/world.json", document); err != nil {
		return err
	}
	if _, err := world.New(0, 0, settings); err != nil || len(settings.Rates) == 0 {
		return err
	}
	known := map[string]bool{} // whether it has a rate
	for _, export := range library.Exports() {
		for _, step := range asked.JourneyOf(library, export) {
			known[step.Event] = known[step.Event] || step.After != "" && step.Consent == ""
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(name string) bool { return !known[name] })
	for _, event := range slices.Sorted(maps.Keys(settings.Rates)) {
		rated, is := known[event]
		if rated {
			continue
		}
		reason := "has no meaning: there is no such event"
		if likely := schemas.Likely(event, names); likely != "" {
			reason += ", did you mean " + likely + "?"
		}
		if is {
			reason = "cannot be set: it begins a message, or follows from a change of consent"
		}
		return fmt.Errorf("rates.%s %s; the events with a rate are %s", event, reason, strings.Join(names, ", "))
	}
	return nil
}
