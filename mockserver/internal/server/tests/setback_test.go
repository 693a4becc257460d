package server_test

import (
	"crypto/rand"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestClockSetBack: whichever clock goes back, that of the machine or the virtual one, nothing is lost and everything goes on
// working: what was requested later waits for the clock.
func TestClockSetBack(t *testing.T) {
	var machine atomic.Int64 // hours after noon
	path := filepath.Join(t.TempDir(), "state.db")
	open := func() *harness {
		return newServer(t, func(c *mockserver.Options) {
			c.State, c.Progress, c.Random = keptIn(must.Get(bolt.Open(t.Context(), path))(t)), "time:1m", rand.Reader
			c.Now = func() time.Time { return noon.Add(time.Duration(machine.Load()) * time.Hour) }
		})
	}
	s := open()
	first := s.create(userbasePath, userbaseBody, "")
	machine.Add(1)
	want := s.get(s.links(first)[0]).text
	for _, c := range []struct {
		name          string
		back, forward func()
	}{
		{"the machine's clock", func() { machine.Add(-48) }, func() { machine.Add(48) }},
		{"the machine's clock, over a restart", func() {
			s.store.Close()
			machine.Add(-48)
			if s = open(); !strings.Contains(s.log.String(), "the clock was set back") {
				t.Errorf("the log does not tell: %s", s.log)
			}
		}, func() { machine.Add(48) }},
		{"the virtual clock", func() { s.setClock(`{"set":"2026-03-13T13:00:00Z"}`) }, func() { s.setClock(`{"set":"2026-03-15T13:00:00Z"}`) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			link := s.links(first)[0]
			c.back()
			must.Equal(t, s.lookup(first).body["status"], "CREATED", "an export of the future")
			s.answers("its file", s.get(link), 404, "the clock may have been set back")
			s.answers("the list", s.do(call{method: "GET", path: "/2.7/exports/list"}), 200)
			second := s.create(userbasePath, userbaseBody, "progress=now")
			s.answers("an export of the earlier day", s.get(s.links(second)[0]), 200)
			c.forward()
			must.Equal(t, s.get(s.links(first)[0]).text, want, "when the clock has caught up, it is another file")
		})
	}
}
