package hub

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// ErrEnded ends a stream for which nothing comes any more.
var ErrEnded = errors.New("the stream has ended")

// signal wakes one reader.
type signal struct {
	more chan struct{}
	over bool
}

func newSignal() signal { return signal{more: make(chan struct{}, 1)} }

func (s *signal) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

func (s *signal) end() {
	s.over = true
	s.wake()
}

// wait returns the first event that is to be had.
func (s *signal) wait(ctx context.Context, take func() (Event, error)) (Event, error) {
	for {
		if event, err := take(); err != nil || event.Name != "" {
			return event, err
		}
		select {
		case <-s.more:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// Stream is what a host reads its calls from.
type Stream struct {
	hub  *Hub
	host *host
	signal
	last string // the event that ends it, if one does
}

// Authorize refuses a token that opens no stream.
func (h *Hub) Authorize(id, token string) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	_, err := h.authorized(id, token)
	return err
}

// Open opens the stream of a host, in the place of an older one.
func (h *Hub) Open(id, token string) (*Stream, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	found, err := h.authorized(id, token)
	if err != nil {
		return nil, err
	}
	if found.stream != nil {
		found.stream.end()
	}
	found.stream = &Stream{hub: h, host: found, signal: newSignal()}
	found.seen = h.Now()
	if found.told != Connected {
		found.told = Connected
		h.changed(found)
	}
	return found.stream, nil
}

// Next waits for an event. The error is that of the context, or ErrEnded.
func (s *Stream) Next(ctx context.Context) (Event, error) { return s.wait(ctx, s.take) }

func (s *Stream) take() (event Event, err error) {
	s.hub.lock.Lock()
	defer s.hub.lock.Unlock()
	switch {
	case s.over && s.last != "":
		event, s.last = Event{Name: s.last, Data: []byte("{}")}, ""
	case s.over || s.host.stream != s:
		return event, ErrEnded
	case len(s.host.queue) > 0:
		event, s.host.queue = s.host.queue[0], s.host.queue[1:]
	}
	return event, nil
}

// Close tells that nobody reads any more: from now on the host has ten seconds.
func (s *Stream) Close() {
	s.hub.lock.Lock()
	defer s.hub.lock.Unlock()
	if s.host.stream == s {
		s.host.stream = nil
		s.host.seen = s.hub.Now()
	}
}

// Watcher reads what happens to all hosts.
type Watcher struct {
	hub *Hub
	signal
	dirty   []*host // to be told anew
	unread  []Event
	dropped int
}

// Watch begins with every host.
func (h *Hub) Watch() *Watcher {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.sweep()
	w := &Watcher{hub: h, signal: newSignal(), dirty: h.sorted()}
	w.over = h.closed
	h.watchers[w] = true
	return w
}

// Close ends it.
func (w *Watcher) Close() {
	w.hub.lock.Lock()
	defer w.hub.lock.Unlock()
	delete(w.hub.watchers, w)
}

// Next waits for an event. The error is that of the context, or ErrEnded.
func (w *Watcher) Next(ctx context.Context) (Event, error) { return w.wait(ctx, w.take) }

func (w *Watcher) take() (event Event, err error) {
	w.hub.lock.Lock()
	defer w.hub.lock.Unlock()
	switch {
	case w.over:
		return event, ErrEnded
	case len(w.dirty) > 0:
		event = Event{Name: "host", Data: marshal(w.dirty[0].view())}
		w.dirty = w.dirty[1:]
	case w.dropped > 0:
		event = Event{Name: "omitted", Data: marshal(struct {
			Count int `json:"count"`
		}{w.dropped})}
		w.dropped = 0
	case len(w.unread) > 0:
		event, w.unread = w.unread[0], w.unread[1:]
	}
	return event, nil
}

// changed tells those who watch that a host looks different; a host is told once, however often it changes until then. The lock is held.
func (h *Hub) changed(which *host) {
	for w := range maps.Keys(h.watchers) {
		if !slices.Contains(w.dirty, which) {
			w.dirty = append(w.dirty, which)
		}
		w.wake()
	}
}

// tell tells an event to those who watch, as far as they read. The lock is held.
func (h *Hub) tell(event Event) {
	for w := range h.watchers {
		if len(w.unread) >= mostUnread {
			w.unread = w.unread[1:]
			w.dropped++
		}
		w.unread = append(w.unread, event)
		w.wake()
	}
}
