package har

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// Read reads the exchanges of a HAR file, in the order of time. Their bodies wait in a directory.
func Read(from io.Reader, directory string) ([]*drift.Exchange, error) {
	decoder := json.NewDecoder(from)
	if err := enter(decoder, "log", '{'); err != nil {
		return nil, err
	}
	if err := enter(decoder, "entries", '['); err != nil {
		return nil, err
	}
	var all []*drift.Exchange
	for decoder.More() {
		var each entry
		if err := decoder.Decode(&each); err != nil {
			return nil, fault(len(all), err)
		}
		x, err := each.exchange(directory)
		if err != nil {
			return nil, fault(len(all), err)
		}
		all = append(all, x)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, fault(len(all), err)
	}
	slices.SortStableFunc(all, func(a, b *drift.Exchange) int { return a.Began.Compare(b.Began) })
	for i, x := range all {
		x.Number = uint64(i) + 1
	}
	return all, nil
}

func fault(at int, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("/log/entries/%d: %w", at, err)
}

// enter goes into a member, and past those before it.
func enter(decoder *json.Decoder, name string, opening json.Delim) error {
	if name == "log" {
		if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
			return errors.New("it is no JSON object; a HAR file is one, with the member log")
		}
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("before the member %s: %w", name, err)
		}
		if token != name {
			var passed json.RawMessage
			if err := decoder.Decode(&passed); err != nil {
				return fmt.Errorf("before the member %s: %w", name, err)
			}
			continue
		}
		if token, err := decoder.Token(); err != nil || token != opening {
			return fmt.Errorf("the member %s does not begin with %v", name, opening)
		}
		return nil
	}
	return fmt.Errorf("it has no member %s; a HAR file has log, with entries in it", name)
}

// exchange is an entry as if it had passed.
func (e *entry) exchange(directory string) (*drift.Exchange, error) {
	began, err := time.Parse(time.RFC3339Nano, e.Started)
	if err != nil {
		return nil, fmt.Errorf("startedDateTime is %q; it must be a date and a time as in 2026-03-15T12:00:00Z", e.Started)
	}
	to, err := url.Parse(e.Request.URL)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, errors.New("request.url must begin with http:// or https:// and name a host") // it may hold a credential
	}
	path := to.EscapedPath()
	if path == "" {
		path = "/"
	}
	origin := to.Scheme + "://" + to.Host
	ended := began.Add(time.Duration(max(e.Time, 0) * float64(time.Millisecond)))
	x := &drift.Exchange{
		Began: began, Answered: ended, Ended: ended, Status: e.Response.Status,
		To: drift.Target{Method: strings.ToUpper(e.Request.Method), Origin: origin, Reached: origin, Path: path, Query: to.RawQuery},
	}
	if x.Status < 100 || x.Status > 999 {
		x.Status, x.Fault = 0, "it was not answered"
	}
	x.Sent.Header, x.Received.Header = headers(e.Request.Headers), headers(e.Response.Headers)
	delete(x.Received.Header, "Content-Encoding") // a HAR file has contents without it
	if location := e.Response.Redirect; location != "" && http.Header(x.Received.Header).Get("Location") == "" {
		x.Received.Header["Location"] = []string{location}
	}
	if x.Sent.Body, err = e.Request.Body.keep(directory, x.Sent.Header); err != nil {
		return nil, fmt.Errorf("request.postData: %w", err)
	}
	content := &e.Response.Content
	if x.Received.Body, err = content.keep(directory, x.Received.Header); err != nil {
		return nil, fmt.Errorf("response.content: %w", err)
	}
	if content.Text == nil && (content.File != "" || content.Size != nil && *content.Size > 0) && x.Fault == "" {
		x.Received.Body = &absent{} // the tool did not keep it
	}
	return x, nil
}

// headers are those of a message, by canonical name, without the pseudo-headers of HTTP/2.
func headers(pairs []pair) map[string][]string {
	made := map[string][]string{}
	for _, each := range pairs {
		if name := textproto.CanonicalMIMEHeaderKey(each.Name); name != "" && !strings.HasPrefix(name, ":") {
			made[name] = append(made[name], each.Value)
		}
	}
	return made
}

// keep puts a body into a directory. Nil is none.
func (t *text) keep(directory string, head map[string][]string) (drift.Body, error) {
	if t == nil {
		return nil, nil
	}
	if t.Type != "" && t.Type != "x-unknown" && head["Content-Type"] == nil {
		head["Content-Type"] = []string{t.Type}
	}
	var content []byte
	switch {
	case t.Text != nil && t.Encoding == "base64":
		var err error
		if content, err = base64.StdEncoding.DecodeString(*t.Text); err != nil {
			return nil, fmt.Errorf("text: %w", err)
		}
	case t.Text != nil && t.Encoding != "":
		return nil, fmt.Errorf("encoding is %q; it must be base64, or absent", t.Encoding)
	case t.Text != nil:
		content = []byte(*t.Text)
	case len(t.Params) > 0:
		form := url.Values{}
		for _, each := range t.Params {
			form.Add(each.Name, each.Value)
		}
		content = []byte(form.Encode())
	}
	if len(content) == 0 {
		return nil, nil
	}
	const inMemory = 64 << 10
	if len(content) <= inMemory {
		return &held{content}, nil
	}
	file, err := os.CreateTemp(directory, "body-")
	if err != nil {
		return nil, err
	}
	_, err = file.Write(content)
	return &spooled{file.Name(), int64(len(content))}, errors.Join(err, file.Close())
}

// held is a short body.
type held struct{ content []byte }

func (h *held) Size() int64                  { return int64(len(h.content)) }
func (h *held) Whole() bool                  { return true }
func (h *held) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(h.content)), nil }
func (h *held) Discard()                     {}

// spooled is a body in a file.
type spooled struct {
	name string
	size int64
}

func (s *spooled) Size() int64                  { return s.size }
func (s *spooled) Whole() bool                  { return true }
func (s *spooled) Open() (io.ReadCloser, error) { return os.Open(s.name) }
func (s *spooled) Discard()                     { _ = os.Remove(s.name) } // the directory goes anyway

// absent is a body that was not kept.
type absent struct{}

func (*absent) Size() int64                  { return 0 }
func (*absent) Whole() bool                  { return false }
func (*absent) Open() (io.ReadCloser, error) { return nil, os.ErrNotExist }
func (*absent) Discard()                     {}
