package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/hub"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// desk is a hub on a clock that a test moves.
type desk struct {
	*hub.Hub
	t   testing.TB
	now atomic.Int64 // in seconds
}

func newDesk(t testing.TB) *desk {
	d := &desk{t: t}
	d.Hub = must.Get(hub.New(hub.Config{Now: func() time.Time { return time.Unix(1_800_000_000+d.now.Load(), 0) },
		Random: rand.NewChaCha8([32]byte{})}))(t)
	t.Cleanup(d.Close)
	return d
}

func (d *desk) join(instance string) hub.Joined {
	d.t.Helper()
	return must.Get(d.Join(hub.Joining{Instance: instance, Name: instance, Platform: "go"}))(d.t)
}

func (d *desk) wait(by time.Duration) {
	d.now.Add(int64(by.Seconds()))
	d.Sweep()
}

func (d *desk) send(to hub.Joined, messages ...string) error {
	return d.Receive(to.ID, to.Token, []byte(`{"messages":[`+strings.Join(messages, ",")+`]}`))
}

func (d *desk) state(of hub.Joined) hub.State {
	d.t.Helper()
	return must.Get(d.Get(of.ID))(d.t).State
}

// ask begins a call and gives its event and its result.
func (d *desk) ask(ctx context.Context, of hub.Joined, stream *hub.Stream, timeout time.Duration) (number string, result func() string) {
	d.t.Helper()
	ended := make(chan string, 1)
	go func() {
		text, err := d.Call(ctx, of.ID, hub.Call{Identifier: "a", Arguments: []byte("{}"), Timeout: timeout})
		ended <- fmt.Sprint(string(text), err)
	}()
	if stream == nil {
		for len(ended) == 0 && must.Get(d.Get(of.ID))(d.t).Calls == 0 {
			runtime.Gosched() // the goroutine has to run
		}
		return "", func() string { return <-ended }
	}
	event := must.Get(stream.Next(d.t.Context()))(d.t)
	var asked struct{ Call string }
	must.Do(d.t, json.Unmarshal(event.Data, &asked))
	must.Equal(d.t, event.Name, "call", "the event")
	return asked.Call, func() string { return <-ended }
}

func codeOf(err error) hub.Code {
	var known *hub.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}

// TestSilence: how long a host may say nothing, with and without a stream.
func TestSilence(t *testing.T) {
	for _, c := range []struct {
		about  string
		stream bool
		quiet  time.Duration
		want   hub.State
	}{
		{"just now", false, 9 * time.Second, hub.Connected}, {"ten seconds", false, 10 * time.Second, hub.Gone},
		{"a debugger, ten seconds", true, 10 * time.Second, hub.Silent}, {"a debugger, a minute", true, time.Minute, hub.Silent},
		{"a stream without an end", true, 75 * time.Second, hub.Gone},
	} {
		d := newDesk(t)
		joined := d.join("x")
		if c.stream {
			must.Get(d.Open(joined.ID, joined.Token))(t)
		}
		d.wait(c.quiet)
		must.Equal(t, d.state(joined), c.want, "%s", c.about)
		heard := d.send(joined, `{"type":"alive"}`)
		must.Equal(t, codeOf(heard) == hub.TokenUnknown, c.want == hub.Gone, "%s: the token is void", c.about)
		must.Equal(t, d.join("x").ID, joined.ID, "the identifier after it has joined again")
		must.Equal(t, d.state(joined), hub.Connected, "the state then")
	}
	d := newDesk(t)
	joined := d.join("x")
	stream := must.Get(d.Open(joined.ID, joined.Token))(t)
	d.wait(time.Minute)
	stream.Close() // the phone is back in the network, and opens another
	d.wait(9 * time.Second)
	must.Equal(t, d.state(joined), hub.Connected, "nine seconds after the end of the stream")
}

