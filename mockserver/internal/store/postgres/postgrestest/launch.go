//go:build unix

package postgrestest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	"time"

	"github.com/jackc/pgx/v5"
)

// Password is that of the user in every address: to look for it where it must not be. The server asks for none.
const Password = "hush_hush"

// ErrUnavailable is the error of a machine without PostgreSQL, or without a user it could run as.
var ErrUnavailable = errors.New("PostgreSQL is not there; the Debian package is postgresql")

// port names the socket; nothing listens on the network.
const port = "5432"

// patience is how long a statement may take before something is wrong.
const patience = time.Minute

// Server is a PostgreSQL server.
type Server struct {
	directory string
	as        *syscall.SysProcAttr
	programs  string // the directory of initdb and postgres
	settings  []string
	stdin     io.Closer
	ended     chan struct{}
	databases atomic.Int64
}

// Launch starts a server with settings such as "fsync=off". The caller closes it.
func Launch(settings ...string) (*Server, error) {
	s := &Server{programs: find(), settings: settings}
	if s.programs == "" {
		return nil, ErrUnavailable
	}
	var err error
	if s.directory, err = os.MkdirTemp("", "rehearsal-postgres-"); err != nil { // short: a socket's path has at most 107 bytes
		return nil, err
	}
	if err := s.begin(); err != nil {
		os.RemoveAll(s.directory)
		return nil, err
	}
	return s, nil
}

func (s *Server) begin() error {
	if os.Getuid() == 0 { // PostgreSQL does not run as root
		owner, err := user.Lookup("postgres")
		if err != nil {
			return fmt.Errorf("%w: it does not run as root, and there is no user postgres", ErrUnavailable)
		}
		uid, _ := strconv.ParseUint(owner.Uid, 10, 32)
		gid, _ := strconv.ParseUint(owner.Gid, 10, 32)
		if err := os.Chown(s.directory, int(uid), int(gid)); err != nil {
			return err
		}
		s.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	initialise := s.command(filepath.Join(s.programs, "initdb"), "-D", s.data(), "-U", "rehearsal", "-A", "trust", "-E", "UTF8",
		"--locale=C", "--no-sync")
	if out, err := initialise.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s.run()
}

// Close ends the server and removes its directory.
func (s *Server) Close() error {
	s.Stop()
	return os.RemoveAll(s.directory)
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
	command := exec.Command(program, arguments...)
	command.Dir, command.SysProcAttr = s.directory, s.as
	return command
}

// run starts the server and waits until it can be used.
func (s *Server) run() error {
	// The shell ends the server also when this process is killed: its input ends.
	arguments := []string{"-c", `"$@" & pid=$!; cat >/dev/null; kill -INT $pid 2>/dev/null; wait $pid`, "sh",
		filepath.Join(s.programs, "postgres"), "-D", s.data(), "-k", s.directory, "-p", port}
	for _, setting := range append([]string{"listen_addresses=", "shared_buffers=16MB", "max_connections=120"}, s.settings...) {
		arguments = append(arguments, "-c", setting)
	}
	command := s.command("/bin/sh", arguments...)
	stdin, err := command.StdinPipe()
	if err != nil {
		return err
	}
	stderr, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	s.stdin, s.ended = stdin, make(chan struct{})
	ready := make(chan struct{})
	var log bytes.Buffer // until it is ready
	go func() {
		defer close(s.ended)
		lines := bufio.NewScanner(stderr)
		for waiting := true; lines.Scan(); {
			if !waiting {
				continue
			}
			fmt.Fprintln(&log, lines.Text())
			if strings.Contains(lines.Text(), "ready to accept connections") {
				close(ready)
				waiting = false
			}
		}
		_ = command.Wait()
	}()
	select {
	case <-ready:
		return nil
	case <-s.ended:
		return fmt.Errorf("PostgreSQL does not start:\n%s", log.String())
	}
}

// Stop ends the server and waits for that. Its connections are cut off.
func (s *Server) Stop() {
	s.stdin.Close()
	<-s.ended
}

// Create makes a new, empty database and returns its address.
func (s *Server) Create() (string, error) {
	name := fmt.Sprintf("rehearsal_%d", s.databases.Add(1))
	return s.address(name), execute(s.address("postgres"), "CREATE DATABASE "+name)
}

func (s *Server) address(database string) string {
	return fmt.Sprintf("postgres://rehearsal:%s@/%s?host=%s&port=%s", Password, database, url.QueryEscape(s.directory), port)
}

func execute(address, statements string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements)
	return err
}
