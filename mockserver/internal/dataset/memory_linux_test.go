package dataset_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// rowsVariable is how many rows a child process loads.
const rowsVariable = "REHEARSAL_TEST_ROWS"

// TestMemoryDoesNotGrow loads and reads datasets in processes of their own. One of three times the rows may take a little more, for the
// bits that stand for each row; held in memory, as it used to be, it would take 500 MB more.
func TestMemoryDoesNotGrow(t *testing.T) {
	if count, err := strconv.Atoi(os.Getenv(rowsVariable)); err == nil {
		showRows(t, count)
		return
	}
	if testlevel.Count(0, 1, 1) == 0 {
		t.Log("loading 480,000 rows is for a change")
		return
	}
	// Without the race detector, which takes memory of its own for every byte that was ever used.
	program := filepath.Join(t.TempDir(), "dataset.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-race=false", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as the program is built, so that nothing is compiled a third time
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	small, large := peakOf(t, program, 120_000), peakOf(t, program, 360_000)
	t.Logf("120,000 rows take %d MB, 360,000 rows %d MB", small>>10, large>>10)
	if large > small+40<<10 {
		t.Errorf("memory grows with the rows: 120,000 take %d MB, 360,000 take %d MB", small>>10, large>>10)
	}
}

// peakOf is the most memory that a process took, in kilobytes.
func peakOf(t *testing.T, program string, rows int) (peak int) {
	t.Helper()
	child := exec.CommandContext(t.Context(), program, "-test.run=^TestMemoryDoesNotGrow$", "-test.v")
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%d", rowsVariable, rows), "GOMEMLIMIT=96MiB")
	text, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	_, after, found := strings.Cut(string(text), "VmHWM:")
	if _, err := fmt.Sscanf(after, "%d kB", &peak); !found || err != nil {
		t.Fatalf("the peak cannot be read: %v\n%s", err, text)
	}
	return peak
}

// openDisk returns blocks on a disk.
func openDisk(t *testing.T, room blocks.Room) blocks.Store {
	t.Helper()
	kept := blocks.Disk(t.TempDir(), room)
	t.Cleanup(func() { kept.Close() })
	return kept
}

func showRows(t *testing.T, count int) {
	ctx := context.Background()
	library := library(t)
	directory := must.Get(input.OpenDirectory(library, generated{
		"profiles.csv": {count: count / 2, header: "custom_id,email_address,language\n", row: func(i int) string {
			return fmt.Sprintf("customer-%d,user%d@example.com,fr\n", i, i)
		}},
		"events.csv": {count: count / 2, header: "type,date,custom_id\n", row: func(i int) string {
			return fmt.Sprintf("email_open,2026-03-14T%02d:%02d:00Z,customer-%d\n", i%24, i%60, i*7919%(count/2))
		}},
	}))(t)
	blocks := openDisk(t, nil)
	people := drawn(t)
	log := must.Get(dataset.OpenIn(ctx, blocks, memory.NewWith(blocks), people))(t)
	must.Do(t, log.Begin(ctx, directory, "digest", dataset.Only, noon))
	status, err := log.Of("").Current(ctx)
	if err != nil || status.Profiles != count/2 || status.Events != count/2 {
		t.Fatalf("the log holds %+v, %v", status, err)
	}
	snapshot := must.Get(log.At(ctx, status.Generation))(t)
	view := must.Get(people.View(world.Query{View: vocabulary.ViewProfiles, Now: noon}))(t)
	must.Do(t, view.Give(world.Own{People: snapshot, Only: true}))
	found := 0
	err = view.Write(ctx, world.Output{
		Render: func() world.Render {
			return func(dst []byte, _ *world.Row) ([]byte, int) { return append(dst, '.'), 1 }
		},
		Take: func(int64, []byte) (bool, error) { found++; return true, nil }, To: view.Parts(),
	})
	if err != nil || found != count/2 {
		t.Errorf("the file has %d rows, %v, want %d", found, err, count/2)
	}
	text := must.Get(os.ReadFile("/proc/self/status"))(t)
	fmt.Println(string(text))
}

// generated is a directory whose files are made while they are read.
type generated map[string]generatedFile

type generatedFile struct {
	count  int
	header string
	row    func(int) string
}

func (g generated) ReadDir(string) (entries []fs.DirEntry, err error) {
	for name := range g {
		entries = append(entries, fs.FileInfoToDirEntry(generatedInfo(name)))
	}
	return entries, nil
}

func (g generated) Open(name string) (fs.File, error) {
	return &openGenerated{generatedFile: g[name], name: name, rest: g[name].header}, nil
}

type openGenerated struct {
	generatedFile
	name, rest string
	next       int
}

func (o *openGenerated) Read(into []byte) (int, error) {
	if o.rest == "" {
		if o.next == o.count {
			return 0, io.EOF
		}
		o.rest = o.row(o.next)
		o.next++
	}
	n := copy(into, o.rest)
	o.rest = o.rest[n:]
	return n, nil
}

func (o *openGenerated) Stat() (fs.FileInfo, error) { return generatedInfo(o.name), nil }
func (o *openGenerated) Close() error               { return nil }

// generatedInfo is what is known of a file before it is read.
func generatedInfo(name string) fs.FileInfo {
	info, err := fs.Stat(fstest.MapFS{name: {}}, name)
	if err != nil {
		panic(err)
	}
	return info
}
