package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestMemoryWhileStreaming downloads a file of 256 MB, at night of 2 GB, and reads from the kernel how much more memory the program ever
// used than before.
func TestMemoryWhileStreaming(t *testing.T) {
	if runtime.GOOS != "linux" {
		testlevel.Unavailable(t, "the peak memory of another process is read from /proc, which this system has not")
	}
	const limit = 40 << 10 // kB
	wanted := int64(testlevel.Count(128, 256, 2048)) << 20
	s := start(t, "--state", t.TempDir()+"/state.db", "--profiles", fmt.Sprint(wanted/79))
	c := clientOf(t, s)
	c.freeze(noon)
	idle := peakMemory(t, s.process.Process.Pid)
	k := kindOf("userbase")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	for tries := 0; c.lookup(id).Status != "SUCCESS"; tries++ { // each waits for the file
		if tries > 20 {
			t.Fatal("the file is never written")
		}
	}
	link := c.links(k, id)[0]
	response := must.Get(c.http.Get(link))(t)
	defer response.Body.Close()
	read, err := io.Copy(io.Discard, response.Body)
	if err != nil || response.StatusCode != http.StatusOK || read < wanted {
		t.Fatalf("status %d, %d bytes: the world is too small for this test; %v", response.StatusCode, read, err)
	}
	head := must.Get(c.http.Head(link))(t)
	defer head.Body.Close()
	if response.ContentLength != read || head.ContentLength != read || head.Header.Get("ETag") != response.Header.Get("ETag") {
		t.Fatalf("read %d bytes, announced %d, of %d: %v", read, response.ContentLength, head.ContentLength, head.Header)
	}
	peak := peakMemory(t, s.process.Process.Pid)
	t.Logf("%d MB streamed, %d kB of memory at the most, %d kB before", read>>20, peak, idle)
	if peak-idle > limit {
		t.Errorf("streaming took %d kB of memory more than the idle program's %d kB, at most %d kB are allowed", peak-idle, idle, limit)
	}
}

// peakMemory is the largest resident set a process ever had, in kB.
func peakMemory(t *testing.T, process int) int {
	t.Helper()
	status := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/status", process)))(t)
	peak := peakOf(string(status))
	if peak == 0 {
		t.Fatal("no VmHWM in the status of the process")
	}
	return peak
}

// peakOf reads the largest resident set, in kB, from what the kernel says of a process; 0 when it does not say.
func peakOf(status string) int {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			peak, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return peak
		}
	}
	return 0
}
