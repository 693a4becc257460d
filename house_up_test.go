//go:build unix

package house_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is the server of TestUp when a link to this program has its name. It ends well after a first signal once `go on` is there, and at
// once after a second, as the real one does.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "mockserver" {
		os.Exit(m.Run())
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	fmt.Println("server:", strings.Join(os.Args[1:], " "))
	fmt.Println("server got:", <-signals)
	ended := make(chan bool)
	go func() {
		for _, err := os.Stat("go on"); err != nil; _, err = os.Stat("go on") {
			time.Sleep(10 * time.Millisecond)
		}
		close(ended)
	}()
	select {
	case <-ended:
		fmt.Println("server ended well")
	case <-signals:
		fmt.Println("server got another")
		os.Exit(130)
	}
}

// stubMake stands for make: it writes down what it is asked for, and does what the environment says.
const stubMake = `#!/bin/sh
for target; do :; done
echo "make $target"
echo "$target" >>asked
await() { until [ -e "$1" ]; do sleep 0.01; done; }
case $target in
build/mockserver)
	case $COMPILING in
	waits) await never ;;
	fails) exit 3 ;;
	fetches) await asked && until grep -q fetched asked; do sleep 0.01; done ;;
	esac
	ln -s "$SERVER" build/mockserver ;;
page)
	[ "$PAGE" != waits ] || await never
	[ "$PAGE" != fails ] || exit 2
	mkdir -p build/web ;;
guide) [ "$GUIDE" != fails ] || exit 2 ;;
esac
`

// up is a run of .ci/up in a folder of its own, as a process group of its own, as that of a terminal.
type up struct {
	t      *testing.T
	folder string
	script *exec.Cmd
	lines  *bufio.Scanner
	said   []string
}

func startUp(t *testing.T, npm bool, environment ...string) *up {
	t.Helper()
	if _, err := exec.LookPath("mkfifo"); err != nil {
		if os.Getenv("REQUIRE_ALL") != "" {
			t.Fatal("there is no mkfifo, which .ci/up needs, and REQUIRE_ALL is set")
		}
		t.Skip("there is no mkfifo, which .ci/up needs")
	}
	folder := t.TempDir()
	tools := filepath.Join(folder, "tools")
	for _, name := range []string{".ci", "tools"} {
		must(t, os.Mkdir(filepath.Join(folder, name), 0o755))
	}
	script := need(os.ReadFile(".ci/up"))(t)
	files := map[string]string{".ci/up": string(script), "tools/make": stubMake}
	if npm {
		files["tools/npm"] = "#!/bin/sh\n"
	}
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755))
	}
	for _, name := range []string{"sh", "dirname", "mkdir", "mkfifo", "rm", "rmdir", "ln", "nice", "setsid", "sleep", "grep"} {
		if path, err := exec.LookPath(name); err == nil {
			must(t, os.Symlink(path, filepath.Join(tools, name)))
		}
	}
	self := need(os.Executable())(t)
	u := &up{t: t, folder: folder, script: exec.Command(filepath.Join(tools, "sh"), ".ci/up")}
	u.script.Dir = folder
	u.script.Env = append([]string{"PATH=" + tools, "SERVER=" + self}, environment...)
	u.script.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out := need(u.script.StdoutPipe())(t)
	u.script.Stderr = u.script.Stdout
	must(t, u.script.Start())
	u.lines = bufio.NewScanner(out)
	limit := time.AfterFunc(time.Minute, func() { u.signal(-u.script.Process.Pid, syscall.SIGKILL) })
	t.Cleanup(func() { limit.Stop() })
	return u
}

func (u *up) signal(process int, s syscall.Signal) {
	if err := syscall.Kill(process, s); err != nil {
		u.t.Error(err)
	}
}

// terminal sends what Ctrl-C sends; supervisor, what make passes on.
func (u *up) terminal()   { u.signal(-u.script.Process.Pid, syscall.SIGINT) }
func (u *up) supervisor() { u.signal(u.script.Process.Pid, syscall.SIGTERM) }

// until reads until there was a line with each beginning, in any order.
func (u *up) until(beginnings ...string) {
	u.t.Helper()
	for len(beginnings) > 0 {
		if !u.lines.Scan() {
			u.t.Fatalf("%q was not said: %q", beginnings, u.said)
		}
		u.said = append(u.said, u.lines.Text())
		beginnings = slices.DeleteFunc(beginnings, func(b string) bool { return strings.HasPrefix(u.lines.Text(), b) })
	}
}

