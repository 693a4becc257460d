package metrics

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
)

// Server counts what a server does. The zero value is ready to use, and safe for concurrent use.
type Server struct {
	InFlight atomic.Int64
	Errors   Counter // by name
	Exports  Counter // by kind
	// Scenarios applied to requests, by source.
	Scenarios Counter
	// Downloaded is how many bytes of files were sent, Broken how many downloads ended before their end.
	Downloaded, Broken atomic.Uint64
}

// Route counts the requests of one route.
type Route struct {
	Name     string
	statuses Counter
	duration Histogram
}

// Count counts an answer.
func (r *Route) Count(status int, seconds float64) {
	r.statuses.Add(strconv.Itoa(status), 1)
	r.duration.Observe(seconds)
}

// Write writes everything that was counted.
func (s *Server) Write(out *Writer, routes []*Route) {
	out.Family("rehearsal_http_requests_total", "counter", "Requests answered, by route and status.")
	for _, route := range routes {
		route.statuses.Each(func(status string, value uint64) {
			out.Sample("rehearsal_http_requests_total", float64(value), Label{"route", route.Name}, Label{"status", status})
		})
	}
	out.Family("rehearsal_http_request_duration_seconds", "histogram",
		"Duration of a response, for downloads of the whole transfer, by route.")
	for _, route := range routes {
		route.duration.write(out, "rehearsal_http_request_duration_seconds", Label{"route", route.Name})
	}
	out.Value("rehearsal_http_requests_in_flight", "gauge", "Requests in progress.", float64(s.InFlight.Load()))
	for _, counter := range []struct {
		name, help, label string
		counter           *Counter
	}{
		{"rehearsal_errors_total", "Refusals, by the name of the error.", "name", &s.Errors},
		{"rehearsal_exports_created_total", "Exports created, by kind.", "kind", &s.Exports},
		{"rehearsal_scenarios_applied_total", "Scenarios applied to requests, by source.", "source", &s.Scenarios},
	} {
		out.Family(counter.name, "counter", counter.help)
		counter.counter.Each(func(label string, value uint64) {
			out.Sample(counter.name, float64(value), Label{counter.label, label})
		})
	}
	out.Value("rehearsal_download_bytes_total", "counter", "Bytes of files sent.", float64(s.Downloaded.Load()))
	out.Value("rehearsal_downloads_broken_total", "counter", "Aborted downloads.", float64(s.Broken.Load()))
}

// WriteProcess writes what the process itself is like.
func WriteProcess(out *Writer, startedSeconds float64) {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(samples)
	value := func(i int) float64 {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return float64(samples[i].Value.Uint64())
	}
	out.Value("process_start_time_seconds", "gauge", "When the process started, in seconds since 1970.", startedSeconds)
	out.Value("go_goroutines", "gauge", "Current number of goroutines.", float64(runtime.NumGoroutine()))
	out.Value("go_memstats_heap_alloc_bytes", "gauge", "Bytes of objects on the heap.", value(0))
	out.Value("go_memstats_sys_bytes", "gauge", "Bytes of memory taken from the system.", value(1))
	out.Value("go_gc_gomemlimit_bytes", "gauge", "Soft limit of the memory of the process; the largest number without one.",
		float64(debug.SetMemoryLimit(-1)))
	out.Value("go_gc_cycles_total", "counter", "Garbage collections.", value(2))
}
