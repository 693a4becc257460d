package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestRetention: a request that is too old is answered as one that never was, by the clock of its key, and is deleted.
func TestRetention(t *testing.T) {
	s := newServer(t, func(o *mockserver.Options) { o.Retention = 60 * 24 * time.Hour })
	s.setClock(`{"freeze":true}`)
	legacy := s.create(userbasePath, userbaseBody, "progress=now")
	link := s.links(legacy)[0]
	profile := s.create(profilesPath, filteredBody, "progress=now")
	s.setClock(`{"advance":"1439h59m"}`)
	must.Equal(t, s.lookup(legacy).body["status"], "SUCCESS", "a minute before")
	s.setClock(`{"advance":"1m"}`)
	s.refused(s.do(call{method: "GET", path: statusPath + legacy}), 404, "ROUTE_NOT_FOUND", "no export")
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/view?id=" + profile}), 404, "ROUTE_NOT_FOUND", "no export")
	if a := s.get(link); a.StatusCode < 400 {
		t.Errorf("its link answers %d", a.StatusCode)
	}
	for _, path := range []string{"/2.7/exports/list", "/_mock/exports"} {
		a := s.do(call{method: "GET", path: path, header: http.Header{"X-Service-Project": {"project_demo"},
			"Authorization": {"Bearer token_demo"}}})
		must.Hold(t, a.StatusCode == 200 && !strings.Contains(a.text, profile), "%s: %d %s", path, a.StatusCode, a.text)
	}
	for range 200 {
		s.create(userbasePath, userbaseBody, "")
	}
	if a := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}); strings.Contains(a.text, legacy) {
		t.Error("the request is in the state still")
	}
}

// TestOldRequestsMakeRoom: a state that is full of old requests takes new ones.
func TestOldRequestsMakeRoom(t *testing.T) {
	full := within(t, budget.Limits{Exports: 1 << 20})
	s := newServer(t, full, func(o *mockserver.Options) { o.Retention = time.Hour })
	s.setClock(`{"freeze":true}`)
	create := func() int { return s.do(call{path: userbasePath, body: userbaseBody}).StatusCode }
	for create() == http.StatusAccepted {
	}
	if status := create(); status != http.StatusServiceUnavailable {
		t.Fatalf("a full state answers %d, want 503", status)
	}
	s.setClock(`{"advance":"90m"}`)
	must.Equal(t, create(), http.StatusAccepted, "when all requests are old, a new one is answered")
}
