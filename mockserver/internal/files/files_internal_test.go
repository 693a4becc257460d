package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// testFiles are files with what a test knows of them.
type testFiles struct {
	*Files
	budgets   *budget.Set
	log       *bytes.Buffer
	directory string
	written   atomic.Int32
}

func newTestFiles(t *testing.T, limits budget.Limits) *testFiles {
	t.Helper()
	library := must.Get(schemas.Embedded())(t)
	budgets := must.Get(budget.New(limits))(t)
	f := &testFiles{budgets: budgets, log: &bytes.Buffer{}, directory: t.TempDir()}
	f.Files = New(library, budgets, func() string { return f.directory }, slog.New(slog.NewTextHandler(f.log, nil)))
	write := f.write
	f.write = func(ctx context.Context, record *exports.Record, w io.Writer) ([]rows.Part, error) {
		f.written.Add(1)
		return write(ctx, record, w)
	}
	return f
}

// before does something before each file is written, which may fail.
func (f *testFiles) before(do func(ctx context.Context, record *exports.Record) error) {
	write := f.write
	f.write = func(ctx context.Context, record *exports.Record, w io.Writer) ([]rows.Part, error) {
		if err := do(ctx, record); err != nil {
			return nil, err
		}
		return write(ctx, record, w)
	}
}

// recordOf is an export of attributes, in parts.
func (f *testFiles) recordOf(id int, profiles, partSize int64) *exports.Record {
	return &exports.Record{
		ID: fmt.Sprint("export-", id), Kind: "profiles.attributes", Owner: fmt.Sprint("owner-", id%2),
		File: exports.File{
			Kind: "profiles.attributes", Attributes: []string{"$language", "favourite_shop"}, Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC),
			Profiles: profiles, PartSize: partSize, WorldVersion: world.Version, SchemaDigest: f.known.kinds["profiles.attributes"].digest,
		},
	}
}

func (f *testFiles) small(id int) *exports.Record { return f.recordOf(id, 3, 0) }

// read is a file in its parts.
func (f *testFiles) read(t *testing.T, record *exports.Record) (parts []rows.Part, texts []string) {
	t.Helper()
	parts = must.Get(f.Parts(t.Context(), record))(t)
	for _, part := range parts {
		reader := must.Get(f.Read(t.Context(), record, part.Number))(t)
		text, err := io.ReadAll(reader)
		if err = errors.Join(err, reader.Close()); err != nil || int64(len(text)) != part.Size {
			t.Fatalf("part %d has %d bytes, want %d: %v", part.Number, len(text), part.Size, err)
		}
		texts = append(texts, string(text))
	}
	return parts, texts
}

// waiting returns once a number of requests wait for a file.
func (f *testFiles) waiting(id string, count int) {
	for now := -1; now < count; {
		f.lock.Lock()
		if element, there := f.entries[id]; there && element.Value.(*entry).writing != nil {
			now = element.Value.(*entry).writing.waiting
		}
		f.lock.Unlock()
	}
}

// TestPanicIsTheErrorOfItsFile: no handler stands above the goroutine that writes a file.
func TestPanicIsTheErrorOfItsFile(t *testing.T) {
	f := newTestFiles(t, budget.Limits{})
	f.before(func(context.Context, *exports.Record) error { panic("a broken table") })
	record := f.small(1)
	for range 2 {
		if state := f.Shown(t.Context(), record, record.CreatedAt); state.Status != exports.Failed ||
			!strings.Contains(state.ErrorMessage, "log of the server") {
			t.Errorf("got %+v", state)
		}
	}
	if _, err := f.Parts(t.Context(), record); err == nil || strings.Count(f.log.String(), "a broken table") != 1 ||
		!strings.Contains(f.log.String(), "files_internal_test.go") {
		t.Errorf("%v; the log has no stack, or several: %s", err, f.log)
	}
}

