package exportapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// create answers all creation endpoints of both interfaces (export API sections 4.1 and 4.3).
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
	address, err := a.callbackOf(export, payload)
	if err != nil {
		return httpd.Response{}, err
	}
	plan, err := a.Planner.Plan(*export, r.Variables, r.caller.APIKey, payload, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	file := plan.File
	if !plan.Asked.IsZero() {
		asked, oldest := plan.Asked, file.Window.From
		r.Entry.Asked, r.Entry.Oldest = &asked, &oldest
	}
	file.MaxRows, file.Faults = r.made.scenario.MaxRows, r.made.scenario.Faults
	file.Arrival = r.made.scenario.Arrival.Over(file.Arrival)
	if r.made.scenario.Texture != "" {
		file.Settings.Texture = r.made.scenario.Texture
	}
	record := &exports.Record{
		Epoch: r.made.epoch, Emptied: r.made.emptied, Kind: export.Kind, Interface: export.Interface, Owner: r.caller.Owner, URI: r.SentPath(),
		Request: json.RawMessage(data), CreatedAt: r.Now, File: file,
		Progress: a.Progress, Outcome: r.made.scenario.Outcome,
		Link: r.made.scenario.Link, Scenario: r.made.remembered,
	}
	if stages := r.Route.Interface.States.Stages(); stages != 1 {
		record.Stages = &stages
	}
	if r.made.scenario.Progress != nil {
		record.Progress = *r.made.scenario.Progress
	}
	if export.Response == "" { // nobody can look it up
		record.Progress = exports.Progress{Mode: exports.ModeNow}
	}
	if record.ID, err = newID(r.Route.Interface.Identifiers, r.Now, a.Random); err != nil {
		return httpd.Response{}, err
	}
	r.Entry.Kind = export.Kind
	if r.Method == http.MethodHead {
		return a.head(r, export, record)
	}
	limit := export.RateLimit
	var limited *store.LimitedError
	if err := a.Live.Create(r.Context(), record, token(limit, record, payload)); errors.As(err, &limited) {
		return httpd.Response{}, refuseLimited(limit, limited.RetryAfter)
	} else if err != nil {
		return httpd.Response{}, fmt.Errorf("storing an export: %w", err)
	}
	r.Entry.Export, r.Entry.Doubts = record.ID, a.doubts(export, &record.File, r.caller.Owner, r.Now, r.Entry.Doubts)
	if export.Response == "" {
		return a.sent(r, r.Route.Interface, record, a.Files.State(record, r.Now), 1)
	}
	a.Files.Expect(record)
	a.Callbacks.expect(a, r, record, address)
	return a.created(r, export, record)
}

// head answers as the creation does, and keeps nothing: no export, no file and no token of a limit.
func (a *API) head(r *request, export *schemas.Export, record *exports.Record) (httpd.Response, error) {
	if export.Response != "" {
		return a.created(r, export, record)
	}
	if err := a.Live.ShowData(r.Context(), record.Owner, &record.File); err != nil {
		return httpd.Response{}, err
	}
	defer a.Files.Forget(record.ID)
	return a.sent(r, r.Route.Interface, record, a.Files.State(record, r.Now), 1)
}

// created is the answer to a creation that a lookup follows.
func (a *API) created(r *request, export *schemas.Export, record *exports.Record) (httpd.Response, error) {
	its, state := &r.Route.Interface, exports.State{Status: exports.Created}
	state.Name = its.States.Of(state)
	lookup := a.lookupAddress(r, record)
	answer, err := a.answer(r, export.Response, knownOf(its, record, state, lookup, nil, nil))
	answer.Location = lookup
	return surprised(answer, record), err
}

// lookupAddress is the address under which an export is looked up.
func (a *API) lookupAddress(r *request, record *exports.Record) string {
	return a.baseURL(r) + a.lookups[r.Route.Interface.Name].Address(func(name string) string {
		if name == r.Route.Interface.KeyVariable {
			return record.Owner
		}
		return record.ID
	})
}

// token is what the creation of a record takes from a limit, or nil if the
// limit is not for payloads like this one (export API section 8).
func token(limit *schemas.RateLimit, record *exports.Record, payload exports.Payload) *store.Token {
	if limit == nil || limit.When != "" && !payload.Has(limit.When) {
		return nil
	}
	return &store.Token{Bucket: exports.BucketOf(record.Kind, record.Owner), Now: record.CreatedAt, Burst: limit.Burst, Every: limit.Every}
}

func refuseLimited(limit *schemas.RateLimit, wait time.Duration) error {
	refusal := exports.Refuse(exports.TooManyRequests,
		"too many requests with %s: one every %s is allowed, %d at once; try again in %d seconds",
		limit.When, minutes(limit.Every), limit.Burst, httpd.WholeSeconds(wait))
	refusal.RetryAfter = max(wait, time.Second)
	return refusal
}

func minutes(every time.Duration) string {
	if count := int(math.Round(every.Minutes())); count != 1 {
		return fmt.Sprintf("%d minutes", count)
	}
	return "minute"
}
