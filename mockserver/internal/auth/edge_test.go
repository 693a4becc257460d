package auth_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// deadlines notes the deadline at each write and flush.
type deadlines struct {
	*httptest.ResponseRecorder
	now time.Time
	at  []time.Time
}

func (d *deadlines) SetWriteDeadline(deadline time.Time) error {
	d.now = deadline
	return nil
}

func (d *deadlines) WriteHeader(status int) {
	d.at = append(d.at, d.now)
	d.ResponseRecorder.WriteHeader(status)
}

func (d *deadlines) Write(data []byte) (int, error) {
	d.at = append(d.at, d.now)
	return d.ResponseRecorder.Write(data)
}

func (d *deadlines) Flush() { d.at = append(d.at, d.now) }

// TestGuardLimitsWrites: each write, each flush and the end have a deadline, and pauses between have none.
func TestGuardLimitsWrites(t *testing.T) {
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	pause := func(after string) {
		must.Hold(t, w.now.IsZero(), "the pause after %s has a deadline", after)
	}
	auth.Edge{}.Guard(http.HandlerFunc(func(guarded http.ResponseWriter, _ *http.Request) {
		guarded.WriteHeader(http.StatusOK)
		pause("the head")
		_, _ = guarded.Write([]byte("a"))
		pause("a write")
		_ = http.NewResponseController(guarded).Flush()
		pause("a flush")
	}), "").ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
	must.Hold(t, len(w.at) == 3 && !w.now.IsZero(), "%d writes, and the end has the deadline %v", len(w.at), w.now)
	for i, each := range w.at {
		must.Hold(t, !each.IsZero(), "write %d has no deadline", i)
	}
}
