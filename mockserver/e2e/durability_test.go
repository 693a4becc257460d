package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestKilledUnderLoad kills the program while eight clients create exports, starts it again on the same state, and checks that
// every acknowledged export is still there and has the same file.
func TestKilledUnderLoad(t *testing.T) {
	const rounds, clients, wanted = 3, 8, 400
	state := filepath.Join(t.TempDir(), "state.db")
	flags := []string{"--state", state, "--seed", "3", "--profiles", "300"}
	type acknowledged struct {
		kind kind
		id   string
	}
	var all []acknowledged
	digests := map[string][32]byte{} // of the files that were downloaded once
	s := start(t, flags...)
	clientOf(t, s).freeze(noon)
	for round := range rounds {
		var (
			mutex   sync.Mutex
			group   sync.WaitGroup
			reached = make(chan struct{})
			before  = len(all)
		)
		for i := range clients {
			group.Go(func() {
				c := clientOf(t, s)
				for n := i; ; n++ {
					k := kinds[n%len(kinds)]
					response, err := c.request(http.MethodPost, k.path, k.month(), append(k.headers(), "X-Mock-Scenario", "progress=now")...)
					if err != nil {
						return // killed
					}
					var created struct{ RequestID, ID string }
					if err := json.Unmarshal(response.Body, &created); err != nil || response.Status != http.StatusAccepted {
						t.Errorf("%s: status %d: %s", k.name, response.Status, response.Body)
						return
					}
					mutex.Lock()
					all = append(all, acknowledged{k, created.RequestID + created.ID})
					enough := len(all)-before == wanted
					mutex.Unlock()
					if enough {
						close(reached)
					}
				}
			})
		}
		stopped := make(chan struct{})
		go func() {
			group.Wait()
			close(stopped)
		}()
		select {
		case <-reached:
		case <-stopped:
			t.Fatal("no client is left that creates exports")
		}
		s.kill()
		<-stopped
		s = start(t, flags...)
		c := clientOf(t, s)
		var state clockState
		c.send(http.MethodGet, "/_mock/clock", "").decode(t, http.StatusOK, &state)
		if !state.Frozen || !state.Now.Equal(noon) {
			t.Fatalf("round %d: the clock was frozen at %v, after the restart it says %+v", round, noon, state)
		}
		for _, export := range all {
			if status := c.status(export.kind, export.id); status != "SUCCESS" {
				t.Fatalf("round %d: %s %s says %s", round, export.kind.name, export.id, status)
			}
		}
		for i := 0; i < len(all); i += 40 {
			digest := sha256.Sum256(bytes.Join(c.files(all[i].kind, all[i].id), nil))
			if before, there := digests[all[i].id]; there && before != digest {
				t.Fatalf("round %d: %s %s has other bytes than before", round, all[i].kind.name, all[i].id)
			}
			digests[all[i].id] = digest
		}
	}
	t.Logf("%d acknowledged exports, %d files compared", len(all), len(digests))
}

// TestLinksAndDownloadsOutliveTheProgram resumes a download after a restart, through the link from before it.
func TestLinksAndDownloadsOutliveTheProgram(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	s := start(t, "--state", state, "--profiles", "2000")
	c := clientOf(t, s)
	c.freeze(noon)
	k := kindOf("campaign.events")
	link := c.links(k, c.create(k, k.month(), "X-Mock-Scenario", "progress=now"))[0]
	whole := c.send(http.MethodGet, link, "")
	s.kill()

	// The restarted program stands on another port, and its flags say another world: the export keeps its own.
	restarted := start(t, "--state", state, "--profiles", "50", "--seed", "99")
	after := clientOf(t, restarted)
	half := len(whole.Body) / 2
	response := after.send(http.MethodGet, restarted.base+link[len(s.base):], "", "Range", "bytes="+strconv.Itoa(half)+"-", "If-Range", whole.Header.Get("ETag"))
	if response.Status != http.StatusPartialContent || !bytes.Equal(response.Body, whole.Body[half:]) {
		t.Errorf("the second half after a restart: status %d, %d bytes, want %d the same: %.200s", response.Status, len(response.Body), len(whole.Body)-half, response.Body)
	}
}

// TestStopsWhenAsked checks that the program ends cleanly on SIGTERM.
func TestStopsWhenAsked(t *testing.T) {
	s := start(t, "--state", filepath.Join(t.TempDir(), "state.db"))
	if code := s.interrupt(t); code != 0 {
		t.Errorf("exit code %d:\n%s", code, s.log)
	}
}

// TestChangedSchemasNeverGiveOtherBytes checks that a file which cannot be computed any more is an error with a reason, and is
// there again when the schemas are.
func TestChangedSchemasNeverGiveOtherBytes(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	s := start(t, "--state", state, "--profiles", "300")
	c := clientOf(t, s)
	c.freeze(noon)
	k := kindOf("userbase")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	link := c.links(k, id)[0]
	want := c.files(k, id)
	s.kill()

	changed := start(t, "--state", state, "--profiles", "300", "--schemas", overlay(t))
	c = clientOf(t, changed)
	if record := c.lookup(id); record.Status != "ERROR" || !strings.Contains(record.ErrorMsg, "schema") || record.FileURL != "" {
		t.Errorf("with other schemas: %+v", record)
	}
	response := c.send(http.MethodGet, changed.base+link[len(s.base):], "")
	if response.Status < 400 {
		t.Errorf("with other schemas the old link answers %d, %d bytes", response.Status, len(response.Body))
	} else {
		checkNativeError(t, response, true)
	}
	changed.kill()

	c = clientOf(t, start(t, "--state", state, "--profiles", "300"))
	if got := c.files(k, id); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("with the first schemas again the file has other bytes")
	}
}
