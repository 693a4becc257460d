package delivery

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// testLayouts counts what is made, and tells the test of each question.
type testLayouts struct {
	Layouts
	made     atomic.Int32
	asked    func(layout []byte, claimed bool)
	isAway   error
	returned atomic.Int32 // claims that came to nothing
}

func (l *testLayouts) ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) ([]byte, bool, error) {
	if l.isAway != nil {
		return nil, false, l.isAway
	}
	layout, claimed, err := l.Layouts.ClaimLayout(ctx, id, owner, lease)
	if l.asked != nil {
		l.asked(layout, claimed)
	}
	return layout, claimed, err
}

func (l *testLayouts) KeepLayout(ctx context.Context, id, owner string, layout []byte) error {
	if layout == nil {
		l.returned.Add(1)
	} else {
		l.made.Add(1)
	}
	return l.Layouts.KeepLayout(ctx, id, owner, layout)
}

// keptRecord is an export whose layout is worth keeping, in a store.
func keptRecord(t *testing.T, s *memory.Store) *exports.Record {
	t.Helper()
	record := &exports.Record{ID: "export-1", File: exports.File{
		Kind: "userbase", IDs: []string{"install_id", "custom_id"}, Profiles: leastKept, WorldVersion: world.Version, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
	}}
	if err := s.Insert(t.Context(), record, nil); err != nil {
		t.Fatal(err)
	}
	return record
}

// newKeepingFiles is one of several servers with one store.
func newKeepingFiles(t *testing.T, kept Layouts, owner string) (*Files, *testLayouts) {
	t.Helper()
	f, _ := newTestFiles(t, nil)
	layouts := &testLayouts{Layouts: kept}
	f.UseLayouts(layouts, owner)
	return f, layouts
}

func partsOf(t *testing.T, f *Files, record *exports.Record) []rows.Part {
	t.Helper()
	file, err := f.Open(t.Context(), record)
	if err != nil {
		t.Fatal(err)
	}
	return file.Parts()
}

// TestLayoutsAreKept: a server that is started again, or another one, does not lay out what
// is laid out, unless what is kept is not of this file.
func TestLayoutsAreKept(t *testing.T) {
	kept := memory.New()
	record := keptRecord(t, kept)
	first, made := newKeepingFiles(t, kept, "first")
	want := partsOf(t, first, record)
	if made.made.Load() != 1 || want[0].Rows == 0 {
		t.Fatalf("%d layouts were kept of %+v", made.made.Load(), want)
	}
	again, none := newKeepingFiles(t, kept, "second")
	if got := partsOf(t, again, record); !slices.Equal(got, want) || none.made.Load() != 0 {
		t.Errorf("with a layout that is kept, the parts are %+v, want %+v; laid out %d times", got, want, none.made.Load())
	}
	if again.ForgetAll(); !slices.Equal(partsOf(t, again, record), want) || none.made.Load() != 0 {
		t.Error("a file that was pushed out is laid out again")
	}

	layout, _, err := kept.ClaimLayout(t.Context(), record.ID, "a test", 0)
	if err != nil {
		t.Fatal(err)
	}
	layout[len(layout)/2] ^= 1
	if err := kept.KeepLayout(t.Context(), record.ID, "a test", layout); err != nil {
		t.Fatal(err)
	}
	third, mended := newKeepingFiles(t, kept, "third")
	if got := partsOf(t, third, record); !slices.Equal(got, want) || mended.made.Load() != 1 {
		t.Errorf("with a damaged layout, the parts are %+v, want %+v; laid out %d times", got, want, mended.made.Load())
	}

	small := *record
	small.File.Profiles--
	partsOf(t, first, &exports.Record{ID: "export-2", File: small.File})
	away, _ := newKeepingFiles(t, &testLayouts{isAway: errors.New("no answer")}, "fourth")
	if got := partsOf(t, away, record); !slices.Equal(got, want) || made.made.Load() != 1 {
		t.Errorf("without the store, the parts are %+v, want %+v", got, want)
	}
}

