package exportapi

import (
	"context"
	"errors"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/answers"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// mostListed is how many records a page has where the request does not say.
const mostListed = 100

// listPatience is the maximum time that a list waits for files.
const listPatience = time.Second

// list pages through the exports of a project, newest first. Listing is not a lookup: it does not move an export that goes by polls.
func (a *API) list(r *request) (httpd.Response, error) {
	query, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query)
	if err != nil {
		return httpd.Response{}, err
	}
	limit := mostListed
	if parameter := schemas.ParameterOf(r.Route.Query, "limit"); parameter != "" {
		if limit, err = httpd.Number(query, parameter); err != nil {
			return httpd.Response{}, err
		}
	}
	from := schemas.ParameterOf(r.Route.Query, "after")
	records, next, err := a.Live.ListPage(r.Context(), store.ListOptions{Owner: r.caller.Owner, Interface: r.Route.Interface.Name,
		After: query[from], Limit: limit})
	if errors.Is(err, store.ErrNotFound) {
		return httpd.Response{}, httpd.RefuseCursor(from, query[from], a.Library.MemberOf(r.Route.Response, vocabulary.PageNext))
	}
	if err != nil {
		return httpd.Response{}, err
	}
	limited, cancel := context.WithTimeout(r.Context(), listPatience)
	defer cancel()
	page := []answers.Values{}
	for _, record := range records {
		known, state, parts, err := a.listed(r, limited, record)
		if errors.Is(err, store.ErrNotFound) { // it was deleted meanwhile
			continue
		}
		if err != nil {
			return httpd.Response{}, err
		}
		if page = append(page, known); len(page) <= journal.MostListed {
			r.Entry.Listed = append(r.Entry.Listed, journal.Listed{Export: record.ID, Status: state.Name, Parts: parts})
		}
	}
	known := answers.Values{vocabulary.PageRecords: page, vocabulary.PageCount: int64(len(page)), vocabulary.PageHasMore: next != ""}
	if next != "" {
		known[vocabulary.PageNext] = next
	}
	return a.answer(r, r.Route.Response, known)
}

// listed returns the facts of an export in a list. One whose file cannot be made takes no list down: only an outage of the state does.
func (a *API) listed(r *request, limited context.Context, record *exports.Record) (answers.Values, exports.State, int, error) {
	shown, state, err := a.shown(r.Context(), limited, record, r.Now)
	if errors.Is(err, store.ErrNotFound) || a.Live.Explain(err) != nil {
		return nil, state, 0, err
	}
	if err == nil {
		var known answers.Values
		var parts int
		if known, parts, err = a.known(r, shown, state); err == nil {
			return known, state, parts, nil
		}
	}
	a.Logger.Error("an export is listed without its files", "export", record.ID, "error", err)
	state = a.Files.Instead(record, a.Files.State(record, r.Now), err)
	known, parts, err := a.known(r, record, state)
	return known, state, parts, err
}

// download redirects to a fresh link to one part of a file.
func (a *API) download(r *request) (httpd.Response, error) {
	if _, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query); err != nil {
		return httpd.Response{}, err
	}
	exportID, part, ok := r.part()
	noFile := exports.Refuse(exports.RouteNotFound, "no file %q was made with this key; the files of an export are listed by %s",
		exports.Shorten(r.named()), a.lookups[r.Route.Interface.Name].Path)
	if !ok {
		return httpd.Response{}, noFile
	}
	record, err := a.find(r, exportID)
	if err != nil {
		var refused *exports.Refusal
		if errors.As(err, &refused) {
			err = noFile
		}
		return httpd.Response{}, err
	}
	r.Entry.Kind, r.Entry.Export, r.Entry.Part = record.Kind, record.ID, part
	state := a.Files.State(record, r.Now)
	switch {
	case state.FileExpired:
		return httpd.Response{}, fileExpired(r.Route.Interface, state)
	case state.Status != exports.Success:
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound, "the export of this file is %s; files can be downloaded once it is %s",
			state.Name, r.Route.Interface.States.Done())
	}
	if record.Link == exports.LinkNone {
		return httpd.Response{}, noFile
	}
	sizes, err := a.Files.Sizes(r.Context(), record)
	if err != nil {
		return httpd.Response{}, err
	}
	if part < 1 || part > len(sizes) {
		return httpd.Response{}, noFile
	}
	answer, err := a.answer(r, r.Route.Response, fileOf(&r.Route.Interface, record, part, sizes[part-1], a.address(r, record, part)))
	answer.Location = a.link(r, a.Files.FileName(record, part))
	return answer, err
}

// address is where answers say that a part of a file is: a fresh link to it, or the endpoint that redirects to one.
func (a *API) address(r *request, record *exports.Record, part int) string {
	its := &r.Route.Interface
	if !its.Files.Redirects() {
		return a.link(r, a.Files.FileName(record, part))
	}
	return a.baseURL(r) + a.downloads[its.Name].Address(func(name string) string {
		switch {
		case name == its.KeyVariable:
			return record.Owner
		case its.Identifiers.File != "":
			return its.Identifiers.FileOf(record.ID, part)
		}
		return record.ID
	})
}