// TestEndOfCalls: a call ends with what the app says or, canceled, with why it says nothing.
func TestEndOfCalls(t *testing.T) {
	const late = time.Minute
	for _, c := range []struct {
		about, want string
		timeout     time.Duration
		do          func(d *desk, h hub.Joined, call string, leave func()) error
	}{
		{"a result", `{"status":"failed","value":[1.0]}`, late, func(d *desk, h hub.Joined, call string, _ func()) error {
			return d.send(h, `{"type":"result","call":"`+call+`","result":{"status":"failed","value":[1.0]}}`)
		}},
		{"one without a status", "without a known status", late, func(d *desk, h hub.Joined, call string, _ func()) error {
			return d.send(h, `{"type":"result","call":"`+call+`","result":{"status":"done"}}`)
		}},
		{"one that is too large", "larger than 65536 bytes", late, func(d *desk, h hub.Joined, call string, _ func()) error {
			return d.send(h, `{"type":"result","call":"`+call+`","result":{"status":"performed","value":"`+strings.Repeat("x", hub.MessageBytes)+
				`"}}`)
		}},
		{"one that is too deep", "more than 12 deep", late, func(d *desk, h hub.Joined, call string, _ func()) error {
			return d.send(h, `{"type":"result","call":"`+call+`","result":{"status":"performed","value":`+strings.Repeat("[", 11)+
				strings.Repeat("]", 11)+`}}`)
		}},
		{"a long identifier", "more than 200 letters", late, func(d *desk, h hub.Joined, call string, _ func()) error {
			return d.send(h, `{"type":"result","call":"`+call+`","identifier":"`+strings.Repeat("ä", 201)+
				`","result":{"status":"performed"}}`)
		}},
		{"it vanishes", "canceled", late, func(d *desk, _ hub.Joined, _ string, _ func()) error { d.wait(75 * time.Second); return nil }},
		{"it leaves", "left before", late, func(d *desk, h hub.Joined, _ string, _ func()) error { return d.send(h, `{"type":"leave"}`) }},
		{"it is replaced", "same instance", late, func(d *desk, _ hub.Joined, _ string, _ func()) error { d.join("x"); return nil }},
		{"it is removed", "was removed", late, func(d *desk, h hub.Joined, _ string, _ func()) error { return d.Remove(h.ID) }},
		{"the deadline", "did not answer within 1ms", time.Millisecond, func(*desk, hub.Joined, string, func()) error { return nil }},
		{"nobody waits", "nobody waits", late, func(_ *desk, _ hub.Joined, _ string, leave func()) error { leave(); return nil }},
		{"the server stops", "the server stops", late, func(d *desk, _ hub.Joined, _ string, _ func()) error { d.Close(); return nil }},
	} {
		d := newDesk(t)
		joined := d.join("x")
		stream := must.Get(d.Open(joined.ID, joined.Token))(t)
		ctx, leave := context.WithCancel(t.Context())
		call, result := d.ask(ctx, joined, stream, c.timeout)
		must.Do(t, c.do(d, joined, call, leave))
		if got := result(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		leave()
	}
}

// TestStayAway: who was replaced or removed is told so by its stream and by every request, and a new stream ends the older one.
func TestStayAway(t *testing.T) {
	for event, do := range map[string]func(d *desk, h hub.Joined){
		"replaced": func(d *desk, _ hub.Joined) { d.join("x") }, "removed": func(d *desk, h hub.Joined) { must.Do(d.t, d.Remove(h.ID)) },
	} {
		d := newDesk(t)
		joined := d.join("x")
		older := must.Get(d.Open(joined.ID, joined.Token))(t)
		stream := must.Get(d.Open(joined.ID, joined.Token))(t)
		_, err := older.Next(t.Context())
		must.Equal(t, err, hub.ErrEnded, "the end of the older stream")
		do(d, joined)
		must.Equal(t, must.Get(stream.Next(t.Context()))(t).Name, event, "the last event")
		_, err = stream.Next(t.Context())
		must.Equal(t, err, hub.ErrEnded, "the end")
		must.Equal(t, codeOf(d.send(joined)), hub.HostReplaced, "%s", event)
	}
}

// TestQueue: calls wait for a stream, in order; none comes twice, and none that is over.
func TestQueue(t *testing.T) {
	d := newDesk(t)
	joined := d.join("x")
	_, over := d.ask(t.Context(), joined, nil, time.Nanosecond)
	over()
	_, first := d.ask(t.Context(), joined, nil, time.Minute)
	stream := must.Get(d.Open(joined.ID, joined.Token))(t)
	event := must.Get(stream.Next(t.Context()))(t)
	before, after, _ := strings.Cut(string(event.Data), `2","perform":`)
	series := strings.TrimPrefix(before, `{"call":"`) // of this hub alone: an app may keep a result over a restart of the server
	must.Hold(t, regexp.MustCompile(`^[A-Z]{6}$`).MatchString(series) && series != d.Code(), "the series of calls is %q", series)
	must.Equal(t, after, `{"identifier":"a","arguments":{}},"deadline_ms":60000}`, "the call")
	stream.Close()
	stream = must.Get(d.Open(joined.ID, joined.Token))(t)
	second, result := d.ask(t.Context(), joined, stream, time.Minute)
	must.Equal(t, second, series+"3", "the next call, of a new stream")
	must.Do(t, d.send(joined, `{"type":"result","call":"2","result":{"status":"failed"}}`,
		`{"type":"result","call":"`+second+`","result":{"status":"performed"}}`,
		`{"type":"result","call":"`+series+`2","result":{"status":"partial"}}`))
	must.Equal(t, result()+first(), `{"status":"performed"}<nil>{"status":"partial"}<nil>`, "the results")
}

// TestBounds: nothing is kept without a bound, and what is left out is counted.
func TestBounds(t *testing.T) {
	d := newDesk(t)
	first := d.join("0")
	d.wait(time.Second)
	for i := 1; i < hub.MostHosts; i++ {
		d.join(fmt.Sprint(i))
	}
	_, err := d.Join(hub.Joining{Instance: "one more"})
	must.Equal(t, codeOf(err), hub.HubFull, "one more host")
	d.wait(9 * time.Second) // the first is gone
	d.join("one more")
	must.Equal(t, len(d.List()), hub.MostHosts, "hosts")
	_, err = d.Get(first.ID)
	must.Equal(t, codeOf(err), hub.UnknownHost, "the one that is gone for longest")

	d = newDesk(t)
	joined := d.join("x")
	watcher := d.Watch()
	for i := range 300 {
		must.Do(t, d.send(joined, fmt.Sprintf(`{"type":"performed","identifier":"a%d","result":{"status":"performed"}}`, i),
			fmt.Sprintf(`{"type":"omitted","count":2,"reason":"reason %d"}`, i), `{"type":"held","count":3}`))
	}
	for range 5 {
		must.Do(t, d.send(joined, `{"type":"registered","action":{"identifier":"A`+strings.Repeat("x", 5)+`","sample":{"s":"`+strings.Repeat("x",
			60000)+`"}}}`))
	}
	for i := range 8 {
		must.Do(t, d.send(joined, fmt.Sprintf(`{"type":"registered","action":{"identifier":"b%d","sample":{"s":"%s"}}}`, i, strings.Repeat("x",
			60000))))
	}
	for _, letters := range []string{strings.Repeat("ä", 201), strings.Repeat("x", 60000)} { // counted, and not kept
		must.Do(t, d.send(joined, `{"type":"registered","action":{"identifier":"`+letters+`"}}`,
			`{"type":"performed","identifier":"`+letters+`","result":{"status":"performed"}}`))
	}
	must.Do(t, d.send(joined, `{"type":"unregistered","identifier":"aXXXXX"}`,
		`{"type":"registered","action":{"identifier":"c","title":"t"}}`))
	shown := must.Get(d.Get(joined.ID))(t)
	described := slices.DeleteFunc(slices.Clone(shown.Actions), func(a hub.Action) bool { return a.Sample == nil && a.Title == "" })
	must.Equal(t, fmt.Sprint(len(shown.Performed), len(shown.Omitted), shown.Held, len(shown.Actions), len(described)), "50 21 3 9 4",
		"performed, reasons, held, actions, described ones")
	names := map[string]int{}
	for range 3 + 254 {
		names[must.Get(watcher.Next(t.Context()))(t).Name]++
	}
	must.Equal(t, fmt.Sprint(names), "map[host:1 omitted:1 performed:255]", "what one sees who did not read")

	for range 100 {
		go d.Call(t.Context(), joined.ID, hub.Call{Identifier: "a", Arguments: []byte("{}"), Timeout: time.Minute})
	}
	for must.Get(d.Get(joined.ID))(t).Calls < 100 {
		runtime.Gosched() // the goroutines have to run
	}
	for code, call := range map[hub.Code]hub.Call{
		hub.HostBusy:     {Identifier: "a", Arguments: []byte("{}")},
		hub.CallTooLarge: {Identifier: "a", Arguments: []byte(strings.Repeat("[", 12) + strings.Repeat("]", 12))},
	} {
		_, err := d.Call(t.Context(), joined.ID, call)
		must.Equal(t, codeOf(err), code, "a call")
	}
	_, err = d.Call(t.Context(), joined.ID, hub.Call{Identifier: strings.Repeat("x", hub.MessageBytes), Arguments: []byte("{}")})
	must.Equal(t, codeOf(err), hub.CallTooLarge, "a call of a long identifier")

	joined = d.join("long identifiers")
	for i := range 400 {
		must.Do(t, d.send(joined, fmt.Sprintf(`{"type":"registered","action":{"identifier":"%03d%s"}}`, i, strings.Repeat("\U0001F6D2", 197))))
	}
	must.Equal(t, len(must.Get(d.Get(joined.ID))(t).Actions), 262144/(3+4*197), "actions of 791 bytes")
}

// TestPairing: a code of six letters, whatever their case; after twenty wrong ones of a peer a pause, also for the right one, and for no
// other peer.
func TestPairing(t *testing.T) {
	d := newDesk(t)
	code := d.Code()
	from := "192.0.2.7"
	pair := func(code string) hub.Code { _, err := d.Pair(from, code); return codeOf(err) }
	must.Equal(t, pair(strings.ToLower(code[:3])+" - "+code[3:]), "", "the code, in small letters and with a dash")
	must.Equal(t, pair(""), hub.CodeMissing, "none")
	for range 20 {
		must.Equal(t, pair("ABC"), hub.CodeWrong, "another")
	}
	for address, want := range map[string]hub.Code{
		"192.0.2.7": hub.CodesTooMany, "::ffff:192.0.2.7": hub.CodesTooMany, "192.0.2.8": "", "2001:db8::7": "", "": "",
	} {
		from = address
		must.Equal(t, pair(code), want, "the code from %q, after twenty wrong ones from another", address)
	}
	for i := range 20 {
		from = fmt.Sprintf("2001:db8:0:1::%x%%eth0", i)
		must.Equal(t, pair("ABC"), hub.CodeWrong, "another, from one network")
	}
	must.Equal(t, pair(code), hub.CodesTooMany, "the code, from this network")
	from = "192.0.2.7"
	must.Equal(t, pair(code), hub.CodesTooMany, "the code, still")
	d.wait(3 * time.Second)
	must.Equal(t, pair(code), "", "the code, three seconds later")
	must.Do(t, d.NewCode())
	must.Equal(t, pair(code), hub.CodeWrong, "the code before")
	must.Equal(t, pair(d.Code()), hub.CodesTooMany, "the new code")
	d.wait(time.Second)
	for i := range 1000 { // as many as are kept
		from = fmt.Sprintf("10.0.%d.%d", i/250, i%250)
		must.Equal(t, pair("ABC"), hub.CodeWrong, "from many")
	}
	from = "192.0.2.7"
	must.Equal(t, pair(d.Code()), "", "the code, of a peer that is forgotten")
	for i := range 25 {
		d.Refuse(hub.Refused{Name: strings.Repeat("x", 1000), Reason: fmt.Sprint(i)})
	}
	attempts := d.Attempts()
	must.Equal(t, fmt.Sprint(len(attempts), len([]rune(attempts[0].Name)))+" "+attempts[0].Reason, "20 101 24", "the attempts that are kept")
}

// TestTogether: a hundred hosts are asked, watched, moved and replaced at once, for the race detector; every call has its own answer.
func TestTogether(t *testing.T) {
	d := newDesk(t)
	var running sync.WaitGroup
	watcher := d.Watch()
	for i := range hub.MostHosts {
		joined := d.join(fmt.Sprint(i))
		running.Go(func() { serve(t.Context(), d.Hub, joined) })
		running.Go(func() {
			for range 10 {
				text, err := d.Call(t.Context(), joined.ID, hub.Call{Identifier: joined.ID, Arguments: []byte("{}"), Timeout: time.Minute})
				if err != nil || string(text) != `{"status":"performed","value":"`+joined.ID+`"}` {
					t.Errorf("%s: %s, %v", joined.ID, text, err)
				}
				d.List()
			}
			must.Do(t, d.Remove(joined.ID))
		})
	}
	for range hub.MostHosts {
		must.Get(watcher.Next(t.Context()))(t)
	}
	running.Wait()
}

// serve answers the calls of a host with the identifier that they ask for.
func serve(ctx context.Context, h *hub.Hub, joined hub.Joined) {
	stream, err := h.Open(joined.ID, joined.Token)
	for err == nil {
		var event hub.Event
		if event, err = stream.Next(ctx); err != nil || event.Name != "call" {
			continue
		}
		var asked struct {
			Call    string
			Perform struct{ Identifier string }
		}
		_ = json.Unmarshal(event.Data, &asked)
		_ = h.Receive(joined.ID, joined.Token, []byte(`{"messages":[{"type":"result","call":"`+asked.Call+
			`","result":{"status":"performed","value":"`+asked.Perform.Identifier+`"}}]}`))
	}
}

// FuzzMessages: whatever an app sends, the hub goes on, and shows what is JSON.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"type":"alive"},{"type":"result","call":"1","result":{"status":"performed"}}]}`, `{"messages":null}`, `[`,
		`{"messages":[1,{}]}`,
		`{"messages":[{"type":"performed","identifier":"a","arguments":[],"source":1,"result":{"status":"failed"}}]}`,
		`{"messages":[{"type":"registered","action":{"identifier":"a","sample":"\"}]"}},{"type":"unregistered"},{"type":"held","count":-1}]}`,
		`{"messages":[{"type":"capabilities","capabilities":{"a":"b"}},{"type":"omitted","count":9},{"type":"leave"},{"type":"alive"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDesk(t)
		joined := d.join("x")
		_, err := d.Get("-")
		must.Do(t, err)
		err = d.Receive(joined.ID, joined.Token, data)
		must.Hold(t, err == nil || codeOf(err) == hub.MessageInvalid, "%q: %v", data, err)
		shown := must.Get(json.Marshal(must.Get(d.Get(joined.ID))(t)))(t)
		must.Hold(t, !strings.ContainsAny(string(shown), "\n\r"), "%q: %s", data, shown)
	})
}

// BenchmarkCall is a call through the hub with a hundred hosts, against the handler alone.
func BenchmarkCall(b *testing.B) {
	d := newDesk(b)
	var hosts []hub.Joined
	for i := range hub.MostHosts {
		hosts = append(hosts, d.join(fmt.Sprint(i)))
		go serve(b.Context(), d.Hub, hosts[i])
	}
	for i := 0; b.Loop(); i++ {
		must.Get(d.Call(b.Context(), hosts[i%len(hosts)].ID, hub.Call{Identifier: "a", Arguments: []byte(`{"n":1}`), Timeout: time.Minute}))(b)
	}
}
