package mocktest_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// recorder is a test inside of a test: it notes what would fail it.
type recorder struct {
	cleanups             []func()
	errors, fatals, logs []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Cleanup(work func()) { r.cleanups = append(r.cleanups, work) }
func (r *recorder) Errorf(format string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, a...))
}
func (r *recorder) Logf(format string, a ...any) { r.logs = append(r.logs, fmt.Sprintf(format, a...)) }
func (r *recorder) Fatalf(format string, a ...any) {
	r.fatals = append(r.fatals, fmt.Sprintf(format, a...))
	runtime.Goexit()
}

// inside runs a test to its end, cleanups included.
func inside(test func(t mocktest.T)) *recorder {
	r := &recorder{}
	run := func(work func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			work()
		}()
		<-done
	}
	run(func() { test(r) })
	for _, cleanup := range slices.Backward(r.cleanups) {
		run(cleanup)
	}
	return r
}

// failed fails unless the test inside failed with everything that is said, and with nothing else.
func failed(t *testing.T, r *recorder, says ...string) {
	t.Helper()
	all := append(slices.Clone(r.errors), r.fatals...)
	if len(all) != len(says) {
		t.Fatalf("the test failed with %q, want %q", all, says)
	}
	for i, text := range says {
		must.Hold(t, strings.Contains(all[i], text), "the failure %q lacks %q", all[i], text)
	}
}
