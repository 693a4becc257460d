package httpd_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
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
	if lines := strings.Count(log.String(), "\n"); lines != 4 {
		t.Errorf("%d lines, want 4: %s", lines, &log)
	}
	if counted := strings.Count(log.String(), "omitted=999"); counted != 2 {
		t.Errorf("%d lines say how many were left out: %s", counted, &log)
	}
	now = now.Add(-time.Hour) // a clock that was set back keeps nothing quiet
	outages.Error("another message")
	if lines := strings.Count(log.String(), "another message"); lines != 2 {
		t.Errorf("after the clock was set back: %s", &log)
	}
}
