package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
)

// TestManyFiles looks at many files, one after the other.
func TestManyFiles(t *testing.T) {
	s := newServer(t, func(c *server.Options) { c.Planner.Profiles = 20 })
	var links []string
	for range 100 {
		links = append(links, s.links(s.create(profilesPath, kinds[8].body, "progress=now"))[0])
	}
	want := s.get(links[0]).text
	for i, link := range links {
		if a := s.get(link); a.text != want {
			t.Fatalf("file %d answers %d with %d bytes", i, a.StatusCode, len(a.text))
		}
	}
}

// TestResume cuts a download and goes on where it ended, as a client of a real
// connection would.
func TestResume(t *testing.T) {
	s, id := finished(t, kinds[9].path, kinds[9].body)
	link := s.links(id)[0]
	want := s.get(link).text
	listener := httptest.NewServer(s.service)
	defer listener.Close()
	response, err := http.Get(listener.URL + link)
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 1000)
	if _, err := io.ReadFull(response.Body, head); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	request, err := http.NewRequest("GET", listener.URL+link, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Range", "bytes=1000-")
	request.Header.Set("If-Range", response.Header.Get("ETag"))
	if response, err = http.DefaultClient.Do(request); err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	tail, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusPartialContent || string(head)+string(tail) != want {
		t.Errorf("resumed with %d: %d + %d bytes, want %d, %v", response.StatusCode, len(head), len(tail), len(want), err)
	}
}
