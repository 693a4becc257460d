package api

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// create answers all creation endpoints of both interfaces (export API
// sections 4.1 and 4.3).
func (s *Service) create(r *request) (response, error) {
	data, err := r.readBody()
	if err != nil {
		return response{}, err
	}
	r.body(data, s.bodySeed)
	document := s.documents.Get().(*acceptor.Document)
	defer s.documents.Put(document)
	export, payload, err := s.payload(r.route.Exports, data, document)
	if err != nil {
		return response{}, err
	}
	file, err := s.planner.Plan(export, r.variables, r.caller.apiKey, payload, r.now)
	if err != nil {
		return response{}, err
	}
	r.noteWindow(export, payload, file.Window.From)
	file.MaxRows, file.Faults = r.decision.scenario.Rows, r.decision.scenario.Faults
	if err := s.showData(r.Context(), &file); err != nil {
		return response{}, err
	}
	if err := s.checkRate(r, export, payload); err != nil {
		return response{}, err
	}

	record := &exports.Record{
		Kind: export.Kind, Interface: export.Interface, Owner: r.caller.owner, URI: r.URL.EscapedPath(),
		Request: json.RawMessage(data), CreatedAt: r.now, File: file,
		Progress: s.progress, Outcome: r.decision.scenario.Outcome,
		Link: r.decision.scenario.Link, Scenario: r.decision.remembered,
	}
	if r.decision.scenario.Progress != nil {
		record.Progress = *r.decision.scenario.Progress
	}
	if record.ID, err = s.newID(export.Interface); err != nil {
		return response{}, err
	}
	if err := s.store.Insert(r.Context(), record); err != nil {
		return response{}, fmt.Errorf("storing an export: %w", err)
	}
	r.entry.Kind = export.Kind
	r.decision.export = record.ID
	return response{status: r.route.Status, body: createdBody(export.Interface, record.ID)}, nil
}

// noteWindow tells the journal of a window that begins later than was asked.
// Almost no window begins on the border, so that is looked at first.
func (r *request) noteWindow(export schemas.Export, payload Payload, begin time.Time) {
	if export.Lookback == 0 || !begin.Equal(oldest(export, r.now)) {
		return
	}
	text, _ := payload.String("from")
	if asked, err := exports.ParseDate(text, r.now); err == nil && asked.Before(begin) {
		r.entry.Asked, r.entry.Oldest = &asked, &begin
	}
}

// createdBody is the body of a 202 (export API sections 2.2 and 2.6).
// Identifiers never need escaping.
func createdBody(interfaceName, id string) []byte {
	if interfaceName == interfaceProfiles {
		return []byte(`{"id":"` + id + "\"}\n")
	}
	return []byte(`{"requestId":"` + id + "\"}\n")
}

// checkRate takes a token from the bucket of the caller, if the request schema
// limits payloads like this one (export API section 8).
func (s *Service) checkRate(r *request, export schemas.Export, payload Payload) error {
	limit := s.rateLimit(export)
	if limit == nil {
		return nil
	}
	if limit.When != "" && !payload.Has(limit.When) {
		return nil
	}
	var allowed bool
	var wait time.Duration
	err := s.store.Bucket(r.Context(), export.Kind+":"+r.caller.owner, func(bucket *exports.Bucket) error {
		allowed, wait = bucket.Take(r.now, limit.Burst, limit.Every)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the rate limit of %s: %w", export.Kind, err)
	}
	if allowed {
		return nil
	}
	refusal := refuse(TooManyRequests, "too many requests with %s: one every %d minutes is allowed, %d at once; try again in %d seconds",
		limit.When, int(math.Round(limit.Every.Minutes())), limit.Burst, wholeSeconds(wait))
	refusal.RetryAfter = max(wait, time.Second)
	return refusal
}

// rateLimit is the limit that the request schema of an export sets, or nil.
func (s *Service) rateLimit(export schemas.Export) *schemas.RateLimit {
	return schemas.KeywordsOf(s.library.Schema(export.Request)).RateLimit
}
