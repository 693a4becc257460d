//go:build unix

package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// resets empties and restores the state of a server, and loads rows into it, while clients create exports: an export that is there
// afterwards can be made, lists go on, and what is acknowledged behind the last reset stays.
func resets(c *chaos) {
	state := "memory"
	if c.random.IntN(2) == 0 {
		state = filepath.Join(c.TempDir(), "state.db")
	}
	s := start(c, "--state", state, "--profiles", "100")
	control := clientOf(c, s)
	control.freeze(noon)
	snapshot := control.send(http.MethodGet, "/_mock/state", "").Body
	l := newLoad(c, s)
	l.mayRefuse = true // a reset takes the clock back, and windows lie before the lookback
	const changes = 20
	for n := 0; c.again(n, 10); n++ {
		l.awaitMore(1 + c.random.IntN(30))
		l.begin()
		l.forget()
		for i := range changes {
			method, target, media, body := http.MethodDelete, "/_mock/state", "", ""
			switch c.random.IntN(5) {
			case 0:
				target += "?key=" + []string{liveKey, project}[c.random.IntN(2)]
			case 1:
				method, media, body = http.MethodPut, "application/json", string(snapshot)
			case 2, 3:
				method, target, media, body = http.MethodPost, "/_mock/data/profiles", "text/csv", fmt.Sprintf("custom_id\nown-%d-%d\n", n, i)
			}
			if status, text := c.change(s, method, target, media, body); status >= http.StatusBadRequest && status != http.StatusConflict {
				c.unasked("%s %s: %d %s", method, target, status, text)
			}
		}
		c.figures.faults.Add(changes - 1)
		if status, text := c.change(s, http.MethodPut, "/_mock/state", "application/json", string(snapshot)); status != http.StatusOK {
			c.unasked("the last restore: %d %s", status, text)
		}
		l.over()
		var all struct{ Exports []struct{ ID, Status string } }
		control.send(http.MethodGet, "/_mock/exports?limit=1000", "").decode(c, http.StatusOK, &all)
		for _, export := range all.Exports {
			if export.Status == "ERROR" {
				c.lose("%s is there after a reset, and can never be made", export.ID)
			}
		}
		if list := control.send(http.MethodGet, "/2.7/exports/list", "", profileHeaders...); list.Status != http.StatusOK {
			c.unasked("a list after resets: %d %s", list.Status, list.Body)
		}
	}
	l.awaitMore(30) // behind the last reset
	l.verify(s)
}

// change is a request of the control API, which may come between the requests of clients.
func (c *chaos) change(s *server, method, target, media, body string) (int, string) {
	c.Helper()
	request := must.Get(http.NewRequest(method, s.base+target, strings.NewReader(body)))(c)
	request.Header.Set("Content-Type", media)
	response := must.Get(http.DefaultClient.Do(request))(c)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(c)
	c.figures.requests.Add(1)
	return response.StatusCode, string(text)
}

// forget leaves out all exports so far: their state is about to go. Those that are acknowledged while a fault lasts are left out as well.
func (l *load) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.vanish, l.all, l.checked = true, nil, 0
}

// throughProxy kills a server and starts it again while clients reach it through `mockserver proxy`: each request is answered, and all
// that was acknowledged through the proxy is there.
func throughProxy(c *chaos) {
	flags := []string{"--state", filepath.Join(c.TempDir(), "state.db"), "--profiles", "100"}
	s := start(c, flags...)
	flags = append(flags, "--port", s.base[strings.LastIndex(s.base, ":")+1:])
	clientOf(c, s).freeze(noon)
	proxy := launchCommand(c, exec.Command(program, "proxy", "--addr", "127.0.0.1:0", "--upstream", s.base, "--fail-on", "never"))
	proxy.await(c)
	l := newLoad(c, proxy)
	l.gateway = true
	for n := 0; c.again(n, 3); n++ {
		l.awaitMore(1 + c.random.IntN(30))
		l.begin()
		s.kill()
		if c.random.IntN(2) == 0 {
			c.await("the proxy says that nobody answers", func() bool {
				return clientOf(c, proxy).send(http.MethodGet, "/2.7/exports/list", "", profileHeaders...).Status == http.StatusBadGateway
			})
		}
		s = start(c, flags...)
		l.over()
	}
	l.verify(s)
	must.Equal(c, proxy.interrupt(c), 0, "exit code of the proxy: %s", proxy.log)
}
