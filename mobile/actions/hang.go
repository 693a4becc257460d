package actions

import (
	"time"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// defaultCallback is how long a call of the app may take to return. Android says "not responding" after as long on the main thread.
const defaultCallback = 5 * time.Second

// HangListener is told which call of the app does not come back.
type HangListener interface {
	// OnHang is called once for each such call, on a thread of its own, while the call is still under way. What it throws is ignored.
	OnHang(hang *Hang) error
}

// Hang is a call of the app that has not returned within the callback limit.
type Hang struct {
	what  string
	limit time.Duration
}

// What says which call hangs: the identifier of an action in quotes, such as "\"open-cart\"", the method of a host, or that it is a
// listener.
func (h *Hang) What() string {
	defer contain()
	return h.what
}

// Milliseconds gives the limit that the call has exceeded.
func (h *Hang) Milliseconds() int64 {
	defer contain()
	return h.limit.Milliseconds()
}

// patience is how long a call may keep others waiting.
func (o *Options) patience() time.Duration {
	if o.limit > 0 && o.callback > 0 {
		return min(o.limit, o.callback)
	}
	return o.callback
}

// tell calls a listener of the app on the worker.
func (r *Registry) tell(what string, call func()) {
	r.worker.post(what, func() {
		defer r.watchdog.end(r.watchdog.begin(what))
		call()
	})
}

// goOn has the worker do what comes after a wait. It ends as failed when it does not come back within the time limit.
func (r *Registry) goOn(step core.Step) {
	r.worker.post("what comes after a wait", func() {
		defer r.limited(step.Abandon)()
		step.Run()
	})
}

// limited is called when something begins that may take the time limit at most, what it gives when that has ended.
func (r *Registry) limited(late func(error)) (ended func()) {
	if r.limit == 0 {
		return func() {}
	}
	timer := time.AfterFunc(r.limit, func() { late(&thrown{text: "it did not come back within " + r.limit.String()}) })
	return func() { timer.Stop() }
}
