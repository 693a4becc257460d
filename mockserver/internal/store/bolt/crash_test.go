//go:build unix

package bolt_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// The test program runs itself as a child for what a process cannot do to itself: being killed, and not being root.
const childVariable = "REHEARSAL_STORE_CHILD"

func TestMain(m *testing.M) {
	task, path, isChild := strings.Cut(os.Getenv(childVariable), ":")
	if !isChild {
		os.Exit(m.Run())
	}
	var err error
	switch task {
	case "write":
		err = writeForEver(path)
	case "open":
		var s *store.State
		if s, err = bolt.Open(context.Background(), path); err == nil {
			err = s.Close()
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func child(program, task, path string) *exec.Cmd {
	command := exec.Command(program)
	command.Env = append(os.Environ(), childVariable+"="+task+":"+path)
	command.Stderr = os.Stderr
	return command
}

// writeForEver prints the id of every insert and every tenth update after it was acknowledged, until it is killed.
func writeForEver(path string) error {
	ctx := context.Background()
	s, err := bolt.Open(ctx, path)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for worker := range 8 {
		go func() {
			for n := 0; ; n++ {
				id := fmt.Sprintf("%d-%d-%d", os.Getpid(), worker, n)
				if err := s.Insert(ctx, storetest.Record(id, "a", "legacy"), nil); err != nil {
					failed <- err
				}
				// One write each, so lines of several workers do not mix.
				fmt.Fprintln(os.Stdout, "insert "+id)
				if n%10 != 0 {
					continue
				}
				if _, err := s.Update(ctx, id, func(r *exports.Record) error { r.Polls = 2; return nil }); err != nil {
					failed <- err
				}
				fmt.Fprintln(os.Stdout, "update "+id)
			}
		}()
	}
	return <-failed
}

func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	acknowledged := make(map[string]int) // id to the number of lookups it must show
	for round := range 3 {
		program := child(os.Args[0], "write", path)
		output := must.Get(program.StdoutPipe())(t)
		must.Do(t, program.Start())
		lines := bufio.NewScanner(output)
		for n := 0; lines.Scan(); n++ {
			if n == 300*(round+1) {
				must.Do(t, program.Process.Kill())
			}
			// Only the last line can be cut off by the kill: it has no partner.
			switch kind, id, _ := strings.Cut(lines.Text(), " "); kind {
			case "insert":
				acknowledged[id] = max(acknowledged[id], 1)
			case "update":
				acknowledged[id] = 2
			default:
				t.Fatalf("the child says %q", lines.Text())
			}
		}
		var exit *exec.ExitError
		if err := program.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the child was not killed: %v", err)
		}
		checkAcknowledged(t, path, acknowledged)
	}
	if len(acknowledged) < 300 {
		t.Errorf("only %d inserts were acknowledged", len(acknowledged))
	}
}

func checkAcknowledged(t *testing.T, path string, acknowledged map[string]int) {
	t.Helper()
	s := open(t, path)
	defer storetest.Close(t, s)
	for id, polls := range acknowledged {
		got, err := s.Get(context.Background(), id)
		if err != nil {
			t.Errorf("an acknowledged insert is lost: %v", err)
			continue
		}
		if got.Polls < polls || got.URI != storetest.Record("", "", "").URI {
			t.Errorf("record %s shows %d lookups, %d were acknowledged", id, got.Polls, polls)
		}
	}
	if page, err := s.List(context.Background(), store.ListOptions{Limit: 1}); err != nil || len(page) != 1 {
		t.Errorf("after the kill the list is %v, %v", page, err)
	}
}

// Root may write everywhere, so the child is somebody else.
func TestNotWritable(t *testing.T) {
	directory := must.Get(os.MkdirTemp("", "rehearsal-store-"))(t)
	t.Cleanup(func() {
		_ = os.Chmod(directory, 0o700)
		_ = os.RemoveAll(directory)
	})
	program := filepath.Join(directory, "program")
	must.Do(t, os.WriteFile(program, read(t, os.Args[0]), 0o755))
	there := filepath.Join(directory, "there.db")
	stored(t, there)
	cases := []struct {
		name      string
		path      string
		file      os.FileMode
		directory os.FileMode
	}{
		{"no file in a read-only directory", filepath.Join(directory, "new.db"), 0o644, 0o555},
		{"a read-only file", there, 0o444, 0o777},
		{"a file nobody may read", there, 0o000, 0o777},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			must.Do(t, errors.Join(os.Chmod(there, c.file), os.Chmod(directory, c.directory)))
			command := child(program, "open", c.path)
			if os.Getuid() == 0 {
				command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			output, err := command.Output()
			if err == nil {
				t.Fatal("the file is accepted")
			}
			for _, part := range []string{c.path, "cannot be written", "writable"} {
				must.Hold(t, strings.Contains(string(output), part), "%q does not mention %q (%v)", output, part, err)
			}
		})
	}
}
