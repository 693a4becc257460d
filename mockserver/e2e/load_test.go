package e2e_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// loadVariable is the environment variable of the tests below: how many exports each connection makes, looks up and downloads.
// `make soak` sets it, and then slow bodies are waited for as well.
const loadVariable = "TEST_LOAD"

// TestLoad lets 64 connections create, look up and download, and checks that nothing fails and that the program keeps nothing:
// when it is warm, its memory and its open files stay what they are.
func TestLoad(t *testing.T) {
	if runtime.GOOS != "linux" {
		testlevel.Unavailable(t, "the memory of another process is read from /proc, which this system has not")
	}
	const connections = 64
	// allowed returns how many bytes the memory may grow: by what is there by chance, and less than a third of a kilobyte per request.
	allowed := func(requests int64) float64 { return float64(1<<20 + 300*requests) }
	rounds := int(numberFrom(t, loadVariable, int64(testlevel.Count(3, 20, 50))))
	s := start(t, "--state", t.TempDir()+"/state.db", "--profiles", "100", "--journal", "1000", "--limit", "memory=32MiB")
	c := clientOf(t, s)
	c.freeze(noon)
	var requests atomic.Int64
	// work returns what is live at its end and the largest resident set that was seen.
	work := func(rounds int) (live float64, resident int) {
		var group sync.WaitGroup
		var lock sync.Mutex
		for i := range connections {
			group.Go(func() {
				for n := range rounds {
					sent, err := oneExport(c, kinds[(i+n)%len(kinds)])
					requests.Add(int64(sent))
					if err != nil {
						t.Error(err)
						return
					}
					if i == 0 {
						size := memoryNow(t, s)
						lock.Lock()
						resident = max(resident, size)
						lock.Unlock()
					}
				}
			})
		}
		group.Wait()
		return liveMemory(c), resident
	}
	before, most := work(rounds)
	files := openFiles(t, s)
	// What requests leave behind grows each time; what a busy machine has not collected yet does not.
	for tries := 3; tries > 0; tries-- {
		requests.Store(0)
		after, now := work(rounds)
		t.Logf("%d requests: live memory from %.0f to %.0f bytes, resident set %d and %d kB, %d and %d open files", requests.Load(), before,
			after, most, now, files, openFiles(t, s))
		if after <= before+allowed(requests.Load()) && now <= 2*most {
			break
		}
		if tries == 1 {
			t.Errorf("live memory grew from %.0f to %.0f bytes in %d requests, at most %.0f are allowed; the resident set from %d to %d kB, and "+
				"twice is allowed",
				before, after, requests.Load(), allowed(requests.Load()), most, now)
		}
		before, most = after, max(most, now)
	}
	if now := openFiles(t, s); now > files+8 {
		t.Errorf("%d files are open, %d were before", now, files)
	}
	var failed struct{ Count int }
	c.send(http.MethodGet, "/_mock/journal/count?status=5xx", "").decode(t, http.StatusOK, &failed)
	if metrics := string(c.send(http.MethodGet, "/_mock/metrics", "").Body); failed.Count > 0 || strings.Contains(metrics, `status="5`) {
		t.Errorf("%d requests of the journal were answered with 5xx:\n%s", failed.Count, metrics)
	}
}

