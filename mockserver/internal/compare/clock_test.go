package compare_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
)

// clockOf is what the clock of a mock server shows.
func clockOf(t *testing.T, of *compare.Service) time.Time {
	t.Helper()
	answer, err := http.Get(of.Address + "/_mock/clock")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var shown struct {
		Now time.Time `json:"now"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&shown); err != nil {
		t.Fatal(err)
	}
	return shown.Now
}

// asReal has a mock server taken for a service without a clock that can be moved.
func asReal(of *compare.Service) *compare.Service {
	of.Mock, of.Pause = false, func(context.Context, time.Duration) error { return nil }
	return of
}

func wantAlike(t *testing.T, made *compare.Result) {
	t.Helper()
	undecided := 0
	for _, had := range made.Had {
		if had.Undecided != "" {
			undecided++
		}
	}
	if len(made.Differences) > 0 || undecided > len(made.Had)/2 {
		t.Errorf("%d of %d undecided, %d differences:%s", undecided, len(made.Had), len(made.Differences), describe(made.Differences))
	}
}

// TestClocksSetBack: a comparison leaves the clocks of mock servers as they were, so that the next one finds nothing either,
// whether it may move them or not.
func TestClocksSetBack(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC()
	a, b := service(t, "a", settings{seed: 1, profiles: 300}), service(t, "b", settings{seed: 2, profiles: 300})
	wantAlike(t, compared(t, a, b))
	wantAlike(t, compared(t, a, b))
	for _, each := range []*compare.Service{a, b} {
		if shown := clockOf(t, each); shown.Before(start.Add(-time.Hour)) || shown.After(time.Now().Add(time.Hour)) {
			t.Errorf("the clock of %s shows %v", each.Name, shown)
		}
	}
	wantAlike(t, compared(t, asReal(a), asReal(b)))
}

// TestLimitsAfterwards: whatever took tokens while the clock was ahead, the next comparison, and any client, finds the
// rate limit of a mock server as if the clock had never been moved.
func TestLimitsAfterwards(t *testing.T) {
	t.Parallel()
	only := slices.DeleteFunc(defaults(t), func(c *conversation.Conversation) bool { return c.Name != "filtered-rate" })
	a, b := service(t, "a", settings{seed: 1, profiles: 300}), service(t, "b", settings{seed: 2, profiles: 300})
	for range 3 {
		made, err := compare.Compare(context.Background(), compare.Options{Library: library(t), Conversations: only, A: a, B: b, Patience: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, had := range made.Had {
			if had.Undecided != "" || len(had.Both) > 0 || len(made.Differences) > 0 {
				t.Errorf("undecided %q, neither does as expected: %q, differences%s", had.Undecided, had.Both, describe(made.Differences))
			}
		}
	}
	if unmet, err := compare.Unmet(context.Background(), library(t), asReal(a), []*conversation.Conversation{unhurried(only[0])}); err != nil || len(unmet["filtered-rate/burst"]) > 0 {
		t.Errorf("a client afterwards: %q, %v", unmet, err)
	}
}

// unhurried is the beginning of a conversation about limits, without waiting for anything first.
func unhurried(its *conversation.Conversation) *conversation.Conversation {
	made := *its
	made.Steps = slices.DeleteFunc(slices.Clone(its.Steps), func(s conversation.Step) bool { return s.Name != "burst" })
	return &made
}

// TestOtherClock: days are those of each service, as the Date of its answers says.
func TestOtherClock(t *testing.T) {
	t.Parallel()
	const ahead = 100 * 24 * time.Hour
	dated := drifttest.Service{Hand: func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
	}}
	a, b := service(t, "a", settings{seed: 1, profiles: 300}), service(t, "b", settings{seed: 2, profiles: 300, at: time.Now().Add(ahead), change: dated.Handler})
	wantAlike(t, compared(t, asReal(a), asReal(b)))
}
