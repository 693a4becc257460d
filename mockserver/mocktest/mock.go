package mocktest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// T is what a mock needs of a test; [testing.TB] has it, and so have the tests of other frameworks.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, arguments ...any)
	Fatalf(format string, arguments ...any)
	Logf(format string, arguments ...any)
}

// Mock is a running mock service that belongs to one test. It is safe for concurrent use, but like a test itself only the goroutine of
// the test may call what can fail it at once: methods that end with Fatalf.
type Mock struct {
	t       T
	server  *mockserver.Server
	library *schemas.Library
	client  *http.Client
	options Options
	// controller asks the paths under /_mock/, also after the end of the test.
	controller *http.Client

	ended   context.Context
	stop    context.CancelFunc
	running sync.WaitGroup // handlers of requests without a network

	lock     sync.Mutex // guards the fields below
	listener *httptest.Server
	allowed  []string
}

// Start starts a mock that ends with the test. Options that cannot be used end the test at once.
func Start(t T, options Options) *Mock {
	t.Helper()
	server, err := mockserver.New(options.server())
	if err != nil {
		t.Fatalf("mocktest: %v", err)
	}
	m := &Mock{t: t, server: server, library: server.Schemas(), options: options, allowed: slices.Clone(options.Allow)}
	m.ended, m.stop = context.WithCancel(context.Background())
	m.client = &http.Client{Transport: m.Transport()}
	m.controller = &http.Client{Transport: &transport{
		handler: server, reaches: isMock, ended: context.Background(), running: new(sync.WaitGroup),
	}}
	t.Cleanup(func() {
		t.Helper()
		m.end()
	})
	m.begin()
	return m
}

// begin brings a new or empty state to what the options say.
func (m *Mock) begin() {
	m.t.Helper()
	if !m.options.Now.IsZero() {
		m.Clock().change(map[string]any{"set": m.options.Now, "freeze": true})
	}
	for _, scenario := range m.options.Scenarios {
		m.Set(scenario)
	}
}

// URL is the address of the mock for any client, such as "http://127.0.0.1:34567". The first call begins to listen.
func (m *Mock) URL() string {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.listener == nil {
		m.listener = httptest.NewServer(m.server)
	}
	return m.listener.URL
}

// Handler is the mock as a handler, for a server of your own.
func (m *Mock) Handler() http.Handler { return m.server }

// Client is a client that reaches the mock, and nothing else, at the address [Base] and without a network. It follows redirects like any
// other. It is quicker than a socket, and works where no socket may be opened.
func (m *Mock) Client() *http.Client { return m.client }

// Transport is what [Mock.Client] sends through, for a client of your own. It
// does not ask for compression by itself, as [http.Transport] does.
func (m *Mock) Transport() http.RoundTripper {
	return &transport{handler: m.server, ended: m.ended, running: &m.running, reaches: func(address *url.URL) bool {
		return isMock(address) || m.listensAt(address)
	}}
}

// listensAt tells whether links may lead to an address: they carry the one that the client asked before.
func (m *Mock) listensAt(address *url.URL) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.listener != nil && m.listener.URL == "http://"+address.Host
}

// end judges the client and ends the mock.
func (m *Mock) end() {
	m.t.Helper()
	// Everything that a client left unfinished ends before it is judged.
	m.stop()
	m.server.Drain()
	m.running.Wait()
	m.lock.Lock()
	listener := m.listener
	m.lock.Unlock()
	if listener != nil {
		listener.CloseClientConnections()
		listener.Close()
	}
	m.reportLints()
	if err := m.server.Close(); err != nil {
		m.t.Errorf("mocktest: ending the mock: %v", err)
	}
}

// control asks a path under /_mock/. A refusal ends the test.
func (m *Mock) control(method, path string, body, into any) {
	m.t.Helper()
	if err := m.try(method, path, body, into); err != nil {
		m.t.Fatalf("mocktest: %v", err)
	}
}

func (m *Mock) try(method, path string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	return m.send(method, path, "application/json", text, into)
}

func (m *Mock) send(method, path, mediaType string, text []byte, into any) error {
	r, err := http.NewRequest(method, Base+path, bodyOf(text))
	if err != nil {
		return err
	}
	if text != nil {
		r.Header.Set("Content-Type", mediaType)
	}
	response, err := m.controller.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		var refusal struct{ Message string }
		if json.Unmarshal(answer, &refusal) != nil || refusal.Message == "" {
			refusal.Message = strings.TrimSpace(string(answer))
		}
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, refusal.Message)
	}
	if into == nil || len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// query writes parameters, leaving out empty ones.
func query(pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}
