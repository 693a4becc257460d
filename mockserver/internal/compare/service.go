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
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
)

// Service is one of the two.
type Service struct {
	// Name is a or b; Address says where it is, for the report.
	Name, Address string
	Base          *url.URL
	Transport     http.RoundTripper
	// Values are what conversations name: keys, campaigns and the like.
	Values map[string]string
	// Mock tells that it is a mock server, whose scenarios may be used, and whose clock is moved instead of waiting.
	Mock bool
	// Recorded tells that it is a recording: an answer that is not in it is none.
	Recorded bool
	Now      func() time.Time
	// Pause waits in real time.
	Pause  func(context.Context, time.Duration) error
	Budget *Budget
	time   shift
	silent int // so many conversations one after the other it has not answered
}

// patient is how many conversations are begun with a service that does not answer before it is taken to be down.
const patient = 3

// shift is what is known of the clock of a service.
type shift struct {
	// moved is how far that of a mock server was moved; ahead is that of another service, as the Date of its first answer says.
	moved, ahead time.Duration
	dated        bool
}

// Budget is what may still be sent to a service; nil or a negative number is no limit.
type Budget struct{ Exports, Requests int }

// Errors that end a conversation without a result.
var (
	errBudget   = errors.New("the budget is spent")
	errNotThere = errors.New("not in the recording")
	errNoAnswer = errors.New("no answer")
	errSilent   = fmt.Errorf("it did not answer in %d conversations one after the other, and is not asked any more", patient)
)

// spend takes a request off the budget, before it is sent; taken tells whether it made an export after all.
func (b *Budget) spend(creates bool) (taken func(bool), err error) {
	switch {
	case b == nil:
		return func(bool) {}, nil
	case b.Requests == 0, creates && b.Exports == 0:
		return nil, errBudget
	}
	if b.Requests > 0 {
		b.Requests--
	}
	if !creates || b.Exports < 0 {
		return func(bool) {}, nil
	}
	b.Exports--
	return func(made bool) {
		if !made {
			b.Exports++
		}
	}, nil
}

// allows tells whether the budget is enough for a conversation.
func (b *Budget) allows(c *conversation.Conversation) bool {
	return b == nil || (b.Requests < 0 || b.Requests >= len(c.Steps)) && (b.Exports < 0 || b.Exports >= c.Exports())
}

// answer is what a service answered: of a file, the body is read by facts.
type answer struct {
	status int
	header http.Header
	body   io.ReadCloser
}

// send asks a service.
func (s *Service) send(ctx context.Context, method, address string, headers http.Header, body []byte) (*answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body == nil {
		request.Body = nil
	}
	for name, values := range headers {
		request.Header[name] = values
	}
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", "mockserver-compare")
	}
	received, err := s.Transport.RoundTrip(request)
	if err != nil {
		s.silent++ // it ends the conversation
		return nil, fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	s.silent = 0
	if s.Recorded && received.Header.Get("X-Mock-Replay") == "none" {
		received.Body.Close()
		return nil, errNotThere
	}
	received.Header.Del("X-Mock-Replay")
	if date, err := http.ParseTime(received.Header.Get("Date")); err == nil && !s.time.dated {
		s.time.dated, s.time.ahead = true, date.Sub(s.Now())
	}
	return &answer{received.StatusCode, received.Header, received.Body}, nil
}

// clock is what the clock of the service shows.
func (s *Service) clock(ctx context.Context) (time.Time, error) {
	if !s.Mock && !s.Recorded {
		return s.Now().Add(s.time.ahead), nil
	}
	return s.askClock(ctx, "GET", nil)
}

func (s *Service) askClock(ctx context.Context, method string, change []byte) (time.Time, error) {
	headers := http.Header{}
	if change != nil {
		headers.Set("Content-Type", "application/json")
	}
	if token := s.Values["control_token"]; token != "" {
		headers.Set("Authorization", "Bearer "+token)
	}
	received, err := s.send(ctx, method, s.Base.JoinPath("/_mock/clock").String(), headers, change)
	if err != nil {
		return time.Time{}, err
	}
	defer received.body.Close()
	var shown struct {
		Now time.Time `json:"now"`
	}
	text, err := io.ReadAll(io.LimitReader(received.body, 1<<16))
	if err != nil {
		return time.Time{}, err
	}
	if err := json.Unmarshal(text, &shown); err != nil || received.status != http.StatusOK {
		return time.Time{}, fmt.Errorf("%s: /_mock/clock answered %d: it is no mock server, or wants a control_token among its values", s.Name, received.status)
	}
	return shown.Now, nil
}

// wait lets time go by.
func (s *Service) wait(ctx context.Context, by time.Duration) error {
	if by == 0 {
		return ctx.Err()
	}
	if !s.Mock && !s.Recorded {
		return s.Pause(ctx, by)
	}
	change, err := json.Marshal(map[string]string{"advance": by.String()})
	if err != nil {
		return err
	}
	if _, err = s.askClock(ctx, "POST", change); err == nil {
		s.time.moved += by
	}
	return err
}

// setBack leaves a mock server with the time that it would show had nobody waited.
func (s *Service) setBack(ctx context.Context) error {
	if !s.Mock || s.time.moved == 0 {
		return nil
	}
	const most = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	now, err := s.clock(ctx)
	if err != nil {
		return err
	}
	change, err := json.Marshal(map[string]time.Time{"set": now.Add(-s.time.moved).UTC()})
	if err != nil {
		return err
	}
	if _, err = s.askClock(ctx, "POST", change); err == nil {
		s.time.moved = 0
	}
	return err
}

// address is that of a path.
func (s *Service) address(path string) string {
	return strings.TrimSuffix(s.Base.String(), "/") + path
}

// DemoValues are the values of the conversations for a mock server with the demo credentials.
func DemoValues() map[string]string {
	return map[string]string{
		"company_key": "rest_demo", "api_key": "live_demo", "token": "token_demo", "project_key": "project_demo",
		"campaign": "spring", "group": "welcome", "in_app_campaign": "tip", "segment": "gold",
	}
}
