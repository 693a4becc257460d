package exports_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestPlan: which window a payload asks for, and what is refused although its schema accepts it (export API section 1).
func TestPlan(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 900, time.UTC)
	oldest := time.Date(2025, 12, 15, 12, 0, 0, 0, time.UTC)
	library := must.Get(schemas.Embedded())(t)
	kinds := map[string]schemas.Export{}
	for _, export := range library.Exports() {
		kinds[export.Kind] = export
	}
	const asked = "2025-01-01T00:00:00"
	for _, c := range []struct {
		about, kind string
		payload     exports.Members
		from, to    time.Time
		clipped     bool   // Asked is the from of the payload
		refused     string // pointer and keyword
	}{
		{about: "a window inside the lookback", kind: "campaign.events", payload: exports.Members{"from": "2026-03-01T00:00:00", "to": "now"},
			from: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), to: now},
		{about: "a legacy window is clipped", kind: "campaign.events", payload: exports.Members{"from": asked, "to": "now"}, from: oldest, to: now, clipped: true},
		{about: "exactly the lookback is inside", kind: "campaign.events", payload: exports.Members{"from": "2025-12-15T12:00:00", "to": "now"}, from: oldest, to: now},
		{about: "a window before the lookback is empty", kind: "campaign.events", payload: exports.Members{"from": asked, "to": asked}, from: oldest, to: oldest, clipped: true},
		{about: "a snapshot has no window", kind: "userbase", payload: exports.Members{}},
		{about: "a profile window is refused", kind: "profiles.events", payload: exports.Members{"from": asked + "Z", "to": "now"}, refused: "/from lookback"},
		{about: "from after to", kind: "profiles.events", payload: exports.Members{"from": "now", "to": "2026-03-01T00:00:00Z"}, refused: "/from window"},
		{about: "no date", kind: "campaign.events", payload: exports.Members{"from": "yesterday", "to": "now"}, refused: "/from format"},
	} {
		plan, err := exports.Planner{Profiles: 10}.Plan(kinds[c.kind], map[string]string{"api_key": "k", "campaign_token": "spring"}, "k", c.payload, now)
		var refusal *exports.Refusal
		if errors.As(err, &refusal) || c.refused != "" {
			if refusal == nil || len(refusal.Problems) != 1 || refusal.Problems[0].Pointer+" "+refusal.Problems[0].Keyword != c.refused || refusal.Name != exports.MalformedParameter {
				t.Errorf("%s: %+v, want %q", c.about, err, c.refused)
			}
			continue
		}
		must.Hold(t, err == nil, "%s: %v", c.about, err)
		if window := plan.File.Window; !window.From.Equal(c.from) || !window.To.Equal(c.to) || plan.Asked.IsZero() == c.clipped {
			t.Errorf("%s: window %+v, asked %v", c.about, window, plan.Asked)
		}
	}
}

func TestSegmentFault(t *testing.T) {
	for segment, fault := range map[string]string{
		"live_demo": "", "mit Leerzeichen": "", "数": "", strings.Repeat("a", exports.LongestSegment): "",
		"": "empty", ".": "folder", "..": "folder", "a/b": "slash", `a\b`: "slash", "a\x00b": "printed", "\xff": "UTF-8", strings.Repeat("a", exports.LongestSegment+1): "too long",
	} {
		if got := exports.SegmentFault(segment); fault == "" && got != "" || !strings.Contains(got, fault) {
			t.Errorf("%.20q: %q, want %q", segment, got, fault)
		}
	}
}
