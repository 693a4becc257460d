package api

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// controlList lists all exports, newest first. It moves none of them.
func (s *Service) controlList(r *request) (response, error) {
	const most = 1000
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	limit := 100
	if text, given := query["limit"]; given {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > most {
			return response{}, refuse(MalformedParameter, "the query parameter limit is %q; allowed: 1 to %d", shortened(text), most)
		}
		limit = number
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
		body.Exports = append(body.Exports, s.controlRecord(record, r.now))
	}
	return response{status: http.StatusOK, body: mustJSON(body)}, nil
}

// controlGet shows one export. It is not a lookup: it moves nothing.
func (s *Service) controlGet(r *request) (response, error) {
	record, err := s.store.Get(r.Context(), r.variables["id"])
	if err != nil {
		return response{}, notThere(err, r.variables["id"])
	}
	return response{status: http.StatusOK, body: mustJSON(s.controlRecord(record, r.now))}, nil
}

// controlMove moves one export by hand: {"action": "step"}, "finish" or
// "fail", the last one with an optional "message".
func (s *Service) controlMove(r *request) (response, error) {
	value, err := readValue(r.Request)
	if err != nil {
		return response{}, err
	}
	action, message, refusal := parseMove(value)
	if refusal != nil {
		return response{}, refusal
	}
	record, err := s.store.Update(r.Context(), r.variables["id"], func(stored *exports.Record) error {
		switch action {
		case "step":
			return stored.Step(r.now)
		case "finish":
			return stored.Finish(r.now)
		default:
			return stored.Fail(r.now, message)
		}
	})
	var immovable *exports.Error
	if errors.As(err, &immovable) {
		return response{}, refuse(Conflict, "%s", immovable.Message)
	}
	if err != nil {
		return response{}, notThere(err, r.variables["id"])
	}
	return response{status: http.StatusOK, body: mustJSON(s.controlRecord(record, r.now))}, nil
}

func parseMove(value any) (action, message string, refusal *Error) {
	const allowed = `{"action": "step"}, {"action": "finish"} or {"action": "fail", "message": "..."}`
	members, ok := value.(map[string]any)
	if !ok {
		return "", "", refuse(MalformedParameter, "the body must be an object: %s", allowed)
	}
	for name := range members {
		if name != "action" && name != "message" {
			return "", "", refuse(MalformedParameter, "the body has a member that is not known; allowed: %s", allowed)
		}
	}
	if members["action"] == nil {
		return "", "", refuse(MissingParameter, "action is missing; send %s", allowed)
	}
	action, _ = members["action"].(string)
	if action != "step" && action != "finish" && action != "fail" {
		return "", "", refuseMember("/action", "enum", "action must be step, finish or fail: %s", allowed)
	}
	if given, there := members["message"]; there {
		if message, ok = given.(string); !ok || action != "fail" {
			return "", "", refuseMember("/message", "type", "message is a text and goes only with the action fail: %s", allowed)
		}
	}
	return action, message, nil
}

// notThere turns the store's answer into a refusal.
func notThere(err error, id string) error {
	if errors.Is(err, store.ErrNotFound) {
		return refuse(RouteNotFound, "there is no export %q; GET /_mock/exports lists them", shortened(id))
	}
	return fmt.Errorf("reading export %s: %w", id, err)
}
