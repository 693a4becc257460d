package actions_test

import (
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

var errGone = errors.New("it does not come back")

// TestStepsAfterAWait leaves what comes after a wait undone, has it done, cancels or abandons it: what is only state never waits.
func TestStepsAfterAWait(t *testing.T) {
	cases := []struct {
		name  string
		items []string
		then  func(task *actions.Task, step actions.Step, hung func(meanwhile func()))
		want  string
		ran   int
	}{
		{"run", []string{"wait", "record"},
			func(_ *actions.Task, step actions.Step, _ func(func())) { step.Run() },
			"performed performed performed", 1},
		{"canceled before it runs", []string{"wait", "record", "record"},
			func(task *actions.Task, step actions.Step, _ func(func())) { task.Cancel(); step.Run() },
			"canceled performed canceled canceled", 0},
		{"abandoned before it runs", []string{"wait", "record", "record"},
			func(_ *actions.Task, step actions.Step, _ func(func())) { step.Abandon(errGone); step.Run() },
			"partial performed failed canceled", 0},
		{"canceled while an item hangs", []string{"wait", "hang", "record"},
			func(task *actions.Task, _ actions.Step, hung func(func())) { hung(func() { task.Cancel() }) },
			"canceled performed canceled canceled", 0},
		{"abandoned while an item hangs", []string{"wait", "record", "hang", "record"},
			func(_ *actions.Task, step actions.Step, hung func(func())) { hung(func() { step.Abandon(errGone) }) },
			"partial performed performed failed canceled", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var steps []actions.Step
			r := actions.New(actions.Options{GoOn: func(step actions.Step) { steps = append(steps, step) }})
			host := actionstest.NewHost(actions.PlatformIOS, "17.0")
			later, hanging := new(actions.Completion), make(chan bool)
			mustRegister(t, r, "record", host.Handler)
			mustRegister(t, r, "wait", func(actions.Invocation) (any, error) { return later, nil })
			mustRegister(t, r, "hang", func(actions.Invocation) (any, error) {
				hanging <- true
				<-hanging
				return nil, nil
			})
			task := r.PerformAsync("service.group", items(c.items...))
			later.Succeed(nil)
			if _, done := task.Result(); done || len(steps) != 1 || len(host.Effects()) != 0 {
				t.Fatalf("ended %v, %d steps", done, len(steps))
			}
			var result actions.Result
			hung := func(meanwhile func()) {
				ended := make(chan bool)
				go func() { steps[0].Run(); close(ended) }()
				<-hanging
				meanwhile()
				result, _ = task.Result()
				hanging <- true
				<-ended
			}
			c.then(task, steps[0], hung)
			if result.Status == "" {
				result, _ = task.Result()
			}
			if got := statuses(result); got != c.want || len(host.Effects()) != c.ran {
				t.Errorf("the group gave %s, %d items ran", got, len(host.Effects()))
			}
		})
	}
}

// TestTheLastAnswerIsNoStep: the end of an action is only state.
func TestTheLastAnswerIsNoStep(t *testing.T) {
	host := actionstest.NewHost(actions.PlatformIOS, "17.0")
	host.AnswerLater(true)
	var steps []actions.Step
	r := actions.New(actions.Options{Host: host.Capabilities(), GoOn: func(step actions.Step) { steps = append(steps, step) }})
	for identifier, want := range map[string]int{"service.dismiss": 0, "service.rating": 0, "service.request_notifications": 0,
		"service.smart_reoptin": 1} {
		steps = nil
		task := r.PerformAsync(identifier, nil)
		for run := 0; host.Answer(); {
			for ; run < len(steps); run++ {
				steps[run].Run()
			}
		}
		if result, done := task.Result(); !done || !result.Performed() || len(steps) != want {
			t.Errorf("%s gave %+v, %d steps", identifier, result, len(steps))
		}
	}
}
