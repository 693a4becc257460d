package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestPage checks that a server without a web page lists its routes, needs nothing from elsewhere, and allows nothing.
func TestPage(t *testing.T) {
	s := newServer(t)
	a := s.get("/")
	if docs := s.get("/docs"); a.StatusCode != http.StatusOK || a.text != docs.text || !strings.Contains(a.text, "the terminal") &&
		!strings.Contains(a.text, "The terminal") {
		t.Errorf("answered %d %s", a.StatusCode, a.text)
	}
	s.answers("HEAD", s.do(call{method: "HEAD", path: "/", header: http.Header{}}), 200)
}