// oneExport makes an export, looks it up and downloads it, and says how many requests that took.
func oneExport(c *client, k kind) (requests int, err error) {
	send := func(method, target, body string, want int, headers ...string) (answer, error) {
		requests++
		response, err := c.request(method, target, body, headers...)
		if err == nil && response.Status != want {
			err = fmt.Errorf("%s: %s %s: status %d, want %d: %s", k.name, method, target, response.Status, want, response.Body)
		}
		return response, err
	}
	created, err := send(http.MethodPost, k.path, k.body(noon.Add(-time.Hour), noon, nil), http.StatusAccepted,
		append(k.headers(), "X-Mock-Scenario", "progress=now")...)
	if err != nil {
		return requests, err
	}
	id := strings.Split(string(created.Body), `"`)[3]
	var link string
	if k.legacy {
		record, err := send(http.MethodGet, "/1.0/"+liveKey+"/export/request/"+id, "", http.StatusOK, "X-Authorization", companyKey)
		if err != nil {
			return requests, err
		}
		_, link, _ = strings.Cut(string(record.Body), `"file_url":"`)
		link, _, _ = strings.Cut(link, `"`)
	} else {
		if _, err := send(http.MethodGet, "/2.7/exports/view?id="+id, "", http.StatusOK, profileHeaders...); err != nil {
			return requests, err
		}
		download, err := send(http.MethodGet, "/2.7/exports/download?id="+strings.Replace(id, "export_", "file_", 1)+"_1", "",
			http.StatusTemporaryRedirect, profileHeaders...)
		if err != nil {
			return requests, err
		}
		link = download.Header.Get("Location")
		if strings.HasPrefix(link, "/") {
			link = c.base + link
		}
	}
	_, err = send(http.MethodGet, link, "", http.StatusOK)
	return requests, err
}

// liveMemory is what the heap of a program has right after a collection, in bytes: the least that is seen while requests make some
// garbage.
func liveMemory(c *client) float64 {
	c.t.Helper()
	live := math.Inf(1)
	for range 1500 {
		_, rest, _ := strings.Cut(string(c.send(http.MethodGet, "/_mock/metrics", "").Body), "\ngo_memstats_heap_alloc_bytes ")
		rest, _, _ = strings.Cut(rest, "\n")
		size := must.Get(strconv.ParseFloat(rest, 64))(c.t)
		live = min(live, size)
	}
	return live
}

// memoryNow is the resident set of a program, in kB.
func memoryNow(t testing.TB, s *server) int {
	t.Helper()
	status := must.Get(os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid)))(t)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	rest, _, _ = strings.Cut(rest, " kB")
	return must.Get(strconv.Atoi(strings.TrimSpace(rest)))(t)
}

// openFiles is how many files and connections a program has open.
func openFiles(t testing.TB, s *server) int {
	t.Helper()
	entries := must.Get(os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.process.Process.Pid)))(t)
	return len(entries)
}

// TestSlowClients sends heads that never end, a byte at a time or not at all. The server must hang up on them, tell its log, and
// serve others meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	const clients = 200
	s := start(t, "--state", "memory", "--profiles", "100")
	c := clientOf(t, s)
	body := "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: x\r\nX-Authorization: rest_demo\r\nContent-Type: " +
		"application/json\r\nContent-Length: 1000\r\n\r\n{"
	begins := []string{"G", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "GET /1.0/", "POST / HTTP/1.1\r\n"}
	until := time.Now().Add(patience)
	if os.Getenv(loadVariable) != "" { // a body may take a minute
		begins, until = append(begins, body), until.Add(patience)
	}
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			must.Equal(t, drip(s, begins[i%len(begins)], i%3 > 0, until), nil, "%.20q", begins[i%len(begins)])
		})
	}
	for range 20 {
		stillServing(t, c)
	}
	group.Wait()
	s.awaitLog(t, "refused what was no request", clients-clients/len(begins)-1)
	stillServing(t, c)
}

// drip begins a request and goes on with a byte five times a second, if told so, until the server hangs up.
func drip(s *server, begin string, more bool, until time.Time) error {
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		return err
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, begin); err != nil {
		return err
	}
	read := make([]byte, 512)
	for time.Now().Before(until) {
		connection.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		_, err := connection.Read(read)
		var timeout net.Error
		switch {
		case err == nil: // an answer such as 408 comes before the end
		case !errors.As(err, &timeout) || !timeout.Timeout():
			return nil
		case more:
			if _, err := io.WriteString(connection, "x"); err != nil {
				return nil
			}
		}
	}
	return errors.New("the server still listens")
}
