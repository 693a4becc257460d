package hub

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// State says whether a host is there.
type State string

// The states.
const (
	Connected State = "connected"
	Silent    State = "silent"  // its stream stands, but it says nothing
	Gone      State = "gone"    // until it joins again
	Removed   State = "removed" // told once to those who watch
)

// Action is one that a host can perform, as far as it is described.
type Action struct {
	Identifier string          `json:"identifier"`
	Title      string          `json:"title,omitempty"`
	Sample     json.RawMessage `json:"sample,omitempty"`
	Schema     json.RawMessage `json:"schema,omitempty"`
}

func (a Action) size() int { return len(a.Identifier) + len(a.Title) + len(a.Sample) + len(a.Schema) }

// Host is what is shown of a host.
type Host struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Platform     string            `json:"platform"`
	Version      string            `json:"version"`
	State        State             `json:"state"`
	Address      string            `json:"address"`
	Origin       string            `json:"origin,omitempty"`
	JoinedAt     time.Time         `json:"joined_at"`
	SeenAt       time.Time         `json:"seen_at"`
	Actions      []Action          `json:"actions"`
	Capabilities map[string]string `json:"capabilities"`
	Permissions  map[string]string `json:"permissions"`
	Held         int               `json:"held"`
	Calls        int               `json:"calls"`
	Omitted      []Omitted         `json:"omitted"`
	// Performed is shown of one host only.
	Performed []json.RawMessage `json:"performed,omitempty"`
}

// Omitted is how often something was left out, and why.
type Omitted struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// host is a host as the hub knows it; the lock of the hub guards it.
type host struct {
	id, name, platform, version, address, origin string
	token                                        digest // zero once it is void
	joined, seen                                 time.Time
	told                                         State // the last that was told
	actions                                      map[string]Action
	described                                    int // bytes of the actions
	capabilities, permissions                    map[string]string
	held                                         int
	omitted                                      map[string]int
	stream                                       *Stream // nil: none stands
	queue                                        []Event // for the stream
	calls                                        map[string]*call
	performed                                    []json.RawMessage
	performedBytes                               int
	sequence                                     uint64 // of what was performed
}

func (h *host) state(now time.Time) State {
	quiet := now.Sub(h.seen)
	switch {
	case h.told == Gone:
		return Gone
	case quiet < Silence:
		return Connected
	case h.stream != nil && quiet < Patience:
		return Silent
	}
	return Gone
}

// register adds or replaces an action, within the bounds.
func (h *host) register(action Action) {
	key := strings.ToLower(action.Identifier)
	before, replaces := h.actions[key]
	if !replaces && len(h.actions) == mostActions {
		h.omit("actions beyond 1000", 1)
		return
	}
	if h.described -= before.size(); h.described+action.size() > describedBytes {
		action = Action{Identifier: action.Identifier}
		h.omit("descriptions of actions beyond 262144 bytes", 1)
	}
	if h.described+action.size() > describedBytes { // identifiers alone
		delete(h.actions, key)
		return
	}
	h.described += action.size()
	h.actions[key] = action
}

func (h *host) unregister(identifier string) {
	key := strings.ToLower(identifier)
	h.described -= h.actions[key].size()
	delete(h.actions, key)
}

// omit counts what was left out.
func (h *host) omit(reason string, count int) {
	if reason = cut(reason); h.omitted[reason] == 0 && len(h.omitted) >= mostReasons {
		reason = "other reasons"
	}
	h.omitted[reason] += count
}

// note keeps what was performed, the last of it.
func (h *host) note(performed json.RawMessage) {
	h.performed = append(h.performed, performed)
	h.performedBytes += len(performed)
	for len(h.performed) > mostPerformed || h.performedBytes > performedBytes {
		h.performedBytes -= len(h.performed[0])
		h.performed = slices.Delete(h.performed, 0, 1)
	}
}

func (h *host) view() Host {
	shown := Host{
		ID: h.id, Name: h.name, Platform: h.platform, Version: h.version, State: h.told, Address: h.address, Origin: h.origin,
		JoinedAt: h.joined.UTC().Round(0), SeenAt: h.seen.UTC().Round(0), Actions: []Action{}, Capabilities: given(h.capabilities),
		Permissions: given(h.permissions), Held: h.held, Calls: len(h.calls), Omitted: []Omitted{},
	}
	for _, action := range h.actions {
		shown.Actions = append(shown.Actions, action)
	}
	slices.SortFunc(shown.Actions, func(a, b Action) int { return strings.Compare(a.Identifier, b.Identifier) })
	for reason, count := range h.omitted {
		shown.Omitted = append(shown.Omitted, Omitted{reason, count})
	}
	slices.SortFunc(shown.Omitted, func(a, b Omitted) int { return strings.Compare(a.Reason, b.Reason) })
	return shown
}

func given(values map[string]string) map[string]string {
	if values == nil {
		return map[string]string{}
	}
	return values
}

// List shows the hosts, in the order in which they joined.
func (h *Hub) List() []Host {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.sweep()
	shown := []Host{}
	for _, each := range h.sorted() {
		shown = append(shown, each.view())
	}
	return shown
}

// Get shows one host, and the last that it performed.
func (h *Hub) Get(id string) (Host, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	found, err := h.find(id)
	if err != nil {
		return Host{}, err
	}
	shown := found.view()
	shown.Performed = slices.Clone(found.performed)
	return shown, nil
}
