package control

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// readyPatience is how long the store may take to answer a question of readiness.
const readyPatience = 2 * time.Second

// watchRoutes are the routes for people and programs that watch over the server. Health and readiness tell nothing that is worth
// guarding, and those who ask for them know no token.
func (a *API) watchRoutes() []*httpd.Route {
	return httpd.PagesGroup().Of(
		&httpd.Route{Name: "health", Method: http.MethodGet, Path: "/_mock/health", Credential: httpd.Public, Handle: a.health,
			Description: httpd.Description{Summary: "Whether the server is alive."},
			Input:       httpd.Input{Reserve: true},
			Output:      httpd.Output{Response: "mock/health.json"}},
		&httpd.Route{Name: "ready", Method: http.MethodGet, Path: "/_mock/ready", Credential: httpd.Public, Handle: a.ready,
			Description: httpd.Description{Summary: "Whether the server can do its work: its state can be written, and it is not about to stop."},
			Output: httpd.Output{Response: "mock/health.json", Error: a.dialect.Legacy().Errors.Schema,
				Refusals: []string{exports.MaintenanceError}, Writes: true}},
		&httpd.Route{Name: "metrics", Method: http.MethodGet, Path: "/_mock/metrics", Credential: httpd.Control, Handle: a.metricsText,
			Description: httpd.Description{Summary: "Counts of what the server does, in the text format of Prometheus."},
			Output:      httpd.Output{ResponseMedia: []string{metrics.ContentType}}},
	)
}

type health struct {
	Status  string   `json:"status"`
	Version string   `json:"version,omitempty"`
	Reloads *reloads `json:"reloads,omitempty"`
}

func (a *API) health(*httpd.Request) (httpd.Response, error) {
	return httpd.OK(health{"alive", a.Watched.Version, a.Watched.Reloads.last.Load()}), nil
}

func (a *API) ready(r *httpd.Request) (httpd.Response, error) {
	if err := a.readiness(r.Context()); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(health{"ready", a.Watched.Version, a.Watched.Reloads.last.Load()}), nil
}

// readiness says why the server cannot do its work; nil if it can. What is wrong with the store is for the log.
func (a *API) readiness(ctx context.Context) error {
	if a.drained.Err() != nil {
		return exports.RefuseOutage("the server is about to stop")
	}
	limited, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	err := cmp.Or(a.Live.Writable(limited), a.Live.Damage())
	switch {
	case errors.Is(err, store.ErrDamaged):
		a.outages.Error("the state is damaged", "error", err)
		return exports.RefuseOutage("the state is damaged: restore a copy; the reason is in the log of the server")
	case err == nil && a.Live.Lacking():
		return exports.RefuseOutage("the disk of the state is full; the reason is in the log of the server")
	case err == nil:
		return nil
	}
	a.outages.Error("the store cannot be written", "error", err)
	if errors.Is(err, store.ErrGone) {
		return exports.RefuseOutage("the state file was deleted, moved or replaced; the reason is in the log of the server")
	}
	return exports.RefuseOutage("the state cannot be written; the reason is in the log of the server")
}

func (a *API) metricsText(r *httpd.Request) (httpd.Response, error) {
	out := &metrics.Writer{}
	a.Watched.Metrics.Write(out, a.Watched.Server.Counted())
	a.writeBudgets(out)
	ready := 1.0
	if a.readiness(r.Context()) != nil {
		ready = 0
	}
	out.Value("rehearsal_ready", "gauge", "Whether the server is ready.", ready)
	out.Value("rehearsal_journal_requests_total", "counter", "Requests written to the journal.", float64(a.Watched.Journal.Last()))
	out.Value("rehearsal_journal_dropped_requests", "gauge", "Requests evicted from the journal since it was cleared.",
		float64(a.Watched.Journal.Dropped()))
	status := a.Live.Clock("")
	out.Value("rehearsal_clock_seconds", "gauge", "The common clock, in seconds since 1970.", float64(status.Now.UnixMilli())/1000)
	frozen := 0.0
	if status.Frozen {
		frozen = 1
	}
	out.Value("rehearsal_clock_frozen", "gauge", "Whether the common clock is frozen.", frozen)
	metrics.WriteProcess(out, float64(a.Watched.Started.UnixMilli())/1000)
	return httpd.Response{Status: http.StatusOK, ContentType: metrics.ContentType, Body: out.Bytes()}, nil
}

// writeBudgets writes what is used of each budget.
func (a *API) writeBudgets(out *metrics.Writer) {
	for _, metric := range []struct {
		name, kind, help string
		of               func(*budget.Budget) int64
	}{
		{"rehearsal_budget_limit", "gauge", "What may be used of each budget.", (*budget.Budget).Limit},
		{"rehearsal_budget_used", "gauge", "What is used of each budget; 0 of one that limits single things.", (*budget.Budget).Used},
		{"rehearsal_budget_refused_total", "counter", "How often something was refused because of a budget.", (*budget.Budget).Refused},
	} {
		out.Family(metric.name, metric.kind, metric.help)
		for _, b := range a.Budgets.All() {
			out.Sample(metric.name, float64(metric.of(b)), metrics.Label{Name: "budget", Value: string(b.Name)},
				metrics.Label{Name: "unit", Value: string(b.Unit)})
		}
	}
}
