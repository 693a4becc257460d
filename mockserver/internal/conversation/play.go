package conversation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Patience is the longest time that a player waits before it asks. Conversations that wait for longer are left out.
const Patience = time.Minute

// mostText is how much of an answer that is no file is read.
const mostText = 16 << 20

// Player asks a service what conversations ask. It judges nothing: a test of this package holds our server to what they expect.
type Player struct {
	Library *schemas.Library
	Client  http.RoundTripper // redirects are answers
	Base    string            // the address of the service, without a slash at the end
	Values  map[string]string
	Now     func() time.Time
	Pause   func(context.Context, time.Duration) error
	// Heard is given each answer, before values are captured from it. Nil: nobody listens.
	Heard func(*Step, Values, *Answer)
}

// Answer is one answer to a step.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // not more than 16 MB
	JSON   any    // nil for a file, or another body that is no JSON
	Last   bool   // whether the step asks no more
}

// DemoValues are the values of conversations for a mock server with the demo credentials.
func DemoValues() map[string]string {
	return map[string]string{
		"company_key": "rest_demo", "api_key": "live_demo", "token": "token_demo", "project_key": "project_demo",
		"campaign": "spring", "group": "welcome", "in_app_campaign": "tip", "segment": "gold",
	}
}

// Plays reports whether a conversation can be played with any service.
func (c *Conversation) Plays() bool {
	return len(c.Needs) == 0 && c.LongestWait() <= Patience
}

// Play has a conversation with the service. The error says why it did not come to its end.
func (p *Player) Play(ctx context.Context, its *Conversation) error {
	values := Values{Named: p.words(its.Interface)}
	maps.Copy(values.Named, p.Values)
	for i := range its.Steps {
		step := &its.Steps[i]
		if err := p.pause(ctx, time.Duration(step.Wait)); err != nil {
			return err
		}
		if step.Request == nil {
			continue
		}
		values.Now = p.Now()
		if err := p.step(ctx, its, step, values); err != nil {
			return fmt.Errorf("step %s: %w", step.Name, err)
		}
	}
	return nil
}

// words are those of the dialect: {credential} and the like are of the interface of the conversation, {legacy_credential} of another.
func (p *Player) words(of string) map[string]string {
	words := map[string]string{}
	for _, its := range p.Library.Interfaces() {
		for word, says := range map[string]string{
			"credential": its.Headers.Credential, "scheme": its.Headers.Scheme, "project": its.Headers.Project, "created": its.Identifiers.Created,
		} {
			words[its.Name+"_"+word] = says
			if its.Name == of {
				words[word] = says
			}
		}
	}
	return words
}

func (p *Player) pause(ctx context.Context, by time.Duration) error {
	if by == 0 {
		return ctx.Err()
	}
	return p.Pause(ctx, by)
}

// step sends the request of a step as often as it says, and keeps what later steps name.
func (p *Player) step(ctx context.Context, its *Conversation, step *Step, values Values) error {
	most, every := max(step.Times, 1), time.Duration(0)
	if step.Poll != nil {
		most, every = step.Poll.Most, time.Duration(step.Poll.Every)
	}
	for asked := 1; ; asked++ {
		answer, err := p.ask(ctx, its, step, values)
		if err != nil {
			return err
		}
		answer.Last = asked == most || step.Poll != nil && step.Poll.ends(answer)
		if p.Heard != nil {
			p.Heard(step, values, answer)
		}
		if answer.Last {
			return capture(step, values, answer)
		}
		if err := p.pause(ctx, every); err != nil {
			return err
		}
	}
}

// ends reports whether an answer is the last one that is waited for.
func (p *Poll) ends(answer *Answer) bool {
	state, there := answer.Member(p.Member)
	if !there {
		return true // a refusal, or another dialect
	}
	if p.Or != "" {
		if _, there := answer.Member(p.Or); there {
			return true
		}
	}
	return slices.Contains(p.Until, fmt.Sprint(state))
}

// capture keeps what later steps name. What is not there is missed by the step that names it.
func capture(step *Step, values Values, answer *Answer) error {
	for name, from := range step.Capture {
		from = values.Text(from)
		if of, is := strings.CutPrefix(from, "header "); is {
			values.Named[name] = answer.Header.Get(of)
		} else if member, there := answer.Member(from); there && member != nil {
			values.Named[name] = fmt.Sprint(member)
		}
		if values.Named[name] == "" {
			return fmt.Errorf("there is no %s in the answer", from)
		}
	}
	return nil
}

// ask sends the request of a step once, and reads the whole answer: a file that nobody reads is not seen.
func (p *Player) ask(ctx context.Context, its *Conversation, step *Step, values Values) (*Answer, error) {
	r := step.Request
	if missing := values.Missing(r.URL + r.Path); len(missing) > 0 {
		return nil, fmt.Errorf("there is no value for %s", strings.Join(missing, ", "))
	}
	address, body := values.Text(r.URL), []byte(nil)
	headers := http.Header{}
	set := func(of map[string]*string) {
		for name, value := range of {
			name = values.Text(name)
			headers.Del(name)
			if value != nil && name != "" {
				headers.Set(name, strings.TrimSpace(values.Text(*value)))
			}
		}
	}
	if r.Path != "" {
		set(its.Headers)
		address = p.Base + values.Text(r.Path)
	}
	switch {
	case r.Body != nil:
		body = []byte(values.Text(*r.Body))
	case r.JSON != nil:
		var err error
		if body, err = json.Marshal(values.JSON(r.JSON)); err != nil {
			return nil, err
		}
	}
	if body != nil {
		headers.Set("Content-Type", "application/json")
	}
	set(r.Headers)
	request, err := http.NewRequestWithContext(ctx, r.Verb(), address, bytes.NewReader(body))
	if err != nil || request.URL.Host == "" {
		return nil, errors.New("the link leads nowhere")
	}
	request.Header = headers
	received, err := p.Client.RoundTrip(request)
	if err != nil {
		return nil, errors.New("there was no answer")
	}
	defer received.Body.Close()
	text, err := io.ReadAll(io.LimitReader(received.Body, mostText))
	if err == nil {
		_, err = io.Copy(io.Discard, received.Body)
	}
	if err != nil {
		return nil, errors.New("the answer broke off")
	}
	value, err := schemas.Decode(text)
	if err != nil {
		value = nil // a file, or no JSON: whoever observes the service tells
	}
	return &Answer{Status: received.StatusCode, Header: received.Header, Body: text, JSON: value}, nil
}

// Member is the value at a JSON Pointer.
func (a *Answer) Member(pointer string) (value any, there bool) {
	value, there = a.JSON, true
	for part := range jsontext.Pointer(pointer).Tokens() {
		switch of := value.(type) {
		case map[string]any:
			value, there = of[part]
		case []any:
			index, err := strconv.Atoi(part)
			if there = err == nil && index >= 0 && index < len(of); there {
				value = of[index]
			}
		default:
			there = false
		}
		if !there {
			return nil, false
		}
	}
	return value, true
}
