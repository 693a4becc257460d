package api

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// controlList lists all exports, newest first. It moves none of them.
func (s *Service) controlList(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	limit, err := number(query, "limit")
	if err != nil {
		return response{}, err
	}
	records, next, err := s.listPage(r.Context(), store.ListOptions{After: query["from"], Limit: limit})
	if err != nil {
		return response{}, err
	}
	body := struct {
		Exports []controlRecord `json:"exports"`
		Next    string          `json:"next_from,omitempty"`
	}{Exports: []controlRecord{}, Next: next}
	for _, record := range records {
		body.Exports = append(body.Exports, s.controlRecord(record))
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// controlGet shows one export. It is not a lookup: it moves nothing.
func (s *Service) controlGet(r *request) (response, error) {
	record, err := s.store.Get(r.Context(), r.variables["id"])
	if err != nil {
		return response{}, notThere(err, r.variables["id"])
	}
	return response{status: http.StatusOK, body: mustJSON(s.controlRecord(record))}, nil
}

// controlMove moves one export by hand: {"action": "step"}, "finish" or
// "fail", the last one with an optional "message".
func (s *Service) controlMove(r *request) (response, error) {
	members, err := s.readControl(r)
	if err != nil {
		return response{}, err
	}
	action, _ := members.String("action")
	message, _ := members.String("message")
	record, err := s.store.Get(r.Context(), r.variables["id"])
	if err != nil {
		return response{}, notThere(err, r.variables["id"])
	}
	now := s.clocks.Of(record.Owner).Now()
	record, err = s.store.Update(r.Context(), record.ID, func(stored *exports.Record) error {
		switch action {
		case "step":
			return stored.Step(now)
		case "finish":
			return stored.Finish(now)
		default:
			return stored.Fail(now, message)
		}
	})
	var immovable *exports.Error
	if errors.As(err, &immovable) {
		return response{}, refuse(Conflict, "%s", immovable.Message)
	}
	if err != nil {
		return response{}, notThere(err, r.variables["id"])
	}
	return response{status: http.StatusOK, body: mustJSON(s.controlRecord(record))}, nil
}

// readControl reads the body of one of the server's own routes and checks it
// against the schema of the route.
func (s *Service) readControl(r *request) (Members, error) {
	value, err := readValue(r.Request)
	if err != nil {
		return nil, err
	}
	schema := r.route.Request
	if err := s.library.Validate(schema, value); err != nil {
		return nil, refuseInvalid(err)
	}
	members, is := value.(map[string]any)
	if !is {
		return nil, fmt.Errorf("schema %s accepts a payload that is no object", schema)
	}
	return Members(members), nil
}

// notThere turns the store's answer into a refusal.
func notThere(err error, id string) error {
	if errors.Is(err, store.ErrNotFound) {
		return refuse(RouteNotFound, "there is no export %q; GET /_mock/exports lists them", shortened(id))
	}
	return fmt.Errorf("reading export %s: %w", id, err)
}
