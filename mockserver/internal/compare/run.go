package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// mostText is how much of an answer that is no file is read.
const mostText = 16 << 20

// speaker has one conversation with one service.
type speaker struct {
	service *Service
	library *schemas.Library
	its     *conversation.Conversation
	values  conversation.Values
	said    *Said
}

// speak has a conversation. What goes wrong with it stands in the transcript; the error is that of the context.
func speak(ctx context.Context, library *schemas.Library, service *Service, its *conversation.Conversation) (*Transcript, error) {
	made := &Transcript{Conversation: its.Name, Digest: its.Digest, Service: service.Address, Time: service.Now().UTC()}
	named := map[string]string{}
	for name, value := range service.Values {
		named[name] = value
	}
	s := &speaker{service: service, library: library, its: its, values: conversation.Values{Named: named}}
	for i := range its.Steps {
		step := &its.Steps[i]
		s.said = &Said{Name: step.Name, Where: step.Where(), Facts: facts{}}
		err := s.step(ctx, step)
		if len(s.said.Facts) > 0 {
			made.Steps = append(made.Steps, s.said)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errBudget) || errors.Is(err, errNotThere) || errors.Is(err, errNoAnswer):
			made.Skipped = fmt.Sprintf("step %s: %v", step.Name, err)
			return made, nil
		case err != nil:
			made.Broken = fmt.Sprintf("step %s: %v", step.Name, err)
			return made, nil
		}
	}
	return made, nil
}

// step is one step.
func (s *speaker) step(ctx context.Context, step *conversation.Step) error {
	if err := s.service.wait(ctx, time.Duration(step.Wait)); err != nil {
		return err
	}
	if step.Request == nil {
		return nil
	}
	now, err := s.service.clock(ctx)
	if err != nil {
		return err
	}
	s.values.Now = now
	if step.Poll != nil {
		return s.poll(ctx, step)
	}
	var statuses []string
	var met error
	for range max(step.Times, 1) {
		received, err := s.ask(ctx, step)
		if err != nil {
			return err
		}
		statuses = append(statuses, fmt.Sprint(received.status))
		met = s.look(step, received, "")
	}
	if step.Times > 1 {
		s.said.Facts.add(kindStatus, "statuses", strings.Join(runs(statuses), ", "))
		if want := step.Expect.Statuses; want != nil && !slices.Equal(runs(statuses), want) {
			s.unmet("the statuses are %s, not %s", strings.Join(runs(statuses), ", "), strings.Join(want, ", "))
		}
	}
	return met
}

// runs counts what is equal one after the other.
func runs(of []string) (made []string) {
	for i := 0; i < len(of); {
		end := i
		for end < len(of) && of[end] == of[i] {
			end++
		}
		made = append(made, fmt.Sprintf("%d x %s", end-i, of[i]))
		i = end
	}
	return made
}

// poll asks until it is so.
func (s *speaker) poll(ctx context.Context, step *conversation.Step) error {
	began, before := s.values.Now.Add(-s.service.time.ahead), ""
	var seen []string
	for asked := 1; ; asked++ {
		received, err := s.ask(ctx, step)
		if err != nil {
			return err
		}
		text, value := s.text(received)
		state, _ := at(value, step.Poll.Member)
		named, _ := state.(string)
		ended := slices.Contains(step.Poll.Until, named)
		if _, there := at(value, step.Poll.Or); step.Poll.Or != "" && there {
			ended = true
		}
		shown := "no state"
		if named != "" {
			shown = family(textual(named))
			if _, word, is := strings.Cut(textual(named), saying); is {
				shown = word
			}
		}
		s.said.Facts.add(kindState, "state "+shown, "seen")
		if before != "" && before != shown {
			s.said.Facts.add(kindTransition, "from "+before+" to "+shown, "seen")
		}
		if before != shown {
			seen = append(seen, shown)
		}
		before = shown
		last := ended || asked == step.Poll.Most || received.status >= 400
		if last {
			s.said.Facts.add(kindState, "last state", shown)
			now, err := s.service.clock(ctx)
			if err != nil {
				return err
			}
			s.said.Facts["ready after"] = &Fact{Kind: kindTiming, Seen: map[string]int64{"seconds": int64(now.Add(-s.service.time.ahead).Sub(began).Seconds())}}
			s.states(step, seen)
			if !ended {
				s.unmet("%s is none of %s after %d requests", step.Poll.Member, strings.Join(step.Poll.Until, ", "), asked)
			}
		}
		received.body = io.NopCloser(bytes.NewReader(text))
		if err := s.look(step, received, shown); last || err != nil {
			return err
		}
		if err := s.service.wait(ctx, time.Duration(step.Poll.Every)); err != nil {
			return err
		}
	}
}

