package actions

import "sync"

// maxQueued bounds how many performs wait for the worker.
const maxQueued = 256

// worker does one thing at a time, in order, on a goroutine that exists while there is something to do.
// See docs/decisions/mobile.md#why-a-single-worker
type worker struct {
	mutex   sync.Mutex
	running bool
	// queued counts the performs among the jobs.
	queued int
	jobs   []job
}

type job struct {
	do      func()
	perform bool
}

// post has something done that was promised: it is never refused.
func (w *worker) post(do func()) { w.add(job{do: do}) }

// submit has a perform done. It gives false when too many wait.
func (w *worker) submit(do func()) bool { return w.add(job{do: do, perform: true}) }

func (w *worker) add(j job) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if j.perform {
		if w.queued == maxQueued {
			return false
		}
		w.queued++
	}
	w.jobs = append(w.jobs, j)
	if !w.running {
		w.running = true
		go w.work()
	}
	return true
}

func (w *worker) work() {
	for {
		w.mutex.Lock()
		if len(w.jobs) == 0 {
			w.running = false
			w.jobs = nil
			w.mutex.Unlock()
			return
		}
		next := w.jobs[0]
		w.jobs[0] = job{}
		w.jobs = w.jobs[1:]
		if next.perform {
			w.queued--
		}
		w.mutex.Unlock()
		guarded(next.do)
	}
}

// guarded keeps a panic from ending the app.
func guarded(do func()) {
	defer contain()
	do()
}
