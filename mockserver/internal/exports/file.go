package exports

import (
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Window is a span of time: From is inside, To is not. Windows that share an end therefore tile without overlap.
type Window struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Contains reports whether the instant lies in the window.
func (w Window) Contains(instant time.Time) bool {
	return !instant.Before(w.From) && instant.Before(w.To)
}

// Empty reports whether no instant lies in the window.
func (w Window) Empty() bool { return !w.From.Before(w.To) }

// NotBefore returns the window without what lies before the instant. It is how
// a lookback is applied silently (export API section 1, rule 1).
func (w Window) NotBefore(instant time.Time) Window {
	if w.From.Before(instant) {
		w.From = instant
	}
	if w.To.Before(w.From) {
		w.To = w.From
	}
	return w
}

// File is everything the bytes of a file depend on. Files are not stored: the same File always yields the same bytes, so it is fixed when
// the export is created and kept with its [Record].
type File struct {
	// Kind is the kind of export, for example campaign.events.
	Kind string `json:"kind"`
	// Window is the span asked for, after the lookback was applied. It is zero for snapshots.
	Window Window `json:"window,omitzero"`
	// Now is the instant of creation: the state of the world a snapshot shows.
	Now time.Time `json:"now"`
	// APIKey is the application key that the rows print.
	APIKey string `json:"api_key,omitempty"`
	// Target is what the path of the request names after the application key,
	// for example a campaign token. Several variables are joined by "/".
	Target string `json:"target,omitempty"`
	// Segment is the segment code of a filtered profile export.
	Segment string `json:"segment,omitempty"`
	// Events, IDs, Channels, Attributes and Identifiers are the lists of the request, without repeats (export API sections 2.1 and 2.5).
	Events      []string `json:"events,omitempty"`
	IDs         []string `json:"ids,omitempty"`
	Channels    []string `json:"channels,omitempty"`
	Attributes  []string `json:"attributes,omitempty"`
	Identifiers []string `json:"identifiers,omitempty"`
	// MaxRows, if set, is the largest number of rows of the file.
	MaxRows *int64 `json:"max_rows,omitempty"`
	// Seed and Profiles are the seed and the number of profiles of the world.
	Seed     uint64 `json:"seed"`
	Profiles int64  `json:"profiles"`
	// Settings shape the world.
	Settings world.Settings `json:"settings,omitzero"`
	// DataGeneration is the generation of the dataset that the file shows, 0 for none, and DataOnly leaves the synthetic rows out.
	DataGeneration int64 `json:"data_generation,omitempty"`
	DataOnly       bool  `json:"data_only,omitempty"`
	// WorldVersion and SchemaDigest say which world and which schema files made the file. One that can no longer be rendered answers
	// ERROR, never other bytes.
	WorldVersion int    `json:"world_version"`
	SchemaDigest string `json:"schema_digest,omitempty"`
	// PartSize is the size in bytes above which the file is split in parts.
	PartSize int64 `json:"part_size,omitempty"`
	// Arrival is how the rows of events arrive.
	Arrival arrival.Arrival `json:"arrival,omitzero"`
	// Faults are those that a scenario asked for.
	Faults Faults `json:"faults,omitzero"`
}

// clone returns a copy that shares nothing with the original but its settings, which nobody changes.
func (f File) clone() File {
	f.Events = slices.Clone(f.Events)
	f.IDs = slices.Clone(f.IDs)
	f.Channels = slices.Clone(f.Channels)
	f.Attributes = slices.Clone(f.Attributes)
	f.Identifiers = slices.Clone(f.Identifiers)
	if f.MaxRows != nil {
		rows := *f.MaxRows
		f.MaxRows = &rows
	}
	return f
}
