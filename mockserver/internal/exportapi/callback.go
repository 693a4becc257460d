package exportapi

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// mostCallbacks is how many exports with a callback may be under way.
	mostCallbacks = 256
	// callbackInterval is the wait between two looks at an export, and callbackPatience how long it may take.
	callbackInterval, callbackPatience = 500 * time.Millisecond, 24 * time.Hour
	// callbackAttempts is how often a record is sent, and callbackDeadline how long an attempt may take.
	callbackAttempts, callbackDeadline = 3, 10 * time.Second
	// callbackRole is the role of the member of a creation with the address.
	callbackRole = "callback"
	// callbacksSetting are the callbacks that are due, by the identifiers of their exports.
	callbacksSetting = "callbacks"
)

// due is a callback in the state. The server that began an attempt has counted it: others leave it alone.
type due struct {
	Address  string `json:"address"`
	Base     string `json:"base"` // of the links in the record
	Attempts int    `json:"attempts"`
}

// Callbacks send the record of an export to its callback address when the export has ended. They outlive a reload.
type Callbacks struct {
	journal *journal.Journal
	now     func() time.Time
	current func() (api *API, done func())
	context context.Context
	stop    context.CancelFunc

	lock     sync.Mutex // for those under way, and what they are due
	underWay map[*callback]bool
	running  sync.WaitGroup
}

// NewCallbacks returns callbacks that are noted in a journal, by the clock of the machine.
// current returns the API of the moment, in use until done is called.
func NewCallbacks(noted *journal.Journal, now func() time.Time, current func() (api *API, done func())) *Callbacks {
	c := &Callbacks{journal: noted, now: now, current: current, underWay: map[*callback]bool{}}
	c.context, c.stop = context.WithCancel(context.Background())
	return c
}

// Close ends the callbacks that are under way.
func (c *Callbacks) Close() {
	c.lock.Lock()
	c.stop()
	c.lock.Unlock()
	c.running.Wait()
}

// callback is one export, and the address that waits for its end.
type callback struct {
	due
	id    string
	entry journal.Entry // of the next attempt
}

// Resume waits for the exports whose callbacks are due in the state, after a start, and after that was replaced.
func (c *Callbacks) Resume() {
	api, done := c.current()
	defer done()
	kept := map[string]due{}
	value, err := api.Store.Setting(c.context, callbacksSetting)
	if err == nil {
		err = json.Unmarshal(value, &kept)
	} else if errors.Is(err, store.ErrNotFound) {
		return
	}
	for id, each := range kept {
		record, fault := api.Store.Get(c.context, id)
		switch {
		case errors.Is(fault, store.ErrNotFound):
			_ = c.keep(api, id, each, nil) // the next start tries again
		case fault != nil:
			err = fault
		case api.callbackFault(each.Address) == "":
			c.begin(c.callOf(api, record, each))
		}
	}
	if err != nil && c.context.Err() == nil {
		api.Logger.Error("callbacks are due that cannot be read; the next start tries again", "error", err)
	}
}

// expect begins to wait for the end of an export. It is in the state before the creation is answered.
func (c *Callbacks) expect(a *API, r *request, record *exports.Record, address string) {
	if address == "" {
		return
	}
	call := c.callOf(a, record, due{Address: address, Base: a.baseURL(r)})
	if err := c.keep(a, record.ID, due{}, &call.due); err != nil {
		c.note(call, 0, err)
	} else if !c.begin(call) {
		_ = c.keep(a, record.ID, call.due, nil) // the next start finds that it was too much
	}
}

// errTaken: another server sends the callback, or the state was replaced.
var errTaken = errors.New("the callback is not due any more")

// keep changes a callback in the state, if it is as it was before; nil takes it out.
func (c *Callbacks) keep(a *API, id string, before due, after *due) error {
	return a.Store.UpdateSetting(context.WithoutCancel(c.context), callbacksSetting, func(value []byte) ([]byte, error) {
		kept := map[string]due{}
		if err := json.Unmarshal([]byte(cmp.Or(string(value), "{}")), &kept); err != nil {
			return nil, err
		}
		if kept[id] != before {
			return nil, errTaken
		}
		if delete(kept, id); after != nil {
			kept[id] = *after
		}
		return json.Marshal(kept)
	})
}

// callOf is the callback of an export.
func (c *Callbacks) callOf(a *API, record *exports.Record, first due) *callback {
	call := &callback{due: first, id: record.ID, entry: journal.Entry{
		Time: a.Live.NowOf(record.Owner), RequestID: record.ID + "-callback", Method: http.MethodPost, Route: journal.StageCallback,
		Stage: journal.StageCallback, Interface: record.Interface, Kind: record.Kind, Export: record.ID}}
	call.entry.SetKey(record.Owner)
	address, _, _ := strings.Cut(first.Address, "?")
	call.entry.SetTarget(journal.Redactor{}.Address(address), "", journal.Redactor{})
	return call
}

// begin waits for the end of an export, unless too many do, and reports whether somebody waits for it.
func (c *Callbacks) begin(call *callback) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	for other := range c.underWay {
		if other.id == call.id && other.due == call.due {
			return true
		}
	}
	switch {
	case c.context.Err() != nil:
	case len(c.underWay) >= mostCallbacks:
		c.note(call, 0, fmt.Errorf("%d exports wait for a callback already", mostCallbacks))
	default:
		c.underWay[call] = true
		c.running.Go(func() {
			c.call(call)
			c.lock.Lock()
			defer c.lock.Unlock()
			delete(c.underWay, call)
		})
		return true
	}
	return false
}

// count says how many attempts a callback had.
func (c *Callbacks) count(call *callback, attempts int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	call.Attempts = attempts
}

