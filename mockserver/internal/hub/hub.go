// Package hub is where apps join: it knows their hosts, hands them calls, takes their messages and tells who watches. It knows no HTTP.
// Everything in it is bounded, and what is left out is counted.
package hub

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Protocol is the version that hosts speak.
const Protocol = 1

// Bounds of what hosts may send and of what is kept.
const (
	MostHosts    = 100
	MostMessages = 100      // of one request
	MessageBytes = 64 << 10 // of one message, or of one call
	Depth        = 12       // of one message, or of one call

	// IdentifierLetters is how long the identifier of an action may be, as the schemas say.
	IdentifierLetters = 200

	mostActions    = 1000      // of a host
	describedBytes = 256 << 10 // of the descriptions of the actions of a host
	mostPerformed  = 50        // of a host, of the last
	performedBytes = 256 << 10
	mostCalls      = 100      // of a host, at a time
	callBytes      = 16 << 20 // of all calls, at a time
	mostRefused    = 20
	mostUnread     = 256 // of one who watches
	mostReasons    = 20  // of what a host left out
)

// How long a host may be silent.
const (
	// Heartbeat is how often both sides say that they are there.
	Heartbeat = 5 * time.Second
	// Silence is how long a host without a stream may say nothing.
	Silence = 10 * time.Second
	// Patience is the same with a stream that stands: a debugger has stopped the app, or the phone sleeps.
	Patience = 75 * time.Second
)

// Code says why the hub refuses.
type Code string

// The codes.
const (
	UnknownHost    Code = "unknown_host"     // none has this identifier
	SeveralHosts   Code = "several_hosts"    // none or several are there, and the call names none
	HostGone       Code = "host_gone"        // it has to join again before it is called
	HostBusy       Code = "host_busy"        // too many calls wait for it
	TokenUnknown   Code = "token_unknown"    // the host has to join again
	HostReplaced   Code = "host_replaced"    // the host must not join again by itself
	HubFull        Code = "hub_full"         // a hundred hosts are there
	CodeMissing    Code = "code_missing"     // the host needs the code of the page
	CodeWrong      Code = "code_wrong"       // it is another
	CodesTooMany   Code = "codes_too_many"   // too many wrong ones came
	MessageInvalid Code = "message_invalid"  // what was sent cannot be read
	CallTooLarge   Code = "call_too_large"   // beyond MessageBytes or Depth
	RandomFailed   Code = "random_exhausted" // no token can be made
)

// Error is why the hub refuses.
type Error struct {
	Code    Code
	Message string // what to do, for a person
}

func (e *Error) Error() string { return e.Message }

func refuse(code Code, format string, arguments ...any) *Error {
	return &Error{code, fmt.Sprintf(format, arguments...)}
}

// Config is what a Hub works with.
type Config struct {
	Now    func() time.Time
	Random io.Reader // makes tokens and codes
}

// Hub knows the hosts that have joined. It is safe for concurrent use.
type Hub struct {
	Config
	lock     sync.Mutex // guards everything below
	code     string
	wrong    map[netip.Addr]bucket
	hosts    map[string]*host
	former   map[digest]bool // tokens that were replaced or removed: their hosts must stay away
	formers  []digest        // in order
	refused  []Refused       // the newest last
	watchers map[*Watcher]bool
	series   string // before the numbers of calls: a result of before a restart answers none of now
	calls    uint64 // that there ever were
	waiting  int    // bytes of the calls that wait
	ticker   *time.Timer
	closed   bool
}

type digest = [sha256.Size]byte

// New makes a hub with a code.
func New(config Config) (*Hub, error) {
	h := &Hub{Config: config, wrong: map[netip.Addr]bucket{}, hosts: map[string]*host{}, former: map[digest]bool{},
		watchers: map[*Watcher]bool{}}
	err := h.NewCode()
	if err == nil {
		h.series, err = h.draw()
	}
	return h, err
}

// Joining is what a host says of itself.
type Joining struct {
	Instance, Name, Platform, Version string
	Address, Origin                   string // where it comes from
	Actions                           []Action
	Capabilities, Permissions         map[string]string
	Held                              int
}

// Joined is what a host is given.
type Joined struct{ ID, Token string }

// Join lets a host in, which replaces the one of the same instance.
func (h *Hub) Join(j Joining) (Joined, error) {
	var secret [16]byte
	if _, err := io.ReadFull(h.Random, secret[:]); err != nil {
		return Joined{}, refuse(RandomFailed, "no token can be made: %v", err)
	}
	instance := sha256.Sum256([]byte(j.Instance))
	made := Joined{ID: "host_" + plain(instance[:8]), Token: plain(secret[:])}

	h.lock.Lock()
	defer h.lock.Unlock()
	h.sweep()
	now := h.Now()
	joined := h.hosts[made.ID]
	if joined == nil {
		if !h.makeRoom() {
			return Joined{}, refuse(HubFull, "%d hosts are there, which is the most; remove some with DELETE /_mock/hosts/{id}", MostHosts)
		}
		joined = &host{}
		h.hosts[made.ID] = joined
	} else if joined.told != Gone {
		h.dismiss(joined, "replaced", "another app joined with the same instance")
	}
	*joined = host{
		id: made.ID, name: j.Name, platform: j.Platform, version: j.Version, address: j.Address, origin: j.Origin, held: j.Held,
		capabilities: j.Capabilities, permissions: j.Permissions, joined: now, seen: now, told: Connected,
		token: sha256.Sum256([]byte(made.Token)), actions: map[string]Action{}, calls: map[string]*call{}, omitted: map[string]int{},
		performed: joined.performed, performedBytes: joined.performedBytes, sequence: joined.sequence,
	}
	for _, action := range j.Actions {
		joined.register(action)
	}
	h.changed(joined)
	if h.ticker == nil && !h.closed {
		h.ticker = time.AfterFunc(time.Second, h.tick)
	}
	return made, nil
}

