package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Call is what a host is asked for.
type Call struct {
	Identifier string
	Arguments  json.RawMessage // an object
	// Source makes the call a trigger, which a host holds until it starts; nil is a perform.
	Source  json.RawMessage
	Timeout time.Duration
}

func (c Call) size() int { return len(c.Identifier) + len(c.Arguments) + len(c.Source) }

type call struct {
	Call
	number string
	answer chan json.RawMessage // takes one
}

// Event is one of a stream: its name, and JSON in one line.
type Event struct {
	Name string
	Data json.RawMessage
	call string // to which it belongs
}

// asked is a call as a host reads it.
type asked struct {
	Identifier string          `json:"identifier"`
	Arguments  json.RawMessage `json:"arguments"`
	Source     json.RawMessage `json:"source,omitempty"`
}

type numbered struct {
	Call     string `json:"call"`
	Perform  *asked `json:"perform,omitempty"`
	Trigger  *asked `json:"trigger,omitempty"`
	Deadline int64  `json:"deadline_ms,omitempty"`
}

// Call asks a host and waits for its result, which is canceled when the host vanishes or the time is over.
func (h *Hub) Call(ctx context.Context, id string, what Call) (json.RawMessage, error) {
	if what.size() > MessageBytes || depthOf(what.Arguments) >= Depth || depthOf(what.Source) >= Depth {
		return nil, refuse(CallTooLarge, "the call has %d bytes in identifier, arguments and source; allowed are %d, nested at most %d deep",
			what.size(), MessageBytes, Depth)
	}
	made, found, err := h.begin(id, what)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, what.Timeout)
	defer cancel()
	select {
	case result := <-made.answer:
		return result, nil
	case <-ctx.Done():
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	if found.calls[made.number] == made {
		reason := fmt.Sprintf("the host %s did not answer within %s", found.name, what.Timeout)
		if ctx.Err() == context.Canceled {
			reason = "nobody waits for the answer"
		}
		h.finish(found, made, canceled(reason), true)
		if at := slices.IndexFunc(found.queue, func(e Event) bool { return e.call == made.number }); at >= 0 {
			found.queue = slices.Delete(found.queue, at, at+1)
		} else {
			found.push(Event{Name: "cancel", Data: marshal(numbered{Call: made.number})})
		}
	}
	return <-made.answer, nil
}

func (h *Hub) begin(id string, what Call) (*call, *host, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	found, err := h.find(id)
	switch {
	case err != nil:
		return nil, nil, err
	case found.told == Gone || h.closed:
		return nil, nil, refuse(HostGone, "the host %s (%s) is gone since %s; start its app again", found.id, found.name,
			found.seen.UTC().Format(time.RFC3339))
	case len(found.calls) >= mostCalls || h.waiting+what.size() > callBytes:
		return nil, nil, refuse(HostBusy, "%d calls wait for the host %s (%s) already; at most %d may, of %d bytes in all",
			len(found.calls), found.id, found.name, mostCalls, callBytes)
	}
	h.calls++
	made := &call{Call: what, number: h.series + strconv.FormatUint(h.calls, 10), answer: make(chan json.RawMessage, 1)}
	h.waiting += what.size()
	found.calls[made.number] = made
	sent := numbered{Call: made.number, Deadline: what.Timeout.Milliseconds()}
	form := &asked{what.Identifier, what.Arguments, what.Source}
	if sent.Perform = form; what.Source != nil {
		sent.Perform, sent.Trigger = nil, form
	}
	found.push(Event{Name: "call", Data: marshal(sent), call: made.number})
	return made, found, nil
}

// finish ends a call with a result; told says whether it counts as performed. The lock is held.
func (h *Hub) finish(of *host, ended *call, result json.RawMessage, told bool) {
	delete(of.calls, ended.number)
	h.waiting -= ended.size()
	ended.answer <- result
	if told {
		source := ended.Source
		if source == nil {
			source = json.RawMessage(`{"kind":"manual"}`)
		}
		h.perform(of, Performed{Call: ended.number, Identifier: ended.Identifier, Arguments: ended.Arguments, Source: source, Result: result})
	}
}

func (h *Hub) cancelAll(of *host, reason string) {
	of.queue = nil
	for _, each := range of.calls {
		h.finish(of, each, canceled(reason), true)
	}
}

func canceled(message string) json.RawMessage { return resultOf("canceled", message) }

func resultOf(status, message string) json.RawMessage {
	return marshal(struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}{status, message})
}

// Performed is what a host performed, asked by the hub or by itself.
type Performed struct {
	Host       string          `json:"host"`
	Sequence   uint64          `json:"sequence"`
	Time       time.Time       `json:"time"`
	Call       string          `json:"call,omitempty"`
	Identifier string          `json:"identifier"`
	Arguments  json.RawMessage `json:"arguments,omitempty"`
	Source     json.RawMessage `json:"source"`
	Result     json.RawMessage `json:"result"`
}

// perform notes what was performed, and tells it. The lock is held.
func (h *Hub) perform(by *host, done Performed) {
	by.sequence++
	done.Host, done.Sequence, done.Time = by.id, by.sequence, h.Now().UTC().Round(0)
	text := marshal(done)
	by.note(text)
	h.tell(Event{Name: "performed", Data: text})
}

// push hands an event to the stream of a host, now or when it is opened again. The lock is held.
func (h *host) push(event Event) {
	h.queue = append(h.queue, event)
	if h.stream != nil {
		h.stream.wake()
	}
}
