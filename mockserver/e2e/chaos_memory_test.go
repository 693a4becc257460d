//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
)

// limitedRows are loaded under the limit by `make soak`: they took seven times as much memory when rows were kept there.
const limitedRows = 1_000_000

// memoryLimit gives a server 512 MB, loads rows and asks for what takes much, all at once, while clients work: it may refuse, and
// must live.
func memoryLimit(c *chaos) {
	if runtime.GOOS != "linux" {
		testlevel.Unavailable(c, "the memory of a process is limited by what only Linux has")
	}
	const limit = 512 << 20
	enter, how := limitMemory(c, limit)
	command := exec.Command("sh", append([]string{"-c", enter + ` && exec "$@"`, "sh", program}, "serve", "--addr", "127.0.0.1:0", "--host",
		"x",
		"--state", filepath.Join(c.TempDir(), "state.db"), "--profiles", "2000")...)
	s := launchCommand(c, command)
	s.await(c)
	control := clientOf(c, s)
	control.http.Timeout = 5 * patience // a load is one request, and so is a file of all that was loaded
	control.freeze(noon)
	rows := testlevel.Count(20_000, 80_000, 80_000)
	if c.duration > 0 {
		rows = limitedRows
	}
	installations := manyPhones(rows)
	k := kindOf("userbase")
	link := control.links(k, control.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
	l := newLoad(c, s)
	wishes := largeRequests(link)
	for n := 0; c.again(n, 1); n++ {
		l.awaitMore(5)
		began := time.Now()
		l.figures.requests.Add(1)
		if loaded := control.data(http.MethodPost, "/installations?key="+devKey, installations, "text/csv"); loaded.Loaded != rows {
			c.Errorf("%d rows were loaded, want %d", loaded.Loaded, rows)
		}
		took := time.Since(began)
		userbase := control.userbaseOf(devKey)
		var group sync.WaitGroup
		for _, wish := range wishes {
			group.Go(func() { l.wish(control, wish) })
		}
		group.Wait()
		if lines := strings.Count(userbase(control), "\n"); lines < rows {
			c.Errorf("the file of %d rows has %d lines", rows, lines)
		}
		c.Logf("%d rows were loaded in %.1f s and downloaded after %.1f s", rows, took.Seconds(), time.Since(began).Seconds())
		l.wish(control, wished{method: http.MethodDelete, target: "/_mock/data"})
		l.wish(control, wished{method: http.MethodDelete, target: "/_mock/state?key=" + devKey})
	}
	l.verify(s)
	c.Logf("limited by %s; at most %d kB were resident", how, peakMemory(c.T, s.process.Process.Pid))
	stillServing(c, clientOf(c, s))
}

// manyPhones are installations, as CSV.
func manyPhones(count int) string {
	var rows strings.Builder
	rows.WriteString("install_id,custom_id\n")
	for i := range count {
		fmt.Fprintf(&rows, "phone-%d,c%d\n", i, i)
	}
	return rows.String()
}

// limitMemory returns what a shell does to limit the memory of itself and of what it becomes, and by what means: a control group
// where one can be made, else a resource limit.
func limitMemory(c *chaos, limit int) (enter, how string) {
	c.Helper()
	for _, version := range []struct{ folder, file string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
		{"/sys/fs/cgroup", "memory.max"}} {
		group := filepath.Join(version.folder, fmt.Sprintf("rehearsal-%d", os.Getpid()))
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		c.Cleanup(func() { os.Remove(group) })
		file, err := os.OpenFile(filepath.Join(group, version.file), os.O_WRONLY, 0) // the kernel makes it, where the folder is a control group
		if err != nil {
			continue
		}
		_, err = fmt.Fprint(file, limit)
		if file.Close(); err == nil {
			return "echo $$ >" + group + "/cgroup.procs", "a control group (" + version.file + ")"
		}
	}
	return fmt.Sprintf("ulimit -d %d", limit>>10), "a resource limit (ulimit -d)"
}

// wished is a request that takes much.
type wished struct{ method, target, media, body string }

func largeRequests(link string) []wished {
	var rows, form bytes.Buffer
	rows.WriteString("profile_id,custom_id\n")
	for i := range 20_000 {
		fmt.Fprintf(&rows, "profile_%d,c%d\n", i, i)
	}
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "userbase.csv")
	if err == nil {
		_, err = io.CopyN(part, blanks{}, 16<<20)
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		panic(err) // memory does not fail
	}
	const creation = "/1.0/live_demo/export/userbase"
	all := []wished{
		{http.MethodPost, "/_mock/data/profiles", "text/csv", rows.String()},
		{http.MethodPost, "/_mock/data/profiles", "text/csv", "profile_id,nothing\n" + rows.String()},
		{http.MethodPost, "/_mock/validate?schema=userbase", "application/json", "[" + strings.Repeat(`{"install_id":1},`, 300_000) + "{}]"},
		{http.MethodPost, "/_mock/check", writer.FormDataContentType(), form.String()},
		{http.MethodGet, "/_mock/state", "", ""},
		{http.MethodGet, "/_mock/journal?limit=1000", "", ""},
		{http.MethodPost, creation, "application/json", "{" + manyMembers(70_000) + "}"},
		{http.MethodPost, creation, "application/json", `{"ids":[` + strings.Repeat(`"x",`, 200_000) + `"x"]}`},
		{http.MethodPost, creation, "application/json", strings.Repeat("[", 1<<20-1)},
	}
	for range 8 {
		all = append(all, wished{http.MethodGet, link, "", ""})
	}
	return all
}

// wish makes such a request, which may be refused but not fail.
func (l *load) wish(c *client, w wished) {
	l.figures.requests.Add(1)
	l.figures.faults.Add(1)
	headers := []string{"X-Authorization", companyKey}
	if w.media != "" {
		headers = append(headers, "Content-Type", w.media)
	}
	response, err := c.request(w.method, w.target, w.body, headers...)
	switch {
	case err != nil:
		l.unasked("%s %s: %v", w.method, w.target, err)
	case namesBudget(response):
		l.figures.announced.Add(1)
	case response.Status >= http.StatusInternalServerError:
		l.unasked("%s %s: %d %s", w.method, w.target, response.Status, response.Body)
	}
}
