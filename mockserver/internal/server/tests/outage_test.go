package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// failingStore is a store that cannot be written.
type failingStore struct {
	store.Store
	inserts, settings, listed error
}

func (f *failingStore) List(ctx context.Context, options store.ListOptions) ([]*exports.Record, error) {
	page, err := f.Store.List(ctx, options)
	return page, errors.Join(err, f.listed)
}

func (f *failingStore) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	if f.inserts != nil {
		return fmt.Errorf("state x: %w", f.inserts)
	}
	return f.Store.Insert(ctx, record, token)
}

func (f *failingStore) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	if f.settings != nil {
		return fmt.Errorf("state x: %w", f.settings)
	}
	return f.Store.UpdateSetting(ctx, name, change)
}

// TestOutage: a store that cannot do its work is no fault of a request, which may be sent again, and the server is not ready meanwhile.
func TestOutage(t *testing.T) {
	for fault, says := range map[error]string{store.ErrFull: "disk is full", store.ErrReadOnly: "only be read",
		store.ErrAway: "does not answer"} {
		failing := &failingStore{Store: memory.New()}
		now := noon
		s := newServer(t, func(o *mockserver.Options) {
			o.State, o.Now = keptIn(failing), func() time.Time { return now }
		})
		ready := func() answer {
			return s.do(call{method: "GET", path: "/_mock/ready", header: http.Header{}})
		}
		failing.inserts, failing.settings = fault, fault
		a := s.do(call{path: userbasePath, body: userbaseBody})
		s.refused(a, 503, "MAINTENANCE_ERROR", says)
		must.Equal(t, a.Header.Get("Retry-After"), "2", "%v: Retry-After", fault)
		if id := a.Header.Get("X-Request-Id"); !strings.Contains(s.log.String(), "request_id="+id) {
			t.Errorf("%v: the log does not know the request %s: %s", fault, id, s.log)
		}
		unready := ready()
		s.refused(unready, 503, "MAINTENANCE_ERROR", "log")
		must.Equal(t, unready.Header.Get("Retry-After"), "2", "%v: Retry-After of the readiness", fault)
		failing.settings = nil // a small write finds room
		if a := ready(); (a.StatusCode == 503) != (fault == store.ErrFull) {
			t.Errorf("%v: ready after a small write: %d", fault, a.StatusCode)
		}
		failing.inserts, now = nil, now.Add(5*time.Second)
		s.answers(fmt.Sprintf("%v: ready after it", fault), ready(), 200)
	}
	s := newServer(t, func(o *mockserver.Options) {
		o.State = keptIn(&failingStore{Store: memory.New(), inserts: errors.New("something else")})
	})
	a := s.do(call{path: userbasePath, body: userbaseBody})
	s.refused(a, 500, "SERVER_ERROR")
	if !strings.Contains(s.log.String(), "request_id="+a.Header.Get("X-Request-Id")) || !strings.Contains(s.log.String(), "something else") {
		t.Errorf("the log does not say why: %s", s.log)
	}
}

// TestNobodyWaitsForReadiness: a client that has gone is no failure of the store.
func TestNobodyWaitsForReadiness(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request := must.Get(http.NewRequestWithContext(ctx, "GET", "http://localhost/_mock/ready", nil))(t)
	s.service.ServeHTTP(httptest.NewRecorder(), request)
	must.Hold(t, !strings.Contains(s.log.String(), "level=ERROR"), "the log has an error: %s", s.log)
}

// TestStateFileIsGone: a server whose state was deleted under it is not ready, and acknowledges nothing.
func TestStateFileIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows deletes no file that is open")
	}
	path := filepath.Join(t.TempDir(), "state.db")
	state := must.Get(bolt.Open(t.Context(), path))(t)
	defer state.Close()
	s := newServer(t, func(o *mockserver.Options) { o.State, o.Retention = keptIn(state), time.Hour })
	ready := call{method: "GET", path: "/_mock/ready", header: http.Header{}}
	s.answers("before", s.do(ready), 200)
	must.Do(t, os.Rename(path, path+".old"))
	s.refused(s.do(ready), 503, "MAINTENANCE_ERROR", "deleted, moved or replaced", "the reason is in the log")
	create := call{path: userbasePath, body: userbaseBody}
	a := s.do(create)
	s.refused(a, 503, "MAINTENANCE_ERROR", "state file", "deleted, moved or replaced", "the reason is in the log")
	if a.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	must.Hold(t, strings.Contains(s.log.String(), path+" was deleted"), "the log: %s", s.log)
	must.Do(t, os.Rename(path+".old", path))
	for _, back := range []call{ready, create} {
		if a := s.do(back); a.StatusCode >= 300 {
			t.Errorf("when it is back: %s", a.text)
		}
	}
}

