package server_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

const joinBody = `{"protocol":1,"instance":"x","name":"Shop","platform":"web"}`

// TestWhoMayJoin: programs of this machine and pages that it serves, or that were let in, without a word; others with the code.
func TestWhoMayJoin(t *testing.T) {
	const phone, page = "192.0.2.7:40000", "https://shop.example"
	for _, c := range []struct {
		about, remote, host string
		header              map[string]string
		code, free          bool
	}{
		{about: "a program", free: true}, {about: "inside the process", remote: "none", free: true},
		{about: "a page of a development server", header: map[string]string{"Origin": "http://localhost:5173"}, free: true},
		{about: "one by number", header: map[string]string{"Origin": "http://127.0.0.1:5173"}, free: true},
		{about: "one by a name below localhost", header: map[string]string{"Origin": "http://shop.localhost"}, free: true},
		{about: "one by IPv6", remote: "[::1]:4", header: map[string]string{"Origin": "http://[::1]:5173"}, free: true},
		{about: "the page of the server", header: map[string]string{"Origin": "http://localhost:8080"}, free: true},
		{about: "an origin that was let in", header: map[string]string{"Origin": "https://let.example"}, free: true},
		{about: "another origin", header: map[string]string{"Origin": page}},
		{about: "no origin at all", header: map[string]string{"Origin": "null"}},
		{about: "a name that begins as loopback does", header: map[string]string{"Origin": "http://localhost.shop.example"}},
		{about: "a page without an origin", header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
		{about: "a page that a name of its own leads here", host: "evil.test", header: map[string]string{"Origin": "http://evil.test"}},
		{about: "a phone", remote: phone}, {about: "a phone with an origin that was let in", remote: phone,
			header: map[string]string{"Origin": "https://let.example"}},
		{about: "a phone that says it is here", remote: phone, header: map[string]string{"Origin": "http://localhost"}},
		{about: "behind a proxy", header: map[string]string{"X-Forwarded-For": "127.0.0.1"}},
		{about: "a proxy on a socket", remote: "unix"}, {about: "here, with a public address"},
		{about: "a socket, with a public address", remote: "@"}, {about: "a socket", remote: "@", free: true},
		{about: "inside the process, with a public address", remote: "none", free: true},
	} {
		s := newServer(t, func(o *mockserver.Options) {
			if strings.Contains(c.about, "let in") {
				o.CORS = []string{"https://let.example"}
			}
			if strings.Contains(c.about, "public") {
				o.PublicURL = "https://mock.example"
			}
		})
		for _, code := range []string{"", "WRONGX", s.service.JoinCode()} {
			header := http.Header{"Content-Type": {"application/json"}}
			for name, value := range c.header {
				header.Set(name, value)
			}
			r := httptest.NewRequest("POST", "/_mock/hosts", strings.NewReader(strings.Replace(joinBody, `"name"`, `"code":"`+code+`","name"`, 1)))
			r.Header, r.RemoteAddr, r.Host = header, "127.0.0.1:4", "localhost:8080"
			if c.host != "" {
				r.Host = c.host
			}
			if r.RemoteAddr = strings.Replace(c.remote, "none", "", 1); c.remote == "" {
				r.RemoteAddr = "127.0.0.1:4"
			}
			w := httptest.NewRecorder()
			s.service.ServeHTTP(w, r)
			want := http.StatusUnauthorized
			if c.free || code == s.service.JoinCode() {
				want = http.StatusCreated
			}
			if origin := c.header["Origin"]; w.Code != want || w.Header().Get("Access-Control-Allow-Origin") != origin {
				t.Errorf("%s, with the code %q: %d, for pages of %q; want %d: %s", c.about, code, w.Code,
					w.Header().Get("Access-Control-Allow-Origin"), want,
					w.Body)
			}
		}
		r := httptest.NewRequest("GET", "/_mock/hosts", nil)
		r.RemoteAddr = ""
		w := httptest.NewRecorder()
		s.service.ServeHTTP(w, r)
		must.Equal(t, strings.Count(w.Body.String(), `"reason"`), map[bool]int{true: 0, false: 2}[c.free], "%s: the attempts that are kept",
			c.about)
	}
}

// TestAppListener: with --lan other machines reach what apps need, whatever keys they have; programs of this machine reach everything.
func TestAppListener(t *testing.T) {
	s, listener := newServer(t), must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	listener.Close()
	for _, c := range []struct {
		method, path string
		open         bool
	}{
		{"GET", "/join", true}, {"GET", "/", true}, {"GET", "/favicon.ico", true}, {"GET", "/_mock/health", true},
		{"HEAD", "/_mock/ready", true}, {"POST", "/_mock/hosts", true}, {"GET", "/_mock/hosts/x/calls", true},
		{"POST", "/_mock/hosts/x/messages", true}, {"OPTIONS", "/_mock/hosts", true},
		{"GET", "/_mock/hosts", false}, {"POST", "/_mock/hosts/x/perform", false}, {"POST", "/_mock/clock", false}, {"GET", "/docs", false},
		{"GET", "/openapi.json", false}, {"POST", "/api/bi/export", false}, {"GET", "/nowhere", false}, {"GET", "/files/x", false},
	} {
		for peer, here := range map[string]bool{
			"192.0.2.7:4": false, "[2001:db8::7]:4": false, "127.0.0.1:4": true, "[::ffff:127.0.0.1]:4": true, "192.0.2.1:4": true,
		} {
			ctx := context.WithValue(auth.OnAppListener(listener), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080})
			r := httptest.NewRequestWithContext(ctx, c.method, "http://192.0.2.1:8080"+c.path, strings.NewReader(joinBody))
			r.RemoteAddr = peer
			r.Header.Set("Content-Type", "application/json")
			if c.method == "OPTIONS" {
				r.Header.Set("Origin", "https://shop.example")
				r.Header.Set("Access-Control-Request-Method", "POST")
			}
			w := httptest.NewRecorder()
			s.service.ServeHTTP(w, r)
			closed := w.Code == http.StatusForbidden && strings.Contains(w.Body.String(), "start the server with --addr :PORT in the place of")
			must.Equal(t, closed, !c.open && !here, "%s %s from %s: %d %s", c.method, c.path, peer, w.Code, w.Body)
		}
	}
}

