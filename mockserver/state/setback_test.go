package state_test

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

// TestClockSetBack: whichever clock goes back, that of the machine or the virtual one, nothing is lost and everything goes on
// working: what was requested later waits for the clock.
func TestClockSetBack(t *testing.T) {
	var machine atomic.Int64
	machine.Store(noon.Unix())
	move := func(by time.Duration) { machine.Add(int64(by / time.Second)) }
	var log bytes.Buffer
	options := mockserver.Options{
		State: state.At(filepath.Join(t.TempDir(), "state.db")), Profiles: 100, Progress: "time:1m",
		Now:    func() time.Time { return time.Unix(machine.Load(), 0) },
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	open := func() *mockserver.Server {
		t.Helper()
		return must.Get(mockserver.New(options))(t)
	}
	server := open()
	path := func(id string) string { return "/1.0/live_demo/export/request/" + id }
	status := func(id string) string {
		t.Helper()
		_, body := do(t, server, "GET", path(id), "")
		return between(t, body, `"status":"`, `"`)
	}
	file := func(id string) string {
		t.Helper()
		_, body := do(t, server, "GET", path(id), "")
		code, text := do(t, server, "GET", strings.ReplaceAll(between(t, body, `"file_url":"`, `"`), `\u0026`, "&"), "")
		if code != 200 {
			t.Fatalf("the file: %d %s", code, text)
		}
		return text
	}
	set := func(instant time.Time) {
		t.Helper()
		if code, body := do(t, server, "POST", "http://localhost/_mock/clock", `{"set":"`+instant.Format(time.RFC3339)+`"}`); code != 200 {
			t.Fatalf("setting the clock: %d %s", code, body)
		}
	}
	first := create(t, server, "")
	move(time.Hour)
	want := file(first)

	for _, c := range []struct {
		name          string
		back, forward func()
	}{
		{"the machine's clock", func() { move(-48 * time.Hour) }, func() { move(48 * time.Hour) }},
		{"the machine's clock, over a restart", func() {
			must.Do(t, server.Close())
			move(-48 * time.Hour)
			server = open()
			if !strings.Contains(log.String(), "the clock was set back") {
				t.Errorf("the log does not tell: %s", &log)
			}
		}, func() { move(48 * time.Hour) }},
		{"the virtual clock", func() { set(noon.Add(-47 * time.Hour)) }, func() { set(noon.Add(time.Hour)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, lookup := do(t, server, "GET", path(first), "")
			link := strings.ReplaceAll(between(t, lookup, `"file_url":"`, `"`), `\u0026`, "&")
			c.back()
			if got := status(first); got != "CREATED" {
				t.Errorf("an export of the future is %s", got)
			}
			if code, body := do(t, server, "GET", link, ""); code != 404 || !strings.Contains(body, "the clock may have been set back") {
				t.Errorf("its file: %d %s", code, body)
			}
			if code, body := do(t, server, "GET", "/2.7/exports/list", ""); code != 200 {
				t.Errorf("the list: %d %s", code, body)
			}
			second := create(t, server, "progress=now")
			if got := status(second); got != "SUCCESS" || file(second) == "" {
				t.Errorf("an export of the earlier day is %s", got)
			}
			c.forward()
			if got := status(first); got != "SUCCESS" || file(first) != want {
				t.Errorf("when the clock has caught up: %s, or another file", got)
			}
		})
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
