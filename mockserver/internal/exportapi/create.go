package exportapi

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// create answers all creation endpoints of both interfaces (export API
// sections 4.1 and 4.3).
func (a *API) create(r *request) (httpd.Response, error) {
	data, err := r.readBody()
	if err != nil {
		return httpd.Response{}, err
	}
	r.NoteBody(data)
	export, payload, err := a.payload(r)
	if err != nil {
		return httpd.Response{}, err
	}
	plan, err := a.Planner.Plan(export, r.Variables, r.caller.APIKey, payload, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	file := plan.File
	if !plan.Asked.IsZero() {
		asked, oldest := plan.Asked, file.Window.From
		r.Entry.Asked, r.Entry.Oldest = &asked, &oldest
	}
	file.MaxRows, file.Faults = r.scenario.Rows, r.scenario.Faults
	if err := a.Live.ShowData(r.Context(), &file); err != nil {
		return httpd.Response{}, err
	}
	if err := a.checkRate(r, export, payload); err != nil {
		return httpd.Response{}, err
	}

	record := &exports.Record{
		Kind: export.Kind, Interface: export.Interface, Owner: r.caller.Owner, URI: r.URL.EscapedPath(),
		Request: json.RawMessage(data), CreatedAt: r.Now, File: file,
		Progress: a.Progress, Outcome: r.scenario.Outcome,
		Link: r.scenario.Link, Scenario: r.remembered,
	}
	if r.scenario.Progress != nil {
		record.Progress = *r.scenario.Progress
	}
	if record.ID, err = a.newID(export.Interface); err != nil {
		return httpd.Response{}, err
	}
	if err := a.Store.Insert(r.Context(), record); err != nil {
		return httpd.Response{}, fmt.Errorf("storing an export: %w", err)
	}
	r.Entry.Kind = export.Kind
	r.Entry.Export = record.ID
	return httpd.Response{Status: r.Route.Status, Body: createdBody(export.Interface, record.ID)}, nil
}

// createdBody is the body of a 202 (export API sections 2.2 and 2.6).
// Identifiers never need escaping.
func createdBody(interfaceName, id string) []byte {
	if interfaceName == exports.InterfaceProfiles {
		return []byte(`{"id":"` + id + "\"}\n")
	}
	return []byte(`{"requestId":"` + id + "\"}\n")
}

// checkRate takes a token from the bucket of the caller, if the request schema
// limits payloads like this one (export API section 8).
func (a *API) checkRate(r *request, export schemas.Export, payload exports.Payload) error {
	limit := a.rateLimit(export)
	if limit == nil {
		return nil
	}
	if limit.When != "" && !payload.Has(limit.When) {
		return nil
	}
	var allowed bool
	var wait time.Duration
	err := a.Store.Bucket(r.Context(), export.Kind+":"+r.caller.Owner, func(bucket *exports.Bucket) error {
		allowed, wait = bucket.Take(r.Now, limit.Burst, limit.Every)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the rate limit of %s: %w", export.Kind, err)
	}
	if allowed {
		return nil
	}
	refusal := exports.Refuse(exports.TooManyRequests, "too many requests with %s: one every %d minutes is allowed, %d at once; try again in %d seconds",
		limit.When, int(math.Round(limit.Every.Minutes())), limit.Burst, httpd.WholeSeconds(wait))
	refusal.RetryAfter = max(wait, time.Second)
	return refusal
}

// rateLimit is the limit that the request schema of an export sets, or nil.
func (a *API) rateLimit(export schemas.Export) *schemas.RateLimit {
	return schemas.KeywordsOf(a.Library.Schema(export.Request)).RateLimit
}
