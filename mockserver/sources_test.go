package mockserver_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// TestSources: the server says where its answers come from, without what was said.
func TestSources(t *testing.T) {
	recording := fstest.MapFS{"recording.json": {Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)}}
	for number, path := range []string{"/1.0/{{key}}/export/request/b", "/1.0/{{key}}/export/request/a"} {
		recording[fmt.Sprintf("%06d.json", number+1)] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"number": %d, "time": "2026-03-15T12:00:0%dZ", "method": "GET", "path": %q, "status": 404, "facts": {"stage": "status"}}`, number+1, number+1, path)}
	}
	half := 0.5
	for about, c := range map[string]struct {
		replay    fs.FS
		exchanges int
	}{"with a recording": {recording, 2}, "without": {nil, 0}} {
		t.Run(about, func(t *testing.T) {
			server, err := mockserver.New(mockserver.Options{StartAt: noon, Replay: c.replay, Seed: 7, Profiles: 50, World: mockserver.World{SMS: &half}})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			answer := httptest.NewRecorder()
			request := httptest.NewRequest("GET", "http://localhost/_mock/sources", nil)
			request.RemoteAddr = "127.0.0.1:1"
			server.ServeHTTP(answer, request)
			var shown struct {
				Recording *struct {
					Count     int
					Exchanges []struct{ Path string }
				}
				World struct {
					Seed, Profiles     int64
					Settings, Defaults map[string]any
				}
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &shown); err != nil || answer.Code != 200 {
				t.Fatalf("%d %s", answer.Code, answer.Body)
			}
			value, err := server.Schemas().Resolve("mock/sources.json")
			if err != nil {
				t.Fatal(err)
			}
			var document any
			if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
				t.Fatal(err)
			}
			if err := server.Schemas().Validate(value, document); err != nil {
				t.Error(err)
			}
			if (shown.Recording != nil) != (c.exchanges > 0) || shown.Recording != nil && (shown.Recording.Count != 2 || shown.Recording.Exchanges[0].Path != "/1.0/{{key}}/export/request/b") {
				t.Errorf("the recording is %+v", shown.Recording)
			}
			if w := shown.World; w.Seed != 7 || w.Profiles != 50 || w.Settings["sms"] != 0.5 || w.Defaults["sms"] != 0.56 {
				t.Errorf("the world is %+v", w)
			}
		})
	}
	server, err := mockserver.New(mockserver.Options{StartAt: noon, ControlToken: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	answer := httptest.NewRecorder()
	server.ServeHTTP(answer, httptest.NewRequest("GET", "http://localhost/_mock/sources", nil))
	if answer.Code != 401 && answer.Code != 403 {
		t.Errorf("without the control token: %d %s", answer.Code, answer.Body)
	}
}
