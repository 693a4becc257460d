package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// readyPatience is how long the store may take to answer a question of
// readiness.
const readyPatience = 2 * time.Second

// watchRoutes are the routes for whoever watches over the server. Health and
// readiness tell nothing that is worth guarding, and those who ask for them
// know no token.
func (s *Service) watchRoutes() []*Route {
	return madeOwn([]*Route{
		{Name: "health", Method: http.MethodGet, Path: "/_mock/health", Credential: Nobody, handle: s.health,
			Response: "mock/health.json", Summary: "Whether the server is alive."},
		{Name: "ready", Method: http.MethodGet, Path: "/_mock/ready", Credential: Nobody, handle: s.ready,
			Response: "mock/health.json", Error: "legacy/error.json", Refusals: []string{MaintenanceError}, Summary: "Whether the server can do its work: its store answers, and it is not about to stop."},
		{Name: "metrics", Method: http.MethodGet, Path: "/_mock/metrics", Credential: Control, handle: s.metricsText, ResponseMedia: []string{metrics.ContentType},
			Summary: "Counts of what the server does, in the text format of Prometheus."},
	})
}

type health struct {
	Status string `json:"status"`
}

func (s *Service) health(*request) (response, error) {
	return response{status: http.StatusOK, body: mustJSON(health{"alive"})}, nil
}

func (s *Service) ready(r *request) (response, error) {
	if err := s.readiness(r.Context()); err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: mustJSON(health{"ready"})}, nil
}

// readiness says why the server cannot do its work; nil if it can. What is
// wrong with the store is for the log.
func (s *Service) readiness(ctx context.Context) error {
	if s.drained.Err() != nil {
		return refuse(MaintenanceError, "the server is about to stop")
	}
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	if _, err := s.store.Setting(ctx, ClockSetting); err != nil && !errors.Is(err, store.ErrNotFound) {
		s.logger.Error("the store does not answer", "error", err)
		return refuse(MaintenanceError, "the store does not answer; the reason is in the log of the server")
	}
	return nil
}

func (s *Service) metricsText(r *request) (response, error) {
	out := &metrics.Writer{}
	routes := make([]*metrics.Route, 0, len(s.routes)+2)
	for _, route := range s.routes {
		routes = append(routes, &route.metrics)
	}
	s.metrics.Write(out, append(routes, &s.metricsWeb, &s.metricsNone))
	ready := 1.0
	if s.readiness(r.Context()) != nil {
		ready = 0
	}
	out.Value("rehearsal_ready", "gauge", "Whether the server can do its work.", ready)
	out.Value("rehearsal_journal_requests_total", "counter", "Requests that were written to the journal.", float64(s.journal.Last()))
	out.Value("rehearsal_journal_dropped_requests", "gauge", "Requests that made room for newer ones since the journal was cleared.", float64(s.journal.Dropped()))
	status := s.clocks.Global().Status()
	out.Value("rehearsal_clock_seconds", "gauge", "What the clock of all keys shows, in seconds since 1970.", float64(status.Now.UnixMilli())/1000)
	frozen := 0.0
	if status.Frozen {
		frozen = 1
	}
	out.Value("rehearsal_clock_frozen", "gauge", "Whether that clock stands still.", frozen)
	metrics.WriteProcess(out, float64(s.started.UnixMilli())/1000)
	return response{status: http.StatusOK, contentType: metrics.ContentType, body: out.Bytes()}, nil
}
