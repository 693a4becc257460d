//go:build unix

// Package postgrestest starts a real PostgreSQL server for a test, in a
// directory of its own that is gone afterwards.
package postgrestest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Password is that of the user in every address: to look for it where it must
// not be. The server asks for none.
const Password = "hush_hush"

// port names the socket; nothing listens on the network.
const port = "5432"

// Server is a running PostgreSQL server.
type Server struct {
	directory string
	as        *syscall.SysProcAttr
	programs  string // the directory of initdb and postgres
	settings  []string
	stdin     interface{ Close() error }
	ended     chan struct{}
	databases atomic.Int64
}

// Start starts a server with further settings, such as "max_connections=10",
// and stops it when the test ends. Where there is none, or no user it could run
// as, it skips the test, or lets it fail if REQUIRE_ALL is set.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := &Server{settings: settings}
	if s.programs = find(); s.programs == "" {
		unavailable(t, "PostgreSQL is not there; the Debian package is postgresql")
	}
	directory, err := os.MkdirTemp("", "rehearsal-postgres-") // short: a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	s.directory = directory
	t.Cleanup(func() { os.RemoveAll(directory) })
	if os.Getuid() == 0 { // PostgreSQL does not run as root
		owner, err := user.Lookup("postgres")
		if err != nil {
			unavailable(t, "PostgreSQL does not run as root, and there is no user postgres")
		}
		uid, _ := strconv.ParseUint(owner.Uid, 10, 32)
		gid, _ := strconv.ParseUint(owner.Gid, 10, 32)
		if err := os.Chown(directory, int(uid), int(gid)); err != nil {
			t.Fatal(err)
		}
		s.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	initialise := s.command("initdb", "-D", s.data(), "-U", "rehearsal", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := initialise.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	s.Run(t)
	t.Cleanup(s.Stop)
	return s
}

func unavailable(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}

// find returns the directory of the newest server programs.
func find() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1])
}

func (s *Server) data() string { return filepath.Join(s.directory, "data") }

func (s *Server) command(program string, arguments ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(s.programs, program), arguments...)
	command.Dir, command.SysProcAttr = s.directory, s.as
	return command
}

// Run starts the server again after Stop, and waits until it can be used.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	// The shell ends the server also when this process is killed: its input ends.
	arguments := []string{"-c", `"$@" & pid=$!; cat >/dev/null; kill -INT $pid 2>/dev/null; wait $pid`, "sh",
		filepath.Join(s.programs, "postgres"), "-D", s.data(), "-k", s.directory, "-p", port}
	for _, setting := range append([]string{"listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=120"}, s.settings...) {
		arguments = append(arguments, "-c", setting)
	}
	command := exec.Command("/bin/sh", arguments...)
	command.Dir, command.SysProcAttr = s.directory, s.as
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	s.stdin, s.ended = stdin, make(chan struct{})
	ready := make(chan struct{})
	var log bytes.Buffer
	go func() {
		defer close(s.ended)
		lines := bufio.NewScanner(stderr)
		for waiting := true; lines.Scan(); {
			if waiting {
				fmt.Fprintln(&log, lines.Text())
			}
			if waiting && strings.Contains(lines.Text(), "ready to accept connections") {
				close(ready)
				waiting = false
			}
		}
		_ = command.Wait()
	}()
	select {
	case <-ready:
	case <-s.ended:
		t.Fatalf("PostgreSQL does not start:\n%s", log.String())
	}
}

// Stop ends the server and waits for that. Its connections are cut off.
func (s *Server) Stop() {
	s.stdin.Close()
	<-s.ended
}

// Address makes a new, empty database and returns its address.
func (s *Server) Address(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("rehearsal_%d", s.databases.Add(1))
	s.Execute(t, s.address("postgres"), "CREATE DATABASE "+name)
	return s.address(name)
}

func (s *Server) address(database string) string {
	return fmt.Sprintf("postgres://rehearsal:%s@/%s?host=%s&port=%s", Password, database, url.QueryEscape(s.directory), port)
}

// Execute runs SQL behind the back of whoever uses a database.
func (s *Server) Execute(t testing.TB, address, statements string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // ends a test that hangs
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statements); err != nil {
		t.Fatal(err)
	}
}