// states holds the states that were seen against those that are expected.
func (s *speaker) states(step *conversation.Step, seen []string) {
	want := step.Expect.States
	if want == nil {
		return
	}
	place := -1
	for _, each := range seen {
		next := slices.Index(want, each)
		if next <= place {
			s.unmet("the states are %s, and not in the order of %s", strings.Join(seen, ", "), strings.Join(want, ", "))
			return
		}
		place = next
	}
}

// ask sends the request of a step.
func (s *speaker) ask(ctx context.Context, step *conversation.Step) (*answer, error) {
	r := step.Request
	headers := http.Header{}
	set := func(of map[string]*string) {
		for name, value := range of {
			headers.Del(name)
			if value != nil {
				headers.Set(name, s.values.Text(*value))
			}
		}
	}
	address := s.values.Text(r.URL)
	if r.Path != "" {
		set(s.its.Headers)
		address = s.service.address(s.values.Text(r.Path))
	}
	if missing := s.values.Missing(r.URL + r.Path); len(missing) > 0 {
		return nil, fmt.Errorf("there is no value for %s", strings.Join(missing, ", "))
	}
	var body []byte
	switch {
	case r.Body != nil:
		body = []byte(s.values.Text(*r.Body))
	case r.JSON != nil:
		written, err := json.Marshal(s.values.JSON(r.JSON))
		if err != nil {
			return nil, err
		}
		body = written
	}
	if body != nil {
		headers.Set("Content-Type", "application/json")
	}
	set(r.Headers)
	to, err := url.Parse(address)
	if err != nil || to.Host == "" {
		return nil, errors.New("the link leads nowhere")
	}
	taken, err := s.service.Budget.spend(step.Creates || r.Verb() == "POST") // what should be refused may be taken
	if err != nil {
		return nil, err
	}
	received, err := s.service.send(ctx, r.Verb(), address, headers, body)
	if err != nil {
		return nil, err // it may have been taken
	}
	taken(received.status < 300)
	return received, nil
}

// text reads an answer that is no file, and its JSON if it is some.
func (s *speaker) text(received *answer) ([]byte, any) {
	defer received.body.Close()
	read, err := io.ReadAll(io.LimitReader(received.body, mostText))
	if err != nil {
		return read, nil
	}
	value, err := schemas.Decode(read)
	if err != nil {
		return read, nil
	}
	return read, value
}

// look notes facts about an answer, keeps what later steps need, and holds it against what is expected.
func (s *speaker) look(step *conversation.Step, received *answer, within string) error {
	f := s.said.Facts
	f.add(kindStatus, "status", fmt.Sprint(received.status))
	f.headers(received.header, within, s.values.Named)
	if want := step.Expect.Status; want != nil && !slices.Contains(want, received.status) {
		s.unmet("the status is %d, not %s", received.status, strings.Trim(fmt.Sprint(want), "[]"))
	}
	for name, want := range step.Expect.Headers {
		values := received.header.Values(name)
		s.shape("the header "+name, strings.Join(values, ", "), len(values) > 0, want)
	}
	good := received.status < 300
	if step.File != "" && good && step.Request.Verb() != "HEAD" {
		return s.file(step, received)
	}
	text, value := s.text(received)
	switch {
	case step.Request.Verb() == "HEAD" || len(text) == 0:
	case value == nil:
		f.add(kindLayout, "body", "no JSON")
	default:
		f.add(kindLayout, "body", "JSON")
		f.members(value, "", within, s.values.Named, received.status >= 400)
		if received.status >= 400 {
			f.refusal(received.status, value)
		}
	}
	if want := step.Expect.Schema; want != "" && good && (step.Poll == nil || value != nil) {
		if err := s.library.Validate(want, value); err != nil {
			s.unmet("the answer does not fit %s", want)
		}
	}
	if want := step.Expect.Error; want != "" && !says(value, want) {
		s.unmet("the error is not %s", want)
	}
	if want := step.Expect.Code; want != nil && !says(value, fmt.Sprint(*want)) {
		s.unmet("the number of the error is not %d", *want)
	}
	last := step.Poll == nil || f["last state"] != nil
	if !last {
		return nil
	}
	for pointer, want := range step.Expect.Members {
		found, there := at(value, pointer)
		s.shape("the member "+pointer, fmt.Sprint(found), there, want)
	}
	return s.capture(step, received, value)
}

// capture keeps what later steps name.
func (s *speaker) capture(step *conversation.Step, received *answer, value any) error {
	for name, from := range step.Capture {
		found := ""
		if header, is := strings.CutPrefix(from, "header "); is {
			found = received.header.Get(header)
		} else if member, there := at(value, from); there && member != nil {
			found = fmt.Sprint(member)
		}
		if found == "" {
			return fmt.Errorf("there is no %s in the answer %d", from, received.status)
		}
		s.values.Named[name] = found
	}
	return nil
}

// says tells whether a member of an object says something.
func says(value any, what string) bool {
	object, _ := value.(map[string]any)
	for _, member := range object {
		if fmt.Sprint(member) == what {
			return true
		}
	}
	return false
}
