package rows_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestLateRecipients: recipients are those of the events that have arrived, at any time: a second event that is
// late does not hide the first.
func TestLateRecipients(t *testing.T) {
	library := embedded(t)
	late := func(spec *exports.File, now time.Time) {
		spec.Profiles, spec.Now = 6000, now
		spec.Arrival = arrival.Arrival{Late: arrival.Spread{Share: 0.5, UpTo: 72 * time.Hour}}
		spec.IDs = []string{"install_id"}
	}
	for _, kind := range []string{"campaign", "transactional", "in-app-campaign"} {
		fewer := 0
		for _, after := range []time.Duration{0, 30 * time.Hour, 80 * time.Hour} {
			recipients := recipientsIn(t, library, kind+".ids", func(spec *exports.File) { late(spec, now.Add(after)) })
			events := recipientsIn(t, library, kind+".events", func(spec *exports.File) { late(spec, now.Add(after)) })
			if len(recipients) == 0 || !slices.Equal(recipients, events) {
				t.Errorf("%s, %v after the window: %d recipients, and %d of the events", kind, after, len(recipients), len(events))
			}
			if len(recipients) < fewer {
				t.Errorf("%s, %v after the window: %d recipients, and %d before", kind, after, len(recipients), fewer)
			}
			fewer = len(recipients)
		}
	}
}

// recipientsIn are the distinct pairs of an installation and an event in a file, sorted.
func recipientsIn(t *testing.T, library *schemas.Library, kind string, change func(*exports.File)) (pairs []string) {
	t.Helper()
	at := slices.IndexFunc(library.Exports(), func(export schemas.Export) bool { return export.Kind == kind })
	spec := wholeFile(library, library.Exports()[at])
	change(&spec)
	data := text(t, open(t, library, spec))
	events := column(t, data, "event_type")
	for i, installation := range column(t, data, "install_id") {
		pairs = append(pairs, installation+" "+events[i])
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}