// TestForeignPages: they may ask whether they may join, and neither list, see nor perform; a host hears its own calls only.
func TestForeignPages(t *testing.T) {
	s := newServer(t)
	one, other := s.do(call{path: "/_mock/hosts", body: joinBody}), s.do(call{path: "/_mock/hosts", body: strings.Replace(joinBody, `"x"`,
		`"y"`, 1)})
	id := fmt.Sprint(one.body["id"])
	for _, c := range []struct {
		method, path, token string
		want                int
	}{
		{"GET", "/_mock/hosts", "", 403}, {"GET", "/_mock/hosts/" + id, "", 403}, {"GET", "/_mock/host-events", "", 403},
		{"POST", "/_mock/hosts/" + id + "/perform", "", 403}, {"POST", "/_mock/hosts/" + id + "/trigger", "", 403},
		{"DELETE", "/_mock/hosts/" + id, "", 403}, {"POST", "/_mock/host-code", "", 403}, {"GET", "/_mock/hosts/" + id + "/calls", "", 401},
		{"GET", "/_mock/hosts/" + id + "/calls", fmt.Sprint(other.body["token"]), 401},
		{"POST", "/_mock/hosts/" + id + "/messages", fmt.Sprint(other.body["token"]), 401},
		{"POST", "/_mock/hosts/" + id + "/messages", fmt.Sprint(one.body["token"]), 204},
	} {
		ask := func(method string, more ...string) *http.Response {
			r := httptest.NewRequest(method, "http://localhost:8080"+c.path, strings.NewReader(`{"messages":[]}`))
			r.RemoteAddr = "127.0.0.1:4"
			for i, all := 0, append(more, "Origin", "https://shop.example", "Content-Type", "application/json", "Authorization", "Bearer "+
				c.token); i < len(all); i += 2 {
				r.Header.Set(all[i], all[i+1])
			}
			w := httptest.NewRecorder()
			s.service.ServeHTTP(w, r)
			return w.Result()
		}
		must.Equal(t, ask(c.method).StatusCode, c.want, "%s %s", c.method, c.path)
		preflight := ask("OPTIONS", "Access-Control-Request-Method", c.method, "Access-Control-Request-Private-Network", "true")
		allowed := preflight.StatusCode == http.StatusNoContent && preflight.Header.Get("Access-Control-Allow-Private-Network") == "true"
		must.Equal(t, allowed, c.want != 403, "the preflight of %s %s", c.method, c.path)
	}
}