// TestWritingOutlivesItsReaders: a client that runs out of patience asks again, and finds what was done meanwhile.
func TestWritingOutlivesItsReaders(t *testing.T) {
	f, goOn := newTestFiles(t, budget.Limits{}), make(chan struct{})
	f.before(func(context.Context, *exports.Record) error { <-goOn; return nil })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := f.Parts(ctx, f.small(1))
		left <- err
	}()
	f.waiting("export-1", 1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client left with %v", err)
	}
	close(goOn)
	if f.read(t, f.small(1)); f.written.Load() != 1 {
		t.Errorf("written %d times", f.written.Load())
	}
}

// TestWorkEndsWithItsFiles: when exports go, or the server ends, what nobody waits for is cancelled.
func TestWorkEndsWithItsFiles(t *testing.T) {
	for name, end := range map[string]func(*testFiles){
		"ForgetAll": func(f *testFiles) { f.ForgetAll() }, "Close": func(f *testFiles) { f.Close() },
		"Forget": func(f *testFiles) { f.Forget("export-1") }, "ForgetOwned": func(f *testFiles) { f.ForgetOwned("owner-1") },
	} {
		f, began, ended := newTestFiles(t, budget.Limits{}), make(chan struct{}), make(chan struct{})
		f.before(func(ctx context.Context, _ *exports.Record) error {
			close(began)
			<-ctx.Done()
			close(ended)
			return ctx.Err()
		})
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := f.Parts(ctx, f.small(1))
			left <- err
		}()
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

// TestReset: a file that is being written while all exports are replaced is for those who wait, and not that of the
// export that has its identifier then.
func TestReset(t *testing.T) {
	f, began, goOn := newTestFiles(t, budget.Limits{}), make(chan struct{}), make(chan struct{})
	f.before(func(_ context.Context, record *exports.Record) error {
		if record.File.Profiles > 3 {
			close(began)
			<-goOn
		}
		return nil
	})
	large, small := f.recordOf(1, 60_000, 0), f.small(1)
	first := make(chan int64)
	go func() {
		reader, err := f.Read(t.Context(), large, 1)
		if err != nil {
			t.Error(err)
			close(first)
			return
		}
		size, _ := io.Copy(io.Discard, reader)
		reader.Close()
		first <- size
	}()
	<-began
	f.ForgetAll()
	parts, _ := f.read(t, small)
	close(goOn)
	if size := <-first; size <= smallFile {
		t.Errorf("the file of before has %d bytes", size)
	}
	if again, _ := f.read(t, small); again[0].ETag != parts[0].ETag || parts[0].Rows > 3 {
		t.Errorf("the file of the new export has %d rows", parts[0].Rows)
	}
	f.ForgetAll()
	f.nothingIsLeft(t)
}

// nothingIsLeft of any file, in memory or on the disk.
func (f *testFiles) nothingIsLeft(t *testing.T) {
	t.Helper()
	for f.budgets.Of(budget.Disk).Used() > 0 && len(f.work.files) > 0 { // who waited leaves last
	}
	left, err := os.ReadDir(f.directory)
	if err != nil || len(left) > 0 || f.budgets.Of(budget.Disk).Used() != 0 || f.budgets.Of(budget.Kept).Used() != 0 {
		t.Errorf("%d files are left, %d bytes on the disk and %d in memory: %v", len(left), f.budgets.Of(budget.Disk).Used(),
			f.budgets.Of(budget.Kept).Used(), err)
	}
}

// TestEvicted: what made room for others, in memory or on the disk, is written again with the same bytes; its parts are
// remembered, so that lists and lookups cost nothing.
func TestEvicted(t *testing.T) {
	for name, c := range map[string]struct{ profiles, partSize int64 }{"in memory": {2000, 40_000}, "on the disk": {60_000, 2 << 20}} {
		t.Run(name, func(t *testing.T) {
			f := newTestFiles(t, budget.Limits{Kept: 1 << 20, Disk: 20 << 20})
			var tags []string
			for id := range 6 {
				parts, texts := f.read(t, f.recordOf(id, c.profiles, c.partSize))
				if len(parts) < 2 {
					t.Fatalf("%d parts", len(parts))
				}
				tags = append(tags, parts[1].ETag+texts[1])
			}
			if names, err := os.ReadDir(f.directory); err != nil || len(names) > 0 {
				t.Errorf("a program that is killed leaves %d files: %v", len(names), err)
			}
			reader := must.Get(f.Read(t.Context(), f.recordOf(5, c.profiles, c.partSize), 2))(t)
			f.Forget("export-5")
			disk := f.budgets.Of(budget.Disk)
			if err := disk.Take(disk.Limit()); (err != nil) != (name == "on the disk") {
				t.Errorf("all of the disk, while a file that was dropped is sent from it: %v", err)
			} else if err == nil {
				disk.Give(disk.Limit())
			}
			text, err := io.ReadAll(reader)
			if err = errors.Join(err, reader.Close()); err != nil || !strings.HasSuffix(tags[5], string(text)) {
				t.Errorf("a download that was under way ends with %d bytes, %v", len(text), err)
			}
			f.read(t, f.recordOf(5, c.profiles, c.partSize))
			if err := disk.Take(disk.Limit()); err != nil { // somebody else needs all of it
				t.Fatal(err)
			}
			disk.Give(disk.Limit())
			written := f.written.Load()
			for id := range 6 {
				must.Get(f.Parts(t.Context(), f.recordOf(id, c.profiles, c.partSize)))(t)
			}
			must.Equal(t, f.written.Load(), written, "files written to list parts")
			for id := range 6 {
				record := f.recordOf(id, c.profiles, c.partSize)
				parts := must.Get(f.Parts(t.Context(), record))(t)
				before := f.written.Load()
				reader := f.Later(t.Context(), record, parts[1])
				if size, err := reader.Seek(0, io.SeekEnd); err != nil || size != parts[1].Size || f.written.Load() != before {
					t.Errorf("the size of a part is %d, %v; it is written to know it: %t", size, err, f.written.Load() != before)
				}
				text := make([]byte, 10)
				_, err = reader.Seek(-10, io.SeekEnd)
				if _, readErr := io.ReadFull(reader, text); err != nil || readErr != nil || !strings.HasSuffix(tags[id], string(text)) {
					t.Errorf("its end is %q, %v, %v", text, err, readErr)
				}
				if err := reader.Close(); err != nil {
					t.Error(err)
				}
			}
			for id, want := range tags {
				if parts, texts := f.read(t, f.recordOf(id, c.profiles, c.partSize)); parts[1].ETag+texts[1] != want {
					t.Errorf("file %d is another one", id)
				}
			}
			must.Hold(t, f.written.Load() != written, "nothing was evicted")
			for id := range 6 {
				f.Forget(fmt.Sprint("export-", id))
			}
			f.nothingIsLeft(t)
		})
	}
}

// TestAnyRange: a part is read from any offset, wherever it lies.
func TestAnyRange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, profiles := range map[string]int64{"in memory": 2000, "on the disk": 60_000} {
		f := newTestFiles(t, budget.Limits{})
		record := f.recordOf(1, profiles, profiles*20)
		parts, texts := f.read(t, record)
		for i, part := range parts {
			reader := must.Get(f.Read(t.Context(), record, part.Number))(t)
			for range 20 {
				from := random.Int64N(part.Size + 1)
				if at, err := reader.Seek(from-part.Size, io.SeekEnd); err != nil || at != from {
					t.Fatalf("%s: seek: %d, %v", name, at, err)
				}
				if rest, err := io.ReadAll(iotest.OneByteReader(io.LimitReader(reader, 50))); err != nil ||
					!strings.HasPrefix(texts[i][from:], string(rest)) {
					t.Fatalf("%s: part %d differs from byte %d on: %v", name, part.Number, from, err)
				}
				if at, err := reader.Seek(0, io.SeekCurrent); err != nil || at != min(from+50, part.Size) {
					t.Fatalf("%s: it is at %d, %v", name, at, err)
				}
			}
			if _, err := reader.Seek(-1, io.SeekStart); err == nil {
				t.Errorf("%s: an offset below zero is taken", name)
			}
			reader.Close()
		}
		for _, number := range []int{0, len(parts) + 1} {
			if _, err := f.Read(t.Context(), record, number); err == nil {
				t.Errorf("%s: there is a part %d", name, number)
			}
		}
		f.Close()
		f.nothingIsLeft(t)
	}
}