// call waits for the end of an export, and sends its record. What is left when the server ends stays in the state.
func (c *Callbacks) call(call *callback) {
	for waited := time.Duration(0); ; waited += callbackInterval {
		api, done := c.current()
		late := waited >= callbackPatience
		if late {
			c.note(call, 0, fmt.Errorf("the export has not ended for %s", callbackPatience))
		}
		goesOn := !late && c.attempt(api, call)
		if !goesOn {
			_ = c.keep(api, call.id, call.due, nil) // the next start finds that it is over
		}
		done()
		if !goesOn || api.Sleep(c.context, callbackInterval<<call.Attempts) != nil {
			return
		}
	}
}

// attempt sends the record if the export has ended, and reports whether another attempt is needed.
func (c *Callbacks) attempt(api *API, call *callback) bool {
	body, err := api.ended(c.context, call)
	if err != nil || body == nil {
		return !errors.Is(err, store.ErrNotFound)
	}
	before := call.due
	c.count(call, before.Attempts+1)
	if err := c.keep(api, call.id, before, &call.due); err != nil {
		c.count(call, before.Attempts)
		return !errors.Is(err, errTaken)
	}
	status, err := api.post(c.context, call, body)
	if c.context.Err() != nil && err != nil { // the next start sends it again
		return true
	}
	c.note(call, status, err)
	return status/100 != 2 && call.Attempts < callbackAttempts
}

// note adds an attempt to the journal.
func (c *Callbacks) note(call *callback, status int, err error) {
	entry := call.entry
	entry.RealTime, entry.Status, entry.Error = c.now().UTC(), status, nil
	if of := (*url.Error)(nil); errors.As(err, &of) { // it quotes the address, which may hold a secret
		err = of.Err
	}
	if err != nil {
		entry.SetError(&journal.Refusal{Name: "CALLBACK_FAILED", Message: "the callback was not sent: " + err.Error()}, journal.Redactor{})
	}
	c.journal.Record(&entry)
}

// ended returns the record of an export that has ended, as a lookup shows it; nil until then.
func (a *API) ended(ctx context.Context, call *callback) ([]byte, error) {
	if err := a.Live.Refresh(ctx); err != nil {
		return nil, err
	}
	record, err := a.Store.Get(ctx, call.id)
	if err != nil {
		return nil, err
	}
	route := a.lookups[record.Interface]
	if route == nil { // a reload took it
		return nil, store.ErrNotFound
	}
	created := &http.Request{}
	if base, err := url.Parse(call.Base); err == nil {
		created.Host = base.Host
		if base.Scheme == "https" {
			created.TLS = &tls.ConnectionState{}
		}
	}
	r := &request{Request: &httpd.Request{Request: created.WithContext(ctx), Route: route, Now: a.Live.NowOf(record.Owner)}}
	limited, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	record, state, err := a.shown(ctx, limited, record, r.Now)
	if err != nil || !state.Status.Final() {
		return nil, err
	}
	known, parts, err := a.known(r, record, state)
	if err != nil {
		return nil, err
	}
	answer, err := a.answer(r, route.Response, known)
	call.entry.Time, call.entry.ClockFrozen = r.Now, a.Live.Clock(record.Owner).Frozen
	call.entry.ExportStatus, call.entry.Parts = state.Name, parts
	return surprised(answer, record).Body, err
}

// post sends a record. It follows no redirect, uses no proxy, and sends no credentials.
func (a *API) post(ctx context.Context, call *callback, body []byte) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, callbackDeadline)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, call.Address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	sent.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {"rehearsal-callback"},
		"X-Request-Id": {call.entry.RequestID}}
	dialer := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		if at, err := netip.ParseAddrPort(address); !a.isListed(sent.URL) && (err != nil || !at.Addr().Unmap().IsLoopback()) {
			return fmt.Errorf("%s is not a loopback address", address)
		}
		return nil
	}}
	client := http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(sent)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// callbackOf is the address for the end of an export: that of the member of its creation, or else that of the interface.
func (a *API) callbackOf(export *schemas.Export, payload exports.Payload) (string, error) {
	if path := export.Roles[callbackRole]; path != nil {
		if address, sent := payload.String(path...); sent {
			if fault := a.callbackFault(address); fault != "" {
				return "", exports.RefuseMember("/"+strings.Join(path, "/"), "format", "%s is %q; %s", strings.Join(path, "."),
					exports.Shorten(journal.Redactor{}.Address(address)), fault)
			}
			return address, nil
		}
	}
	return export.Speaks.Callback, nil
}

// callbackFault says why nothing is sent to an address; "" for a good one.
func (a *API) callbackFault(text string) string {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Hostname() == "" || address.Scheme != "http" && address.Scheme != "https":
		return "it must be an address such as http://127.0.0.1:9000/ended"
	case address.User != nil:
		return "it must be without user and password: no credentials are sent"
	case strings.Contains(address.Path, "/_mock"):
		return "it must not be a path under /_mock/, which controls a mock server"
	case !isLoopback(address.Hostname()) && !a.isListed(address):
		return "its host must be of this machine, such as 127.0.0.1, or one that the server was started with: " +
			"--callback-host " + address.Hostname()
	}
	return ""
}

// isListed tells whether the host of an address is one that the server was started with.
func (a *API) isListed(address *url.URL) bool {
	return slices.ContainsFunc(a.CallbackHosts, func(host string) bool {
		return strings.EqualFold(strings.TrimSuffix(host, "."), strings.TrimSuffix(address.Hostname(), "."))
	})
}

// isLoopback tells whether a host is this machine by its name.
func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	at, err := netip.ParseAddr(host)
	return err == nil && at.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