// TestHostOverHTTP: a call goes down as an event and comes back as a message; nothing of it is in the journal, and no secret in the log.
func TestHostOverHTTP(t *testing.T) {
	s := newServer(t)
	verbose := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	must.Do(t, s.service.Reload(func() (mockserver.Options, error) { o := usualConfig(); o.Logger = verbose; return o, nil }))
	listener := httptest.NewServer(s.service)
	t.Cleanup(listener.Close)
	ask := func(method, path, token, body string) *http.Response {
		r := must.Get(http.NewRequestWithContext(t.Context(), method, listener.URL+"/_mock/"+path, strings.NewReader(body)))(t)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		return must.Get(http.DefaultClient.Do(r))(t)
	}
	joined := s.do(call{path: "/_mock/hosts", body: joinBody})
	id, token := fmt.Sprint(joined.body["id"]), fmt.Sprint(joined.body["token"])
	events := ask("GET", "host-events?limit=2", "", "")
	stream := ask("GET", "hosts/"+id+"/calls", token, "")
	performed := make(chan answer, 1)
	go func() {
		performed <- s.do(call{path: "/_mock/hosts/-/trigger",
			body: `{"identifier":"open-cart","arguments":{"n":1.0},"source":{"kind":"push","payload":{"a":"<b>"}}}`})
	}()
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: {\"call") {
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), `data: {"call":"`), `"`)
	must.Equal(t, lines.Text(),
		`data: {"call":"`+number+`","trigger":{"identifier":"open-cart","arguments":{"n":1.0},"source":{"kind":"push","payload":{"a":"<b>"}}},`+
			`"deadline_ms":10000}`,
		"the call")
	sent := ask("POST", "hosts/"+id+"/messages", token, `{"messages":[{"type":"result","call":"`+number+`","result":{"status":"performed",`+
		"\n"+`"value":1.0}}]}`)
	must.Equal(t, sent.StatusCode, http.StatusNoContent, "the message")
	must.Equal(t, (<-performed).text, `{"status":"performed","value":1.0}`+"\n", "the result")
	var seen []string
	for lines := bufio.NewScanner(events.Body); lines.Scan(); {
		if name, is := strings.CutPrefix(lines.Text(), "event: "); is {
			seen = append(seen, name)
		}
	}
	must.Equal(t, fmt.Sprint(seen), "[host performed]", "what those see who watch")
	for path, body := range map[string]string{
		"/perform": `{"identifier":"a","source":{"kind":"push"}}`, "/trigger": `{"identifier":"a","timeout":"61s"}`,
		"/../x/perform": `{"identifier":"a"}`,
	} {
		a := s.do(call{path: strings.Replace("/_mock/hosts/"+id+path, id+"/../", "", 1), body: body})
		must.Hold(t, a.StatusCode == 400 || a.StatusCode == 404 && strings.Contains(a.text, id), "%s: %s", path, a.text)
	}
	must.Equal(t, fmt.Sprint(s.do(call{method: "GET", path: "/_mock/journal"}).body["requests"]), "[]", "the journal")
	must.Hold(t, !strings.Contains(s.log.String(), token) && !strings.Contains(s.log.String(), s.service.JoinCode()),
		"the log has a secret:\n%s", s.log)
	must.Do(t, s.service.Reload(func() (mockserver.Options, error) { return usualConfig(), context.Cause(t.Context()) }))
	must.Equal(t, ask("POST", "hosts/"+id+"/messages", token, `{"messages":[]}`).StatusCode, http.StatusNoContent, "a message after a reload")
}
