package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// With E2E_PRISM=1, every request of the client goes through Prism, a proxy that holds requests and answers against the API
// document, on its way to the server: the tests are the same, and fail as well when server and document disagree.
//
// Prism knows one server, and the tests start many. So behind it stands a router, which sends a request on to the server that
// a header names.

// prism is where requests go instead; nil without E2E_PRISM.
var prism *proxy

// routedTo is the header with the server that a request is for.
const routedTo = "X-E2e-Server"

type proxy struct {
	base            string
	router          *httptest.Server
	process         *exec.Cmd
	passed, outside atomic.Int64 // requests that Prism held against the document, and those that it has no words for
}

// startPrism starts the router and Prism, with the document that the program prints.
func startPrism(directory string) (*proxy, error) {
	command := filepath.Join("..", "conformance", "node_modules", "@stoplight", "prism-cli", "dist", "index.js")
	if _, err := os.Stat(command); err != nil {
		return nil, fmt.Errorf("Prism is not installed: npm ci in mockserver/conformance (%w)", err)
	}
	document, err := exec.Command(program, "openapi", "full").Output()
	if err != nil {
		return nil, fmt.Errorf("printing the API document: %w", err)
	}
	file := filepath.Join(directory, "openapi.json")
	if err := os.WriteFile(file, document, 0o666); err != nil {
		return nil, err
	}
	p := &proxy{router: httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		if target, err := url.Parse(r.In.Header.Get(routedTo)); err == nil {
			r.SetURL(target)
		}
		r.Out.Header.Del(routedTo)
	}})}
	redirects, err := filepath.Abs(filepath.Join("..", "conformance", "redirects.cjs"))
	if err != nil {
		return nil, err
	}
	log := &output{lines: make(chan string, 1)}
	p.process = exec.Command("node", "--require", redirects, command, "proxy", file, p.router.URL, "--host", "127.0.0.1", "--port", "0")
	p.process.Stdout, p.process.Stderr = log, log
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	select {
	case p.base = <-log.lines:
		return p, nil
	case <-time.After(starting):
		p.stop()
		return nil, fmt.Errorf("Prism does not say that it listens:\n%s", log)
	}
}

func (p *proxy) stop() {
	p.process.Process.Kill()
	p.process.Wait()
	p.router.Close()
}

// sum tells how much went through Prism; nothing is a failure.
func (p *proxy) sum() int {
	fmt.Printf("through Prism: %d requests and their answers; past it, because the document has no such path or method: %d\n", p.passed.Load(),
		p.outside.Load())
	if p.passed.Load() == 0 {
		return 1
	}
	return 0
}

// through sends the requests for one server through Prism.
type through struct {
	t      testing.TB
	proxy  *proxy
	server string
	direct http.RoundTripper
}

// violation is what Prism finds wrong, in a request or in an answer.
type violation struct {
	Location []string
	Severity string
	Code     any
	Message  string
}

func (p through) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(request.URL.String(), p.server+"/") || request.ContentLength < 0 {
		return p.direct.RoundTrip(request)
	}
	target, err := url.Parse(p.proxy.base)
	if err != nil {
		return nil, err
	}
	sent := request.Clone(request.Context())
	sent.URL.Scheme, sent.URL.Host, sent.Host = target.Scheme, target.Host, ""
	sent.Header.Set(routedTo, p.server)
	if request.GetBody != nil {
		if sent.Body, err = request.GetBody(); err != nil {
			return nil, err
		}
	}
	response, err := p.direct.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	if outside(response) { // no such path or method: nothing to hold it against
		response.Body.Close()
		p.proxy.outside.Add(1)
		return p.direct.RoundTrip(request)
	}
	p.proxy.passed.Add(1)
	if text := response.Header.Get("Sl-Violations"); text != "" {
		p.judge(request, response, text)
	}
	response.Request = request
	return response, nil
}

// outside tells whether Prism answered itself that the document has no such path or method.
func outside(response *http.Response) bool {
	if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed ||
		response.Header.Get("X-Request-Id") != "" {
		return false
	}
	return strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json")
}

// judge fails the test for an answer that is not in the document, and for a request that is not in it and was not refused.
func (p through) judge(request *http.Request, response *http.Response, text string) {
	p.t.Helper()
	status := response.StatusCode
	var violations []violation
	if err := json.Unmarshal([]byte(text), &violations); err != nil {
		p.t.Errorf("the violations that Prism tells of cannot be read: %v: %s", err, text)
	}
	for _, v := range violations {
		ofRequest := len(v.Location) > 0 && v.Location[0] == "request"
		if ofRequest && status >= 400 {
			continue
		}
		// It also reads the word Bearer by its letter case, which RFC 9110 section 11.1 does not.
		if ofRequest && v.Message == "Invalid security scheme used" && strings.HasPrefix(request.Header.Get("Authorization"), "bearer ") {
			continue
		}
		p.t.Errorf("%s %s answered %d: Prism says of the %s: %s", request.Method, request.URL.Path, status, strings.Join(v.Location, " "),
			v.Message)
	}
}

// straight skips a test that cannot be put through a proxy, and says why.
func straight(t testing.TB, reason string) {
	t.Helper()
	if prism != nil {
		t.Skip("not through Prism: " + reason)
	}
}

// TestControl asks for everything under /_mock/ that only looks, and for the document itself: what the other tests of the client do not.
func TestControl(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "100")
	userbase, attributes := kindOf("userbase"), kindOf("profiles.attributes")
	made := c.create(userbase, userbase.month(), "X-Mock-Scenario", "progress=now")
	c.export(attributes, attributes.month())
	c.send(http.MethodPost, "/_mock/scenarios", `{"match":{"stage":"list"},"times":3,"scenario":"rows=0"}`, "Content-Type",
		"application/json").decode(t, http.StatusCreated, nil)
	for _, path := range []string{
		"/_mock/clock", "/_mock/clock?key=" + liveKey, "/_mock/scenarios", "/_mock/exports", "/_mock/exports?limit=1", "/_mock/exports/" + made,
		"/_mock/exports/" + made + "/index", "/_mock/data", "/_mock/journal?limit=2", "/_mock/journal/count", "/_mock/journal/wait?count=1",
		"/_mock/lints", "/_mock/health", "/_mock/ready", "/_mock/state", "/openapi/full.json", "/schemas",
	} {
		c.send(http.MethodGet, path, "").decode(t, http.StatusOK, nil)
	}
	for _, path := range []string{"/", "/docs", "/schemas.json", "/schemas/legacy/userbase.row.json", "/_mock/metrics",
		"/_mock/journal/events?limit=1"} {
		if response := c.send(http.MethodGet, path, ""); response.Status != http.StatusOK || len(response.Body) == 0 {
			t.Errorf("%s: status %d", path, response.Status)
		}
	}
	for _, path := range []string{"/_mock/exports?limit=0", "/_mock/exports/unknown", "/_mock/journal?status=9", "/_mock/clock?key=unknown"} {
		checkNativeError(t, c.send(http.MethodGet, path, ""), true)
	}
}
