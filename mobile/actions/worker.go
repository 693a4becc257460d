package actions

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxQueued bounds how many performs wait for the worker.
	maxQueued = 256
	// maxStuck bounds how many threads jobs may keep that do not come back. One more is left for what was promised.
	maxStuck = 8
)

// worker does one thing at a time, in order, on a goroutine that exists while there is something to do. A job that does not come back
// within the patience keeps its goroutine, and another one goes on with the rest. See docs/decisions/mobile.md#why-a-single-worker
type worker struct {
	// patience is how long a job may keep the others waiting; 0 is for ever.
	patience time.Duration

	mutex   sync.Mutex
	running bool
	// queued counts the performs among the jobs.
	queued int
	jobs   []*job
	// stuck are the jobs that keep a goroutine of their own, in the order in which they got stuck.
	stuck []*job
	// overdue is a job that nobody could relieve because too many are stuck.
	overdue *job
}

// job is something to do.
type job struct {
	// what says what it is, for people.
	what string
	do   func()
	// refuse is set for performs, which need not be begun: it says why one was not.
	refuse func(why string)

	stuck, done bool
}

// post has something done that was promised: it is never refused.
func (w *worker) post(what string, do func()) { w.add(&job{what: what, do: do}) }

// submit has a perform done, or refused: at once, when too many wait or hang.
func (w *worker) submit(what string, do func(), refuse func(why string)) {
	if why := w.add(&job{what: what, do: do, refuse: refuse}); why != "" {
		refuse(why)
	}
}

func (w *worker) add(j *job) (why string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if j.refuse != nil {
		if why := w.hung(); why != "" {
			return why
		}
		if w.queued == maxQueued {
			return "not begun: 256 performs wait already"
		}
		w.queued++
	}
	w.jobs = append(w.jobs, j)
	if !w.running {
		w.running = true
		go w.work()
	}
	return ""
}

// hung says why no perform is begun any more, or gives "". The lock is held.
func (w *worker) hung() string {
	if len(w.stuck) < maxStuck {
		return ""
	}
	names := make([]string, len(w.stuck))
	for i, j := range w.stuck {
		names[i] = j.what
	}
	return "not begun: " + strconv.Itoa(maxStuck) + " calls of the app do not come back: " + strings.Join(names, ", ")
}

func (w *worker) work() {
	for {
		next, why := w.next()
		switch {
		case next == nil:
			return
		case why != "":
			guarded(func() { next.refuse(why) })
		case !w.goOnAfter(next):
			return
		}
	}
}

// next takes what is to be done next, and why it is not to be done after all.
func (w *worker) next() (j *job, why string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(w.jobs) == 0 {
		w.running = false
		w.jobs = nil
		return nil, ""
	}
	j = w.jobs[0]
	w.jobs[0] = nil
	w.jobs = w.jobs[1:]
	if j.refuse != nil {
		w.queued--
		why = w.hung()
	}
	return j, why
}

// goOnAfter does a job and reports whether this goroutine is still the one to do the next.
func (w *worker) goOnAfter(j *job) bool {
	if w.patience > 0 {
		defer time.AfterFunc(w.patience, func() { w.relieve(j) }).Stop()
	}
	guarded(j.do)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	j.done = true
	if !j.stuck {
		w.overdue = nil
		return true
	}
	w.stuck = slices.DeleteFunc(w.stuck, func(other *job) bool { return other == j })
	if w.overdue == nil {
		return false
	}
	// This goroutine has become free for those that wait behind the one that could not be relieved.
	w.overdue.stuck = true
	w.stuck = append(w.stuck, w.overdue)
	w.overdue = nil
	return true
}

// relieve has another goroutine go on, since a job keeps this one.
func (w *worker) relieve(j *job) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if j.done {
		return
	}
	if len(w.stuck) == maxStuck {
		w.overdue = j
		return
	}
	j.stuck = true
	w.stuck = append(w.stuck, j)
	go w.work()
}

// guarded keeps a panic from ending the app.
func guarded(do func()) {
	defer contain()
	do()
}