// plain writes bytes in letters and digits.
func plain(data []byte) string {
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(data))
}

// makeRoom forgets the host that is gone for the longest time, if there is no room for another.
func (h *Hub) makeRoom() bool {
	if len(h.hosts) < MostHosts {
		return true
	}
	var oldest *host
	for _, each := range h.hosts {
		if each.told == Gone && (oldest == nil || each.seen.Before(oldest.seen)) {
			oldest = each
		}
	}
	if oldest == nil {
		return false
	}
	h.forget(oldest)
	return true
}

// forget takes a host out of the list.
func (h *Hub) forget(gone *host) {
	delete(h.hosts, gone.id)
	gone.told = Removed
	h.changed(gone)
}

// dismiss ends the stream and the calls of a host for good: event says why to the app, reason to those who wait.
func (h *Hub) dismiss(which *host, event, reason string) {
	if which.stream != nil {
		which.stream.last = event
		which.stream.end()
		which.stream = nil
	}
	h.cancelAll(which, reason)
	const most = 4 * MostHosts
	if len(h.formers) == most {
		delete(h.former, h.formers[0])
		h.formers = h.formers[1:]
	}
	h.former[which.token] = true
	h.formers = append(h.formers, which.token)
	which.token = digest{}
}

// Remove takes a host out, as a person wants it.
func (h *Hub) Remove(id string) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	found, err := h.find(id)
	if err != nil {
		return err
	}
	h.dismiss(found, "removed", "the host was removed")
	h.forget(found)
	return nil
}

// find is the host of an identifier, or with - the only one that is there. The lock is held.
func (h *Hub) find(id string) (*host, error) {
	h.sweep()
	if id == "-" {
		var there []*host
		for _, each := range h.hosts {
			if each.told != Gone {
				there = append(there, each)
			}
		}
		if len(there) == 1 {
			return there[0], nil
		}
		return nil, refuse(SeveralHosts, "- stands for the only host, and %d are there; name one of them: %s", len(there), h.names())
	}
	if found := h.hosts[id]; found != nil {
		return found, nil
	}
	return nil, refuse(UnknownHost, "no host %q has joined; there are: %s", cut(id), h.names())
}

// names lists the hosts for messages.
func (h *Hub) names() string {
	var names []string
	for _, each := range h.sorted() {
		names = append(names, fmt.Sprintf("%s (%s, %s, %s)", each.id, each.name, each.platform, each.told))
	}
	if len(names) > 10 {
		names = append(names[:10], fmt.Sprintf("and %d more", len(names)-10))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (h *Hub) sorted() []*host {
	all := make([]*host, 0, len(h.hosts))
	for _, each := range h.hosts {
		all = append(all, each)
	}
	slices.SortFunc(all, func(a, b *host) int { return cmp.Or(a.joined.Compare(b.joined), strings.Compare(a.id, b.id)) })
	return all
}

// cut shortens a text of a stranger.
func cut(text string) string {
	if letters := []rune(text); len(letters) > 100 {
		return string(letters[:100]) + "…"
	}
	return text
}

// authorized is the host of a token, which it needs to be heard. The lock is held.
func (h *Hub) authorized(id, token string) (*host, error) {
	h.sweep()
	sent := sha256.Sum256([]byte(token))
	if h.former[sent] {
		return nil, refuse(HostReplaced,
			"another app joined with the same instance, or a person removed this host; do not join again without a person")
	}
	found := h.hosts[id]
	if found == nil || found.told == Gone || subtle.ConstantTimeCompare(found.token[:], sent[:]) != 1 {
		return nil, refuse(TokenUnknown, "the host is not known by this token; join again with POST /_mock/hosts and the same instance")
	}
	return found, nil
}

// tick looks at the clock as long as a host is there.
func (h *Hub) tick() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.sweep()
	for _, each := range h.hosts {
		if each.told != Gone && !h.closed {
			h.ticker.Reset(time.Second)
			return
		}
	}
	h.ticker = nil
}

// Sweep notices who has become silent or is gone, by the clock.
func (h *Hub) Sweep() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.sweep()
}

func (h *Hub) sweep() {
	now := h.Now()
	for _, each := range h.hosts {
		state := each.state(now)
		if state == each.told {
			continue
		}
		each.told = state
		if state == Gone {
			if each.stream != nil {
				each.stream.end()
				each.stream = nil
			}
			each.token, each.queue = digest{}, nil
			h.cancelAll(each, fmt.Sprintf("the host %s vanished before it answered", each.name))
		}
		h.changed(each)
	}
}

// Close ends everything that waits.
func (h *Hub) Close() {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.closed = true
	if h.ticker != nil {
		h.ticker.Stop()
	}
	for _, each := range h.hosts {
		if each.stream != nil {
			each.stream.end()
		}
		h.cancelAll(each, "the server stops")
	}
	for each := range h.watchers {
		each.end()
	}
}

// marshal writes a value of this package, which cannot fail, in one line.
func marshal(value any) json.RawMessage {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("writing %T: %v", value, err))
	}
	return json.RawMessage(strings.TrimSuffix(text.String(), "\n"))
}
