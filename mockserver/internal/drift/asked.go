package drift

import (
	"cmp"
	"time"
)

// asked is a request of the client that a mock is asked again.
type asked struct {
	method, path, query string
	header              map[string][]string
	body                []byte
	status              int
	began               time.Time // by the clock of the service, as far as it was known
	route               *route
	export              string // that was created or looked up
	refused             string // the name of the error
}

// mostAsked is how many requests are kept to ask a mock, mostSent how long their bodies may be.
const (
	mostAsked = 500
	mostSent  = 64 << 10
)

// keep keeps a request.
func (c *conversation) keep() {
	o := c.o
	if o.past.newestAt.IsZero() {
		o.past.newestAt = c.x.Began
	}
	if c.route == nil || c.x.Status == 0 || c.route.stage == stageDownload || c.route.stage == stageStatus && c.x.Status < 400 {
		return
	}
	sent := c.sent
	if len(o.past.asked) == mostAsked || len(sent) > mostSent {
		o.Seen.NotAsked++
		return
	}
	now := o.past.newest
	if now.IsZero() {
		now = c.x.Began
	} else {
		now = now.Add(c.x.Began.Sub(o.past.newestAt))
	}
	refused := ""
	if c.entry.Error != nil {
		refused = c.entry.Error.Name
	}
	o.past.asked = append(o.past.asked, asked{method: c.x.To.Method, path: c.x.To.Path, query: c.x.To.Query, header: c.x.Sent.Header,
		body: sent, status: c.x.Status, began: now, route: c.route, export: cmp.Or(c.entry.Export, c.identifier()), refused: refused})
}
