package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// discard is a client that reads nothing.
type discard struct{ header http.Header }

func (d discard) Header() http.Header             { return d.header }
func (d discard) Write(block []byte) (int, error) { return len(block), nil }
func (d discard) WriteHeader(int)                 {}

// benchmark sends one request over and over, without a network.
func benchmark(b *testing.B, s *harness, method, path, body string) {
	target, err := url.ParseRequestURI(path)
	if err != nil {
		b.Fatal(err)
	}
	r := httptest.NewRequest(method, "http://mock.test"+path, nil)
	r.Header, r.URL = legacyHeader(), target
	r.Header.Set("User-Agent", "benchmark/1.0")
	b.ReportAllocs()
	for b.Loop() {
		again := *r
		again.Body, again.ContentLength = http.NoBody, int64(len(body))
		if body != "" {
			again.Body = io.NopCloser(strings.NewReader(body))
		}
		s.service.ServeHTTP(discard{http.Header{}}, &again)
	}
}

func BenchmarkCreate(b *testing.B) { benchmark(b, newServer(b), "POST", campaignPath, pushBody) }

func BenchmarkStatus(b *testing.B) {
	s := newServer(b)
	benchmark(b, s, "GET", statusPath+s.create(userbasePath, userbaseBody, "progress=now"), "")
}
