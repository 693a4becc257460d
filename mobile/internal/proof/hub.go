//go:build proof

package proof

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Hub is a server as far as an app sees it. What comes in is a line, what goes out is an event.
type Hub struct {
	*httptest.Server
	lines chan string
	mutex sync.Mutex
	// number counts the joins, and is the token; 0 after a restart.
	number int
	refuse int
	slow   chan struct{}
	// events are those of the newest stream.
	events  chan string
	streams chan chan string
}

// NewHub starts one.
func NewHub(t testing.TB) *Hub {
	t.Helper()
	h := &Hub{lines: make(chan string, 1_000), streams: make(chan chan string, 10)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /join", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "this phone reaches the server") })
	mux.HandleFunc("POST /_mock/hosts", func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		h.lines <- "join " + string(text)
		h.mutex.Lock()
		defer h.mutex.Unlock()
		if h.refuse != 0 {
			w.WriteHeader(h.refuse)
			fmt.Fprint(w, `{"code":401,"message":"The code is wrong: the page shows it."}`)
			return
		}
		h.number++
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"host_1","token":"%d","heartbeat_seconds":1,"limits":{}}`, h.number)
	})
	mux.HandleFunc("GET /_mock/hosts/host_1/calls", h.known(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": joined\n\n")
		_ = http.NewResponseController(w).Flush()
		events := make(chan string)
		h.streams <- events
		for {
			select {
			case event := <-events:
				if event == "" {
					return
				}
				fmt.Fprint(w, event+"\n\n")
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	mux.HandleFunc("POST /_mock/hosts/host_1/messages", h.known(func(w http.ResponseWriter, r *http.Request) {
		if h.slow != nil {
			<-h.slow
		}
		var body struct{ Messages []json.RawMessage }
		err := json.NewDecoder(r.Body).Decode(&body)
		if network := new(net.OpError); errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) {
			return // the test has closed the connection
		} else if err != nil {
			t.Error(err)
		}
		for _, message := range body.Messages {
			select {
			case h.lines <- string(message):
			default: // nobody looks
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	h.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h
}

// known lets in who has the token.
func (h *Hub) known(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.mutex.Lock()
		want := fmt.Sprintf("Bearer %d", h.number)
		h.mutex.Unlock()
		if r.Header.Get("Authorization") != want || want == "Bearer 0" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handle(w, r)
	}
}

// opened waits for the stream of an app that joins.
func (h *Hub) opened() { h.events = <-h.streams }

// call sends a call.
func (h *Hub) call(event, data string) { h.events <- "event: " + event + "\ndata: " + data }

// running is a program with lines.
type running struct {
	lines   chan string
	in      io.WriteCloser
	command *exec.Cmd
}

func start(t testing.TB, c Command) running {
	t.Helper()
	command := exec.Command(c.Name, c.Arguments...)
	command.Env, command.Stderr = append(os.Environ(), c.Environment...), os.Stderr
	in, out := Get(command.StdinPipe())(t), Get(command.StdoutPipe())(t)
	Do(t, command.Start())
	r := running{make(chan string, 10_000), in, command}
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			r.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		_ = in.Close()
		Hold(t, command.Wait() == nil, "the program ended badly")
	})
	return r
}

func (r running) do(line string) { _, _ = io.WriteString(r.in, line+"\n") }

// hears waits for a line with all parts.
func hears(t testing.TB, lines chan string, parts ...string) string {
	t.Helper()
	var seen []string
	for limit := time.After(2 * time.Minute); ; {
		select {
		case line := <-lines:
			missing := false
			for _, part := range parts {
				missing = missing || !strings.Contains(line, part)
			}
			if !missing {
				return line
			}
			seen = append(seen, line)
		case <-limit:
			t.Fatalf("no line with %q, but %.3000q", parts, seen)
		}
	}
}

// With gives the command with further arguments.
func (c Command) With(arguments ...string) Command {
	c.Arguments = append(slices.Clone(c.Arguments), arguments...)
	return c
}

// Playground has an app join a hub, be performed on and go through what happens to apps and servers in the course of a day. The command
// runs it with an address and a code; it does what the lines of its input say.
func Playground(t *testing.T, app Command, platform string) {
	t.Helper()
	h := NewHub(t)
	joins := start(t, app.With(h.URL, "ABCDEF"))
	first := hears(t, h.lines, "join ", `"name":"Shop"`, `"platform":"`+platform+`"`, `"code":"ABCDEF"`, `"identifier":"open-cart"`)
	hears(t, joins.lines, "Playground: joined "+h.URL)
	h.opened()
	hears(t, h.lines, `"service.clipboard":"available"`, `"service.rating":"unsupported"`)
	h.call("call", `{"call":"1","perform":{"identifier":"Open-Cart","arguments":{"é":"🦊"}},"deadline_ms":10000}`)
	hears(t, h.lines, `{"call":"1","result":{"status":"performed","value":{"é":"🦊"}},"type":"result"}`)
	h.call("call", `{"call":"2","trigger":{"identifier":"sold","arguments":{},"source":{"kind":"push"}},"deadline_ms":10000}`)
	hears(t, h.lines, `"call":"2"`, `"type":"held"`)
	joins.do("register sold\nstart")
	hears(t, h.lines, `"registered"`, `"sold"`)
	hears(t, h.lines, `"performed"`, `"kind":"push"`, "sold out")
	joins.do("unregister sold\nperform open-cart {\"n\":1}")
	hears(t, joins.lines, `{"status":"performed","value":{"n":1}}`)
	hears(t, h.lines, `"unregistered"`, `"sold"`)
	hears(t, h.lines, `"performed"`, `"arguments":{"n":1}`)
	hears(t, h.lines, `{"type":"alive"}`)

	// The server is started again: the app is the same, and has lost nothing.
	h.mutex.Lock()
	h.number = 0
	h.mutex.Unlock()
	joins.do(`perform open-cart {"n":2}`)
	h.events <- ""
	again := hears(t, h.lines, "join ")
	Hold(t, instance(first) == instance(again), "%s is another host than %s", again, first)
	hears(t, h.lines, `"performed"`, `"arguments":{"n":2}`)

	// Joined twice it is one host; replaced by another program it stays away, and leaves when it is told.
	joins.do("again")
	hears(t, h.lines, "join ")
	hears(t, joins.lines, "ms Playground: joined")
	joins.do("leave")
	hears(t, h.lines, `{"type":"leave"}`)
	joins.do("again")
	hears(t, h.lines, "join ")
	hears(t, joins.lines, "ms Playground: joined")
	for range 3 { // the streams since the start of the server
		h.opened()
	}
	h.call("ping", "{}")
	h.call("replaced", "{}")
	hears(t, joins.lines, "another app joined as this one")
}

// PlaygroundKeepsNobodyWaiting measures performs of an app with a server, with one that takes its time, and with none.
func PlaygroundKeepsNobodyWaiting(t *testing.T, app Command) {
	t.Helper()
	h := NewHub(t)
	joins := start(t, app.With(h.URL))
	hears(t, joins.lines, "ms Playground: joined")
	measure := func(when string) {
		joins.do("slowest 20000")
		line := hears(t, joins.lines, "slowest ")
		var slowest, median int
		Get(fmt.Sscanf(line, "slowest %d %d", &slowest, &median))(t)
		t.Logf("%s: %d µs at most, %d ns mostly", when, slowest, median)
		Hold(t, slowest < 1_200_000, "%s: a perform took %d µs", when, slowest) // every limit of the network is above
	}
	measure("joined")
	h.slow = make(chan struct{})
	measure("slow")
	close(h.slow)
	h.CloseClientConnections()
	h.Listener.Close()
	measure("gone")
	joins.do("leave")
	measure("left")
}

// PerformOnAndroid has an app on Android copy a text, and hears of another one.
func (h *Hub) PerformOnAndroid(t *testing.T) {
	hears(t, h.lines, "join ", `"platform":"android"`, `"protocol":1`)
	h.opened()
	h.call("call", `{"call":"1","perform":{"identifier":"service.clipboard","arguments":{"t":"from the page"}},"deadline_ms":60000}`)
	hears(t, h.lines, `{"call":"1","result":{"status":"performed"},"type":"result"}`)
	hears(t, h.lines, `"type":"performed"`, `"t":"by itself"`)
	hears(t, h.lines, `{"type":"leave"}`)
}

// instance gives what a line that joins says who joins.
func instance(line string) string {
	_, after, _ := strings.Cut(line, `"instance":"`)
	return after[:36]
}

// PlaygroundOfTwo has an app join from two devices: they are two hosts.
func PlaygroundOfTwo(t *testing.T, app Command) {
	t.Helper()
	h := NewHub(t)
	start(t, app.With(h.URL))
	first := hears(t, h.lines, "join ")
	start(t, app.With(h.URL))
	second := hears(t, h.lines, "join ")
	Hold(t, instance(first) != instance(second), "%s is the host of %s", second, first)
}

// PlaygroundSays runs an app that does not join: it says why within three seconds, and what to do; its actions are performed all the same.
func PlaygroundSays(t *testing.T, app Command, says ...string) {
	t.Helper()
	joins := start(t, app)
	var took int
	Get(fmt.Sscanf(hears(t, joins.lines, append(says, "Playground: ")...), "log %d ms", &took))(t)
	Hold(t, took < 3_000, "it took %d ms", took)
	joins.do(`perform open-cart {}`)
	hears(t, joins.lines, `"performed"`)
}

// Nowhere gives an address where nothing listens.
func Nowhere(t *testing.T) string {
	t.Helper()
	h := NewHub(t)
	h.Close()
	return h.URL
}

// Refusing gives an address where every code is wrong.
func Refusing(t *testing.T) string {
	t.Helper()
	h := NewHub(t)
	h.refuse = http.StatusUnauthorized
	return h.URL
}

// PlaygroundOfServer has an app join the server as it is shipped, and performs on it as the page and tests do.
func PlaygroundOfServer(t *testing.T, app Command, platform string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "mockserver")
	Run(t, Command{Dir: Root(t), Name: "go", Arguments: []string{"build", "-o", program, "./mockserver/cmd/mockserver"}})
	server := start(t, Command{Name: program, Arguments: []string{"serve", "--port", "0", "--state", "memory"}})
	t.Cleanup(func() { _ = server.command.Process.Signal(os.Interrupt) })
	_, url, _ := strings.Cut(hears(t, server.lines, "listening on "), "listening on ")
	joins := start(t, app.With(url))
	hears(t, joins.lines, "Playground: joined")
	ask := func(method, path, body string) io.ReadCloser {
		limited, cancel := context.WithTimeout(t.Context(), time.Minute)
		t.Cleanup(cancel)
		request := Get(http.NewRequestWithContext(limited, method, url+path, strings.NewReader(body)))(t)
		request.Header.Set("Content-Type", "application/json")
		return Get(http.DefaultClient.Do(request))(t).Body
	}
	for _, c := range []struct{ perform, gives string }{
		{`{"identifier":"open-cart","arguments":{"n":1}}`, `"value":{"n":1}`},
		{`{"identifier":"service.clipboard","arguments":{"t":"x"}}`, `"status":"performed"`},
		{`{"identifier":"nobody"}`, `"status":"not_found"`},
	} {
		got := strings.Join(strings.Fields(string(Get(io.ReadAll(ask(http.MethodPost, "/_mock/hosts/-/perform", c.perform)))(t))), "")
		Hold(t, strings.Contains(got, c.gives), "%s gives %s", c.perform, got)
	}
	events := ask(http.MethodGet, "/_mock/host-events", "")
	joins.do(`perform open-cart {"by":"itself"}`)
	seen := ""
	for lines := bufio.NewScanner(events); lines.Scan() && !strings.Contains(lines.Text(), "itself"); {
		seen += lines.Text() + "\n"
	}
	Hold(t, strings.Contains(seen, platform) && strings.Contains(seen, "open-cart") && strings.Contains(seen, "Opens the cart"),
		"the server says %s", seen)
	_ = events.Close()
}
