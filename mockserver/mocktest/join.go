package mocktest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// App is an app that joins a mock from inside a test, as a real one does over the network.
type App struct {
	// Name is shown to people, and tells apps of one test apart; empty means "app".
	Name string
	// Actions are the identifiers that it has registered.
	Actions []string
	// Perform performs an action and returns its result as JSON, as package actionsjson writes it. It is called in a goroutine for each
	// call; nil finds no action.
	Perform func(AppCall) []byte
}

// AppCall is what an app is asked for.
type AppCall struct {
	Identifier string
	// Arguments are a JSON object.
	Arguments json.RawMessage
	// Source is that of a trigger, as JSON; nil for a perform.
	Source json.RawMessage
}

// JoinedApp is an app that has joined.
type JoinedApp struct {
	Host
	token string
	calls sync.WaitGroup
}

// Join lets an app join the mock until the test ends, or until it leaves.
func (m *Mock) Join(app App) *JoinedApp {
	m.t.Helper()
	if app.Name == "" {
		app.Name = "app"
	}
	actions := []map[string]any{}
	for _, identifier := range app.Actions {
		actions = append(actions, map[string]any{"identifier": identifier})
	}
	var joined struct{ ID, Token string }
	m.control("POST", "/_mock/hosts", map[string]any{
		"protocol": 1, "instance": app.Name, "name": app.Name, "platform": "go", "actions": actions,
	}, &joined)
	j := &JoinedApp{Host: Host{m, joined.ID}, token: joined.Token}
	stream, err := j.ask("GET", "/calls", nil)
	if err != nil {
		m.t.Fatalf("mocktest: joining: %v", err)
	}
	m.running.Go(func() {
		defer stream.Body.Close()
		lines := bufio.NewScanner(stream.Body)
		lines.Buffer(nil, 1<<20)
		event := ""
		for lines.Scan() {
			if name, is := strings.CutPrefix(lines.Text(), "event: "); is {
				event = name
			} else if data, is := strings.CutPrefix(lines.Text(), "data: "); is && event == "call" {
				j.calls.Go(func() { j.answer(app, []byte(data)) })
			} else if is && event == "ping" {
				j.calls.Go(func() { j.Send(map[string]any{"type": "alive"}) })
			}
		}
		j.calls.Wait()
	})
	return j
}

// ask sends a request with the token of the app.
func (j *JoinedApp) ask(method, path string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(j.mock.ended, method, Base+"/_mock/hosts/"+j.ID+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+j.token)
	r.Header.Set("Content-Type", "application/json")
	return j.mock.client.Do(r)
}

func (j *JoinedApp) answer(app App, data []byte) {
	var asked struct {
		Call             string
		Perform, Trigger *AppCall
	}
	if json.Unmarshal(data, &asked) != nil {
		return
	}
	call := asked.Perform
	if call == nil {
		call = asked.Trigger
	}
	result := []byte(`{"status":"not_found","message":"the app of the test has no Perform"}`)
	if app.Perform != nil {
		result = app.Perform(*call)
	}
	j.Send(map[string]any{"type": "result", "call": asked.Call, "result": json.RawMessage(result)})
}

// Send sends messages of the app, as docs/how-to/network.md lists them, such as what it performed by itself. It does
// nothing once the mock has ended.
func (j *JoinedApp) Send(messages ...map[string]any) {
	body, err := json.Marshal(map[string]any{"messages": messages})
	if err != nil {
		j.mock.t.Errorf("mocktest: a message of an app: %v", err)
		return
	}
	if response, err := j.ask("POST", "/messages", body); err == nil {
		response.Body.Close()
	}
}

// Leave lets the app leave. Calls that wait for it are canceled.
func (j *JoinedApp) Leave() { j.Send(map[string]any{"type": "leave"}) }

// Host is an app that has joined, as others see it.
type Host struct {
	mock *Mock
	// ID is its identifier; "-" is the only app that is there.
	ID string
}

// Host is the app of an identifier; "-" is the only one that is there.
func (m *Mock) Host(id string) Host { return Host{m, id} }

// AppResult is how an action ended in an app: the status is performed, not_found, invalid_arguments, unsupported, blocked,
// failed, canceled, partial, or held for a trigger that waits for the app to start.
type AppResult struct {
	Status  string          `json:"status"`
	Message string          `json:"message"`
	Value   json.RawMessage `json:"value"`
	Items   []AppResult     `json:"items"`
	Effects json.RawMessage `json:"effects"`
}

// Perform performs an action in the app and waits for its result; after ten seconds it is canceled. Arguments are written as JSON; nil
// is none.
func (h Host) Perform(identifier string, arguments any) AppResult {
	h.mock.t.Helper()
	return h.call("perform", map[string]any{"identifier": identifier}, arguments)
}

// Trigger triggers an action in the app as a push message does that carries a payload; nil is none.
func (h Host) Trigger(identifier string, arguments any, payload map[string]any) AppResult {
	h.mock.t.Helper()
	source := map[string]any{"kind": "push"}
	if payload != nil {
		source["payload"] = payload
	}
	return h.call("trigger", map[string]any{"identifier": identifier, "source": source}, arguments)
}

func (h Host) call(kind string, body map[string]any, arguments any) (result AppResult) {
	h.mock.t.Helper()
	if arguments != nil {
		body["arguments"] = arguments
	}
	h.mock.control("POST", "/_mock/hosts/"+h.ID+"/"+kind, body, &result)
	return result
}

// AppState is what the mock knows of an app.
type AppState struct {
	ID, Name, Platform, Version string
	// State is connected, silent or gone.
	State   string
	Actions []struct{ Identifier string }
	Held    int
	// Performed are the last that it performed, oldest first.
	Performed []AppPerformed
}

// AppPerformed is an action that an app performed: by itself if Call is empty.
type AppPerformed struct {
	Sequence         uint64
	Time             time.Time
	Call, Identifier string
	Arguments        json.RawMessage
	Source           struct {
		Kind    string
		Payload json.RawMessage
	}
	Result AppResult
}

// State is what the mock knows of the app.
func (h Host) State() (state AppState) {
	h.mock.t.Helper()
	h.mock.control("GET", "/_mock/hosts/"+h.ID, nil, &state)
	return state
}
