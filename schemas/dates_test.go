package schemas_test

import (
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestDateMessages: a date that looks right says what is wrong with it.
func TestDateMessages(t *testing.T) {
	reachability := func(from string) any {
		return map[string]any{"export_type": "REACHABILITY", "from": from, "to": "now", "channels": []any{"push"}}
	}
	legacy := func(from string) any {
		return map[string]any{"from": from, "to": "now", "ids": []any{"custom_id"}}
	}
	for _, c := range []struct {
		schema string
		value  any
		says   string // "" where the shape is what is wrong
	}{
		{"legacy/reachability.request", legacy("2025-02-30T00:00:00"), "2025-02-30 does not exist in the calendar"},
		{"legacy/reachability.request", legacy("2025-02-29T00:00:00"), "2025-02-29 does not exist in the calendar"},
		{"legacy/reachability.request", legacy("2025-13-01T00:00:00"), "2025-13-01 does not exist in the calendar"},
		{"legacy/reachability.request", legacy("2025-01-31T24:00:00"), "no such time of day"},
		{"legacy/reachability.request", legacy("2025-01-31T08:00:60"), "no such time of day"},
		{"legacy/reachability.request", legacy("2025-01-31T08:00:00Z"), ""},
		{"legacy/reachability.request", legacy("2025-01-31"), ""},
		{"legacy/reachability.request", legacy("yesterday"), ""},
		{"profiles/reachability.request", reachability("2025-04-31T00:00:00Z"), "2025-04-31 does not exist in the calendar"},
		{"profiles/reachability.request", reachability("2025-04-30T00:00:00.1234567890Z"), "has 10 digits, and at most 9"},
		{"profiles/reachability.request", reachability("2025-04-30T00:00:00+01:00"), ""},
	} {
		err := schemas.Validate(c.schema, c.value)
		if err == nil || !strings.Contains(err.Error(), c.says) || c.says == "" && (strings.Contains(err.Error(), "calendar") || strings.Contains(err.Error(), "digits")) {
			t.Errorf("%v: %v, want a message with %q", c.value, err, c.says)
		}
	}
	row := map[string]string{"is_optin_push": "true", "install_date": "2026-02-29T00:00:00", "last_start_date": "2026-01-01T00:00:00", "smart_segment": "New"}
	if err := schemas.Validate("userbase", row); err == nil || !strings.Contains(err.Error(), "2026-02-29 does not exist in the calendar") {
		t.Errorf("a cell: %v", err)
	}
}
