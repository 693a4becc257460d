// Package e2e_test drives the real program over HTTP with a client that was written from the export specification alone: its
// paths, payloads, columns and value shapes are stated here a second time, on purpose. Nothing internal of the server is imported.
package e2e_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// raceVariable is the environment variable that lets the program under test find data races. `make soak` sets it for chaos.
const raceVariable = "TEST_RACE"

// program is the path of the binary under test, built once by TestMain.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		// Servers and files of every test begin here, on any day that the tests run. The clock goes on, and --now comes before the variable.
		if err := os.Setenv("REHEARSAL_NOW", "2026-03-15T12:00:00Z"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		directory, err := os.MkdirTemp("", "mockserver-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(directory)
		program = filepath.Join(directory, "mockserver")
		build := exec.Command("go", "build", "-o", program, "../cmd/mockserver")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is given out: without anything that it needs of the system
		if os.Getenv(raceVariable) != "" {
			build = exec.Command("go", "build", "-race", "-o", program, "../cmd/mockserver")
		}
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
			return 1
		}
		if os.Getenv("E2E_PRISM") != "" {
			var err error
			if prism, err = startPrism(directory); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer prism.stop()
		}
		code := m.Run()
		if prism != nil && code == 0 {
			code = prism.sum()
		}
		return code
	}())
}

// patience is how long a test waits for something that should come at once; it only ends a test that hangs. Starting takes the
// time of the machine, which may be busy with other things.
const (
	patience = 60 * time.Second
	starting = 5 * time.Minute
)

// patient returns a function that reports whether what should come at once has not come. It belongs to one wait.
func patient() (over func() bool) {
	waited := time.After(patience)
	return func() bool {
		select {
		case <-waited:
			return true
		default:
			return false
		}
	}
}

// server is one running program.
type server struct {
	base    string // http://127.0.0.1:port
	process *exec.Cmd
	log     *output
	exited  chan struct{} // closed when the process is gone
}

// start runs `mockserver serve` on a free port and waits until it listens. It is stopped when the test ends, which fails if
// the program wrote of a panic.
func start(t testing.TB, flags ...string) *server {
	t.Helper()
	s := launch(t, flags...)
	s.await(t)
	return s
}

// await waits until the program listens.
func (s *server) await(t testing.TB) {
	t.Helper()
	select {
	case s.base = <-s.log.lines:
	case <-s.exited:
		t.Fatalf("the program ended before it listened:\n%s", s.log)
	case <-time.After(starting):
		t.Fatalf("the program does not say that it listens:\n%s", s.log)
	}
}

// launch starts the program, which the raw requests of the tests call x, and does not wait.
func launch(t testing.TB, flags ...string) *server {
	t.Helper()
	command := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--host", "x"}, flags...)...)
	if i := slices.Index(flags, "--state"); i >= 0 && wasThere(flags[i+1]) {
		command.Env = append(os.Environ(), "REHEARSAL_NOW=") // its clock goes on
	}
	return launchCommand(t, command)
}

// wasThere reports whether a server may have used a state before. Tests set the clock in a database, which several servers share.
func wasThere(state string) bool {
	_, err := os.Stat(state)
	return err == nil || strings.HasPrefix(state, "postgres://")
}

func launchCommand(t testing.TB, command *exec.Cmd) *server {
	t.Helper()
	s := &server{process: command, log: &output{lines: make(chan string, 1)}, exited: make(chan struct{})}
	s.process.Stdout, s.process.Stderr = s.log, s.log
	must.Do(t, s.process.Start())
	go func() {
		s.process.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() {
		s.kill()
		if text := s.log.String(); regexp.MustCompile(`(?m)^(panic:|fatal error:)|goroutine \d+ \[|WARNING: DATA RACE`).MatchString(text) {
			t.Errorf("the program panicked:\n%s", text)
		}
	})
	return s
}

// kill ends the program as a power switch would (SIGKILL), and returns when it is gone.
func (s *server) kill() {
	s.process.Process.Kill()
	<-s.exited
}

// interrupt asks the program to end and reports its exit code.
func (s *server) interrupt(t testing.TB) int {
	t.Helper()
	must.Do(t, s.process.Process.Signal(syscall.SIGTERM))
	select {
	case <-s.exited:
	case <-time.After(patience):
		t.Fatal("the program does not end when it is asked to")
	}
	return s.process.ProcessState.ExitCode()
}

// output keeps what the program writes and sends the address out of its first "listening on" line.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
	found bool
	lines chan string
}

var listening = regexp.MustCompile(`listening on (http://[^\s"]+)`)

func (o *output) Write(data []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.text.Write(data)
	if !o.found {
		scanner := bufio.NewScanner(bytes.NewReader(o.text.Bytes()))
		for scanner.Scan() {
			if groups := listening.FindStringSubmatch(scanner.Text()); groups != nil {
				o.found = true
				o.lines <- strings.TrimRight(groups[1], "/")
				break
			}
		}
	}
	return len(data), nil
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}
