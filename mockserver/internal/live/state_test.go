package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// noon is the time of the machine in every test.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, kept store.Store, secret string) *live.State {
	t.Helper()
	library := must.Get(schemas.Embedded())(t)
	people := must.Get(world.New(1, 10, world.Settings{}))(t)
	state := must.Get(live.Open(t.Context(), live.Options{
		Store: kept, Dataset: live.Dataset{People: people, Library: library}, Random: strings.NewReader(fmt.Sprintf("%-40s", secret)),
		Now: func() time.Time { return noon }, Logger: slog.New(slog.DiscardHandler),
	}))(t)
	return state
}

// advance moves the clock of a key, or the common one.
func advance(ctx context.Context, s *live.State, key string, by time.Duration) error {
	return s.ChangeClocks(ctx, key, func(clocks *clock.Clocks) error {
		return clocks.Change(key, func(c *clock.Clock) error { return c.Advance(by) })
	})
}

// add sets a scenario for all requests of a key.
func add(ctx context.Context, s *live.State, key string) error {
	scenario, err := exports.ParseScenario("error=CONFLICT")
	if err != nil {
		return err
	}
	return s.ChangeScenarios(ctx, func(set scenarios.Set) (scenarios.Set, error) {
		next, _, err := set.Add(scenarios.Rule{Scenario: scenario, Match: scenarios.Match{Key: key}})
		return next, err
	})
}

// TestRefresh: what another server changes is in force after the next refresh,
// and not before; a replaced store and emptied keys are told on.
func TestRefresh(t *testing.T) {
	shared := storetest.NewShared()
	a, b := open(t, shared, "secret"), open(t, shared, "secret")
	replaced, emptied := 0, []string(nil)
	b.OnReplaced(func() { replaced++ })
	b.OnEmptied(func(key string) { emptied = append(emptied, key) })
	must.Do(t, errors.Join(advance(t.Context(), a, "mine", time.Hour), add(t.Context(), a, "mine")))
	must.Hold(t, !b.HasClock("mine") && len(b.Scenarios().Rules) <= 0, "a change is in force before anybody asked for it")
	refresh := func() {
		t.Helper()
		must.Do(t, b.Refresh(t.Context()))
	}
	if refresh(); !b.NowOf("mine").Equal(noon.Add(time.Hour)) || len(b.Scenarios().Rules) != 1 || replaced > 0 {
		t.Errorf("the clock shows %s, the scenarios are %+v, replaced %d times", b.NowOf("mine"), b.Scenarios(), replaced)
	}
	// Now the store has what a has stored last, but a has read something else since.
	must.Do(t, errors.Join(advance(t.Context(), b, "mine", time.Hour), a.Refresh(t.Context()), advance(t.Context(), b, "mine", -time.Hour),
		advance(t.Context(), a, "yours", time.Hour)))
	must.Equal(t, a.NowOf("mine"), noon.Add(time.Hour), "after a change by the other server, and back, the clock shows")
	must.Do(t, a.Empty(t.Context(), "mine", nil))
	if refresh(); b.HasClock("mine") || len(b.Scenarios().Rules) > 0 || !slices.Equal(emptied, []string{"mine"}) {
		t.Errorf("after a key was emptied: %t, %+v, told of %q", b.HasClock("mine"), b.Scenarios(), emptied)
	}
	must.Do(t, errors.Join(advance(t.Context(), a, "", time.Hour), a.Reset(t.Context())))
	if refresh(); !b.Now().Equal(noon) || replaced != 1 {
		t.Errorf("after a reset the clock shows %s, replaced %d times", b.Now(), replaced)
	}
	refused := errors.New("connection refused")
	shared.Away(refused)
	if err := b.Refresh(t.Context()); !errors.Is(err, refused) {
		t.Errorf("of a store that is away: %v", err)
	}
}

// hooked is a store that tells when the exports of a key were deleted.
type hooked struct {
	store.Store
	deleted func()
}

func (h *hooked) DeleteOwned(ctx context.Context, owner string, buckets []string) (int, error) {
	defer h.deleted()
	return h.Store.DeleteOwned(ctx, owner, buckets)
}

// TestEmptyBesideCreations: an export that is created while its key is emptied, and stays, shows nothing of what is gone; and what was
// made of exports is forgotten once they are deleted.
func TestEmptyBesideCreations(t *testing.T) {
	kept := &hooked{Store: storetest.NewShared()}
	s := open(t, kept, "secret")
	must.Get(s.SetDataMode(t.Context(), "mine", dataset.Only))(t)
	deleted, forgotten := false, false
	s.OnEmptied(func(string) { forgotten = deleted })
	kept.deleted = func() {
		deleted = true
		record := storetest.Record("export-1", "mine", "legacy")
		record.Epoch, record.Emptied = s.Epoch(), s.Emptied()
		must.Do(t, s.Create(t.Context(), record, nil))
	}
	must.Do(t, s.Empty(t.Context(), "mine", nil))
	file := must.Get(kept.Get(t.Context(), "export-1"))(t).File
	if file.DataOnly || file.DataGeneration != 0 || !forgotten {
		t.Errorf("it shows generation %d, alone: %t; forgotten at the end: %t", file.DataGeneration, file.DataOnly, forgotten)
	}
}

// TestLockOrder: everything that takes a lock, at once, on two servers. A circle
// of locks hangs, and the time limit of the test names what waits.
func TestLockOrder(t *testing.T) {
	shared := storetest.NewShared()
	both := []*live.State{open(t, shared, "secret"), open(t, shared, "secret")}
	const rounds = 30
	var work sync.WaitGroup
	for _, s := range both {
		for _, do := range []func() error{
			func() error { return s.Refresh(t.Context()) },
			func() error { return advance(t.Context(), s, "", time.Second) },
			func() error { return advance(t.Context(), s, "mine", time.Second) },
			func() error { return add(t.Context(), s, "mine") },
			func() error {
				_, err := s.TakeScenarios(t.Context(), scenarios.Request{Key: "mine", Now: noon})
				return err
			},
			func() error { return s.Empty(t.Context(), "mine", nil) },
			func() error { return s.Reset(t.Context()) },
		} {
			work.Go(func() {
				for range rounds {
					if err := do(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	work.Wait()
	must.Do(t, errors.Join(both[0].Reset(t.Context()), both[0].Refresh(t.Context()), both[1].Refresh(t.Context())))
	for i, s := range both {
		if !s.Now().Equal(noon) || s.HasClock("mine") || len(s.Scenarios().Rules) > 0 {
			t.Errorf("server %d: the clock shows %s, scenarios %+v", i, s.Now(), s.Scenarios())
		}
	}
}
