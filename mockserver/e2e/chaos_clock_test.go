//go:build unix

package e2e_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// clockJumps moves the clock of a server back and forth, lets it run fast and stand still, and returns to noon.
func clockJumps(c *chaos) {
	const jumps = 10 // in a row
	s := start(c, "--state", filepath.Join(c.TempDir(), "state.db"), "--profiles", "100")
	control := clientOf(c, s)
	control.freeze(noon)
	l := newLoad(c, s)
	l.mayWait = true
	l.mayRefuse = true // a window that lies in the future
	for n := 0; c.again(n, 10); n++ {
		l.awaitMore(1 + c.random.IntN(30))
		l.begin()
		for range jumps {
			body, key := l.jump(), ""
			if c.random.IntN(4) == 0 {
				key = "?key=" + devKey
			}
			response := control.send(http.MethodPost, "/_mock/clock"+key, body, "Content-Type", "application/json")
			c.figures.requests.Add(1)
			if response.Status != http.StatusOK && response.Status != http.StatusBadRequest {
				c.unasked("clock %s: %d %s", body, response.Status, response.Body)
			}
		}
		c.figures.faults.Add(jumps - 1)
		control.send(http.MethodPost, "/_mock/clock", `{"rate":1}`, "Content-Type", "application/json").decode(c, http.StatusOK, nil)
		control.freeze(noon)
		l.over()
	}
	l.verify(s)
}

// jump is a change of the clock: most are possible, some are not.
func (l *load) jump() string {
	switch l.random.IntN(6) {
	case 0:
		return `{"set":"` + zoned(time.Unix(l.random.Int64N(250_000_000_000), 0)) + `"}`
	case 1:
		return `{"set":"` + zoned(noon.Add(time.Duration(l.random.Int64N(int64(1000*time.Hour)))-500*time.Hour)) + `"}`
	case 2:
		return fmt.Sprintf(`{"advance":"%dh"}`, l.random.Int64N(1<<l.random.IntN(40)))
	case 3:
		return fmt.Sprintf(`{"rate":%d}`, l.random.Int64N(1<<l.random.IntN(30)))
	case 4:
		return `{"freeze":false}`
	}
	return `{"freeze":true}`
}
