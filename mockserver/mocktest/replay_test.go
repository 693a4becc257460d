package mocktest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// TestReplay: a recording answers, on the clock of the test.
func TestReplay(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const path = "/1.0/{{key}}/export/"
	mock := mocktest.Start(t, mocktest.Options{Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Lints: mocktest.Ignore,
		Server: mockserver.Options{Replay: fstest.MapFS{
			"recording.json": file(`{"version": 1, "began": "2025-01-01T00:00:00Z"}`),
			"1.request.json": file(`{"ids": ["custom_id"]}`),
			"1.answer.json":  file(`{"requestId": "as-recorded"}`),
			"2.answer.json":  file(`{"status": "PENDING"}`),
			"3.answer.json":  file(`{"status": "SUCCESS"}`),
			"1.json": file(`{"number": 1, "time": "2025-01-01T00:00:00Z", "method": "POST", "path": "` + path + `userbase", "credentials": ["X-Authorization"],
			"request": {"file": "1.request.json"}, "status": 202, "answer": {"file": "1.answer.json"}, "facts": {"stage": "create", "export": "as-recorded"}}`),
			"2.json": file(`{"number": 2, "time": "2025-01-01T00:00:10Z", "method": "GET", "path": "` + path + `request/as-recorded", "credentials": ["X-Authorization"],
			"status": 200, "answer": {"file": "2.answer.json"}, "facts": {"stage": "status", "export": "as-recorded"}}`),
			"3.json": file(`{"number": 3, "time": "2025-01-01T00:01:00Z", "method": "GET", "path": "` + path + `request/as-recorded", "credentials": ["X-Authorization"],
			"status": 200, "answer": {"file": "3.answer.json"}, "facts": {"stage": "status", "export": "as-recorded"}}`),
		}}})
	ask := func(method, path, body, want string) {
		t.Helper()
		request := must.Get(http.NewRequest(method, mock.URL()+"/1.0/"+mocktest.LiveKey+"/export/"+path, strings.NewReader(body)))(t)
		request.Header.Set("X-Authorization", mocktest.CompanyKey)
		request.Header.Set("Content-Type", "application/json")
		answer := must.Get(mock.Client().Do(request))(t)
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s answers %s, %v; want %s", path, text, err, want)
		}
	}
	ask("POST", "userbase", `{"ids":["custom_id"]}`, "as-recorded")
	ask("GET", "request/as-recorded", "", "PENDING")
	mock.Clock().Advance(time.Minute)
	ask("GET", "request/as-recorded", "", "SUCCESS")
	ask("POST", "userbase", `{"ids":["install_id"]}`, "requestId") // the world's
}
