package control

import (
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// exportRecord is an export as it is stored, with what it shows at an instant
// in the place of what is only known of it.
type exportRecord struct {
	*exports.Record
	Status        exports.Status `json:"status"`
	StartedAt     *time.Time     `json:"started_at,omitempty"`
	CompletedAt   *time.Time     `json:"completed_at,omitempty"`
	FileExpiresAt *time.Time     `json:"file_expires_at,omitempty"`
	ErrorMessage  string         `json:"error_message,omitempty"`
}

// exportRecord shows an export at the instant that the clock of its key shows.
func (a *API) exportRecord(record *exports.Record) exportRecord {
	state := a.Files.State(record, a.Live.NowOf(record.Owner))
	return exportRecord{
		Record: record, Status: state.Status, StartedAt: state.StartedAt, CompletedAt: state.CompletedAt,
		FileExpiresAt: state.FileExpiresAt, ErrorMessage: state.ErrorMessage,
	}
}
