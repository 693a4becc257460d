package drift_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestNothingIsQuoted: neither credentials nor values of people are in findings, journal or suggested files, wherever the service
// or the client puts them.
func TestNothingIsQuoted(t *testing.T) {
	const person, key, token = "anna.schmidt42@example.org", "Zk3-9secretCompanyKey", "eyJ0b2tlbiI6InNlY3JldCJ9"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Seen", token)
		switch {
		case r.Method == "POST":
			w.WriteHeader(202)
			fmt.Fprintf(w, `{"requestId":"5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10",%q:1}`, person)
		case strings.Contains(r.URL.Path, "request"):
			fmt.Fprintf(w,
				`{"id":"5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10","uri":"/1.0/%s/export/userbase","status":%q,"request_date":%q,"error_msg":%q,"file_url":"http://%s/f/%s?token=%s","%s":"%s"}`,
				key, person, person, person, r.Host, "1.csv", token, person, token)
		case strings.Contains(r.URL.Path, "/f/"):
			fmt.Fprintf(w, "install_id;%s;custom_id\n%s;%s;%s\n", person, person, person, person)
		default:
			w.WriteHeader(418)
			fmt.Fprintf(w, `{"code":"%s","type":"%s","message":"%s"}`, person, person, person)
		}
	}))
	t.Cleanup(upstream.Close)
	b := proxied(t, upstream, nil)
	b.ask("POST", "/1.0/"+key+"/export/userbase", `{"ids":["`+person+`"],"`+person+`":"`+person+`"}`, "X-Authorization: "+key,
		"Authorization: Bearer "+token, "User-Agent: c/"+key)
	b.ask("POST", "/1.0/"+key+"/export/userbase", `{"ids":["`+person+`"],`, "X-Authorization: "+key)
	b.ask("GET", "/1.0/"+key+"/export/request/5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10?x-authorization="+key, "", "X-Authorization: "+key)
	b.ask("GET", "/f/1.csv?token="+token, "", "X-Authorization: "+key)
	b.ask("GET", "/2.7/exports/list?from="+person, "", "Authorization: Bearer "+token, "X-Service-Project: "+key)
	b.ask("GET", "/2.7/"+key+"/"+person, "", "Authorization: Bearer "+token)
	b.end()
	findings := b.observer.Findings()
	if len(findings) < 8 {
		t.Errorf("only %d findings:%s", len(findings), describe(findings))
	}
	written := must.Get(json.Marshal([]any{findings, b.observer.Journal().List(journal.Filter{}, 0).Entries, b.observer.Lints()}))(t)
	texts := []string{string(written)}
	for _, text := range b.observer.Bench().Files() {
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		for _, secret := range []string{person, "schmidt", key, token} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s is quoted: %s", secret, text[max(0, at-200):min(len(text), at+100)])
			}
		}
	}
}