// TestOneServerLaysOut: the others wait for it, or for its end.
func TestOneServerLaysOut(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(kept *memory.Store, id string, layout []byte) error
		makes int32
	}{
		"it keeps what it found": {func(kept *memory.Store, id string, layout []byte) error {
			return kept.KeepLayout(context.Background(), id, "another", layout)
		}, 0},
		"it gives up": {func(kept *memory.Store, id string, _ []byte) error {
			return kept.KeepLayout(context.Background(), id, "another", nil)
		}, 1},
		"it is gone": {func(*memory.Store, string, []byte) error {
			time.Sleep(lease)
			return nil
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := memory.New()
				record := keptRecord(t, kept)
				elsewhere, _ := newTestFiles(t, nil)
				file, err := elsewhere.Open(t.Context(), record)
				if err != nil {
					t.Fatal(err)
				}
				if _, claimed, err := kept.ClaimLayout(t.Context(), record.ID, "another", lease); err != nil || !claimed {
					t.Fatal(claimed, err)
				}
				f, layouts := newKeepingFiles(t, kept, "this")
				opened := make(chan error)
				go func() {
					_, err := f.Open(t.Context(), record)
					opened <- err
				}()
				time.Sleep(lease / 2)
				synctest.Wait()
				select {
				case err := <-opened:
					t.Errorf("laid out while another server does it: %v", err)
				default:
				}
				if err := c.end(kept, record.ID, file.EncodeLayout()); err != nil {
					t.Fatal(err)
				}
				if err := <-opened; err != nil || layouts.made.Load() != c.makes {
					t.Errorf("%v; laid out %d times, want %d", err, layouts.made.Load(), c.makes)
				}
			})
		})
	}
}

// TestWhoWaitsTakesNoPlace: while another server lays a file out, there is room here for other
// files; and while there is none, any server may go on where that one gave up.
func TestWhoWaitsTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := memory.New()
		record := keptRecord(t, kept)
		elsewhere, _ := newTestFiles(t, nil)
		file, err := elsewhere.Open(t.Context(), record)
		if err != nil {
			t.Fatal(err)
		}
		f, layouts := newKeepingFiles(t, kept, "this")
		room := f.budgets.Of(budget.Layout)
		claim := func(owner string) bool {
			_, claimed, err := kept.ClaimLayout(t.Context(), record.ID, owner, lease)
			if err != nil {
				t.Error(err)
			}
			return claimed
		}
		claim("another")
		opened := make(chan error)
		go func() {
			_, err := f.Open(t.Context(), record)
			opened <- err
		}()
		time.Sleep(time.Second)
		synctest.Wait()
		if room.Used() != 0 {
			t.Errorf("a file that another server lays out takes %d profiles of the budget", room.Used())
		}
		if err := room.Take(room.Limit()); err != nil {
			t.Fatal(err)
		}
		if err := kept.KeepLayout(t.Context(), record.ID, "another", nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if !claim("a third one") {
			t.Error("a server without room keeps others from a layout")
		}
		room.Give(room.Limit())
		if err := kept.KeepLayout(t.Context(), record.ID, "a third one", file.EncodeLayout()); err != nil {
			t.Fatal(err)
		}
		if err := <-opened; err != nil || layouts.made.Load() != 0 || room.Used() != 0 {
			t.Errorf("%v; laid out %d times; %d profiles are in use at the end", err, layouts.made.Load(), room.Used())
		}
	})
}

// TestWhatIsForgottenStaysForgotten: a layout that was asked for before everything was replaced is not
// that of the export with its identifier.
func TestWhatIsForgottenStaysForgotten(t *testing.T) {
	kept := memory.New()
	record := keptRecord(t, kept)
	first, _ := newKeepingFiles(t, kept, "first")
	partsOf(t, first, record)
	for name, c := range map[string]struct {
		meanwhile  func(*Files)
		remembered bool
	}{"nothing happens": {func(*Files) {}, true}, "everything is forgotten": {(*Files).ForgetAll, false}} {
		f, layouts := newKeepingFiles(t, kept, "this")
		layouts.asked = func([]byte, bool) { c.meanwhile(f) }
		if f.recall(t.Context(), record) == nil {
			t.Errorf("%s: the layout is not found", name)
		}
		_, parts := f.parts.get(record.ID)
		if _, laidOut := f.laidOut.get(record.ID); laidOut != c.remembered || parts != c.remembered {
			t.Errorf("%s: the file is remembered: %t, its parts: %t", name, laidOut, parts)
		}
	}
}

