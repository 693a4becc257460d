package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestPage checks that the landing page is complete, needs nothing from
// elsewhere, and allows nothing that it does not need.
func TestPage(t *testing.T) {
	s := newServer(t)
	a := s.get("/")
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("answered %d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	for _, k := range kinds {
		if !strings.Contains(a.text, ">"+k.name+"<") {
			t.Errorf("the page lacks the kind %s", k.name)
		}
	}
	for _, text := range []string{"rest_demo", "live_demo", "token_demo", "project_demo", "http://mock.test/2.7/profiles/export", "/_mock/clock", "X-Mock-Scenario"} {
		if !strings.Contains(a.text, text) {
			t.Errorf("the page lacks %s", text)
		}
	}
	policy := a.Header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`'nonce-([^']+)'`).FindStringSubmatch(policy)
	if nonce == nil || !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Fatalf("Content-Security-Policy is %q", policy)
	}
	if strings.Count(a.text, `nonce="`+nonce[1]+`"`) != 2 {
		t.Error("the style and the script do not carry the nonce of the policy")
	}
	if other := s.get("/"); strings.Contains(other.text, nonce[1]) {
		t.Error("two pages carry the same nonce")
	}
	if found := regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*|@import|url\(`).FindString(a.text); found != "" {
		t.Errorf("the page fetches %q", found)
	}
	if steps := strings.Count(a.text, "<li><h3>"); steps != 5 {
		t.Errorf("the tour has %d steps, want 5", steps)
	}
	if head := s.do(call{method: "HEAD", path: "/", header: http.Header{}}); head.StatusCode != 200 {
		t.Errorf("HEAD: %d", head.StatusCode)
	}
}