// TestWithoutProc: a part is read where the system cannot open a file without a name, and after the file was dropped.
func TestWithoutProc(t *testing.T) {
	f := newTestFiles(t, budget.Limits{Disk: 1 << 20})
	disk := f.budgets.Of(budget.Disk)
	c := &content{directory: t.TempDir(), room: disk}
	must.Get(c.Write([]byte("0123456789")))(t)
	opened := c.file.Open()
	if opened.File != nil {
		opened.File.Close()
		opened.File = nil
	}
	part := &copied{io.NewSectionReader(opened, 2, 5), opened}
	c.close()
	must.Get(part.Seek(1, io.SeekStart))(t)
	if text := must.Get(io.ReadAll(part))(t); string(text) != "3456" || disk.Used() != 10 {
		t.Errorf("read %q, with %d bytes on the disk", text, disk.Used())
	}
	must.Do(t, part.Close())
	must.Equal(t, disk.Used(), 0, "bytes still taken")
}

// TestWithoutRoom: a file that is larger than the disk fails, once and for all; one that has no room beside what others use is tried again.
func TestWithoutRoom(t *testing.T) {
	f := newTestFiles(t, budget.Limits{Disk: 6 << 20})
	others, some, large := f.budgets.Of(budget.Disk), f.recordOf(1, 60_000, 0), f.recordOf(2, 200_000, 0)
	if state := f.Shown(t.Context(), large, large.CreatedAt); state.Status != exports.Failed ||
		!strings.Contains(state.ErrorMessage, "--limit disk") {
		t.Errorf("a file larger than the disk is shown as %+v", state)
	}
	must.Do(t, others.Take(2<<20))
	if state := f.Shown(t.Context(), some, some.CreatedAt); state.Status != exports.Pending {
		t.Errorf("a file that has no room now is shown as %+v", state)
	}
	others.Give(2 << 20)
	if state := f.Shown(t.Context(), some, some.CreatedAt); state.Status != exports.Success {
		t.Errorf("when there is room again, it is shown as %+v", state)
	}
	f.directory = "/missing"
	f.ForgetAll()
	if state := f.Shown(t.Context(), some, some.CreatedAt); state.Status != exports.Pending || !strings.Contains(f.log.String(), "/missing") {
		t.Errorf("without a directory, it is shown as %+v; the log is %s", state, f.log)
	}
}

