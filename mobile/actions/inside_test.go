package actions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// TestLifeOfARegistration: a registration removes itself and never a newer one.
func TestLifeOfARegistration(t *testing.T) {
	registry := actions.NewRegistry(nil)
	first := register(t, registry, "Say", func(*actions.Invocation) error { return errors.New("the first") })
	second := register(t, registry, "say", func(*actions.Invocation) error { return nil })
	if first.IsActive() || first.Unregister() || !second.IsActive() || second.Identifier() != "say" {
		t.Error("the first one still counts")
	}
	want(t, first.Perform(nil), actions.StatusPerformed)
	if found := registry.Lookup("SAY"); found == nil || found.Identifier() != "say" || registry.Lookup("nobody") != nil ||
		registry.Lookup("service.dismiss") != nil {
		t.Error("it is not found")
	}
	if !second.Unregister() || second.Unregister() || second.IsActive() || registry.List().Count() != 0 {
		t.Error("it was not removed once")
	}
	want(t, second.Perform(nil), actions.StatusNotFound)
}

// TestFromInside: actions register, unregister and perform, and circles end.
func TestFromInside(t *testing.T) {
	registry := actions.NewRegistry(nil)
	rounds := 0
	register(t, registry, "circle", func(*actions.Invocation) error {
		rounds++
		return registry.Perform("circle", nil).Result().Check()
	})
	if result := want(t, registry.Perform("circle", nil), actions.StatusFailed); rounds != 17 || !strings.Contains(result.Message(), "16") {
		t.Errorf("it went round %d times: %s", rounds, result.Message())
	}
	var depths []int32
	register(t, registry, "counted", func(invocation *actions.Invocation) error {
		depths = append(depths, invocation.Depth(), invocation.Item())
		return invocation.Perform("counted", nil).Result().Check()
	})
	if want(t, registry.Perform("counted", nil), actions.StatusFailed); len(depths) != 34 || depths[32] != 16 || depths[33] != -1 {
		t.Errorf("the depths are %v", depths)
	}
	register(t, registry, "once", func(invocation *actions.Invocation) error {
		if removed, err := registry.Unregister(invocation.Identifier()); !removed || err != nil {
			t.Error(removed, err)
		}
		register(t, registry, "other", func(*actions.Invocation) error { return nil })
		return invocation.Perform("other", nil).Result().Check()
	})
	want(t, registry.Perform("once", nil), actions.StatusPerformed)
	want(t, registry.Perform("once", nil), actions.StatusNotFound)
}

// TestEndAsATaskOfNobody: what no perform has given never ends, so an action that ends as it fails instead of waiting for ever.
func TestEndAsATaskOfNobody(t *testing.T) {
	registry := actions.NewRegistry(nil)
	register(t, registry, "as", func(invocation *actions.Invocation) error {
		invocation.EndAs(new(actions.Task))
		return nil
	})
	result := registry.Perform("as", nil).Result()
	if result == nil || result.Status() != actions.StatusFailed || !strings.Contains(result.Message(), "closed before") {
		t.Errorf("found %v, want a failure that says why", result)
	}
}
