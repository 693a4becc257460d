package httpd_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestOutagesAreToldOnceASecond, with how many were left out.
func TestOutagesAreToldOnceASecond(t *testing.T) {
	var log strings.Builder
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	outages := httpd.NewOutages(slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now })
	for range 2500 {
		outages.Error("request failed", "error", "the disk is full")
		now = now.Add(time.Millisecond)
	}
	outages.Error("another message")
	must.Equal(t, strings.Count(log.String(), "\n"), 4, "lines of %s", &log)
	must.Equal(t, strings.Count(log.String(), "omitted=999"), 2, "lines with a count of omissions in %s", &log)
	now = now.Add(-time.Hour) // a clock that was set back keeps nothing quiet
	outages.Error("another message")
	must.Equal(t, strings.Count(log.String(), "another message"), 2, "lines after the clock was set back in %s", &log)
}
