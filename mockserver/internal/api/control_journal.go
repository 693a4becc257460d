package api

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

// queryOf lists query parameters as a schema describes them: an object whose
// members are texts.
func queryOf(library *schemas.Library, schema string, names ...string) ([]schemas.Parameter, error) {
	root := library.Schema(schema)
	var parameters []schemas.Parameter
	var file struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(library.Source(schema), &file); err != nil {
		return nil, fmt.Errorf("reading schema %s: %w", schema, err)
	}
	for _, name := range names {
		if root == nil || root.Properties[name] == nil {
			return nil, fmt.Errorf("schema %s lacks the member %s, which the server needs", schema, name)
		}
		property := root.Properties[name]
		parameters = append(parameters, schemas.Parameter{Name: name, Description: property.Description, Schema: property, Source: file.Properties[name]})
	}
	return parameters, nil
}

// filterOf reads the query of a request for the journal.
func (s *Service) filterOf(r *request) (journal.Filter, map[string]string, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return journal.Filter{}, nil, err
	}
	filter, err := journal.ParseFilter(query)
	if err != nil {
		return journal.Filter{}, nil, refuse(MalformedParameter, "the query parameter %v", err)
	}
	return filter, query, s.knowsNames(filter)
}

// knowsNames refuses a filter that no request can ever pass: a test that
// expects none would hold because of a slip.
func (s *Service) knowsNames(filter journal.Filter) error {
	routes := []string{journal.NoRoute}
	for _, route := range s.routes {
		if route.readsScenario() {
			routes = append(routes, route.Name)
		}
	}
	var names []string
	for _, table := range s.tables {
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	for _, given := range []struct {
		parameter, value string
		allowed          []string
	}{
		{"route", filter.Route, routes},
		{"kind", filter.Kind, slices.Collect(maps.Keys(s.formats))},
		{"error", filter.Error, names},
	} {
		if given.value == "" || slices.Contains(given.allowed, given.value) {
			continue
		}
		slices.Sort(given.allowed)
		hint := ""
		if likely := schemas.Likely(given.value, given.allowed); likely != "" {
			hint = "; did you mean " + likely + "?"
		}
		return refuseMember("/"+given.parameter, "enum", "the query parameter %s is %q; allowed: %s%s", given.parameter, shortened(given.value),
			strings.Join(slices.Compact(given.allowed), ", "), hint)
	}
	return nil
}

// number reads a parameter whose schema allows only whole numbers, and has a
// default.
func number(query map[string]string, name string) (int, error) {
	value, err := strconv.Atoi(query[name])
	if err != nil {
		return 0, fmt.Errorf("the schema of the query parameter %s allows %q: %w", name, query[name], err)
	}
	return value, nil
}

// journalList shows requests, in the order in which they were answered.
func (s *Service) journalList(r *request) (response, error) {
	filter, query, err := s.filterOf(r)
	if err != nil {
		return response{}, err
	}
	limit, err := number(query, "limit")
	if err != nil {
		return response{}, err
	}
	page := s.journal.List(filter, limit)
	return response{status: http.StatusOK, body: mustJSON(struct {
		Requests []journal.Entry `json:"requests"`
		Next     uint64          `json:"next_since"`
		More     bool            `json:"has_more"`
		Dropped  uint64          `json:"dropped"`
		Size     int             `json:"size"`
	}{page.Entries, page.Next, page.More, s.journal.Dropped(), s.journal.Size()})}, nil
}

// journalCount counts requests.
func (s *Service) journalCount(r *request) (response, error) {
	filter, _, err := s.filterOf(r)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: mustJSON(struct {
		Count   int    `json:"count"`
		Dropped uint64 `json:"dropped"`
	}{s.journal.Count(filter), s.journal.Dropped()})}, nil
}

// journalWait answers once there are enough requests, or when the time is
// over. It is the machine's time: a clock that stands still would wait for
// ever.
func (s *Service) journalWait(r *request) (response, error) {
	filter, query, err := s.filterOf(r)
	if err != nil {
		return response{}, err
	}
	count, err := number(query, "count")
	if err != nil {
		return response{}, err
	}
	timeout, err := time.ParseDuration(query["timeout"])
	if err != nil || timeout > longestWait {
		return response{}, refuse(MalformedParameter, "the query parameter timeout is %q; allowed: a duration of at most %s, such as 5s", shortened(query["timeout"]), longestWait)
	}
	ctx, cancel := s.untilDrained(r.Context())
	defer cancel()
	ctx, cancelTimeout := context.WithTimeout(ctx, timeout)
	defer cancelTimeout()
	found, err := s.journal.Wait(ctx, filter, count)
	return response{status: http.StatusOK, body: mustJSON(struct {
		Count     int  `json:"count"`
		Satisfied bool `json:"satisfied"`
	}{found, err == nil})}, nil
}

// journalClear forgets requests.
func (s *Service) journalClear(r *request) (response, error) {
	filter, _, err := s.filterOf(r)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: mustJSON(struct {
		Cleared int `json:"cleared"`
	}{s.journal.Clear(filter)})}, nil
}

// journalEvents shows requests as they come, as server-sent events. A browser
// that was cut off says with Last-Event-ID where to go on.
func (s *Service) journalEvents(r *request) (response, error) {
	filter, query, err := s.filterOf(r)
	if err != nil {
		return response{}, err
	}
	if last, err := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 63); err == nil {
		filter.Since = last
	}
	if filter.Since > s.journal.Last() { // of another run of the server
		filter.Since = 0
	}
	limit, err := number(query, "limit")
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, contentType: "text/event-stream", stream: func(w http.ResponseWriter) {
		ctx, cancel := s.untilDrained(r.Context())
		defer cancel()
		followJournal(ctx, w, s.journal, filter, limit)
	}}, nil
}

// followJournal writes events until the client leaves; a limit above 0 ends it
// after so many.
func followJournal(ctx context.Context, w http.ResponseWriter, requests *journal.Journal, filter journal.Filter, limit int) {
	out := http.NewResponseController(w)
	write := func(format string, arguments ...any) error {
		extendDeadline(w)
		if _, err := fmt.Fprintf(w, format, arguments...); err != nil {
			return err
		}
		if err := out.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		return nil
	}
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
			if err := write("id: %d\nevent: request\ndata: %s\n\n", entry.Sequence, data); err != nil {
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
func (s *Service) lints(r *request) (response, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return response{}, err
	}
	interval, err := time.ParseDuration(query["poll_interval"])
	if err != nil {
		return response{}, refuse(MalformedParameter, "the query parameter poll_interval is %q; allowed: a duration, such as 500ms", shortened(query["poll_interval"]))
	}
	if interval == 0 {
		interval = -1 // any is allowed
	}
	findings := journal.Judge(s.journal.List(journal.Filter{}, 0).Entries, journal.Judgement{
		Key: query["key"], Underway: query["underway"] == "true", PollInterval: interval,
	})
	return response{status: http.StatusOK, body: mustJSON(struct {
		Lints   []journal.Finding `json:"lints"`
		Dropped uint64            `json:"dropped"`
	}{findings, s.journal.Dropped()})}, nil
}

// untilDrained is a context that ends when the server is about to stop, too.
func (s *Service) untilDrained(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.drained, cancel)
	return ctx, func() { stop(); cancel() }
}

// Drain ends what would go on for ever: event streams, and requests that wait
// for others. New ones end at once.
func (s *Service) Drain() { s.drain() }
