package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/hub"
)

const hostChallenge = `Bearer realm="hosts"`

// hostRoutes are the routes of apps that join, and of who performs on them.
func (a *API) hostRoutes() ([]*httpd.Route, error) {
	limit, err := httpd.QueryOf(a.Library, journalQuery, "limit")
	events := []string{"text/event-stream"}
	return httpd.Group{Name: "Hosts", Description: "Apps that have joined: their actions, and performs on them."}.Of(
		&httpd.Route{Name: "hosts.join", Method: http.MethodPost, Path: "/_mock/hosts", Credential: httpd.PairingCode, Handle: a.hostsJoin,
			Description: httpd.Description{Summary: "Lets an app join."},
			Input:       httpd.Input{Request: "mock/host.join.json"},
			Output: httpd.Output{Response: "mock/host.joined.json", Status: http.StatusCreated,
				Refusals: []string{exports.Conflict, exports.TooManyRequests}}},
		&httpd.Route{Name: "hosts.calls", Method: http.MethodGet, Path: "/_mock/hosts/{id}/calls", Credential: httpd.HostToken,
			Handle:      a.hostsCalls,
			Description: httpd.Description{Summary: "The calls of an app, as server-sent events."},
			Output:      httpd.Output{ResponseMedia: events, Stream: true, Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "hosts.messages", Method: http.MethodPost, Path: "/_mock/hosts/{id}/messages", Credential: httpd.HostToken,
			Handle:      a.hostsMessages,
			Description: httpd.Description{Summary: "Takes the results and the news of an app."},
			Input:       httpd.Input{Request: "mock/host.messages.json"},
			Output:      httpd.Output{Status: http.StatusNoContent, Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "hosts.list", Method: http.MethodGet, Path: "/_mock/hosts", Credential: httpd.Control, Handle: a.hostsList,
			Description: httpd.Description{Summary: "The apps that have joined, and how others do."},
			Output:      httpd.Output{Response: "mock/host.list.json"}},
		&httpd.Route{Name: "hosts.events", Method: http.MethodGet, Path: "/_mock/host-events", Credential: httpd.Control,
			Handle:      a.hostsEvents,
			Description: httpd.Description{Summary: "What happens to apps that have joined, as server-sent events."},
			Input:       httpd.Input{Query: limit},
			Output:      httpd.Output{ResponseMedia: events, Stream: true}},
		&httpd.Route{Name: "hosts.code", Method: http.MethodPost, Path: "/_mock/host-code", Credential: httpd.Control, Handle: a.hostsCode,
			Description: httpd.Description{Summary: "Makes a new code for apps on other machines; the one before is void."},
			Output:      httpd.Output{Response: "mock/host.list.json"}},
		&httpd.Route{Name: "hosts.get", Method: http.MethodGet, Path: "/_mock/hosts/{id}", Credential: httpd.Control, Handle: a.hostsGet,
			Description: httpd.Description{Summary: "One app, and the last that it performed. The identifier - is the only one that is there."},
			Output:      httpd.Output{Response: "mock/host.record.json", Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "hosts.remove", Method: http.MethodDelete, Path: "/_mock/hosts/{id}", Credential: httpd.Control,
			Handle:      a.hostsRemove,
			Description: httpd.Description{Summary: "Takes an app out; its token is void."},
			Output:      httpd.Output{Status: http.StatusNoContent, Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "hosts.perform", Method: http.MethodPost, Path: "/_mock/hosts/{id}/perform", Credential: httpd.Control,
			Handle:      a.hostsCall(false),
			Description: httpd.Description{Summary: "Performs an action in an app, and waits for the result."},
			Input:       httpd.Input{Request: "mock/host.call.json"},
			Output:      httpd.Output{Response: "mock/host.result.json", Refusals: []string{exports.Conflict, exports.TooManyRequests}}},
		&httpd.Route{Name: "hosts.trigger", Method: http.MethodPost, Path: "/_mock/hosts/{id}/trigger", Credential: httpd.Control,
			Handle:      a.hostsCall(true),
			Description: httpd.Description{Summary: "Triggers an action in an app, as a push message does, and waits for the result."},
			Input:       httpd.Input{Request: "mock/host.call.json"},
			Output:      httpd.Output{Response: "mock/host.result.json", Refusals: []string{exports.Conflict, exports.TooManyRequests}}},
	), err
}

// refusedHost turns an error of the hub into a refusal.
func refusedHost(err error) error {
	var known *hub.Error
	if !errors.As(err, &known) {
		return err
	}
	name := exports.Conflict
	switch known.Code {
	case hub.UnknownHost:
		name = exports.RouteNotFound
	case hub.HostBusy, hub.CodesTooMany:
		name = exports.TooManyRequests
	case hub.MessageInvalid, hub.CallTooLarge:
		name = exports.MalformedParameter
	case hub.RandomFailed:
		return err
	case hub.TokenUnknown, hub.CodeMissing, hub.CodeWrong:
		return httpd.WithHeader(exports.Refuse(exports.AuthenticationInvalid, "%s", known.Message), "WWW-Authenticate", hostChallenge)
	}
	refusal := exports.Refuse(name, "%s", known.Message)
	if name == exports.TooManyRequests {
		refusal.RetryAfter = time.Second
	}
	return refusal
}

// hostsJoin lets an app join, and keeps why one may not.
func (a *API) hostsJoin(r *httpd.Request) (httpd.Response, error) {
	value, err := r.ReadValue()
	if err == nil {
		err = httpd.RefuseInvalid(a.Library.Validate(r.Route.Request, value))
	}
	object, _ := value.(map[string]any)
	members := exports.Members(object)
	said := func(name string) string { text, _ := members.String(name); return text }
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	if err == nil {
		err = a.mayJoin(r, address, said("code"))
	}
	var joined hub.Joined
	if err == nil {
		joining := hub.Joining{
			Instance: said("instance"), Name: said("name"), Platform: said("platform"), Version: said("version"),
			Address: address, Origin: r.Header.Get("Origin"), Capabilities: textsIn(members["capabilities"]),
			Permissions: textsIn(members["permissions"]), Held: numberIn(members["held"]),
		}
		if err = json.Unmarshal(rawOf(members["actions"], "[]"), &joining.Actions); err == nil {
			joined, err = a.Hub.Join(joining)
		}
	}
	if err != nil {
		err = refusedHost(err)
		attempt := hub.Refused{Address: address, Origin: r.Header.Get("Origin"), Name: said("name"), Platform: said("platform"),
			Version: said("version"), Reason: err.Error()}
		if version := numberIn(members["protocol"]); version != hub.Protocol && version != 0 {
			attempt.Protocol = fmt.Sprint(version)
		}
		a.Hub.Refuse(attempt)
		return httpd.Response{}, err
	}
	type limits struct {
		Message  int `json:"message_bytes"`
		Depth    int `json:"depth"`
		Messages int `json:"messages"`
	}
	return httpd.Response{Status: r.Route.Status, Body: httpd.JSON(struct {
		ID        string `json:"id"`
		Token     string `json:"token"`
		Heartbeat int    `json:"heartbeat_seconds"`
		Limits    limits `json:"limits"`
	}{joined.ID, joined.Token, int(hub.Heartbeat.Seconds()), limits{hub.MessageBytes, hub.Depth, hub.MostMessages}})}, nil
}

// mayJoin asks for the code of who is not on this machine.
func (a *API) mayJoin(r *httpd.Request, address, code string) error {
	if a.Edge.Trusts(r.Request) {
		return nil
	}
	pause, err := a.Hub.Pair(address, code)
	err = refusedHost(err)
	var refusal *exports.Refusal
	if pause > 0 && errors.As(err, &refusal) {
		refusal.RetryAfter = pause
	}
	return err
}

func textsIn(value any) map[string]string {
	members, _ := value.(map[string]any)
	texts := make(map[string]string, len(members))
	for name, each := range members {
		texts[name], _ = each.(string)
	}
	return texts
}

func numberIn(value any) int {
	number, _ := value.(json.Number)
	whole, _ := number.Int64() // its schema bounds it
	return int(whole)
}

// rawOf writes a value that was read from JSON.
func rawOf(value any, missing string) json.RawMessage {
	if value == nil {
		return json.RawMessage(missing)
	}
	return bytes.TrimSpace(httpd.JSON(value))
}

// bearer is the token that a host sends.
func bearer(r *httpd.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func (a *API) hostsMessages(r *httpd.Request) (httpd.Response, error) {
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	data, err := r.ReadBody()
	if err != nil {
		return httpd.Response{}, err
	}
	return httpd.Response{Status: r.Route.Status}, refusedHost(a.Hub.Receive(r.Variables["id"], bearer(r), data))
}

// hostsCalls hands an app its calls until it leaves.
func (a *API) hostsCalls(r *httpd.Request) (httpd.Response, error) {
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	id, token := r.Variables["id"], bearer(r)
	if err := a.Hub.Authorize(id, token); err != nil {
		return httpd.Response{}, refusedHost(err)
	}
	return a.eventStream(r, signs{": joined\n\n", "event: ping\ndata: {}\n\n", hub.Heartbeat}, 0,
		func() (events, error) { return a.Hub.Open(id, token) }), nil
}

// signs are what a stream begins with, and what it says after a pause without events.
type signs struct {
	first, alive string
	pause        time.Duration
}

// events are what a stream is written from.
type events interface {
	Next(context.Context) (hub.Event, error)
	Close()
}

func (a *API) hostsEvents(r *httpd.Request) (httpd.Response, error) {
	limit, err := httpd.Number(r.Query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	return a.eventStream(r, signs{"retry: 1000\n\n", ": alive\n\n", heartbeat}, limit,
		func() (events, error) { return a.Hub.Watch(), nil }), nil
}

// eventStream writes events as they come, and a sign of life where none does; a limit above 0 ends it after a number of them.
func (a *API) eventStream(r *httpd.Request, say signs, limit int, open func() (events, error)) httpd.Response {
	return httpd.Response{Status: http.StatusOK, ContentType: "text/event-stream", Stream: func(w http.ResponseWriter) {
		opened, err := open()
		if err != nil { // it lost its token since
			return
		}
		defer opened.Close()
		ctx, cancel := a.untilDrained(r.Connected())
		defer cancel()
		write := eventWriter(w)
		shown := 0
		for going := write(say.first) == nil; going && (limit == 0 || shown < limit); {
			quiet, over := context.WithTimeout(ctx, say.pause)
			event, err := opened.Next(quiet)
			over()
			switch {
			case err == nil:
				shown++
				going = write("event: "+event.Name+"\ndata: "+string(event.Data)+"\n\n") == nil
			case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
				return
			default:
				going = write(say.alive) == nil
			}
		}
	}}
}

// eventWriter returns a function that writes to an event stream at once, however long the stream has lasted.
func eventWriter(w http.ResponseWriter) func(text string) error {
	out := http.NewResponseController(w)
	return func(text string) error {
		httpd.ExtendDeadline(w)
		_, err := io.WriteString(w, text)
		if err == nil {
			err = out.Flush()
		}
		if errors.Is(err, http.ErrNotSupported) {
			return nil
		}
		return err
	}
}

func (a *API) hostsList(r *httpd.Request) (httpd.Response, error) {
	addresses, scheme := []string{}, "http://"
	if a.PublicURL != "" {
		addresses = append(addresses, httpd.BaseURL(r.Request, a.PublicURL))
	}
	if r.TLS != nil {
		scheme = "https://"
	}
	for _, address := range auth.Reachable(auth.ListenerOf(r.Context())) {
		addresses = append(addresses, scheme+address)
	}
	return httpd.OK(struct {
		Hosts     []hub.Host    `json:"hosts"`
		Code      string        `json:"code"`
		Addresses []string      `json:"addresses"`
		Refused   []hub.Refused `json:"refused"`
	}{a.Hub.List(), a.Hub.Code(), addresses, a.Hub.Attempts()}), nil
}

func (a *API) hostsCode(r *httpd.Request) (httpd.Response, error) {
	if err := a.Hub.NewCode(); err != nil {
		return httpd.Response{}, err
	}
	return a.hostsList(r)
}

func (a *API) hostsGet(r *httpd.Request) (httpd.Response, error) {
	host, err := a.Hub.Get(r.Variables["id"])
	if err != nil {
		return httpd.Response{}, refusedHost(err)
	}
	return httpd.OK(host), nil
}

func (a *API) hostsRemove(r *httpd.Request) (httpd.Response, error) {
	return httpd.Response{Status: r.Route.Status}, refusedHost(a.Hub.Remove(r.Variables["id"]))
}

// hostsCall asks an app and waits for its result.
func (a *API) hostsCall(triggers bool) httpd.Handler {
	return func(r *httpd.Request) (httpd.Response, error) {
		members, err := a.readMembers(r)
		if err != nil {
			return httpd.Response{}, err
		}
		call := hub.Call{Arguments: rawOf(members["arguments"], "{}"), Timeout: 10 * time.Second}
		call.Identifier, _ = members.String("identifier")
		if source, given := members["source"]; triggers {
			call.Source = rawOf(source, `{"kind":"push"}`)
		} else if given {
			return httpd.Response{}, exports.RefuseMember("/source", "source",
				"source is for POST /_mock/hosts/{id}/trigger; a perform has none")
		}
		if text, given := members.String("timeout"); given {
			if call.Timeout, err = time.ParseDuration(text); err != nil || call.Timeout <= 0 || call.Timeout > longestWait {
				return httpd.Response{}, exports.RefuseMember("/timeout", "maximum",
					"timeout is %q; allowed: a duration of at most %s, such as 5s", exports.Shorten(text), longestWait)
			}
		}
		ctx, cancel := a.untilDrained(r.Connected())
		defer cancel()
		result, err := a.Hub.Call(ctx, r.Variables["id"], call)
		if err != nil {
			return httpd.Response{}, refusedHost(err)
		}
		return httpd.OK(result), nil
	}
}
