package control

import (
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// exportRecord is an export as it is stored, with what it shows at an instant in the place of what is only known of it.
type exportRecord struct {
	*exports.Record
	Status        string     `json:"status"`
	StartedAt     *time.Time `json:"started_at,omitempty"`
	CompletedAt   *time.Time `json:"completed_at,omitempty"`
	FileExpiresAt *time.Time `json:"file_expires_at,omitempty"`
	ErrorMessage  string     `json:"error_message,omitempty"`
}

// states are what the interface of an export calls its statuses.
func (a *API) states(record *exports.Record) exports.States {
	its, known := a.dialect.Named(record.Interface)
	if !known {
		its = a.dialect.Legacy()
	}
	return its.States
}

// exportRecord shows an export at the instant that the clock of its key shows.
func (a *API) exportRecord(record *exports.Record) exportRecord {
	state := a.Files.Seen(record, a.Live.NowOf(record.Owner))
	return exportRecord{
		Record: record, Status: state.Name, StartedAt: state.StartedAt, CompletedAt: state.CompletedAt,
		FileExpiresAt: state.FileExpiresAt, ErrorMessage: state.ErrorMessage,
	}
}
