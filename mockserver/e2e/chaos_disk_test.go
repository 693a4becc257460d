//go:build unix

package e2e_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// fullDisk takes all room from a server that clients use, and gives it back.
func fullDisk(c *chaos) {
	place := disk(c.T, "64m")
	ballast := filepath.Join(place, "ballast")
	s := start(c, "--state", filepath.Join(place, "state.db"), "--profiles", "100")
	clientOf(c, s).freeze(noon)
	l := newLoad(c, s)
	for n := 0; usedOf(c, place) < 40<<20 && c.again(n, 2); n++ { // the state grows, too
		l.awaitMore(1 + c.random.IntN(50))
		l.begin()
		takeRoom(c, ballast)
		l.awaitRefusals(20)
		l.awaitReady(http.StatusServiceUnavailable)
		must.Do(c, os.Remove(ballast))
		l.awaitReady(http.StatusOK)
		l.over()
		l.compareLast(s, 1)
	}
	l.verify(s)
}

// usedOf is the size of all files of a folder.
func usedOf(c *chaos, folder string) (size int64) {
	c.Helper()
	entries := must.Get(os.ReadDir(folder))(c)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
	}
	return size
}

// takeRoom writes a file until the disk is full.
func takeRoom(c *chaos, path string) {
	c.Helper()
	file := must.Get(os.Create(path))(c)
	defer file.Close()
	for size := 1 << 20; size > 0; size /= 16 {
		block := make([]byte, size)
		for err := error(nil); err == nil; {
			_, err = file.Write(block)
		}
	}
}

// readOnlyDisk ends a server whose disk is read-only when it starts again: it must refuse, change nothing, and start when it can
// write. By turns it is asked to end, which leaves a whole file, and killed.
func readOnlyDisk(c *chaos) {
	place := disk(c.T, "64m")
	flags := []string{"--state", filepath.Join(place, "state.db"), "--profiles", "100"}
	remount := func(how string) {
		c.Helper()
		if out, err := exec.Command("mount", "-o", "remount,"+how, place).CombinedOutput(); err != nil {
			c.Fatalf("mount: %v %s", err, out)
		}
	}
	s := start(c, flags...)
	clientOf(c, s).freeze(noon)
	l := newLoad(c, s)
	for n := 0; c.again(n, 2); n++ {
		l.awaitMore(1 + c.random.IntN(100))
		l.begin()
		if n%2 == 0 {
			must.Equal(c, s.interrupt(c.T), 0, "asked to end, the exit code is not 0: %s", s.log)
			if left, err := filepath.Glob(flags[1] + "?*"); err != nil || len(left) > 0 {
				c.Errorf("a clean end leaves %q beside the state: %v", left, err)
			}
		} else {
			s.kill()
		}
		remount("ro")
		for _, state := range []string{flags[1], filepath.Join(place, "new.db")} {
			refusesToStart(c.T, state, "cannot be written", "writable")
		}
		remount("rw")
		s = start(c, flags...)
		l.moveTo(0, s)
		l.awaitReady(http.StatusOK)
		l.checkRound(s)
		l.over()
	}
	l.verify(s)
	s.kill()
}
