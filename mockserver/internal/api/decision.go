package api

import (
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// decision is what was decided about a request beyond the rules of the export
// API, and why. It is complete when the response has been sent, or has broken
// off. Whoever writes about a request reads it here.
type decision struct {
	// sources say where scenarios came from, the strongest first; nil when none
	// had a part in the request.
	sources []source
	// answer is what was done to the answer.
	answer exports.Answer
	// scenario is what is done to the export, where the request makes one.
	scenario exports.Scenario
	// remembered is what the export that is made takes along.
	remembered exports.Scenario
	// latency is what was drawn.
	latency time.Duration
	// export is the identifier of the export that the request made, looked up
	// or downloaded; empty if there is none.
	export string
}

// source is a scenario that had a part in a request.
type source struct {
	// Kind is one of the kinds below.
	Kind string `json:"source"`
	// Rule is the identifier of a scenario that was set under /_mock/scenarios.
	Rule string `json:"id,omitempty"`
	// Scenario is what it asked for, whether or not a stronger source asked
	// for something else.
	Scenario string `json:"scenario"`
}

// The kinds of a source, the strongest first.
const (
	sourceHeader  = "header"  // X-Mock-Scenario of the request itself
	sourceToken   = "token"   // a campaign token, group identifier or segment code
	sourceExport  = "export"  // the export remembers it from its creation
	sourceNext    = "next"    // set for the next few requests
	sourceRule    = "rule"    // set for all requests that match
	sourceDefault = "default" // of the server
)
