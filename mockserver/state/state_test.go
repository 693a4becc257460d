package state_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

func TestAt(t *testing.T) {
	t.Chdir(t.TempDir())
	for address, file := range map[string]string{"memory": "", "plain.db": "plain.db", filepath.Join(t.TempDir(), "a b"): ""} {
		server, err := mockserver.New(mockserver.Options{StartAt: noon, State: state.At(address), Profiles: 10})
		if err != nil {
			t.Errorf("At(%q): %v", address, err)
			continue
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			t.Errorf("At(%q): %v", address, err)
		}
	}
}

func TestDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "durable.db")
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, State: state.Durable(path), Profiles: 10}))(t)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if server, err := mockserver.New(mockserver.Options{StartAt: noon, State: state.Durable("memory"), Profiles: 10}); err == nil {
		server.Close()
		t.Error("memory is accepted")
	}
	server, err := mockserver.New(mockserver.Options{StartAt: noon, State: state.At(filepath.Join(t.TempDir(), "nowhere", "x.db"))})
	if err == nil {
		server.Close()
		t.Error("a folder that is not there is accepted")
	} else if !strings.Contains(err.Error(), "state") {
		t.Errorf("a folder that is not there: %v", err)
	}
	_, err = mockserver.New(mockserver.Options{StartAt: noon, State: state.Durable("postgres://u:secret@127.0.0.1:1/db"), Profiles: 10})
	if err == nil || !strings.Contains(err.Error(), "postgres://u@127.0.0.1:1/db cannot be reached") {
		t.Errorf("a database that is away: %v", err)
	}
}

func TestUnknownAddresses(t *testing.T) {
	for _, address := range []string{"", " ", "mysql://user:secret@host/db", "sqlite3://x", "sqlite:///x", ":memory:", "Memory", "memory "} {
		server, err := mockserver.New(mockserver.Options{StartAt: noon, State: state.At(address)})
		if err == nil {
			server.Close()
			t.Errorf("At(%q) is accepted", address)
			continue
		}
		for _, part := range []string{"state: ", "memory", "the path of a file", "postgres://"} {
			must.Hold(t, strings.Contains(err.Error(), part), "At(%q): %q does not name %q", address, err, part)
		}
		must.Hold(t, !strings.Contains(err.Error(), "secret"), "At(%q): %q repeats the password", address, err)
	}
}

func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"memory": "memory", "a b.db": "a b.db",
		"postgres://u:secret@h:1/db?sslmode=disable&password=secret": "postgres://u@h:1/db",
		"postgresql://u:secret@h/db":                                 "postgresql://u@h/db",
	} {
		must.Equal(t, state.Name(address), want, "Name(%q)", address)
	}
}

// ending is a context that ends when it has been asked so often.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCheckThatIsNotFinished: what is saved is there as a whole, or not at all.
func TestCheckThatIsNotFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, State: state.At(path), Profiles: 10}))(t)
	must.Do(t, server.Close())
	saved := filepath.Join(t.TempDir(), "saved.db")
	for tries := 0; ; tries++ {
		faults, _, err := state.Check(&ending{t.Context(), tries}, path, saved)
		found := must.Get(os.ReadDir(filepath.Dir(saved)))(t)
		if err == nil {
			if tries < 2 || len(faults) > 0 || len(found) != 1 || found[0].Name() != "saved.db" {
				t.Errorf("after %d tries there are %v, with the faults %v", tries, found, faults)
			}
			break
		}
		if len(found) > 0 || tries > 100 {
			t.Fatalf("try %d left %v: %v", tries, found, err)
		}
	}
	if faults, _, err := state.Check(t.Context(), saved, ""); err != nil || len(faults) > 0 {
		t.Errorf("of what was saved: %v %v", faults, err)
	}
}