// TestExpect: files are written when no export was created for a moment, one at a time; and
// where exports are created without a pause, after a second all the same.
func TestExpect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, goOn := newTestFiles(t, budget.Limits{}), make(chan struct{})
		var begun atomic.Int32
		f.before(func(context.Context, *exports.Record) error { begun.Add(1); <-goOn; return nil })
		failing := f.small(3)
		failing.Outcome = exports.OutcomeError
		for _, record := range []*exports.Record{f.small(1), failing, f.small(2)} {
			f.Expect(record)
			time.Sleep(quiet / 2)
		}
		if synctest.Wait(); begun.Load() != 0 {
			t.Error("a file is written while exports are created")
		}
		time.Sleep(2 * quiet)
		if synctest.Wait(); begun.Load() != 1 {
			t.Errorf("%d files are written at once", begun.Load())
		}
		close(goOn)
		time.Sleep(2 * quiet)
		if synctest.Wait(); begun.Load() != 2 {
			t.Errorf("%d files are written, want two", begun.Load())
		}
		for id := 10; begun.Load() == 2; id++ {
			f.Expect(f.small(id))
			time.Sleep(quiet / 2)
			if id > 10+4*mostQuiet {
				t.Fatal("no file is written while exports are created without a pause")
			}
		}
		f.Close()
	})
}

