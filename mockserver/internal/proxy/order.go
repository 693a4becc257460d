package proxy

import (
	"net/http"
	"slices"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// ending are the exchanges of which a client may know the answer while they have not ended here: it has the last byte, and
// asks for what the answer names, before the proxy has returned from its own work.
type ending struct {
	mutex sync.Mutex
	said  map[*running]bool
}

// begin notes which answers a client may have known when it sent a request.
func (e *ending) begin(x *running) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for each := range e.said {
		x.after = append(x.after, each)
	}
}

// say notes that the client may know the answer from now on.
func (e *ending) say(x *running) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.said == nil {
		e.said = map[*running]bool{}
	}
	e.said[x] = true
}

func (e *ending) end(x *running) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	delete(e.said, x)
}

// saysAll tells whether the head of an answer is all that a client waits for before it goes on.
func saysAll(response *http.Response) bool {
	return response.StatusCode >= http.StatusMultipleChoices || response.StatusCode == http.StatusNoContent || response.ContentLength == 0 ||
		response.Request.Method == http.MethodHead
}

// inOrder hands exchanges on one after another, and none before those whose answers its client may have known: what
// overlapped comes in any order. Where an answer cannot be got rid of for long, not more than some wait for it.
type inOrder struct {
	observe func(*drift.Exchange)
	waits   map[*running][]*running // by what they wait for
	held    []*running              // all that wait, in the order in which they came
}

// take is told of an exchange that has ended.
func (o *inOrder) take(x *running) {
	for _, each := range x.after {
		if !each.handed {
			o.waits[each] = append(o.waits[each], x)
			x.pending++
		}
	}
	if x.pending > 0 {
		if o.held = append(o.held, x); len(o.held) > waiting {
			o.hand(o.held[0])
		}
		return
	}
	o.hand(x)
}

// hand hands an exchange on, and then what waited for it only.
func (o *inOrder) hand(x *running) {
	ready := []*running{x}
	for len(ready) > 0 {
		next := ready[0]
		if ready = ready[1:]; next.handed {
			continue
		}
		next.handed = true
		o.forget(next)
		o.observe(&next.exchange)
		for _, each := range next.after {
			if !each.handed { // it was handed on before its turn
				o.waits[each] = slices.DeleteFunc(o.waits[each], func(x *running) bool { return x == next })
			}
		}
		next.after = nil
		for _, each := range o.waits[next] {
			if each.pending--; each.pending == 0 {
				ready = append(ready, each)
			}
		}
		delete(o.waits, next)
	}
}

func (o *inOrder) forget(x *running) {
	for i, each := range o.held {
		if each == x {
			o.held = append(o.held[:i], o.held[i+1:]...)
			return
		}
	}
}

// rest hands on what waits for an exchange that never came.
func (o *inOrder) rest() {
	for len(o.held) > 0 {
		o.hand(o.held[0])
	}
}
