package drift_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// now is when the services begin.
var now = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// service is this server with an overlay of its own, and with a hand in its answers.
func service(t *testing.T, overlay fs.FS, change func(http.Handler) http.Handler) *httptest.Server {
	t.Helper()
	server := must.Get(mockserver.New(mockserver.Options{Schemas: overlay, StartAt: now, Profiles: 400, Seed: 7,
		Credentials: mockserver.DemoCredentials(), Progress: "polls:6"}))(t)
	var handler http.Handler = server
	if change != nil {
		handler = change(server)
	}
	made := httptest.NewServer(handler)
	t.Cleanup(func() { made.Close(); server.Close() })
	return made
}

// beside is a proxy before a service, and the client of it.
type beside struct {
	t        *testing.T
	observer *drift.Observer
	front    *httptest.Server
	upstream *httptest.Server
	end      func()
	again    bool // links are followed twice
	client
}

// client is how a client speaks.
type client struct{ credential, project, created, status, done string }

var specified = client{"X-Authorization", "X-Service-Project", "requestId", "status", "SUCCESS"}

func proxied(t *testing.T, upstream *httptest.Server, overlay fs.FS) *beside {
	t.Helper()
	observer := must.Get(drift.New(overlay))(t)
	address, _ := url.Parse(upstream.URL)
	transport := proxy.Transport(&http.Transport{})
	p := proxy.New(proxy.Options{
		Upstream: address, Transport: transport, Directory: t.TempDir(), MostBody: 1 << 30, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Observe: func(x *drift.Exchange) { observer.Observe(x) }, Links: observer.ListsLinks,
	})
	front := httptest.NewServer(p)
	b := &beside{t: t, observer: observer, front: front, upstream: upstream, client: specified}
	ended := false
	b.end = func() {
		if !ended {
			ended = true
			front.Close()
			transport.CloseIdleConnections()
			p.Close()
			must.Equal(t, observer.Finish(context.Background(), t.TempDir()), nil, "the error")
		}
	}
	t.Cleanup(b.end)
	return b
}

// ask sends a request, and returns the answer to it.
func (b *beside) ask(method, address, body string, headers ...string) (int, []byte, http.Header) {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.front.URL + address
	}
	request := must.Get(http.NewRequest(method, address, strings.NewReader(body)))(b.t)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, each := range headers {
		name, value, _ := strings.Cut(each, ": ")
		request.Header.Set(name, value)
	}
	stay := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer := must.Get(stay.Do(request))(b.t)
	defer answer.Body.Close()
	read := must.Get(io.ReadAll(answer.Body))(b.t)
	return answer.StatusCode, read, answer.Header
}

func (b *beside) legacyHeaders() []string { return []string{b.credential + ": rest_demo"} }

// decode is an object of JSON.
func decode(body []byte) map[string]any {
	made := map[string]any{}
	_ = json.Unmarshal(body, &made)
	return made
}

// made makes an export: its identifier is the last text of the answer.
func (b *beside) made(path, payload string, headers []string) (id string) {
	b.t.Helper()
	status, body, _ := b.ask("POST", path, payload, headers...)
	for _, value := range decode(body) {
		if text, is := value.(string); is && status < 300 {
			id = text
		}
	}
	if id == "" {
		b.t.Fatalf("no export was made: %d %s", status, body)
	}
	return id
}

// legacy makes an export of the legacy interface and downloads its file.
func (b *beside) legacy(path, payload string) (id string, file []byte) {
	b.t.Helper()
	id = b.made("/1.0/live_demo/export/"+path, payload, b.legacyHeaders())
	return id, b.fetch("/1.0/live_demo/export/request/"+id, b.legacyHeaders())
}

// fetch looks an export up, and downloads what its links lead to.
func (b *beside) fetch(path string, headers []string) (file []byte) {
	b.t.Helper()
	for range 9 {
		_, body, _ := b.ask("GET", path, "", headers...)
		links := linksIn(body)
		for _, link := range links {
			sent := headers
			if strings.Contains(path, "/request/") {
				sent = nil // a signed link needs none
			}
			status, part, answered := b.ask("GET", link, "", sent...)
			for status == 307 || status == 302 {
				status, part, answered = b.ask("GET", answered.Get("Location"), "")
			}
			file = append(file, part...)
			if status == 401 { // it may need what other requests need
				_, part, _ = b.ask("GET", link, "", b.legacyHeaders()...)
				file = append(file, part...)
			}
			if b.again {
				b.ask("GET", link, "")
			}
		}
		if len(links) > 0 {
			return file
		}
	}
	return nil
}

// linksIn are the addresses in a record.
func linksIn(record []byte) (links []string) {
	decoder := json.NewDecoder(bytes.NewReader(record))
	for token, err := decoder.Token(); err == nil; token, err = decoder.Token() {
		if text, is := token.(string); is && strings.HasPrefix(text, "http") {
			links = append(links, text)
		}
	}
	return links
}

