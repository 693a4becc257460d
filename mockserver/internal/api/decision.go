package api

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"

// decision is what was decided about a request beyond the rules of the export
// API, and why. It is complete when the response has been sent, or has broken
// off. Whoever writes about a request reads it here.
type decision struct {
	// scenario is what was in force, put together from all sources.
	scenario exports.Scenario
	// sources say where its parts came from, the strongest first; nil when no
	// scenario had a part in the request.
	sources []source
	// export is the identifier of the export that the request made, looked up
	// or downloaded; empty if there is none.
	export string
}

// source is where a scenario came from.
type source struct {
	// Kind is sourceHeader and so on.
	Kind string `json:"source"`
	// Rule is the identifier of a scenario that was set under /_mock/scenarios.
	Rule string `json:"id,omitempty"`
	// Scenario is what it asked for, whether or not a stronger source asked
	// for something else.
	Scenario string `json:"scenario"`
}

// The kinds of a source.
const (
	sourceHeader = "header" // X-Mock-Scenario of the request itself
)
