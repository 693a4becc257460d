package actions_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// hung is a registry whose action "hang" hangs until it is let go. What is told to hang is noted.
type hung struct {
	*actions.Registry
	letGo chan bool
	mutex sync.Mutex
	notes []string
}

// newHung makes one with limits in milliseconds.
func newHung(t *testing.T, timeLimit, callbackLimit int64) *hung {
	t.Helper()
	options := actions.NewOptions()
	options.SetTimeLimit(timeLimit)
	options.SetCallbackLimit(callbackLimit)
	h := &hung{Registry: actions.NewRegistry(options), letGo: make(chan bool)}
	h.SetHangListener(hangListener(func(hang *actions.Hang) error {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.notes = append(h.notes, fmt.Sprint(hang.What(), " ", hang.Milliseconds()))
		return errors.New("nobody cares")
	}))
	register(t, h.Registry, "hang", func(*actions.Invocation) error { <-h.letGo; return nil })
	register(t, h.Registry, "x", func(*actions.Invocation) error { return nil })
	return h
}

// noted gives what hangs, sorted, once nothing goes on any more.
func (h *hung) noted() []string {
	synctest.Wait()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	slices.Sort(h.notes)
	return h.notes
}

type hangListener func(*actions.Hang) error

func (f hangListener) OnHang(hang *actions.Hang) error { return f(hang) }

func group(identifiers ...string) *actions.Arguments {
	items := actions.NewArgumentList()
	for _, identifier := range identifiers {
		items.AddAction(identifier, nil)
	}
	arguments := actions.NewArguments()
	arguments.SetList("actions", items)
	return arguments
}

// elsewhere answers on another goroutine.
type elsewhere struct{}

func (elsewhere) WriteText(_ string, c *actions.Completion) error {
	go c.Succeed()
	return nil
}

// TestAHungActionHarmsNobody: while the worker hangs, what is only state ends at once, and everything else when the worker is relieved.
func TestAHungActionHarmsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHung(t, 200, 100)
		register(t, h.Registry, "later", func(i *actions.Invocation) error {
			c := i.Later()
			go c.Succeed()
			return nil
		})
		register(t, h.Registry, "never", func(i *actions.Invocation) error { i.Later(); return nil })
		h.SetClipboard(elsewhere{})
		text, _ := actions.ArgumentsFromJSON(`{"t":"x"}`)
		hanging := h.PerformAsync("hang", nil, nil)
		synctest.Wait()

		canceled := h.Perform("never", nil)
		canceled.Cancel()
		began := time.Now()
		for _, c := range []struct {
			what   string
			task   *actions.Task
			status string
			within time.Duration
		}{
			{"canceled", canceled, actions.StatusCanceled, 0},
			{"ended by another goroutine", h.Perform("later", nil), actions.StatusPerformed, 0},
			{"a host that answers on another goroutine", h.Perform("service.clipboard", text), actions.StatusPerformed, 0},
			{"a group on this goroutine", h.Perform("service.group", group("x", "later")), actions.StatusPerformed, 0},
			{"a group that goes on", h.Perform("service.group", group("later", "x")), actions.StatusPerformed, 100 * time.Millisecond},
			{"in the background", h.PerformAsync("x", nil, nil), actions.StatusPerformed, 100 * time.Millisecond},
			{"without an answer", h.Perform("never", nil), actions.StatusFailed, 200 * time.Millisecond},
			{"the one that hangs", hanging, actions.StatusFailed, 200 * time.Millisecond},
		} {
			result := c.task.Await(10_000)
			if took := time.Since(began); result == nil || result.Status() != c.status || took > c.within {
				t.Errorf("%s: %v after %v", c.what, result, took)
			}
		}
		if message := hanging.Result().Message(); !strings.Contains(message, "200ms") {
			t.Errorf("the message is %q", message)
		}
		if noted := h.noted(); !slices.Equal(noted, []string{`"hang" 100`}) {
			t.Errorf("what hangs is %q", noted)
		}
		close(h.letGo)
	})
}

