package server_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// onDisks is a server whose state and temporary files are on disks of so many free bytes.
func onDisks(t *testing.T, state, temporary int64) (change func(*mockserver.Options), directories [2]string) {
	t.Helper()
	directories = [2]string{t.TempDir(), t.TempDir()}
	kept := must.Get(bolt.Open(t.Context(), filepath.Join(directories[0], "state.db")))(t)
	return func(o *mockserver.Options) {
		o.State = keptIn(kept)
		o.DataDisk = func(blocks.Room) blocks.Store { return blocks.Disk(directories[1], nil) }
		o.Limits = budget.Exact(budget.Limits{Free: func(directory string) (int64, bool) {
			free, known := map[string]int64{directories[0]: state, directories[1]: temporary}[directory]
			return free, known
		}})
	}, directories
}

// TestNoRoomInTheBudget: what a dataset takes of temporary files is within their budget, is measured, and is given back.
func TestNoRoomInTheBudget(t *testing.T) {
	s := newServer(t, within(t, budget.Limits{Disk: 6 << 20}), func(o *mockserver.Options) {
		o.DataDisk = func(room blocks.Room) blocks.Store { return blocks.Disk(t.TempDir(), room) }
	})
	const used = `rehearsal_budget_used{budget="disk",unit="bytes"} `
	measured := func() string { return s.do(call{method: "GET", path: "/_mock/metrics"}).text }
	csv := http.Header{"Content-Type": {"text/csv"}}
	rows := func(part, count int) call {
		var text strings.Builder
		text.WriteString("custom_id,language\n")
		for i := range count {
			fmt.Fprintf(&text, "customer-%d-%d,fr\n", part, i)
		}
		return call{path: "/_mock/data/profiles", body: text.String(), header: csv}
	}
	s.refused(s.do(rows(0, 400_000)), 400, "MALFORMED_PARAMETER", "budget disk has 6MiB in all", "--limit disk")
	s.refused(s.put(`{"version":2,"exports":[]}`+strings.Repeat(" ", 15<<20)), 400, "MALFORMED_PARAMETER", "budget disk has 6MiB in all",
		"--limit disk")
	if text := measured(); !strings.Contains(text, used+"0\n") {
		t.Errorf("before: %s", text)
	}
	loaded := 0
	for ; ; loaded++ {
		a := s.do(rows(loaded+1, 20_000))
		if a.StatusCode == 200 {
			continue
		}
		s.refused(a, 503, "MAINTENANCE_ERROR", "budget disk is used up", "--limit disk")
		break
	}
	if text := measured(); loaded < 2 || strings.Contains(text, used+"0\n") {
		t.Errorf("%d loads, and then: %s", loaded, text)
	}
	if a := s.do(call{method: "GET", path: "/_mock/data"}); a.body["profiles"] != float64(loaded*20_000) {
		t.Errorf("after %d loads: %s", loaded, a.text)
	}
	s.answers("a small load after that", s.do(rows(1000, 10)), 200)
	s.do(call{method: "DELETE", path: "/_mock/state"})
	for range 1000 { // rows are given back when a collection has found that nobody reads them
		if runtime.GC(); strings.Contains(measured(), used+"0\n") {
			break
		}
	}
	s.answers("emptied", s.do(rows(1, 20_000)), 200)
}

// TestNoRoom: what has no room on a disk is refused before it is read, by the
// place and the numbers, and what is small is not asked about.
func TestNoRoom(t *testing.T) {
	const much = 1 << 40
	rows := "custom_id,attributes.note\n" + strings.Repeat("c,"+strings.Repeat("x", 997)+"\n", 2000) // 2 MB
	csv := http.Header{"Content-Type": {"text/csv"}}
	load := call{path: "/_mock/data/profiles", body: rows, header: csv}
	for _, c := range []struct {
		name             string
		state, temporary int64
		place            int
		want             []string
	}{
		{"the state", 1 << 20, much, 0, []string{"nothing was loaded", "1.9 MiB", "1.0 MiB are free", "the state", "--state"}},
		{"temporary files", much, 3 << 20, 1, []string{"nothing was loaded", "3.8 MiB", "3.0 MiB are free", "temporary files", "TMPDIR"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			disks, directories := onDisks(t, c.state, c.temporary)
			s := newServer(t, disks)
			want := append(c.want, directories[c.place])
			s.refused(s.do(load), 503, "MAINTENANCE_ERROR", want...)
			s.refused(s.do(call{method: "PUT", path: "/_mock/state", body: `{"version":2,"exports":[]}` + strings.Repeat(" ", 4<<20),
				header: http.Header{"Content-Type": {"application/json"}}}),
				503, "MAINTENANCE_ERROR", "nothing was restored", "4.0 MiB", directories[c.place])
			s.answers("a small load", s.do(call{path: load.path, body: rows[:1<<19], header: csv}), 200)
		})
	}
	disks, _ := onDisks(t, much, much)
	roomy := newServer(t, disks)
	roomy.answers("with room", roomy.do(load), 200)
	disks, directories := onDisks(t, much, 1<<20)
	config := usualConfig()
	disks(&config)
	config.Data = fstest.MapFS{"profiles.csv": {Data: []byte(rows)}}
	if _, err := mockserver.New(config); err == nil || !strings.Contains(err.Error(), directories[1]) ||
		!strings.Contains(err.Error(), "the dataset is not read") {
		t.Errorf("the files of a directory: %v", err)
	}
}
