package delivery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// newTestFiles lays files out with a function of the test.
func newTestFiles(t *testing.T, layOut func(context.Context, exports.File) (*rows.File, error)) (*Files, *bytes.Buffer) {
	t.Helper()
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	budgets, err := budget.New(budget.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFiles(library, budgets, slog.New(slog.NewTextHandler(log, nil)))
	if layOut != nil {
		f.layOut = layOut
	}
	return f, log
}

func userbaseRecord(id int) *exports.Record {
	return &exports.Record{
		ID: fmt.Sprint("export-", id), File: exports.File{Kind: "userbase", IDs: []string{"install_id"}, Profiles: 3, WorldVersion: world.Version},
	}
}

// TestLayoutPanics: the goroutine that lays a file out has no handler above it
// that would recover.
func TestLayoutPanics(t *testing.T) {
	f, log := newTestFiles(t, func(context.Context, exports.File) (*rows.File, error) { panic("a broken table") })
	for range 2 { // the second request tries again
		if _, err := f.Open(t.Context(), userbaseRecord(1)); err == nil || !strings.Contains(err.Error(), "a broken table") {
			t.Errorf("got %v", err)
		}
	}
	if count := strings.Count(log.String(), "export-1"); count != 2 || !strings.Contains(log.String(), "files_internal_test.go") {
		t.Errorf("logged %d times, want 2 with a stack: %s", count, log)
	}
}

// TestLayoutEndsWithItsLastReader: work goes on while anybody waits for it, and
// no longer.
func TestLayoutEndsWithItsLastReader(t *testing.T) {
	began, ended := make(chan struct{}, 2), make(chan struct{}, 2)
	f, _ := newTestFiles(t, func(ctx context.Context, _ exports.File) (*rows.File, error) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	})
	record := userbaseRecord(1)
	var leave [2]context.CancelFunc
	left := make(chan error)
	for i := range leave {
		var ctx context.Context
		ctx, leave[i] = context.WithCancel(t.Context())
		defer leave[i]()
		go func() {
			_, err := f.Open(ctx, record)
			left <- err
		}()
	}
	<-began
	f.waitFor(record.ID, 2)
	leave[0]()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the first one left with %v", err)
	}
	select {
	case <-ended:
		t.Fatal("the work ended while somebody waited for it")
	default:
	}
	leave[1]()
	<-left
	<-ended

	f.lock.Lock()
	_, known := f.laidOut.get(record.ID)
	f.lock.Unlock()
	if known {
		t.Error("work that was given up is still there for the next request")
	}
}

// waitFor returns once a number of requests wait for a file.
func (f *Files) waitFor(id string, count int) {
	for waiting := 0; waiting < count; {
		f.lock.Lock()
		if entry, there := f.laidOut.get(id); there {
			waiting = entry.waiting
		}
		f.lock.Unlock()
	}
}

// TestPartsAreRemembered: a list of more files than are kept laid out costs
// their layout once.
func TestPartsAreRemembered(t *testing.T) {
	f, _ := newTestFiles(t, nil)
	layOut, count := f.layOut, make(chan struct{}, 1000)
	f.layOut = func(ctx context.Context, spec exports.File) (*rows.File, error) {
		count <- struct{}{}
		return layOut(ctx, spec)
	}
	var records []*exports.Record
	for i := range 2 * mostFiles {
		records = append(records, userbaseRecord(i))
	}
	for range 3 {
		lists, err := f.Parts(t.Context(), records)
		if err != nil {
			t.Fatal(err)
		}
		for i, parts := range lists {
			if len(parts) != 1 || parts[0].Size == 0 {
				t.Errorf("file %d has the parts %+v", i, parts)
			}
		}
	}
	if len(count) != len(records) {
		t.Errorf("laid out %d times, want %d", len(count), len(records))
	}
	bad := userbaseRecord(-1)
	bad.File.Kind = "nothing"
	if _, err := f.Parts(t.Context(), append(records, bad)); err == nil || !strings.Contains(err.Error(), bad.ID) {
		t.Errorf("a file that cannot be made: %v", err)
	}
}

// TestForgetWhatIsLaidOut: a file that is being laid out while everything is
// forgotten leaves nothing for the export that has its identifier then.
func TestForgetWhatIsLaidOut(t *testing.T) {
	f, _ := newTestFiles(t, nil)
	layOut, began, goOn := f.layOut, make(chan struct{}), make(chan struct{})
	f.layOut = func(ctx context.Context, spec exports.File) (*rows.File, error) {
		if len(spec.IDs) == 1 {
			close(began)
			<-goOn
		}
		return layOut(ctx, spec)
	}
	before, after := userbaseRecord(1), userbaseRecord(1)
	after.File.IDs = []string{"install_id", "custom_id"}
	done := make(chan error)
	go func() {
		_, err := f.Open(t.Context(), before)
		done <- err
	}()
	<-began
	f.ForgetAll()
	close(goOn)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	lists, err := f.Parts(t.Context(), []*exports.Record{after})
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Open(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lists[0][0].Size, file.Parts()[0].Size; got != want {
		t.Errorf("the part is said to have %d bytes, and has %d", got, want)
	}
}

// TestRecent holds what is kept to its bounds.
func TestRecent(t *testing.T) {
	r := newLRU[string](3, 10)
	for _, id := range []string{"a", "b", "c"} {
		r.put(id, id, 1)
	}
	r.get("a")
	r.put("d", "d", 1) // b is the oldest now
	r.put("e", "e", 11)
	r.put("c", "C", 2)
	for id, want := range map[string]string{"a": "a", "b": "", "c": "C", "d": "d", "e": ""} {
		if got, _ := r.get(id); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	r.put("f", "f", 9)
	if _, there := r.get("f"); !there || r.order.Len() != len(r.byID) || r.weight > 10 {
		t.Errorf("%d values weigh %d", r.order.Len(), r.weight)
	}
}
