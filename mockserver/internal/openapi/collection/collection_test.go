package collection_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi/collection"
)

// TestEveryExample: every example of a creation is a request, followed by its status and its file.
func TestEveryExample(t *testing.T) {
	server, err := mockserver.New(mockserver.Options{StartAt: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	document, err := server.OpenAPINamed("client", "https://mock.example/base")
	if err != nil {
		t.Fatal(err)
	}
	for format, wanted := range map[string][]string{
		"http": {"@host = https://mock.example/base\n", "client.global.set(\"request_id\", response.body.requestId)", "GET {{file_url}}\n", "?id={{file_id}}\nAuthorization: Bearer {{bearer_token}}\n"},
		"hurl": {"--variable host=https://mock.example/base ", "request_id: jsonpath \"$.requestId\"\n", "GET {{file_url}}\n[Options]\n", "file_id: jsonpath \"$.files[0].id\"\n"},
	} {
		text, err := collection.Write(document, format)
		if err != nil {
			t.Fatal(err)
		}
		if creations := strings.Count(string(text), "\nPOST "); creations != 11 || strings.Count(string(text), "\nGET ") != 2*creations {
			t.Errorf("%s: %d creations, %d requests that follow:\n%s", format, creations, strings.Count(string(text), "\nGET "), text)
		}
		for _, line := range append(wanted, "--now 2026-02-07T08:30:00Z", "{{company_key}}") {
			if !strings.Contains(string(text), line) {
				t.Errorf("%s lacks %q", format, line)
			}
		}
		if strings.Contains(string(text), "signature=") {
			t.Errorf("%s has a signed link", format)
		}
		again, err := collection.Write(document, format)
		if err != nil || string(again) != string(text) {
			t.Errorf("%s differs from run to run", format)
		}
	}
	if _, err := collection.Write(document, "har"); err == nil || !strings.Contains(err.Error(), "choose from http, hurl") {
		t.Errorf("another format: %v", err)
	}
	if _, err := collection.Write([]byte("["), "http"); err == nil {
		t.Error("no document is taken")
	}
}
