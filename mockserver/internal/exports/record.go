package exports

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// Record is one export request as it is stored. It holds what was asked and what has happened; its status is computed by [Record.State].
//
// A Record is not safe for concurrent use: a store hands out copies.
type Record struct {
	// ID is the request identifier, a UUID (export API section 2.2).
	ID string `json:"id"`
	// Epoch is that of the state in which it is created; see store.Store.Epoch.
	Epoch int64 `json:"-"`
	// Emptied is how many keys were ever emptied when its creation began.
	Emptied int64 `json:"-"`
	// Kind is the kind of export, for example campaign.events.
	Kind string `json:"kind"`
	// Interface is the interface that created it: legacy or profiles.
	Interface string `json:"interface"`
	// Owner is the application key or the project key that created it. Nobody else sees it.
	Owner string `json:"owner"`
	// URI is the request path from the version on (export API section 2.3).
	URI string `json:"uri"`
	// Request is the creation payload as it was sent, but for the spacing.
	Request json.RawMessage `json:"request,omitempty"`
	// CreatedAt is the instant of creation by the server's clock, in UTC.
	CreatedAt time.Time `json:"created_at"`
	// File is everything the bytes of the file depend on.
	File File `json:"file"`
	// Progress says what moves the export to its end.
	Progress Progress `json:"progress"`
	// Outcome is how it ends. Empty means success.
	Outcome Outcome `json:"outcome,omitempty"`
	// ErrorMessage is what an export that ends in ERROR says about it. Empty means a text that says the outcome was forced.
	ErrorMessage string `json:"error_message,omitempty"`
	// Link is what becomes of the link once the export is SUCCESS. Empty means a link that works.
	Link Link `json:"link,omitempty"`
	// Scenario is what happens to the answers of requests about this export after its creation.
	Scenario Scenario `json:"scenario,omitzero"`
	// Polls is the number of lookups so far, counted by [Record.Poll].
	Polls int `json:"polls"`
	// Steps is the number of steps by hand so far, counted by [Record.Step]. A
	// step from PENDING counts as the second, or as that of the stage behind it.
	Steps int `json:"steps,omitempty"`
	// Stages is how many states it runs through; nil is one. With none, it is CREATED until it ends. It is set with the creation.
	Stages *int `json:"stages,omitempty"`
	// StartedAt is set when a lookup or a step took the export out of CREATED.
	// It stays nil when time alone does, or the completion itself.
	StartedAt *time.Time `json:"started_at,omitempty"`
	// CompletedAt is set when a lookup, a step, [Record.Finish] or [Record.Fail] completed the export. It stays nil when time alone does.
	CompletedAt *time.Time `json:"completed_at,omitempty"`
	// Written are the sizes of the parts of the file, in bytes, once it was there and has
	// taken its time: then the export is SUCCESS, even where it is written again.
	Written []int64 `json:"written,omitempty"`
}

// Clone returns a copy that shares nothing with the original.
func (r *Record) Clone() *Record {
	clone := *r
	clone.Request = bytes.Clone(r.Request)
	clone.File = r.File.clone()
	clone.Written = slices.Clone(r.Written)
	clone.StartedAt = cloneInstant(r.StartedAt)
	clone.CompletedAt = cloneInstant(r.CompletedAt)
	return &clone
}

func cloneInstant(instant *time.Time) *time.Time {
	if instant == nil {
		return nil
	}
	clone := *instant
	return &clone
}
