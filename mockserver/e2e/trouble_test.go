//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// disk mounts a small disk of its own.
func disk(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		testlevel.Unavailable(t, "only root can mount a small disk")
	}
	place := must.Get(os.MkdirTemp("", "rehearsal-disk-"))(t)
	t.Cleanup(func() { os.RemoveAll(place) })
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "mode=755,size="+size, "tmpfs", place).CombinedOutput(); err != nil {
		testlevel.Unavailable(t, fmt.Sprintf("a small disk cannot be mounted: %v %s", err, out))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", place).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return place
}

// refusesToStart starts the program, which must end by itself and say why.
func refusesToStart(t *testing.T, state string, mentions ...string) {
	t.Helper()
	s := launch(t, "--state", state, "--profiles", "100")
	s.wait(t)
	text := s.log.String()
	if code := s.process.ProcessState.ExitCode(); code != 1 || strings.Contains(text, "listening") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	for _, part := range append(mentions, state) {
		must.Hold(t, strings.Contains(text, part), "the program does not say %q:\n%s", part, text)
	}
}

// TestServerOnAFullDisk fills the disk until the program can store nothing more, and makes room again.
func TestServerOnAFullDisk(t *testing.T) {
	place := disk(t, "4m")
	path := filepath.Join(place, "state.db")
	drop := func(name string) {
		t.Helper()
		if err := os.Remove(filepath.Join(place, name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"first", "second"} {
		must.Do(t, os.WriteFile(filepath.Join(place, name), make([]byte, 1<<20), 0o600))
	}
	flags := []string{"--state", path, "--profiles", "100"}
	s := start(t, flags...)
	c := clientOf(t, s)
	c.freeze(noon)
	k := kindOf("userbase")
	var all []string
	want := fillUp(t, c, k, &all)
	if len(all) < 100 {
		t.Fatalf("only %d exports were stored", len(all))
	}
	must.Hold(t, strings.Contains(want, "disk is full") && strings.Contains(want, "nothing is lost"), "the client is told %s", want)
	for _, part := range []string{path, "cannot grow", "the disk is full"} {
		s.says(t, part)
	}
	must.Equal(t, c.send(http.MethodGet, "/_mock/ready", "").Status, http.StatusServiceUnavailable, "ready on a full disk")
	file := c.files(k, all[0])
	intact := func(c *client) {
		t.Helper()
		for _, id := range all {
			if status := c.status(k, id); status != "SUCCESS" {
				t.Fatalf("%s is %s", id, status)
			}
		}
		if got := c.files(k, all[0]); !slices.EqualFunc(got, file, bytes.Equal) {
			t.Error("a file has other bytes than before")
		}
		var now clockState
		c.send(http.MethodGet, "/_mock/clock", "").decode(t, http.StatusOK, &now)
		must.Hold(t, now.Now.Equal(noon), "the clock shows %v", now.Now)
	}
	intact(c) // reading needs no room
	// A clock that cannot be kept does not move either. It may fit where an export does not.
	for range 1000 {
		response := c.send(http.MethodPost, "/_mock/clock", `{"set":"`+zoned(noon)+`"}`, "Content-Type", "application/json")
		if response.Status != http.StatusOK {
			break
		}
	}
	if response := c.send(http.MethodPost, "/_mock/clock", `{"advance":"1h"}`, "Content-Type",
		"application/json"); response.Status == http.StatusOK {
		c.clock(`{"set":"` + zoned(noon) + `"}`)
	}
	intact(c)
	drop("first")
	all = append(all, c.create(k, k.month(), "X-Mock-Scenario", "progress=now")) // at once, in the same program
	for over := patient(); c.send(http.MethodGet, "/_mock/ready", "").Status != http.StatusOK; {
		if over() {
			t.Fatalf("the disk has room, and the server is not ready:\n%s", s.log)
		}
	}
	fillUp(t, c, k, &all)
	intact(c)
	s.kill()

	// A new state cannot begin here, and the old one is whole.
	if out, err := exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(place, "rest"), "bs=4096").CombinedOutput(); err == nil {
		t.Errorf("the disk is not full: %s", out)
	}
	refusesToStart(t, filepath.Join(place, "new.db"), "disk is full")
	drop("new.db")
	drop("rest")
	drop("second")
	s = start(t, flags...)
	c = clientOf(t, s)
	intact(c)
	fillUp(t, c, k, &all)
	intact(c)
	must.Equal(t, s.interrupt(t), 0, "ended on a full disk with exit code:\n%s", s.log)
}

// TestFullDatabase is the same with a database on the full disk.
func TestFullDatabase(t *testing.T) {
	place := disk(t, "12m") // an empty database has 7
	database := postgrestest.Start(t)
	ballast := filepath.Join(place, "ballast")
	must.Do(t, os.WriteFile(ballast, make([]byte, 2<<20), 0o600))
	postgres := must.Get(user.Lookup("postgres"))(t)
	if out, err := exec.Command("install", "-d", "-o", postgres.Uid, "-m", "700", filepath.Join(place, "data")).CombinedOutput(); err != nil {
		t.Fatalf("install: %v %s", err, out)
	}
	address := database.Address(t)
	database.Execute(t, address, "CREATE TABLESPACE small LOCATION '"+filepath.Join(place, "data")+"'")
	database.Execute(t, address, "CREATE DATABASE small TABLESPACE small")
	state := regexp.MustCompile(`/rehearsal_[0-9]+`).ReplaceAllString(address, "/small")
	s := start(t, "--state", state, "--profiles", "100")
	c := clientOf(t, s)
	k := kindOf("userbase")
	var all []string
	if told := fillUp(t, c, k, &all); len(all) < 10 || !strings.Contains(told, "disk is full") {
		t.Errorf("after %d exports the client is told %s", len(all), told)
	}
	s.says(t, "cannot grow")
	must.Do(t, os.Remove(ballast))
	all = append(all, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))
	for _, id := range all {
		if status := c.status(k, id); status != "SUCCESS" {
			t.Fatalf("%s is %s", id, status)
		}
	}
	s.kill()
}

