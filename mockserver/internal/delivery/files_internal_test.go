package delivery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// newTestFiles lays files out with a function of the test.
func newTestFiles(t *testing.T, layOut func(context.Context, string, exports.File) (*rows.File, error)) (*Files, *bytes.Buffer) {
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
	f, log := newTestFiles(t, func(context.Context, string, exports.File) (*rows.File, error) { panic("a broken table") })
	for range 2 { // the second request tries again
		if _, err := f.Open(t.Context(), userbaseRecord(1)); err == nil || !strings.Contains(err.Error(), "a broken table") {
			t.Errorf("got %v", err)
		}
	}
	if count := strings.Count(log.String(), "export-1"); count != 2 || !strings.Contains(log.String(), "files_internal_test.go") {
		t.Errorf("logged %d times, want 2 with a stack: %s", count, log)
	}
}

// TestLayoutOutlivesItsReaders: a client that runs out of patience asks again, and finds
// what was done meanwhile.
func TestLayoutOutlivesItsReaders(t *testing.T) {
	var laidOut atomic.Int32
	goOn := make(chan struct{})
	f, _ := newTestFiles(t, nil)
	layOut := f.layOut
	f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
		laidOut.Add(1)
		<-goOn
		return layOut(ctx, id, spec)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := f.Open(ctx, userbaseRecord(1))
		left <- err
	}()
	f.waitFor("export-1", 1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client left with %v", err)
	}
	close(goOn)
	if _, err := f.Open(t.Context(), userbaseRecord(1)); err != nil || laidOut.Load() != 1 {
		t.Errorf("%v; laid out %d times, want once", err, laidOut.Load())
	}
}

// TestWorkEndsWithItsFiles: when the exports are replaced, or the server ends, what nobody
// waits for is cancelled.
func TestWorkEndsWithItsFiles(t *testing.T) {
	for name, end := range map[string]func(*Files){"ForgetAll": (*Files).ForgetAll, "Close": (*Files).Close} {
		began, ended := make(chan struct{}), make(chan struct{})
		f, _ := newTestFiles(t, func(ctx context.Context, _ string, _ exports.File) (*rows.File, error) {
			close(began)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := f.Open(ctx, userbaseRecord(1))
			left <- err
		}()
		f.waitFor("export-1", 1)
		<-began
		leave()
		<-left
		select {
		case <-ended:
			t.Errorf("%s: the work ended with its last reader", name)
		default:
		}
		end(f)
		<-ended
	}
}

// TestExpect: files are laid out when no export was created for a moment, one at a time,
// and one that takes longer keeps its export from being finished.
func TestExpect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var laidOut atomic.Int32
		goOn := make(chan struct{})
		f, _ := newTestFiles(t, nil)
		layOut := f.layOut
		f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
			laidOut.Add(1)
			<-goOn
			return layOut(ctx, id, spec)
		}
		created := time.Now()
		expected := func(id int) *exports.Record {
			record := userbaseRecord(id)
			record.File.SchemaDigest = f.kinds["userbase"].digest
			record.CreatedAt, record.Progress = created, exports.Progress{Mode: exports.ModeTime, Duration: 2 * time.Second}
			return record
		}
		shown := func(record *exports.Record) exports.Status {
			return f.Shown(t.Context(), record, created.Add(time.Hour)).Status
		}
		first, second, failing := expected(1), expected(2), expected(3)
		failing.Outcome = exports.OutcomeError
		f.Expect(first)
		time.Sleep(quietTime * 3 / 4)
		f.Expect(second)
		f.Expect(failing)
		time.Sleep(quietTime * 3 / 4)
		synctest.Wait()
		if laidOut.Load() != 0 {
			t.Error("a file is laid out while exports are created")
		}
		time.Sleep(quietTime)
		synctest.Wait()
		if laidOut.Load() != 1 || shown(first) != exports.Success {
			t.Errorf("%d are laid out; at once, the first one is shown as %s", laidOut.Load(), shown(first))
		}
		time.Sleep(moment + time.Second)
		if shown(first) != exports.Pending || shown(second) != exports.Success || f.State(first, created.Add(time.Hour)).Status != exports.Success {
			t.Errorf("while it is laid out, the first one is shown as %s, the second one as %s", shown(first), shown(second))
		}
		close(goOn)
		synctest.Wait()
		time.Sleep(moment)
		if laidOut.Load() != 2 || shown(first) != exports.Success {
			t.Errorf("%d are laid out; then the first one is shown as %s", laidOut.Load(), shown(first))
		}
		if _, err := f.Open(t.Context(), second); err != nil || laidOut.Load() != 2 {
			t.Errorf("%v; a file is laid out %d times", err, laidOut.Load())
		}
		f.Close()
	})
}

// TestExpectWithoutQuiet: where exports are created without a pause, files are laid out
// after a second all the same.
func TestExpectWithoutQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var laidOut atomic.Int32
		f, _ := newTestFiles(t, nil)
		layOut := f.layOut
		f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
			laidOut.Add(1)
			return layOut(ctx, id, spec)
		}
		const longest = longestSteps * quietStep
		for id, began := 0, time.Now(); time.Since(began) < longest+quietTime; id++ {
			f.Expect(userbaseRecord(id))
			time.Sleep(quietTime / 2)
			if early := time.Since(began) < longest; early && laidOut.Load() > 0 {
				t.Fatalf("a file is laid out %v after exports began to be created", time.Since(began))
			}
		}
		if laidOut.Load() == 0 {
			t.Errorf("no file is laid out while exports are created without a pause")
		}
		f.Close()
	})
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
	f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
		count <- struct{}{}
		return layOut(ctx, id, spec)
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
	f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
		if len(spec.IDs) == 1 {
			close(began)
			<-goOn
		}
		return layOut(ctx, id, spec)
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

// TestForgetWhatFails: nor does one that fails then.
func TestForgetWhatFails(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	f, _ := newTestFiles(t, func(context.Context, string, exports.File) (*rows.File, error) {
		close(began)
		<-goOn
		return nil, errors.New("it cannot be laid out")
	})
	done := make(chan error)
	go func() {
		_, err := f.Open(t.Context(), userbaseRecord(1))
		done <- err
	}()
	<-began
	f.ForgetAll()
	close(goOn)
	if err := <-done; err == nil {
		t.Error("it was laid out")
	}
	if _, failed := f.ahead.failed.get("export-1"); failed {
		t.Error("the next export with its identifier counts as one that could not be laid out")
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