// TestClaimIsGivenBack: a layout that is cancelled is for others to make.
func TestClaimIsGivenBack(t *testing.T) {
	kept := memory.New()
	record := keptRecord(t, kept)
	f, layouts := newKeepingFiles(t, kept, "this")
	claimed, closing := make(chan struct{}), make(chan struct{})
	layouts.asked = func([]byte, bool) {
		close(claimed)
		<-closing
	}
	opened := make(chan error)
	go func() {
		_, err := f.Open(t.Context(), record)
		opened <- err
	}()
	<-claimed
	f.lock.Lock()
	for entry := range f.working {
		entry.cancel()
	}
	f.lock.Unlock()
	close(closing)
	if err := <-opened; !errors.Is(err, context.Canceled) || layouts.made.Load() != 0 || layouts.returned.Load() != 1 {
		t.Errorf("%v; kept %d layouts, gave %d claims back", err, layouts.made.Load(), layouts.returned.Load())
	}
	f.Close()
	if _, claimed, err := kept.ClaimLayout(t.Context(), record.ID, "another", lease); err != nil || !claimed {
		t.Errorf("the claim of a server that ended: %t, %v", claimed, err)
	}
}

// TestLargeFilesAreAwaited: an export that ends by time is finished when its large file is
// laid out, also behind others and after a restart, and never goes back.
func TestLargeFilesAreAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		created := time.Now()
		f, _ := newTestFiles(t, nil)
		layOut, goOn := f.layOut, make(chan struct{})
		f.layOut = func(ctx context.Context, id string, spec exports.File) (*rows.File, error) {
			<-goOn
			if spec.Target == "broken" {
				return nil, errors.New("it cannot be laid out")
			}
			spec.Profiles = 3
			return layOut(ctx, id, spec)
		}
		largeRecord := func(id int) *exports.Record {
			record := userbaseRecord(id)
			record.File.Profiles, record.File.SchemaDigest = large, f.kinds["userbase"].digest
			record.CreatedAt, record.Progress = created, exports.Progress{Mode: exports.ModeTime, Duration: 2 * time.Second}
			return record
		}
		shown := func(f *Files, record *exports.Record) exports.Status {
			return f.Shown(t.Context(), record, created.Add(time.Hour)).Status
		}
		first, second, unknown, broken, few := largeRecord(1), largeRecord(2), largeRecord(3), largeRecord(4), largeRecord(5)
		broken.File.Target = "broken"
		some := int64(1000)
		few.File.MaxRows = &some
		f.Expect(first)
		f.Expect(second)
		all := []*exports.Record{first, second, unknown, broken}
		for range 3 {
			for _, record := range all {
				if got := shown(f, record); got != exports.Pending {
					t.Errorf("while nothing is laid out, %s is shown as %s", record.ID, got)
				}
			}
			time.Sleep(quietTime)
			synctest.Wait()
		}
		if got := shown(f, few); got != exports.Success {
			t.Errorf("an export of few rows is shown as %s", got)
		}
		close(goOn)
		time.Sleep(moment)
		synctest.Wait()
		for _, record := range all {
			if got := shown(f, record); got != exports.Success {
				t.Errorf("after all, %s is shown as %s", record.ID, got)
			}
			f.parts.forget(record.ID) // others took their place, or there are too many
			if got := shown(f, record); got != exports.Success {
				t.Errorf("when its parts are not remembered, %s is shown as %s", record.ID, got)
			}
		}
		f.Close()

		// One that shows nothing is laid out in a moment.
		empty := largeRecord(6)
		empty.File.Kind, empty.File.Events, empty.File.Window = "campaign.events", []string{"push_sent"}, exports.Window{From: created, To: created}
		empty.File.SchemaDigest = f.kinds[empty.File.Kind].digest
		kept := memory.New()
		if err := kept.Insert(t.Context(), empty, nil); err != nil {
			t.Fatal(err)
		}
		before, _ := newKeepingFiles(t, kept, "before")
		want := partsOf(t, before, empty)
		again, layouts := newKeepingFiles(t, kept, "again")
		if got := shown(again, empty); got != exports.Success || !slices.Equal(partsOf(t, again, empty), want) || layouts.made.Load() != 0 {
			t.Errorf("after a restart, an export that was finished is shown as %s, laid out again %d times", got, layouts.made.Load())
		}
		again.Close()
	})
}
