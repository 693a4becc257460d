package exports

import (
	"maps"
	"reflect"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Equal tells whether two records say the same. A store in memory asks with every
// creation, for every way in which others were asked for: reflection would take
// longer than the rest of the request. A test sees that no member is left out.
func (r *Record) Equal(other *Record) bool {
	a, b := r, other
	return a.ID == b.ID && a.Kind == b.Kind && a.Interface == b.Interface && a.Owner == b.Owner && a.URI == b.URI &&
		slices.Equal(a.Request, b.Request) && a.CreatedAt.Equal(b.CreatedAt) && sameFile(&a.File, &b.File) && a.Progress == b.Progress &&
		a.Outcome == b.Outcome && a.ErrorMessage == b.ErrorMessage && a.Link == b.Link && sameScenario(&a.Scenario, &b.Scenario) &&
		a.Polls == b.Polls && a.Steps == b.Steps && samePointer(a.Stages, b.Stages) &&
		samePointer(a.StartedAt, b.StartedAt) && samePointer(a.CompletedAt, b.CompletedAt) && slices.Equal(a.Written, b.Written)
}

func sameFile(a, b *File) bool {
	return a.Kind == b.Kind && a.Window == b.Window && a.Now.Equal(b.Now) && a.APIKey == b.APIKey && a.Target == b.Target && a.Segment == b.Segment &&
		slices.Equal(a.Events, b.Events) && slices.Equal(a.IDs, b.IDs) && slices.Equal(a.Channels, b.Channels) &&
		slices.Equal(a.Attributes, b.Attributes) && slices.Equal(a.Identifiers, b.Identifiers) &&
		samePointer(a.MaxRows, b.MaxRows) && a.Seed == b.Seed && a.Profiles == b.Profiles && sameSettings(&a.Settings, &b.Settings) &&
		a.DataGeneration == b.DataGeneration && a.DataOnly == b.DataOnly && a.WorldVersion == b.WorldVersion && a.SchemaDigest == b.SchemaDigest &&
		a.PartSize == b.PartSize && a.Arrival == b.Arrival && a.Faults == b.Faults
}

func sameSettings(a, b *world.Settings) bool {
	return samePointer(a.PushOnly, b.PushOnly) && samePointer(a.EmailOnly, b.EmailOnly) && samePointer(a.SMS, b.SMS) &&
		samePointer(a.PushOptIn, b.PushOptIn) && samePointer(a.EmailOptIn, b.EmailOptIn) && samePointer(a.SMSOptIn, b.SMSOptIn) &&
		maps.Equal(a.Rates, b.Rates) && maps.Equal(a.Regions, b.Regions) && samePointer(a.Campaigns, b.Campaigns) &&
		samePointer(a.WeeklyMessages, b.WeeklyMessages) && samePointer(a.Growth, b.Growth) && a.Texture == b.Texture
}

// sameScenario is quick where there is none.
func sameScenario(a, b *Scenario) bool {
	return a.IsZero() && b.IsZero() || reflect.DeepEqual(a, b)
}

func samePointer[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
