package httpd_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// endless is a file of unknown length: some blocks, each when it is let through, and what
// is at the end.
type endless struct {
	blocks []string
	let    chan struct{} // nil: all at once
	end    error
	ended  bool
}

func (e *endless) Next(int64) ([]byte, error) {
	if len(e.blocks) == 0 {
		e.ended = e.end == io.EOF
		return nil, e.end
	}
	if e.let != nil {
		<-e.let
	}
	block := e.blocks[0]
	e.blocks = e.blocks[1:]
	return []byte(block), nil
}

func (e *endless) Read(into []byte) (int, error) {
	block, err := e.Next(0)
	return copy(into, block), err
}

func (e *endless) Seek(offset int64, from int) (int64, error) { return offset, nil }
func (e *endless) Ended() bool                                { return e.ended }
func (e *endless) Close() error                               { return nil }

// TestEndlessFiles: the beginning is sent at once, and one that breaks off does not end like
// a whole one.
func TestEndlessFiles(t *testing.T) {
	for name, c := range map[string]struct {
		end     error
		gzip    bool
		isWhole bool
	}{
		"whole":                 {io.EOF, false, true},
		"broken":                {errors.New("a broken table"), false, false},
		"whole, compressed":     {io.EOF, true, true},
		"broken off compressed": {errors.New("a broken table"), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := &endless{blocks: []string{"custom_id\n", "ada\n", "bob\n"}, let: make(chan struct{}, 3), end: c.end}
			route := on(exports.Interface{}, "/file", answers(httpd.Response{
				Status: http.StatusOK, Headers: map[string]string{"ETag": `"a"`},
				Content: &httpd.Content{Reader: file, Size: -1, Modified: noon, Gzip: c.gzip, Do: func(work func()) { work() }},
			}, nil))
			route.Method = http.MethodGet
			h := serve(t, route)
			server := httptest.NewServer(h)
			defer server.Close()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/file", nil)
			if err != nil {
				t.Fatal(err)
			}
			file.let <- struct{}{}
			if c.gzip {
				request.Header.Set("Accept-Encoding", "identity") // not unpacked by the client
				file.let <- struct{}{}
				file.let <- struct{}{}
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if response.ContentLength >= 0 {
				t.Errorf("the length is said to be %d", response.ContentLength)
			}
			if !c.gzip {
				first := make([]byte, len("custom_id\n"))
				if _, err := io.ReadFull(response.Body, first); err != nil || string(first) != "custom_id\n" {
					t.Errorf("the beginning is %q, %v", first, err)
				}
				file.let <- struct{}{}
				file.let <- struct{}{}
			}
			rest, err := io.ReadAll(response.Body)
			if (err == nil) != c.isWhole || !c.gzip && c.isWhole && string(rest) != "ada\nbob\n" {
				t.Errorf("the rest is %q, %v", rest, err)
			}
			server.Close() // the request is over
			entries := h.journal.List(journal.Filter{}, 10).Entries
			if len(entries) != 1 || entries[0].Broken == c.isWhole {
				t.Errorf("the journal has %+v", entries)
			}
		})
	}
}
