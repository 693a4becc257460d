package actions_test

import (
	"strconv"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

// TestEverythingAtOnce does everything to one registry from many goroutines. It asserts little; the race detector does.
func TestEverythingAtOnce(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformWeb, "")
	r := actions.New(actions.Options{Host: host.Capabilities()})
	names := []string{"Alpha", "beta", "GAMMA", "Δelta"}
	group := actions.Arguments{"actions": []any{
		[]any{"alpha", map[string]any{"n": 1}}, []any{"later", map[string]any{}}, []any{"service.clipboard", map[string]any{"t": "x"}},
		[]any{"perform", map[string]any{}},
	}}
	mustRegister(t, r, "later", func(actions.Invocation) (any, error) {
		later := new(actions.Completion)
		go later.Succeed(nil)
		return later, nil
	})
	mustRegister(t, r, "perform", func(i actions.Invocation) (any, error) {
		i.Arguments()["own"] = true
		return i.PerformAsync("later", i.Arguments()), nil
	})

	var wait sync.WaitGroup
	each := func(f func(i int)) {
		for worker := range 3 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for i := range 60 {
					f(i + worker)
				}
			}()
		}
	}
	shared := actions.Arguments{"shared": map[string]any{"list": []any{1, 2}}}
	each(func(i int) {
		registration, err := r.Register(names[i%len(names)], func(invocation actions.Invocation) (any, error) {
			invocation.Arguments()["own"] = i
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
		if i%3 == 0 {
			registration.Unregister()
		}
		registration.Begin(actions.Call{})
	})
	each(func(i int) {
		if _, err := r.Unregister(names[i%len(names)]); err != nil {
			t.Error(err)
		}
	})
	each(func(i int) { r.Perform(names[i%len(names)], shared) })
	each(func(i int) {
		task := r.PerformAsync("service.group", group)
		if i%4 == 0 {
			task.Cancel()
		}
		if result := task.Wait(); len(result.Items) != 4 {
			t.Errorf("a group gave %+v", result)
		}
	})
	each(func(i int) {
		task := r.Trigger("perform", shared, actions.Push(map[string]any{"i": i}))
		task.Then(func(actions.Result) {})
		if i == 30 {
			r.Start()
		}
		if i%5 == 0 {
			task.Cancel()
		}
	})
	each(func(i int) {
		r.List()
		r.Validate("service.group", group)
		r.Capability(names[i%len(names)])
		r.UpdateHost(func(h *actions.Host) { h.Version = strconv.Itoa(i) })
		host.Effects()
	})
	wait.Wait()
	r.Start()
}

// A group whose items are finished by other goroutines while it is still beginning them must neither lose nor repeat one.
func TestGroupMeetsItsItems(t *testing.T) {
	r := actions.New(actions.Options{})
	var order []int
	mustRegister(t, r, "later", func(i actions.Invocation) (any, error) {
		order = append(order, i.Item())
		later := new(actions.Completion)
		go later.Succeed(i.Item())
		return later, nil
	})
	ten := make([]string, 10)
	for i := range ten {
		ten[i] = "later"
	}
	for range 200 {
		order = order[:0]
		result := r.Perform("service.group", items(ten...))
		for i := range 10 {
			if !result.Performed() || order[i] != i || result.Items[i].Value != i {
				t.Fatalf("%+v in the order %v", result, order)
			}
		}
	}
}
