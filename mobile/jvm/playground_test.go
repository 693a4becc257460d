//go:build proof

package jvm_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// hub is a server as far as an app sees it. What comes in is a line, what goes out is an event.
type hub struct {
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

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{lines: make(chan string, 1_000), streams: make(chan chan string, 10)}
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
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
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
func (h *hub) known(handle http.HandlerFunc) http.HandlerFunc {
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
func (h *hub) opened() { h.events = <-h.streams }

// call sends a call.
func (h *hub) call(event, data string) { h.events <- "event: " + event + "\ndata: " + data }

// running is a program with lines.
type running struct {
	lines chan string
	in    io.WriteCloser
}

func start(t *testing.T, c proof.Command) running {
	t.Helper()
	command := exec.Command(c.Name, c.Arguments...)
	command.Env, command.Stderr = append(os.Environ(), c.Environment...), os.Stderr
	in, out := proof.Get(command.StdinPipe())(t), proof.Get(command.StdoutPipe())(t)
	proof.Do(t, command.Start())
	r := running{make(chan string, 10_000), in}
	go func() {
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			r.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		_ = in.Close()
		proof.Hold(t, command.Wait() == nil, "the program ended badly")
	})
	return r
}

func (r running) do(line string) { _, _ = io.WriteString(r.in, line+"\n") }

// hears waits for a line with all parts.
func hears(t *testing.T, lines chan string, parts ...string) string {
	t.Helper()
	var seen []string
	for limit := time.After(30 * time.Second); ; {
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

// joining compiles an app that joins, and gives what runs it.
func joining(t *testing.T) func(flags ...string) proof.Command {
	t.Helper()
	own := filepath.Join(t.TempDir(), "classes")
	bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
	playground := filepath.Join(t.TempDir(), "playground")
	proof.CompileAgainst(t, proof.Tool(t, "android-23.jar"), playground, []string{bridge.Classes},
		proof.Sources(t, "../android/playground", ".java"))
	proof.Compile(t, own, []string{bridge.Classes, playground}, []string{"java/Joining.java"})
	a := app{bridge, []string{own, playground, proof.ContextStub(t)}}
	return func(flags ...string) proof.Command { return a.run("Joining", flags...) }
}

// with gives a command with arguments.
func with(c proof.Command, arguments ...string) proof.Command {
	c.Arguments = append(c.Arguments, arguments...)
	return c
}

// TestPlayground has an app join a hub, be performed on and go through what happens to apps and servers in the course of a day.
func TestPlayground(t *testing.T) {
	run, h := joining(t), newHub(t)
	app := start(t, with(run(), h.URL, "ABCDEF"))
	first := hears(t, h.lines, "join ", `"name":"Shop"`, `"platform":"jvm"`, `"version":"1.4"`, `"code":"ABCDEF"`, `"identifier":"open-cart"`)
	hears(t, app.lines, "Playground: joined "+h.URL)
	h.opened()
	hears(t, h.lines, `"service.clipboard":"available"`, `"service.rating":"unsupported"`)
	h.call("call", `{"call":"1","perform":{"identifier":"Open-Cart","arguments":{"é":"🦊"}},"deadline_ms":10000}`)
	hears(t, h.lines, `{"call":"1","result":{"status":"performed","value":{"é":"🦊"}},"type":"result"}`)
	h.call("call", `{"call":"2","trigger":{"identifier":"sold","arguments":{},"source":{"kind":"push"}},"deadline_ms":10000}`)
	hears(t, h.lines, `"call":"2"`, `"type":"held"`)
	app.do("register sold\nstart")
	hears(t, h.lines, `"registered"`, `"sold"`)
	hears(t, h.lines, `"performed"`, `"kind":"push"`, "sold out")
	app.do("unregister sold\nperform open-cart {\"n\":1}")
	hears(t, app.lines, `{"status":"performed","value":{"n":1}}`)
	hears(t, h.lines, `"unregistered"`, `"sold"`)
	hears(t, h.lines, `"performed"`, `"arguments":{"n":1}`)
	hears(t, h.lines, `{"type":"alive"}`)

	// The server is started again: the app is the same, and has lost nothing.
	h.mutex.Lock()
	h.number = 0
	h.mutex.Unlock()
	app.do(`perform open-cart {"n":2}`)
	h.events <- ""
	again := hears(t, h.lines, "join ")
	instance := func(line string) string {
		_, after, _ := strings.Cut(line, `"instance":"`)
		return after[:36]
	}
	proof.Hold(t, instance(first) == instance(again), "%s is another host than %s", again, first)
	hears(t, h.lines, `"performed"`, `"arguments":{"n":2}`)

	// Joined twice it is one host; replaced by another program it stays away, and leaves when it is told.
	app.do("again")
	hears(t, h.lines, "join ")
	hears(t, app.lines, "ms Playground: joined")
	app.do("leave")
	hears(t, h.lines, `{"type":"leave"}`)
	app.do("again")
	hears(t, h.lines, "join ")
	hears(t, app.lines, "ms Playground: joined")
	for range 3 { // the streams since the start of the server
		h.opened()
	}
	h.call("ping", "{}")
	h.call("replaced", "{}")
	hears(t, app.lines, "another app joined as this one")
}

// TestPlaygroundSaysWhy: an app that does not join says why within three seconds, and what to do.
func TestPlaygroundSaysWhy(t *testing.T) {
	run := joining(t)
	gone := newHub(t)
	gone.Close()
	refusing := newHub(t)
	refusing.refuse = http.StatusUnauthorized
	for name, c := range map[string]struct {
		flags []string
		url   string
		says  []string
	}{
		"nothing listens": {nil, gone.URL, []string{gone.URL + ": nothing listens there.", "Next: start mockserver serve", "serve --lan"}},
		"a name":          {nil, "http://shop.invalid:9/", []string{"http://shop.invalid:9: the name is not known here", "http://127.0.0.1:9: "}},
		"no address":      {nil, "http://[", []string{"this is no address"}},
		"a wrong code":    {nil, refusing.URL, []string{"refused this app (401): The code is wrong"}},
		"a phone": {[]string{"-Dmachine=Dalvik", "-Dallowed=true"}, gone.URL,
			[]string{"run adb reverse tcp:", "http://10.0.2.2:", "http://10.0.3.2:"}},
		"no plain HTTP": {[]string{"-Dmachine=Dalvik", "-Dallowed=true", "-Dcleartext=true"}, "http://192.168.1.5:8080",
			[]string{"http://192.168.1.5:8080: this build forbids plain HTTP", "src/debug/AndroidManifest.xml",
				`android:networkSecurityConfig="@xml/playground"`, `<base-config cleartextTrafficPermitted="true" />`}},
		"a release": {[]string{"-Dmachine=Dalvik"}, refusing.URL, []string{"not joined", "alsoInReleaseBuilds"}},
	} {
		t.Run(name, func(t *testing.T) {
			app := start(t, with(run(c.flags...), c.url))
			var took int
			proof.Get(fmt.Sscanf(hears(t, app.lines, append(c.says, "Playground: ")...), "log %d ms", &took))(t)
			proof.Hold(t, took < 3_000, "it took %d ms", took)
			app.do(`perform open-cart {}`)
			hears(t, app.lines, `"performed"`)
		})
	}
}

// TestPlaygroundKeepsNobodyWaiting: with a server that takes its time, and with none, no perform takes longer.
func TestPlaygroundKeepsNobodyWaiting(t *testing.T) {
	run, h := joining(t), newHub(t)
	app := start(t, with(run(), h.URL))
	hears(t, app.lines, "ms Playground: joined")
	measure := func(when string) {
		app.do("slowest 20000")
		line := hears(t, app.lines, "slowest ")
		var slowest, median int
		proof.Get(fmt.Sscanf(line, "slowest %d %d", &slowest, &median))(t)
		t.Logf("%s: %d µs at most, %d ns mostly", when, slowest, median)
		proof.Hold(t, slowest < 400_000, "%s: a perform took %d µs", when, slowest) // far below any limit of the network
	}
	measure("joined")
	h.slow = make(chan struct{})
	measure("slow")
	close(h.slow)
	h.CloseClientConnections()
	h.Listener.Close()
	measure("gone")
	app.do("leave")
	measure("left")
}
