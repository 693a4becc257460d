package exportapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// status looks one export up. Every lookup of a finished export gives new links.
func (a *API) status(r *request) (httpd.Response, error) {
	if len(r.Route.Query) > 0 {
		if _, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query); err != nil {
			return httpd.Response{}, err
		}
	}
	if r.Route.Request != "" {
		if err := a.checkBody(r); err != nil {
			return httpd.Response{}, err
		}
	}
	id, ids := a.idOf(r), r.Route.Interface.Identifiers
	record, err := a.find(r, id)
	if err != nil {
		if writer, fault := a.writers[r.Route.Response](); fault == nil && !writer.Allows(vocabulary.RecordID, id) {
			place := r.variable() + " in the path"
			if place[0] == ' ' {
				place = "the identifier"
			}
			err = exports.Refuse(exports.MalformedParameter, "%s is %q; send the %s that the creation answered as %s", place,
				exports.Shorten(id), shapeOf(ids), ids.Created)
		}
		return httpd.Response{}, err
	}
	record, state, err := a.look(r.Context(), record, r.Now)
	if err != nil {
		return httpd.Response{}, err
	}
	known, parts, err := a.known(r, record, state)
	if err != nil {
		return httpd.Response{}, err
	}
	r.Entry.Kind, r.Entry.Export, r.Entry.ExportStatus, r.Entry.Parts = record.Kind, record.ID, state.Name, parts
	answer, err := a.answer(r, r.Route.Response, known)
	return surprised(answer, record), err
}

// checkBody refuses a lookup whose body its schema does not allow.
func (a *API) checkBody(r *request) error {
	data, err := r.readBody()
	if err != nil {
		return err
	}
	r.NoteBody(data)
	value, err := httpd.Decode(data)
	if err != nil {
		return err
	}
	return httpd.RefuseInvalid(a.Library.Validate(r.Route.Request, value))
}

// find fetches an export for its caller: one that was made with another key does not exist for it.
func (a *API) find(r *request, id string) (*exports.Record, error) {
	record, err := a.export(r, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && !r.sees(record) {
		return nil, noExport(id)
	}
	if err != nil {
		return nil, err
	}
	r.Entry.Export = record.ID
	return record, nil
}

func noExport(id string) error {
	return exports.Refuse(exports.RouteNotFound,
		"no export %q was made with this key; an export is seen only with the key that created it", exports.Shorten(id))
}

// look counts a lookup, where the progression of the export depends on it, and says how far the export is.
func (a *API) look(ctx context.Context, record *exports.Record, now time.Time) (*exports.Record, exports.State, error) {
	id, state := record.ID, exports.State{}
	var err error
	if record.CountsPolls(now) {
		record, err = a.Store.Update(ctx, id, func(stored *exports.Record) error {
			stored.Poll(now)
			return nil
		})
	}
	if err == nil {
		record, state, err = a.shown(ctx, ctx, record, now)
	}
	switch {
	case errors.Is(err, store.ErrNotFound): // it was deleted meanwhile
		err = noExport(id)
	case err != nil:
		err = fmt.Errorf("looking export %s up: %w", id, err)
	}
	return record, state, err
}

// shown says how far an export is, and waits for its file as long as limited lasts. A SUCCESS that was told stays one.
func (a *API) shown(ctx, limited context.Context, record *exports.Record, now time.Time) (*exports.Record, exports.State, error) {
	state := a.Files.Shown(limited, record, now)
	if state.Status != exports.Success || record.Written != nil {
		return record, state, nil
	}
	sizes, late := a.Files.Took(record.ID)
	if sizes == nil {
		return record, state, nil
	}
	// From now on it is SUCCESS, also after a restart and on other servers.
	remembered, err := a.Store.Update(ctx, record.ID, func(stored *exports.Record) error {
		stored.Wrote(sizes, late, now)
		return nil
	})
	if errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrReadOnly) { // the file is there, and looking needs no room
		remembered, err = record.Clone(), nil
		remembered.Wrote(sizes, late, now)
	}
	if err != nil {
		return nil, exports.State{}, fmt.Errorf("remembering the file of an export: %w", err)
	}
	return remembered, a.Files.State(remembered, now), nil
}
