package control

import (
	"encoding/json"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// controlRecord shows everything the server knows about an export.
type controlRecord struct {
	ID            string           `json:"id"`
	Kind          string           `json:"kind"`
	Interface     string           `json:"interface"`
	Owner         string           `json:"owner"`
	URI           string           `json:"uri"`
	Status        exports.Status   `json:"status"`
	CreatedAt     time.Time        `json:"created_at"`
	StartedAt     *time.Time       `json:"started_at,omitempty"`
	CompletedAt   *time.Time       `json:"completed_at,omitempty"`
	FileExpiresAt *time.Time       `json:"file_expires_at,omitempty"`
	ErrorMessage  string           `json:"error_message,omitempty"`
	Progress      exports.Progress `json:"progress"`
	Link          exports.Link     `json:"link,omitempty"`
	Scenario      exports.Scenario `json:"scenario,omitzero"`
	Polls         int              `json:"polls"`
	Request       json.RawMessage  `json:"request"`
	File          controlFile      `json:"file"`
}

// controlFaults are the faults of a file.
type controlFaults struct {
	Truncated     bool `json:"truncated"`
	ByteOrderMark bool `json:"byte_order_mark"`
	CRLF          bool `json:"crlf"`
	ExtraDate     bool `json:"extra_date"`
}

// controlFile is everything that the bytes of a file depend on, see
// [exports.File], in the style of the API. A snapshot has no window.
type controlFile struct {
	Window       *exports.Window `json:"window,omitempty"`
	Now          time.Time       `json:"now"`
	APIKey       string          `json:"api_key,omitempty"`
	Target       string          `json:"target,omitempty"`
	Segment      string          `json:"segment,omitempty"`
	Events       []string        `json:"events,omitempty"`
	IDs          []string        `json:"ids,omitempty"`
	Channels     []string        `json:"channels,omitempty"`
	Attributes   []string        `json:"attributes,omitempty"`
	Identifiers  []string        `json:"identifiers,omitempty"`
	MaxRows      *int64          `json:"max_rows,omitempty"`
	Seed         uint64          `json:"seed"`
	Profiles     int64           `json:"profiles"`
	WorldVersion int             `json:"world_version"`
	SchemaDigest string          `json:"schema_digest,omitempty"`
	PartSize     int64           `json:"part_size,omitempty"`
	// DataGeneration is that of the dataset, 0 for none.
	DataGeneration int64           `json:"data_generation,omitempty"`
	DataOnly       bool            `json:"data_only,omitempty"`
	Settings       controlSettings `json:"settings,omitzero"`
	Faults         *controlFaults  `json:"faults,omitempty"`
}

// controlSettings are those of the world, see [world.Settings].
type controlSettings struct {
	PushOnly       *float64           `json:"push_only,omitempty"`
	EmailOnly      *float64           `json:"email_only,omitempty"`
	SMS            *float64           `json:"sms,omitempty"`
	PushOptIn      *float64           `json:"push_opt_in,omitempty"`
	EmailOptIn     *float64           `json:"email_opt_in,omitempty"`
	SMSOptIn       *float64           `json:"sms_opt_in,omitempty"`
	Rates          map[string]float64 `json:"rates,omitempty"`
	Campaigns      *int               `json:"campaigns,omitempty"`
	WeeklyMessages *int               `json:"weekly_messages,omitempty"`
	AudienceShare  *float64           `json:"audience_share,omitempty"`
	SegmentShare   *float64           `json:"segment_share,omitempty"`
}

// controlRecord shows an export at the instant that the clock of its key shows.
func (a *API) controlRecord(record *exports.Record) controlRecord {
	state := a.Files.State(record, a.Live.NowOf(record.Owner))
	return controlRecord{
		ID: record.ID, Kind: record.Kind, Interface: record.Interface, Owner: record.Owner, URI: record.URI,
		Status: state.Status, CreatedAt: record.CreatedAt, StartedAt: state.StartedAt, CompletedAt: state.CompletedAt,
		FileExpiresAt: state.FileExpiresAt, ErrorMessage: state.ErrorMessage, Progress: record.Progress, Polls: record.Polls, Link: record.Link, Scenario: record.Scenario,
		Request: record.Request, File: controlFileOf(record.File),
	}
}

func controlFileOf(file exports.File) controlFile {
	shown := controlFile{
		Now: file.Now, APIKey: file.APIKey, Target: file.Target, Segment: file.Segment,
		Events: file.Events, IDs: file.IDs, Channels: file.Channels, Attributes: file.Attributes, Identifiers: file.Identifiers,
		MaxRows: file.MaxRows, Seed: file.Seed, Profiles: file.Profiles,
		DataGeneration: file.DataGeneration, DataOnly: file.DataOnly, Settings: controlSettings(file.Settings),
		WorldVersion: file.WorldVersion, SchemaDigest: file.SchemaDigest, PartSize: file.PartSize,
	}
	if file.Window != (exports.Window{}) {
		shown.Window = &file.Window
	}
	if file.Faults != (exports.Faults{}) {
		faults := controlFaults(file.Faults)
		shown.Faults = &faults
	}
	return shown
}