// profiles makes an export of the profile interface and downloads its file.
func (b *beside) profiles(payload string) (id string, file []byte) {
	b.t.Helper()
	headers := []string{"Authorization: Bearer token_demo", b.project + ": project_demo"}
	id = b.made("/2.7/profiles/export", payload, headers)
	return id, b.fetch("/2.7/exports/view?id="+id, headers)
}

const (
	campaignPayload = `{"from":"2026-03-01T00:00:00","to":"2026-03-15T00:00:00","events":["push_sent","push_open","push_error"],"ids":["install_id","custom_id","advertising_id"]}`
	inAppPayload    = `{"from":"2026-03-01T00:00:00","to":"2026-03-15T00:00:00","events":["inapp_shown","inapp_clicked","inapp_closed"],"ids":["install_id","custom_id","advertising_id"]}`
	windowPayload   = `{"from":"2026-03-01T00:00:00","to":"2026-03-15T00:00:00","ids":["install_id","custom_id","advertising_id"]}`
	userbasePayload = `{"ids":["install_id","custom_id","advertising_id"]}`

	attributesPayload   = `{"export_type":"ATTRIBUTES","attributes":["$email_address","$email_marketing","$language","$push_subscriptions","$last_visit_date"],"identifiers":["custom_id","installation_ids"]}`
	filteredPayload     = `{"export_type":"ATTRIBUTES","attributes":["$language"],"identifiers":["custom_id"],"filter":{"segment":"gold"}}`
	eventsPayload       = `{"export_type":"EVENTS","from":"2026-03-01T00:00:00Z","to":"2026-03-15T00:00:00Z","events":["email_sent","email_delivered","email_open","email_click","email_bounced","sms_sent","sms_delivered","push_sent","push_open"],"identifiers":["custom_id"]}`
	reachabilityPayload = `{"export_type":"REACHABILITY","from":"2026-01-01T00:00:00Z","to":"2026-03-15T00:00:00Z","channels":["push","email","sms"],"identifiers":["custom_id","installation_id"]}`
)

// tour asks for every kind of export, every refusal that a client can cause, and every other endpoint.
func (b *beside) tour() {
	b.t.Helper()
	for _, each := range [][2]string{
		{"campaign/spring/ids", campaignPayload}, {"campaign/spring/events", campaignPayload}, {"transactional/welcome/ids", campaignPayload},
		{"transactional/welcome/events", campaignPayload},
		{"in-app-campaign/tip/ids", inAppPayload}, {"in-app-campaign/tip/events", inAppPayload}, {"reachability/events", windowPayload},
		{"userbase", userbasePayload},
	} {
		b.legacy(each[0], each[1])
	}
	for _, payload := range []string{attributesPayload, eventsPayload, reachabilityPayload, filteredPayload} {
		b.profiles(payload)
	}
	b.ask("GET", "/2.7/exports/list", "", token...)
	b.ask("GET", "/2.7/exports/list?limit=2", "", token...)
	b.ask("GET", "/2.7/exports/view?id=export_unknown0", "", token...)
	b.ask("POST", "/1.0/live_demo/export/userbase", `{`, b.legacyHeaders()...)
	b.ask("POST", "/1.0/live_demo/export/userbase", `{}`, b.legacyHeaders()...)
	b.ask("POST", "/1.0/live_demo/export/userbase", `{"ids":[7]}`, b.legacyHeaders()...)
	b.ask("POST", "/1.0/live_demo/export/userbase", userbasePayload, "X-Authorization: wrong")
	b.ask("POST", "/1.0/live_demo/export/campaign/spring/ids", strings.Replace(campaignPayload, "03-01", "04-01", 1), b.legacyHeaders()...)
	b.ask("POST", "/2.7/profiles/export", strings.Replace(eventsPayload, "2026-03-01", "2025-03-01", 1), token...)
	b.ask("POST", "/2.7/profiles/export", `{"export_type":"EVENTS"}`, token...)
	b.ask("GET", "/1.0/live_demo/export/request/00000000-0000-4000-8000-000000000000", "", b.legacyHeaders()...)
	b.ask("GET", "/1.0/live_demo/nothing", "", b.legacyHeaders()...)
	for range 11 {
		b.ask("POST", "/2.7/profiles/export", filteredPayload, token...)
	}
}

// sources are embedded schema files, changed.
func sources(t *testing.T, changes ...string) fstest.MapFS {
	t.Helper()
	library := must.Get(schemas.Embedded())(t)
	return must.Get(drifttest.Files(library, changes))(t)
}

func describe(findings []drift.Finding) string {
	var text strings.Builder
	for _, each := range findings {
		fmt.Fprintf(&text, "\n%s x%d %v", each, each.Count, each.Overlay)
	}
	return text.String()
}
