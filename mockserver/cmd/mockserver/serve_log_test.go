package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestLog: every request in JSON, when that is asked for.
func TestLog(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--log-format", "json", "--log-level", "debug", "--journal", "3")
	for range 4 {
		s.send("POST", "/1.0/live_demo/export/userbase", `{}`, "X-Request-Id", "mine")
	}
	if _, body := s.send("GET", "/_mock/journal", ""); !strings.Contains(body, `"dropped":1,"size":3`) {
		t.Errorf("the journal is %s", body)
	}
	s.end()
	requests := 0
	for line := range strings.Lines(s.output.String()) {
		var entry map[string]any
		if !strings.HasPrefix(line, "{") { // what the program prints at its start
			continue
		}
		must.Equal(t, json.Unmarshal([]byte(line), &entry), nil, "%q", line)
		if entry["msg"] == "request" && entry["request_id"] == "mine" && entry["status"] == 400.0 && entry["error"] == "MISSING_PARAMETER" && entry["route"] == "userbase" && entry["key"] == "live_demo" {
			requests++
		}
	}
	must.Equal(t, requests, 4, "requests in the log: %s", s.output)
}

// TestLogIsPrintable: no request controls the terminal that shows the log.
func TestLogIsPrintable(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--log-format", format, "--log-level", "debug")
		s.send("GET", "/_mock/%C2%9B%1B%7F", "")
		s.end()
		if text := s.output.String(); !strings.Contains(text, "/_mock/%C2%9B%1B%7F") || strings.ContainsAny(text, "\u009b\x1b\x7f") {
			t.Errorf("%s: the log is %q", format, text)
		}
	}
}

// TestQuietLog: requests are not in the log unless that is asked for.
func TestQuietLog(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory")
	s.send("POST", "/1.0/live_demo/export/userbase", `{}`)
	s.end()
	if text := s.output.String(); strings.Contains(text, "msg=request") || !strings.Contains(text, "msg=\"shutting down\"") {
		t.Errorf("the log is %s", text)
	}
}

// TestEventsEndAtShutdown: who watches the journal does not keep the server from stopping.
func TestEventsEndAtShutdown(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory")
	s.send("POST", "/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`)
	response := must.Get(http.Get(s.base + "/_mock/journal/events"))(t)
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
	}
	if code := s.end(); code != exitOK || strings.Contains(s.output.String(), "cut off") {
		t.Errorf("exit code %d: %s", code, s.output)
	}
	for lines.Scan() {
	}
	must.Equal(t, lines.Err(), nil, "the stream breaks off")
}

func TestLogMisuse(t *testing.T) {
	for says, arguments := range map[string][]string{
		`--log-format is "xml"; it must be text or json`: {"--log-format", "xml"},
		`"loud"`:                     {"--log-level", "loud"},
		"--journal is 0":             {"--journal", "0"},
		"must be from 1 to 1000000":  {"--journal", "1000001"},
		"did you mean --log-format?": {"--log-formt", "json"},
	} {
		invoke(t, "", append([]string{"serve"}, arguments...)...).is(t, exitUsage, "", says)
	}
}
