package mocktest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// large is a mock with a download of some megabytes, and a link to it.
func large(t *testing.T, options mocktest.Options) (*mocktest.Mock, string) {
	t.Helper()
	options.Now, options.Server.Profiles, options.Lints = noon, 30_000, mocktest.Ignore
	mock := mocktest.Start(t, options)
	export := mock.Create("userbase", mocktest.ExportOptions{})
	export.Finish()
	_, record := do(t, mock.Client(), "GET", mocktest.Base+"/1.0/live_demo/export/request/"+export.ID, "")
	_, link, _ := strings.Cut(record, `"file_url":"`)
	link, _, _ = strings.Cut(link, `"`)
	return mock, link
}

// TestStreaming: a download is read while it is written, its length is known before, and a client that has enough ends it.
func TestStreaming(t *testing.T) {
	t.Parallel()
	mock, link := large(t, mocktest.Options{Now: noon})
	response := must.Get(mock.Client().Get(link))(t)
	length := response.ContentLength
	first := make([]byte, 10)
	if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "install_id" || length < 1<<20 {
		t.Fatalf("%q of %d bytes, %v", first, length, err)
	}
	if entry := mock.Journal().Wait(mocktest.Filter{Route: "file"}, 1)[0]; entry.Bytes == length {
		t.Errorf("everything was written before it was read: %+v", entry)
	}
	response.Body.Close()
	mock.Journal().Wait(mocktest.Filter{Route: "file"}, 1)

	response = must.Get(mock.Client().Get(link))(t)
	defer response.Body.Close()
	if read, err := io.Copy(io.Discard, response.Body); err != nil || read != length {
		t.Errorf("read %d bytes of %d, %v", read, length, err)
	}
	head, err := mock.Client().Head(link)
	must.Hold(t, err == nil && head.ContentLength == length && head.Header.Get("Accept-Ranges") == "bytes", "HEAD: %+v, %v", head, err)
}

// TestCancellation: before the answer, and while it is read.
func TestCancellation(t *testing.T) {
	t.Parallel()
	mock, link := large(t, mocktest.Options{Now: noon})
	ctx, cancel := context.WithCancel(t.Context())
	r := must.Get(http.NewRequestWithContext(ctx, "GET", link, nil))(t)
	response := must.Get(mock.Client().Do(r))(t)
	cancel()
	if _, err := io.Copy(io.Discard, response.Body); err == nil {
		t.Error("the download goes on")
	}
	response.Body.Close()
	if _, err := mock.Client().Do(r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}

	// A wait under /_mock/ has no answer before the client gives it up.
	waiting, cancelWait := context.WithCancel(t.Context())
	r = must.Get(http.NewRequestWithContext(waiting, "GET", mocktest.Base+"/_mock/journal/wait?count=100&timeout=1m", nil))(t)
	failed := make(chan error)
	go func() {
		_, err := mock.Client().Do(r)
		failed <- err
	}()
	cancelWait()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestBrokenAnswers: faults of the network look like those of a network.
func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	mock, link := large(t, mocktest.Options{Now: noon})
	get := func(scenario string) (string, error) {
		r := must.Get(http.NewRequestWithContext(t.Context(), "GET", link, nil))(t)
		r.Header.Set("X-Mock-Scenario", scenario)
		response, err := mock.Client().Do(r)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return string(text), err
	}
	if _, err := get("reset=before"); !errors.Is(err, io.EOF) {
		t.Errorf("no answer: %v", err)
	}
	if text, err := get("cut=1000"); !errors.Is(err, io.ErrUnexpectedEOF) || len(text) != 1000 {
		t.Errorf("an answer cut: %d bytes, %v", len(text), err)
	}
	if text, err := get("error=LINK_EXPIRED"); err != nil || !strings.Contains(text, "LINK_EXPIRED") {
		t.Errorf("a refusal: %s, %v", text, err)
	}
}

// TestBodies: of every kind in which a client may send one.
func TestBodies(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Lints: mocktest.Ignore})
	const payload = `{"ids":["install_id"]}`
	for about, c := range map[string]struct {
		body   io.Reader
		status int
	}{
		"with a length":    {strings.NewReader(payload), 202},
		"without a length": {io.MultiReader(strings.NewReader(payload)), 202},
		"bit by bit":       {iotest.OneByteReader(strings.NewReader(payload)), 202},
		"none":             {nil, 400},
		"empty":            {bytes.NewReader(nil), 400},
		"breaking off":     {iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader(payload))), 400},
	} {
		r := must.Get(http.NewRequestWithContext(t.Context(), "POST", mocktest.Base+"/1.0/live_demo/export/userbase", c.body))(t)
		r.Header.Set("X-Authorization", mocktest.CompanyKey)
		r.Header.Set("Content-Type", "application/json")
		response, err := mock.Client().Do(r)
		if err != nil {
			t.Errorf("%s: %v", about, err)
			continue
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != c.status || response.Header.Get("X-Request-Id") == "" || response.ContentLength != int64(len(text)) {
			t.Errorf("%s: %d, want %d: %s", about, response.StatusCode, c.status, text)
		}
	}
	if entry := mock.Journal().Entries(mocktest.Filter{Status: "202"})[0]; entry.UserAgent != "Go-http-client/1.1" {
		t.Errorf("the user agent is %q", entry.UserAgent)
	}
}

// TestEventsEnd: a stream that a test forgot ends with its mock.
func TestEventsEnd(t *testing.T) {
	t.Parallel()
	var response *http.Response
	result := inside(func(inner mocktest.T) {
		mock := mocktest.Start(inner, mocktest.Options{Now: noon})
		var err error
		if response, err = mock.Client().Get(mocktest.Base + "/_mock/journal/events"); err != nil {
			t.Error(err)
		}
	})
	failed(t, result)
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("the stream has ended as if it were whole")
	}
	response.Body.Close()
}