// fillUp creates exports until the server refuses one, and returns what it says.
func fillUp(t *testing.T, c *client, k kind, all *[]string) string {
	t.Helper()
	for range 100_000 {
		response := c.send(http.MethodPost, k.path, k.month(), append(k.headers(), "X-Mock-Scenario", "progress=now")...)
		if response.Status != http.StatusAccepted {
			if e := checkNativeError(t, response, k.legacy); response.Status != http.StatusServiceUnavailable || e.Type != "MAINTENANCE_ERROR" ||
				response.Header.Get("Retry-After") == "" {
				t.Errorf("without room: %d %s", response.Status, response.Body)
			}
			return string(response.Body)
		}
		var created struct{ RequestID string }
		must.Do(t, json.Unmarshal(response.Body, &created))
		*all = append(*all, created.RequestID)
	}
	t.Fatal("the disk is never full")
	return ""
}

// TestDamagedState: a state that is no state, or is none any more, is named and left as it is.
func TestDamagedState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := start(t, "--state", path, "--profiles", "100")
	c := clientOf(t, s)
	k := kindOf("userbase")
	for range 200 {
		c.create(k, k.month())
	}
	if code := s.interrupt(t); code != 0 {
		t.Fatalf("exit code %d: %s", code, s.log)
	}
	whole := must.Get(os.ReadFile(path))(t)
	garbled := bytes.Clone(whole)
	for i := 100; i < len(garbled); i += 3 {
		garbled[i] ^= 0x5a
	}
	for name, content := range map[string][]byte{"is damaged": garbled, "is not a state file": []byte(strings.Repeat("dear diary ", 1000))} {
		must.Do(t, os.WriteFile(path, content, 0o600))
		refusesToStart(t, path, name)
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
			t.Errorf("the file that %s was changed: %v", name, err)
		}
	}
	must.Equal(t, len(must.Get(os.ReadDir(filepath.Dir(path)))(t)), 1, "files beside the state file, and itself")
}

// TestSecondServerOnOneFile: the second one is told, the first one goes on, and its place is free when it is gone.
func TestSecondServerOnOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	first := start(t, "--state", path, "--profiles", "100")
	refusesToStart(t, path, "in use by another server", fmt.Sprintf("process %d has it open", first.process.Process.Pid), "PostgreSQL")
	c := clientOf(t, first)
	k := kindOf("userbase")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	first.kill()
	must.Equal(t, clientOf(t, start(t, "--state", path, "--profiles", "100")).status(k, id), "SUCCESS", "the export")
}

// TestDatabaseIsAway: without its database a server says so, and goes on when it is back.
func TestDatabaseIsAway(t *testing.T) {
	database := postgrestest.Start(t)
	state := database.Address(t)
	s := start(t, "--state", state, "--profiles", "100")
	c := clientOf(t, s)
	k := kindOf("userbase")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	want := c.files(k, id)
	database.Stop()
	for range 3 {
		response := c.send(http.MethodPost, k.path, k.month(), k.headers()...)
		if response.Status != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" ||
			!strings.Contains(string(response.Body), "the database of the server does not answer") {
			t.Errorf("without a database: %d %s", response.Status, response.Body)
		}
	}
	must.Equal(t, c.send(http.MethodGet, "/_mock/ready", "").Status, http.StatusServiceUnavailable, "ready without a database")
	must.Equal(t, c.send(http.MethodGet, "/_mock/health", "").Status, http.StatusOK, "alive without a database")
	database.Run(t)
	for over := patient(); c.send(http.MethodGet, "/_mock/ready", "").Status != http.StatusOK; {
		if over() {
			t.Fatalf("the database is back, and the server is not:\n%s", s.log)
		}
	}
	if got := c.files(k, id); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the file has other bytes than before")
	}
	must.Hold(t, !strings.Contains(s.log.String(), postgrestest.Password), "the log shows the password:\n%s", s.log)
}