// TestLargeFilesAreAwaited: an export is not finished before its file is there, whatever moves it; a lookup waits for it,
// but not for long. What was finished once is so after a restart.
func TestLargeFilesAreAwaited(t *testing.T) {
	for _, c := range []struct {
		mode     exports.Mode
		patience time.Duration
	}{{exports.ModeTime, moment}, {exports.ModeNow, 10 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			f, goOn := newTestFiles(t, budget.Limits{}), make(chan struct{})
			f.before(func(context.Context, *exports.Record) error { <-goOn; return nil })
			record := f.small(1)
			record.CreatedAt, record.Progress = time.Now(), exports.Progress{Mode: c.mode, Duration: 2 * time.Second}
			later := record.CreatedAt.Add(time.Hour)
			for range 2 {
				began := time.Now()
				if state := f.Shown(t.Context(), record, later); state.Status != exports.Pending || state.StartedAt == nil ||
					time.Since(began) != c.patience {
					t.Errorf("%s: after %v, it is shown as %+v", c.mode, time.Since(began), state)
				}
			}
			must.Equal(t, f.Seen(record, later).Status, exports.Pending, "%s: the state without a fetch", c.mode)
			close(goOn)
			if state := f.Shown(t.Context(), record, later); state.Status != exports.Success {
				t.Errorf("%s: when its file is there, it is shown as %s", c.mode, state.Status)
			}
			sizes, late := f.Took(record.ID)
			if len(sizes) != 1 || !late {
				t.Fatalf("%s: the record is to remember %d, late: %t", c.mode, sizes, late)
			}
			record.Wrote(sizes, late, later)
			if completed := record.State(later).CompletedAt; !completed.Equal(later) {
				t.Errorf("%s: it was complete at %s", c.mode, completed)
			}
			f.Close()
			again, blocked := newTestFiles(t, budget.Limits{}), make(chan struct{})
			again.before(func(context.Context, *exports.Record) error { <-blocked; return nil })
			if state := again.Shown(t.Context(), record, later); state.Status != exports.Success {
				t.Errorf("%s: after a restart, it is shown as %s", c.mode, state.Status)
			}
			if got, err := again.Sizes(t.Context(), record); err != nil || got[0] != sizes[0] {
				t.Errorf("%s: its parts have %d bytes, want %d: %v", c.mode, got, sizes, err)
			}
			close(blocked)
			again.Close()
		})
	}
}

// TestToldSuccessStays: what was told once stays so after a restart, however long the file takes to be written again.
func TestToldSuccessStays(t *testing.T) {
	f := newTestFiles(t, budget.Limits{})
	record := f.small(1)
	now := record.CreatedAt.Add(time.Hour)
	told := f.Shown(t.Context(), record, now)
	sizes, late := f.Took(record.ID)
	if told.Status != exports.Success || sizes == nil {
		t.Fatalf("%+v, of %d parts", told, len(sizes))
	}
	record.Wrote(sizes, late, now)
	restarted := newTestFiles(t, budget.Limits{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now = now.AddDate(0, 0, 20)
	for _, ctx := range []context.Context{ended, t.Context()} {
		if again := restarted.Shown(ctx, record, now); again.Status != told.Status || !again.CompletedAt.Equal(*told.CompletedAt) {
			t.Errorf("%+v, told was %+v", again, told)
		}
	}
}

// TestForgottenFilesAreNotWritten: a reset ends what is written for nobody yet, and what waits for it.
func TestForgottenFilesAreNotWritten(t *testing.T) {
	f := newTestFiles(t, budget.Limits{})
	began, ended := make(chan string, 9), make(chan error, 9)
	f.before(func(ctx context.Context, record *exports.Record) error {
		began <- record.ID
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	f.Expect(f.small(1))
	f.Expect(f.small(2))
	<-began
	f.ForgetAll()
	if err := <-ended; err == nil {
		t.Error("the work has gone on")
	}
	f.Expect(f.small(3))
	must.Equal(t, <-began, f.small(3).ID, "the first file begun")
	f.ForgetAll()
	<-ended
}