// TestOnlySoManyHang: eight calls may hang, then performs are refused by their names. What was promised goes on, and with the first
// that comes back everything does.
func TestOnlySoManyHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHung(t, 60_000, 1_000)
		var hanging []*actions.Task
		for range 8 {
			hanging = append(hanging, h.PerformAsync("hang", nil, nil))
		}
		waiting := h.PerformAsync("x", nil, nil)
		time.Sleep(9 * time.Second)
		told := make(chan bool, 1)
		refused := h.PerformAsync("x", nil, then(func() { told <- true }))
		for _, task := range []*actions.Task{refused, waiting} {
			if result := want(t, task, actions.StatusFailed); strings.Count(result.Message(), `"hang"`) != 8 {
				t.Errorf("the message is %q", result.Message())
			}
		}
		<-told
		// A listener hangs as well, on the last thread that is left.
		refused.OnDone(then(func() { <-h.letGo }))
		behind := make(chan bool, 1)
		refused.OnDone(then(func() { behind <- true }))
		time.Sleep(2 * time.Second)
		select {
		case <-behind:
			t.Error("it does not wait for a thread")
		default:
		}
		h.letGo <- true
		<-behind
		if noted := h.noted(); len(noted) != 9 || noted[8] != "a listener 1000" {
			t.Errorf("what hangs is %q", noted)
		}
		close(h.letGo)
		for _, task := range hanging {
			want(t, task, actions.StatusPerformed)
		}
		want(t, h.PerformAsync("x", nil, nil), actions.StatusPerformed)
	})
}

func then(f func()) actions.Listener {
	return told(func(*actions.Result) error { f(); return nil })
}

// TestWhatHangs is told wherever the call is, and never without a limit.
func TestWhatHangs(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int64
		do    func(h *hung) func()
		want  []string
	}{
		{"an action on the caller's goroutine", 300, func(h *hung) func() { return func() { h.Perform("hang", nil) } }, []string{`"hang" 300`}},
		{"a host", 300, func(h *hung) func() {
			h.SetClipboard(hangingHost{h.letGo})
			text, _ := actions.ArgumentsFromJSON(`{"t":"x"}`)
			return func() { h.Perform("service.clipboard", text) }
		}, []string{"WriteText of a host 300"}},
		{"without a limit", 0, func(h *hung) func() { return func() { h.PerformAsync("hang", nil, nil) } }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHung(t, 0, c.limit)
				go c.do(h)()
				time.Sleep(time.Hour)
				if noted := h.noted(); !slices.Equal(noted, c.want) {
					t.Errorf("what hangs is %q, want %q", noted, c.want)
				}
				close(h.letGo)
			})
		})
	}
}

// TestEachCallHasItsLimit although all share a timer: one that has returned is not told, and none is told early or late.
func TestEachCallHasItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHung(t, 0, 100)
		began := time.Now()
		var told []time.Duration
		h.SetHangListener(hangListener(func(*actions.Hang) error {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			told = append(told, time.Since(began))
			return nil
		}))
		register(t, h.Registry, "slow", func(*actions.Invocation) error { time.Sleep(99 * time.Millisecond); return nil })
		for _, c := range []struct {
			after      time.Duration
			identifier string
		}{{0, "slow"}, {10, "hang"}, {20, "x"}, {20, "slow"}, {30, "hang"}, {250, "slow"}, {260, "hang"}} {
			time.AfterFunc(c.after*time.Millisecond, func() { h.Perform(c.identifier, nil) })
		}
		time.Sleep(time.Second)
		synctest.Wait()
		h.mutex.Lock()
		defer h.mutex.Unlock()
		if want := []time.Duration{110 * time.Millisecond, 130 * time.Millisecond, 360 * time.Millisecond}; !slices.Equal(told, want) {
			t.Errorf("told after %v, want %v", told, want)
		}
		close(h.letGo)
	})
}

type hangingHost struct{ letGo chan bool }

func (h hangingHost) WriteText(string, *actions.Completion) error { <-h.letGo; return nil }
