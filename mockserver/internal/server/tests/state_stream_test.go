package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// counted is blocks that count what goes in and out. Nobody uses them at once with another.
type counted struct {
	blocks.Store
	added, got, held int64
	blocked          map[int64]int64 // lengths
}

func (c *counted) Add(block []byte) (int64, error) {
	number, err := c.Store.Add(block)
	c.added, c.held, c.blocked[number] = c.added+int64(len(block)), c.held+int64(len(block)), int64(len(block))
	return number, err
}

func (c *counted) Get(number int64, dst []byte) ([]byte, error) {
	c.got += c.blocked[number]
	return c.Store.Get(number, dst)
}

func (c *counted) Drop(numbers []int64) error {
	for _, number := range numbers {
		c.held -= c.blocked[number]
	}
	return c.Store.Drop(numbers)
}

// ahead is the larger of two numbers, the second of which must not become large.
type ahead struct{ most int64 }

func (a *ahead) note(bytes int64) { a.most = max(a.most, bytes) }

// answering notes how much was read from blocks and is not written yet.
type answering struct {
	*httptest.ResponseRecorder
	from    *counted
	written int64
	ahead
}

func (a *answering) Write(text []byte) (int, error) {
	a.note(a.from.got - a.written)
	a.written += int64(len(text))
	return a.ResponseRecorder.Write(text)
}

// asking notes how much was read of a body and is not in blocks yet.
type asking struct {
	*strings.Reader
	into *counted
	read int64
	ahead
}

func (a *asking) Read(into []byte) (int, error) {
	n, err := a.Reader.Read(into)
	a.read += int64(n)
	a.note(a.read - a.into.added)
	return n, err
}

// TestStateIsReadAndWrittenInBatches: of a dataset of 24 batches no more than a few are outside the blocks.
func TestStateIsReadAndWrittenInBatches(t *testing.T) {
	const batches, batchBytes = 24, 256 << 10
	kept := &counted{Store: blocks.Memory(), blocked: map[int64]int64{}}
	s := newServer(t, func(c *mockserver.Options) {
		c.DataDisk = func(blocks.Room) blocks.Store { return kept }
	})
	for i := range batches {
		row := fmt.Sprintf(`{"type":"custom_event","custom_id":"ada","name":"n%d","data":{"long":%q}}`, i, strings.Repeat("x", batchBytes))
		key := ""
		if i%2 > 0 {
			key = "?key=live_demo"
		}
		s.answers("", s.load("events"+key, "application/json", row), 200)
	}
	serve := func(w http.ResponseWriter, method string, body io.Reader) {
		r := httptest.NewRequest(method, "http://localhost:8080/_mock/state", body)
		r.RemoteAddr, r.Header = "127.0.0.1:40000", http.Header{"Content-Type": {"application/json"}}
		s.service.ServeHTTP(w, r)
	}
	held := kept.held
	kept.got = 0
	w := &answering{ResponseRecorder: httptest.NewRecorder(), from: kept}
	serve(w, "GET", nil)
	text := w.Body.String()
	if w.Code != 200 || !json.Valid(w.Body.Bytes()) || len(text) < batches*batchBytes ||
		w.Header().Get("Content-Length") != strconv.Itoa(len(text)) {
		t.Fatalf("answered %d with %d bytes and %v", w.Code, len(text), w.Header())
	}
	must.Hold(t, w.most >= batchBytes/2 && w.most <= 2*batchBytes, "%d bytes were read and not written, want those of one batch", w.most)
	head := httptest.NewRecorder()
	serve(head, "HEAD", nil)
	if head.Body.Len() != 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
		t.Errorf("HEAD answered %d bytes and %v", head.Body.Len(), head.Header())
	}
	must.Equal(t, kept.held, held, "bytes in blocks after a snapshot")

	kept.added = 0
	body := &asking{Reader: strings.NewReader(text), into: kept}
	put := httptest.NewRecorder()
	serve(put, "PUT", struct{ io.Reader }{body})
	if put.Code != 200 {
		t.Fatalf("answered %d: %s", put.Code, put.Body)
	}
	if body.most < batchBytes/2 || body.most > 4*batchBytes {
		t.Errorf("%d bytes were read and not kept, want those of a batch or two", body.most)
	}
	must.Equal(t, s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text, text, "the state is another one")

	// What is refused leaves nothing behind.
	held = kept.held
	for name, broken := range map[string]string{
		"no JSON":          text[:len(text)-2],
		"no batch":         strings.Replace(text, `"data":[{`, `"data":[7,{`, 1),
		"no batch we know": strings.Replace(text, `"data":[{`, `"data":[{"at":"soon"},{`, 1),
		"no member":        strings.Replace(text, `"data":[{`, `"dota":[{`, 1),
	} {
		s.answers(name, s.put(broken), 400)
		if kept.held != held {
			t.Errorf("%s leaves %d bytes in blocks", name, kept.held-held)
			held = kept.held
		}
	}
	s.refused(s.put(strings.Replace(text, `"data":[{`, `"data":[{},7,{`, 1)), 400, "MALFORMED_PARAMETER", "data holds 7")
}

// slowStore is a store whose snapshots take as long as they may.
type slowStore struct{ store.Store }

func (slowStore) Snapshot(ctx context.Context, _ *dataset.Batches) (*store.Snapshot, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestSlowSnapshot ends taking a snapshot when work has taken too long.
func TestSlowSnapshot(t *testing.T) {
	s := newServer(t, within(t, budget.Limits{Times: budget.Times{Work: time.Second}}),
		func(o *mockserver.Options) { o.State = keptIn(slowStore{memory.New()}) })
	s.refused(s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}), 503, "MAINTENANCE_ERROR", "took longer than is allowed")
}
