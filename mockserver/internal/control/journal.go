package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	journalQuery = "mock/journal.query.json"
	// longestWait bounds how long a request waits for others.
	longestWait = time.Minute
	// heartbeat is how often an event stream says that it is alive.
	heartbeat = 15 * time.Second
)

// journalFilters are the parameters that choose requests.
func journalFilters(more ...string) []string {
	return append([]string{"route", "key", "status", "method", "path", "export", "kind", "error", "since"}, more...)
}

// filterOf reads the query of a request for the journal.
func (a *API) filterOf(r *httpd.Request) (journal.Filter, error) {
	filter, err := journal.ParseFilter(r.Query)
	if err != nil {
		return journal.Filter{}, exports.Refuse(exports.MalformedParameter, "the query parameter %v", err)
	}
	if _, err := a.seenKey(r); err != nil {
		return journal.Filter{}, err
	}
	return filter, a.knowsNames(filter)
}

// knowsNames refuses a filter that no request can ever pass: a test that expects none would hold because of a slip.
func (a *API) knowsNames(filter journal.Filter) error {
	routes := []string{journal.NoRoute, journal.StageCallback}
	for _, route := range a.Watched.Server.Routes() {
		if route.Journaled() {
			routes = append(routes, route.Name)
		}
	}
	var names []string
	for _, table := range a.Errors {
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	for _, given := range []struct {
		parameter, value string
		allowed          []string
	}{
		{"route", filter.Route, routes},
		{"kind", filter.Kind, a.Files.Kinds()},
		{"error", filter.Error, names},
	} {
		if given.value == "" || slices.Contains(given.allowed, given.value) {
			continue
		}
		slices.Sort(given.allowed)
		return exports.RefuseMember("/"+given.parameter, "enum", "the query parameter %s is %q; allowed: %s%s", given.parameter,
			exports.Shorten(given.value),
			strings.Join(slices.Compact(given.allowed), ", "), schemas.DidYouMean(given.value, given.allowed))
	}
	return nil
}

// journalList shows requests, in the order in which they were answered.
func (a *API) journalList(r *httpd.Request) (httpd.Response, error) {
	filter, err := a.filterOf(r)
	if err != nil {
		return httpd.Response{}, err
	}
	limit, err := httpd.Number(r.Query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	page := a.Watched.Journal.List(filter, limit)
	return httpd.OK(struct {
		Requests []journal.Entry `json:"requests"`
		Next     uint64          `json:"next_since"`
		More     bool            `json:"has_more"`
		Dropped  uint64          `json:"dropped"`
		Size     int             `json:"size"`
	}{page.Entries, page.Next, page.More, a.Watched.Journal.Dropped(), a.Watched.Journal.Size()}), nil
}

// journalCount counts requests.
func (a *API) journalCount(r *httpd.Request) (httpd.Response, error) {
	filter, err := a.filterOf(r)
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(struct {
		Count   int    `json:"count"`
		Dropped uint64 `json:"dropped"`
	}{a.Watched.Journal.Count(filter), a.Watched.Journal.Dropped()}), nil
}

// journalWait answers once there are enough requests, or when the time is over. It is the machine's time: a clock that stands still would
// wait for ever.
func (a *API) journalWait(r *httpd.Request) (httpd.Response, error) {
	filter, err := a.filterOf(r)
	if err != nil {
		return httpd.Response{}, err
	}
	count, err := httpd.Number(r.Query, "count")
	if err != nil {
		return httpd.Response{}, err
	}
	timeout, err := time.ParseDuration(r.Query["timeout"])
	if err != nil || timeout > longestWait {
		return httpd.Response{}, exports.Refuse(exports.MalformedParameter,
			"the query parameter timeout is %q; allowed: a duration of at most %s, such as 5s", exports.Shorten(r.Query["timeout"]), longestWait)
	}
	ctx, cancel := a.untilDrained(r.Connected())
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(ctx, timeout)
	defer cancelTimeout()
	found, err := a.Watched.Journal.Wait(ctx, filter, count)
	return httpd.OK(struct {
		Count     int  `json:"count"`
		Satisfied bool `json:"satisfied"`
	}{found, err == nil}), nil
}

// journalClear forgets requests.
func (a *API) journalClear(r *httpd.Request) (httpd.Response, error) {
	filter, err := a.filterOf(r)
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(struct {
		Cleared int `json:"cleared"`
	}{a.Watched.Journal.Clear(filter)}), nil
}

// journalEvents shows requests as they come, as server-sent events. A browser that was cut off says with Last-Event-ID where to go on.
func (a *API) journalEvents(r *httpd.Request) (httpd.Response, error) {
	filter, err := a.filterOf(r)
	if err != nil {
		return httpd.Response{}, err
	}
	if last, err := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 63); err == nil {
		filter.Since = last
	}
	if filter.Since > a.Watched.Journal.Last() { // of another run of the server
		filter.Since = 0
	}
	limit, err := httpd.Number(r.Query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.Response{Status: http.StatusOK, ContentType: "text/event-stream", Stream: func(w http.ResponseWriter) {
		ctx, cancel := a.untilDrained(r.Connected())
		defer cancel()
		followJournal(ctx, w, a.Watched.Journal, filter, limit)
	}}, nil
}

// followJournal writes events until the client leaves; a limit above 0 ends it after a number of them.
func followJournal(ctx context.Context, w http.ResponseWriter, requests *journal.Journal, filter journal.Filter, limit int) {
	write := eventWriter(w)
	if write("retry: 1000\n\n") != nil {
		return
	}
	shown, enough := 0, errors.New("enough")
	for {
		quiet, cancel := context.WithTimeout(ctx, heartbeat)
		err := requests.Follow(quiet, filter, func(entry *journal.Entry) error {
			data, err := json.Marshal(entry)
			if err != nil {
				return err
			}
			if err := write(fmt.Sprintf("id: %d\nevent: request\ndata: %s\n\n", entry.Sequence, data)); err != nil {
				return err
			}
			filter.Since = entry.Sequence
			if shown++; shown == limit {
				return enough
			}
			return nil
		})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil || write(": alive\n\n") != nil {
			return
		}
	}
}

// lints judges the clients by what the journal holds.
func (a *API) lints(r *httpd.Request) (httpd.Response, error) {
	interval, err := time.ParseDuration(r.Query["poll_interval"])
	if err != nil {
		return httpd.Response{}, exports.Refuse(exports.MalformedParameter,
			"the query parameter poll_interval is %q; allowed: a duration, such as 500ms", exports.Shorten(r.Query["poll_interval"]))
	}
	if interval == 0 {
		interval = -1 // any is allowed
	}
	key, err := a.seenKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	how := journal.Judgement{
		Key: key, Underway: r.Query["underway"] == "true", PollInterval: interval, Dialect: a.dialectOf, Apart: a.Store.Shared(),
	}
	return httpd.OK(struct {
		Lints   []journal.Finding `json:"lints"`
		Dropped uint64            `json:"dropped"`
		Silent  []string          `json:"silent,omitempty"`
	}{journal.Judge(a.Watched.Journal.List(journal.Filter{}, 0).Entries, how), a.Watched.Journal.Dropped(), how.Silent()}), nil
}

// dialectOf is how the interface of a request speaks: that of its route or, of a file, that of its kind.
func (a *API) dialectOf(e *journal.Entry) journal.Dialect {
	name := e.Interface
	if name == "" {
		name = a.kinds[e.Kind].Interface
	}
	its, known := a.dialect.Named(name)
	if !known {
		its = a.dialect.Legacy()
	}
	var credentials []string
	for _, each := range a.dialect {
		credentials = append(credentials, each.Headers.Credential)
	}
	slices.Sort(credentials)
	spoken := journal.Dialect{
		Severities: its.Lints, Done: its.States.Done(), Failed: its.States.Failed(), Expired: its.States.Expired(),
		RetryAfter: its.Headers.RetryAfter, Credentials: strings.Join(slices.Compact(credentials), " and "),
	}
	specified, known := exports.Specified().Named(its.Name)
	if !known || its.Files.LinkLifetime != specified.Files.LinkLifetime || its.Files.Lifetime != specified.Files.Lifetime {
		spoken.LinkLifetime, spoken.Lifetime = its.Files.LinkLifetime.String(), its.Files.Lifetime.String()
	}
	kind := a.kinds[e.Kind]
	spoken.Added, spoken.File, spoken.Title, spoken.Output, spoken.Request = !known, its.File, its.Title, kind.Output, kind.Request
	return spoken
}

// untilDrained is a context that ends when the server is about to stop, too.
func (a *API) untilDrained(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(a.drained, cancel)
	return ctx, func() { stop(); cancel() }
}
