package actions

import (
	"strconv"
	"sync"
	"time"
)

// watchdog knows which calls of the app are under way, and tells which do not come back. All of them share one timer, which is set while
// there are any: a timer for each would be a sixth of what a perform costs.
type watchdog struct {
	// limit is how long a call may take; 0 is for ever, and then nothing is watched.
	limit time.Duration
	now   func() time.Time

	mutex    sync.Mutex
	listener HangListener
	timer    *time.Timer
	// armed says that the timer is set. It stays so when the call that it was set for returns, for there may be a next one.
	armed bool
	// first and last are the ends of the list of calls under way. They are in the order of their ends, since all have the same limit.
	first, last *underWay
	// spare are those that have returned, to be used again.
	spare *underWay
}

// underWay is a call of the app that has not returned.
type underWay struct {
	what           string
	action         bool // what is the identifier of one
	told           bool
	until          time.Time
	previous, next *underWay
}

// begin is called when a call of the app begins, [watchdog.end] with what it gives when the call has returned.
func (w *watchdog) begin(what string) *underWay { return w.add(what, false) }

// beginAction is begin for an action.
func (w *watchdog) beginAction(identifier string) *underWay { return w.add(identifier, true) }

func (w *watchdog) add(what string, action bool) *underWay {
	if w.limit == 0 {
		return nil
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	c := w.spare
	if c == nil {
		c = new(underWay)
	} else {
		w.spare = c.next
	}
	*c = underWay{what: what, action: action, until: w.now().Add(w.limit), previous: w.last}
	if w.last == nil {
		w.first = c
	} else {
		w.last.next = c
	}
	w.last = c
	if !w.armed {
		w.arm(w.limit)
	}
	return c
}

// arm sets the timer. The lock is held.
func (w *watchdog) arm(after time.Duration) {
	w.armed = true
	if w.timer == nil {
		w.timer = time.AfterFunc(after, w.look)
	} else {
		w.timer.Reset(after)
	}
}

func (w *watchdog) end(c *underWay) {
	if c == nil {
		return
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !c.told {
		w.remove(c)
	}
	*c = underWay{next: w.spare}
	w.spare = c
}

// remove takes a call out of the list. The lock is held.
func (w *watchdog) remove(c *underWay) {
	if c.previous == nil {
		w.first = c.next
	} else {
		c.previous.next = c.next
	}
	if c.next == nil {
		w.last = c.previous
	} else {
		c.next.previous = c.previous
	}
}

// look tells which calls are over the limit, and sets the timer for the next one.
func (w *watchdog) look() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	now := w.now()
	for w.first != nil && !w.first.until.After(now) {
		c := w.first
		w.remove(c)
		c.told = true
		what := c.what
		if c.action {
			what = strconv.Quote(what)
		}
		go tell(w.listener, &Hang{what, w.limit})
	}
	if w.armed = w.first != nil; w.armed {
		w.arm(w.first.until.Sub(now))
	}
}

// tell tells a listener, or the log.
func tell(listener HangListener, hang *Hang) {
	defer contain()
	if listener == nil {
		println("rehearsal: " + hang.what + " has not returned for " + hang.limit.String())
		return
	}
	_ = listener.OnHang(hang)
}

// SetHangListener sets who is told which call of the app hangs. Without one, or with null, it is written to the log: that of the system
// on Android, the standard error elsewhere.
func (r *Registry) SetHangListener(listener HangListener) {
	defer contain()
	r.watchdog.mutex.Lock()
	defer r.watchdog.mutex.Unlock()
	r.watchdog.listener = listener
}
