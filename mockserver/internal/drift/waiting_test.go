package drift_test

import (
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestNobodyWaits: while an exchange is looked at, requests are told what they ask for.
func TestNobodyWaits(t *testing.T) {
	observer := must.Get(drift.New(fstest.MapFS{}))(t)
	inside, asked := make(chan struct{}), make(chan bool)
	go func() {
		<-inside
		asked <- observer.ListsLinks("GET", "/2.7/exports/view")
	}()
	x := &drift.Exchange{Status: 200, To: drift.Target{Method: "POST", Path: "/1.0/k/export/userbase"}}
	x.Sent.Body = blocking{func() {
		close(inside)
		if !<-asked {
			t.Error("a lookup lists links")
		}
	}}
	observer.Observe(x)
}

// blocking is a body that does something when it is read.
type blocking struct{ during func() }

func (b blocking) Size() int64 { return 2 }
func (b blocking) Whole() bool { return true }
func (b blocking) Discard()    {}
func (b blocking) Open() (io.ReadCloser, error) {
	b.during()
	return io.NopCloser(strings.NewReader("{}")), nil
}