// TestStoreThatIsAway: a server that shares a store and cannot ask for changes refuses to guess.
func TestStoreThatIsAway(t *testing.T) {
	shared := storetest.NewShared()
	s := newServer(t, func(c *mockserver.Options) { c.State = keptIn(shared) })
	shared.Away(errors.New("connection refused"))
	s.refused(s.do(call{path: userbasePath, body: userbaseBody}), 500, "SERVER_ERROR")
	shared.Away(nil)
	s.answers("once it is back", s.do(call{path: userbasePath, body: userbaseBody}), 202)
}

// TestDamage: what a damaged state cannot do is no unexpected error, and the server is not ready until work of the kind succeeds, even
// if the state can be written. A record that is damaged is left out of lists.
func TestDamage(t *testing.T) {
	failing := &failingStore{Store: memory.New()}
	s := newServer(t, func(o *mockserver.Options) { o.State = keptIn(failing) })
	ready := call{method: "GET", path: "/_mock/ready", header: http.Header{}}
	failing.inserts = store.ErrDamaged
	s.refused(s.do(call{path: userbasePath, body: userbaseBody}), 503, "MAINTENANCE_ERROR", "restore a copy", "mockserver state check")
	s.refused(s.do(ready), 503, "MAINTENANCE_ERROR", "damaged")
	s.answers("work of another kind", s.do(call{method: "GET", path: "/2.7/exports/list"}), 200)
	s.refused(s.do(ready), 503, "MAINTENANCE_ERROR", "damaged")
	failing.inserts = nil
	id := s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"],"identifiers":["custom_id"]}`, "progress=now")
	s.answers("ready", s.do(ready), 200)
	failing.listed = store.ErrDamaged
	if a := s.do(call{method: "GET", path: "/2.7/exports/list"}); a.StatusCode != 200 || !strings.Contains(a.text, id) ||
		!strings.Contains(s.log.String(), "left out of a list") {
		t.Errorf("a list beside a damaged record: %d %s", a.StatusCode, a.text)
	}
	s.refused(s.do(ready), 503, "MAINTENANCE_ERROR", "damaged")
	failing.listed, failing.inserts = nil, store.ErrDamaged
	s.refused(s.do(call{path: userbasePath, body: userbaseBody}), 503, "MAINTENANCE_ERROR", "restore a copy")
	s.answers("a reset", s.do(call{method: "DELETE", path: "/_mock/state"}), 200)
	s.answers("ready after a reset, without the creation again", s.do(ready), 200)
}

// TestDamagedFile: a server starts on a file whose only export is damaged, and is not ready until the export is deleted with its key.
func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	kept := func(o *mockserver.Options) { o.State = keptIn(must.Get(bolt.Open(t.Context(), path))(t)) }
	s := newServer(t, kept)
	id := s.create(userbasePath, userbaseBody, "progress=now")
	must.Do(t, s.service.Close())
	text := must.Get(os.ReadFile(path))(t)
	flipped := 0
	for at := 0; ; at++ {
		next := bytes.Index(text[at:], []byte("r"+id))
		if next < 0 {
			break
		}
		at += next
		if begin := bytes.Index(text[at:at+60], []byte(`{"`)); begin > 0 {
			text[at+begin+4] ^= 4
			flipped++
		}
	}
	if flipped == 0 {
		t.Fatal("the file has no export")
	}
	must.Do(t, os.WriteFile(path, text, 0o600))

	s = newServer(t, kept)
	ready := call{method: "GET", path: "/_mock/ready", header: http.Header{}}
	s.refused(s.do(ready), 503, "MAINTENANCE_ERROR", "damaged")
	if a := s.do(call{method: "GET", path: "/_mock/exports"}); a.StatusCode != 200 || strings.Contains(a.text, id) {
		t.Errorf("a list of a damaged record: %d %s", a.StatusCode, a.text)
	}
	lookup := call{method: "GET", path: "/_mock/exports/" + id}
	s.refused(s.do(lookup), 503, "MAINTENANCE_ERROR", "restore a copy")
	if a := s.do(call{method: "DELETE", path: "/_mock/state?key=" + demo.LiveKey}); a.StatusCode != 200 {
		t.Errorf("a reset of the key: %d %s", a.StatusCode, a.text)
	}
	if a := s.do(lookup); a.StatusCode != 404 {
		t.Errorf("the damaged export after the reset: %d %s", a.StatusCode, a.text)
	}
	s.answers("another export", s.do(call{method: "GET", path: "/_mock/exports/" + s.create(userbasePath, userbaseBody, "progress=now")}), 200)
	s.answers("a list", s.do(call{method: "GET", path: "/_mock/exports"}), 200)
	s.answers("ready after the reset of the key", s.do(ready), 200)
}