// asked waits until make has been asked for a target.
func (u *up) asked(target string) {
	u.t.Helper()
	for range 6000 {
		if slices.Contains(u.targets(), target) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	u.t.Fatalf("nobody asked for %q, but for %q", target, u.targets())
}

func (u *up) targets() []string {
	text, err := os.ReadFile(filepath.Join(u.folder, "asked"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		u.t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func (u *up) goOn() {
	must(u.t, os.WriteFile(filepath.Join(u.folder, "go on"), nil, 0o644))
}

// ended reads all that is left, which ends when every process that was started has, and returns the exit code.
func (u *up) ended() int {
	for u.lines.Scan() {
		u.said = append(u.said, u.lines.Text())
	}
	if err := u.script.Wait(); err != nil && u.script.ProcessState == nil {
		u.t.Fatal(err)
	}
	return u.script.ProcessState.ExitCode()
}

// holds fails unless the run has ended with a code, and has said a line.
func (u *up) holds(code int, line string) {
	u.t.Helper()
	if got := u.ended(); got != code || !slices.ContainsFunc(u.said, func(said string) bool { return strings.HasPrefix(said, line) }) {
		u.t.Errorf("ended with %d, not %d, or without %q: %q", got, code, line, u.said)
	}
}

// TestUp: the server is there as soon as it is linked, whatever becomes of the page, and ends once, with all that was begun.
func TestUp(t *testing.T) {
	t.Run("the page is fetched beside the compiler, and built behind the server", func(t *testing.T) {
		u := startUp(t, true, "COMPILING=fetches")
		u.until("server: serve --state build/rehearsal.db --web build/web")
		u.asked("guide")
		if got := u.targets(); slices.Index(got, "page") < slices.Index(got, "build/mockserver") || slices.Index(got, "guide") < slices.Index(got, "page") {
			t.Errorf("asked for %q", got)
		}
		u.goOn()
		u.terminal()
		u.holds(0, "server ended well")
	})
	t.Run("without npm", func(t *testing.T) {
		u := startUp(t, false)
		u.until("make: npm is not there")
		u.until("server: serve --state build/rehearsal.db")
		if got := u.targets(); strings.Contains(u.said[len(u.said)-1], "--web") || !slices.Equal(got, []string{"build/mockserver"}) {
			t.Errorf("asked for %q, said %q", got, u.said)
		}
		u.goOn()
		u.supervisor()
		u.holds(0, "server ended well")
	})
	t.Run("a page that cannot be built", func(t *testing.T) {
		u := startUp(t, true, "PAGE=fails")
		u.until("server: ", "make: the page was not built, see build/page.log")
		if slices.Contains(u.targets(), "guide") {
			t.Error("the documents were begun, which are a part of the page")
		}
		u.goOn()
		u.terminal()
		u.holds(0, "server ended well")
	})
	t.Run("documents that cannot be built", func(t *testing.T) {
		u := startUp(t, true, "GUIDE=fails")
		u.until("server: ", "make: the documents were not built, see build/guide.log")
		if _, err := os.Stat(filepath.Join(u.folder, "build/web/guide")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a folder says that they are on their way: %v", err)
		}
		u.goOn()
		u.terminal()
		u.holds(0, "server ended well")
	})
	t.Run("a program that cannot be built", func(t *testing.T) {
		startUp(t, true, "COMPILING=fails").holds(3, "make build/mockserver")
	})
	t.Run("interrupted while it is compiled", func(t *testing.T) {
		for name, send := range map[string]func(*up){"once": (*up).terminal, "by a supervisor": (*up).supervisor} {
			t.Run(name, func(t *testing.T) {
				u := startUp(t, true, "COMPILING=waits")
				u.until("make build/mockserver")
				send(u)
				if code := u.ended(); code == 0 || strings.Contains(strings.Join(u.said, "\n"), "server:") {
					t.Errorf("ended with %d: %q", code, u.said)
				}
			})
		}
	})
	for name, c := range map[string]struct {
		send func(*up)
		got  string
	}{
		"interrupted once":      {(*up).terminal, "server got: interrupt"},
		"ended by a supervisor": {(*up).supervisor, "server got: terminated"},
	} {
		t.Run(name, func(t *testing.T) {
			u := startUp(t, true, "PAGE=waits")
			u.until("server: serve")
			u.asked("page")
			c.send(u)
			u.until(c.got)
			u.goOn()
			u.holds(0, "server ended well")
		})
	}
	t.Run("interrupted twice", func(t *testing.T) {
		u := startUp(t, true, "PAGE=waits")
		u.until("server: serve")
		u.asked("page")
		u.terminal()
		u.until("server got: interrupt")
		u.terminal()
		u.holds(130, "server got another")
	})
}
