package drift_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// written is a body that is there.
type written string

func (w written) Size() int64 { return int64(len(w)) }
func (w written) Whole() bool { return true }
func (w written) Discard()    {}
func (w written) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(w))), nil
}

// TestOrderOfLookups: an answer that is observed after that to a later request, or that ran at once with it, tells of no state that
// went back; one to a request that began when the other was answered does.
func TestOrderOfLookups(t *testing.T) {
	noon := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	for about, c := range map[string]struct {
		began time.Duration // the lookup that says CREATED, after one that began at 10 ms and said PENDING at 20 ms
		goes  bool
	}{
		"observed too late": {0, false}, "at once": {15 * time.Millisecond, false}, "after it": {20 * time.Millisecond, true}, "long after it": {time.Second, true},
	} {
		t.Run(about, func(t *testing.T) {
			observer, err := drift.New(fstest.MapFS{})
			if err != nil {
				t.Fatal(err)
			}
			for i, each := range []struct {
				began time.Duration
				state string
			}{{10 * time.Millisecond, "PENDING"}, {c.began, "CREATED"}} {
				x := &drift.Exchange{Number: uint64(i) + 1, Began: noon.Add(each.began), Answered: noon.Add(each.began + 10*time.Millisecond), Status: 200,
					To: drift.Target{Method: "GET", Path: "/2.7/exports/view", Query: "id=export_1"}}
				x.Received.Body = written(fmt.Sprintf(`{"id": "export_1", "status": %q}`, each.state))
				observer.Observe(x)
			}
			goes := false
			for _, each := range observer.Findings() {
				goes = goes || each.Kind == "transition"
			}
			if goes != c.goes {
				t.Errorf("it goes back: %v: %s", goes, describe(observer.Findings()))
			}
		})
	}
}
