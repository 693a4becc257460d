package control

import (
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// exportsList lists all exports, newest first. It moves none of them.
func (a *API) exportsList(r *httpd.Request) (httpd.Response, error) {
	limit, err := httpd.Number(r.Query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	key, err := a.seenKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	records, next, err := a.Live.ListPage(r.Context(), store.ListOptions{Owner: key, After: r.Query["from"], Limit: limit})
	if errors.Is(err, store.ErrNotFound) {
		return httpd.Response{}, httpd.RefuseCursor("from", r.Query["from"], "next_from")
	}
	if err != nil {
		return httpd.Response{}, err
	}
	body := struct {
		Exports []exportRecord `json:"exports"`
		Next    string         `json:"next_from,omitempty"`
	}{Exports: []exportRecord{}, Next: next}
	for _, record := range records {
		body.Exports = append(body.Exports, a.exportRecord(record))
	}
	return httpd.OK(body), nil
}

// exportsGet shows one export. It is not a lookup: it moves nothing.
func (a *API) exportsGet(r *httpd.Request) (httpd.Response, error) {
	record, err := a.Store.Get(r.Context(), r.Variables["id"])
	if err != nil {
		return httpd.Response{}, notThere(err, r.Variables["id"])
	}
	return httpd.OK(a.exportRecord(record)), nil
}

// exportsMove moves one export by hand: {"action": "step"}, "finish" or "fail", the last one with an optional "message".
func (a *API) exportsMove(r *httpd.Request) (httpd.Response, error) {
	members, err := a.readMembers(r)
	if err != nil {
		return httpd.Response{}, err
	}
	action, _ := members.String("action")
	message, _ := members.String("message")
	record, err := a.Store.Get(r.Context(), r.Variables["id"])
	if err != nil {
		return httpd.Response{}, notThere(err, r.Variables["id"])
	}
	now, moved := a.Live.NowOf(record.Owner), a.states(record)
	record, err = a.Store.Update(r.Context(), record.ID, func(stored *exports.Record) error {
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
		return httpd.Response{}, exports.Refuse(exports.Conflict, "%s", moved.In(immovable.Message))
	}
	if err != nil {
		return httpd.Response{}, notThere(err, r.Variables["id"])
	}
	return httpd.OK(a.exportRecord(record)), nil
}

// notThere turns the store's answer into a refusal.
func notThere(err error, id string) error {
	if errors.Is(err, store.ErrNotFound) {
		return exports.Refuse(exports.RouteNotFound, "there is no export %q; GET /_mock/exports lists them", exports.Shorten(id))
	}
	return fmt.Errorf("reading export %s: %w", id, err)
}
