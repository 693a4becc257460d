package memory

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// version is what a record does not have in common with others of its client; the
// rest is kept once for many. A record alone takes more than a kilobyte, most
// of it for what scenarios and settings might say. It is never changed.
type version struct {
	common      *exports.Record
	id          string
	uri, target string
	request     json.RawMessage
	createdAt   time.Time
	now         time.Time
	window      exports.Window
	polls       int
	steps       int
	startedAt   *time.Time
	completedAt *time.Time
	written     []int64
}

// entryBytes is what an entry takes beside its texts: itself, and its places in a
// map and two slices.
const entryBytes = int64(unsafe.Sizeof(entry{})) + 96

// bytes is about what a record takes.
func (o *version) bytes() int64 {
	return entryBytes + int64(len(o.id)+len(o.uri)+len(o.target)+len(o.request))
}

// record puts a record together, for a caller to keep.
func (o *version) record() *exports.Record {
	record := *o.common
	record.ID, record.URI, record.Request, record.CreatedAt = o.id, o.uri, o.request, o.createdAt
	record.File.Target, record.File.Now, record.File.Window = o.target, o.now, o.window
	record.Polls, record.Steps, record.StartedAt, record.CompletedAt, record.Written = o.polls, o.steps, o.startedAt, o.completedAt, o.written
	return &record
}

// commons are what the last records had in common, one for each way in which
// they were asked for. It is safe for concurrent use.
type commons struct {
	lock sync.Mutex
	last [64]*exports.Record
	next int
	rest exports.Record // of the record that is being taken apart; here it saves an allocation
}

// take takes a record apart.
func (c *commons) take(record *exports.Record) version {
	file := &record.File
	taken := version{
		id: record.ID, uri: record.URI, request: bytes.Clone(record.Request), createdAt: record.CreatedAt,
		target: file.Target, now: file.Now, window: file.Window,
		polls: record.Polls, steps: record.Steps, startedAt: record.StartedAt, completedAt: record.CompletedAt, written: record.Written,
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	rest := &c.rest
	*rest = *record
	rest.ID, rest.URI, rest.Request, rest.CreatedAt = "", "", nil, time.Time{}
	rest.File.Target, rest.File.Now, rest.File.Window = "", time.Time{}, exports.Window{}
	rest.Polls, rest.Steps, rest.StartedAt, rest.CompletedAt, rest.Written = 0, 0, nil, nil, nil
	for _, known := range c.last {
		if known != nil && reflect.DeepEqual(known, rest) {
			taken.common = known
			return taken
		}
	}
	common := *rest
	taken.common, c.last[c.next] = &common, &common
	c.next = (c.next + 1) % len(c.last)
	return taken
}
