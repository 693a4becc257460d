//go:build unix

package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
)

// killsVariable is the environment variable of TestKilledUnderLoad: how often the program is killed. `make soak` sets it.
const killsVariable = "TEST_KILLS"

// TestKilledUnderLoad kills the program at random moments while clients create exports and download files, starts it again on
// the same state, and checks that every acknowledged export is still there and that files have the bytes they had.
func TestKilledUnderLoad(t *testing.T) {
	kills := int(numberFrom(t, killsVariable, 25))
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state.db")
		killOften(t, path, kills)
		state, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer state.Close()
		var found string
		if err := state.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
			t.Errorf("after all kills the state file is %q, %v", found, err)
		}
	})
	t.Run("database", func(t *testing.T) {
		killOften(t, postgrestest.Start(t).Address(t), (kills+4)/5)
	})
}

// acknowledged is an export that the server has said it has.
type acknowledged struct {
	kind   kind
	id     string
	digest *[32]byte // of its files, if they were downloaded
}

func killOften(t *testing.T, state string, kills int) {
	const clients, mostAcknowledged, largestSample = 8, 150, 20
	seed := uint64(numberFrom(t, seedVariable, 1))
	random := rand.New(rand.NewPCG(seed, 9))
	flags := []string{"--state", state, "--seed", "3", "--profiles", "100"}
	s := start(t, flags...)
	clientOf(t, s).freeze(noon)
	var all []*acknowledged
	for round := range kills {
		added := loadUntilKilled(t, s, clients, 1+random.IntN(mostAcknowledged))
		if random.IntN(6) == 0 {
			killStarting(t, time.Duration(random.IntN(60))*time.Millisecond, flags...)
		}
		s = start(t, flags...)
		c := clientOf(t, s)
		var now clockState
		c.send(http.MethodGet, "/_mock/clock", "").decode(t, http.StatusOK, &now)
		if !now.Frozen || !now.Now.Equal(noon) {
			t.Fatalf("round %d: the clock was frozen at %v, after the restart it says %+v", round, noon, now)
		}
		// What was written last is in the greatest danger; of the rest, some.
		checked := append([]*acknowledged{}, added...)
		for range min(largestSample, len(all)) {
			checked = append(checked, all[random.IntN(len(all))])
		}
		for i, export := range checked {
			check(t, c, export, i < largestSample/2 || i >= len(added))
		}
		if all = append(all, added...); t.Failed() {
			t.Fatalf("round %d, seed %d", round, seed)
		}
	}
	c, files := clientOf(t, s), 0
	for _, export := range all {
		check(t, c, export, export.digest != nil)
		if export.digest != nil {
			files++
		}
	}
	t.Logf("%d kills, %d acknowledged exports, %d files compared", kills, len(all), files)
}

// loadUntilKilled has clients create exports and download some of their files, kills the program when a number of exports is
// acknowledged, and returns them.
func loadUntilKilled(t *testing.T, s *server, clients, wanted int) (all []*acknowledged) {
	t.Helper()
	var mutex sync.Mutex
	var group sync.WaitGroup
	reached := make(chan struct{})
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
				export := &acknowledged{kind: k, id: created.RequestID + created.ID}
				mutex.Lock()
				all = append(all, export)
				if len(all) == wanted {
					close(reached)
				}
				mutex.Unlock()
				if n%7 == 0 && k.legacy {
					export.download(c)
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
		t.Fatalf("no client is left that creates exports:\n%s", s.log)
	}
	s.kill()
	<-stopped
	return all
}

// download notes the bytes of a legacy export's file, unless the program is killed meanwhile.
func (a *acknowledged) download(c *client) {
	response, err := c.request(http.MethodGet, "/1.0/"+liveKey+"/export/request/"+a.id, "", "X-Authorization", companyKey)
	var record legacyRecord
	if err != nil || json.Unmarshal(response.Body, &record) != nil {
		return
	}
	if response, err = c.request(http.MethodGet, record.FileURL, ""); err == nil && response.Status == http.StatusOK {
		digest := sha256.Sum256(response.Body)
		a.digest = &digest
	}
}

// check looks an export up, and with files compares these with what they were the last time.
func check(t *testing.T, c *client, export *acknowledged, files bool) {
	t.Helper()
	if status := c.status(export.kind, export.id); status != "SUCCESS" {
		t.Errorf("%s %s says %s", export.kind.name, export.id, status)
		return
	}
	if !files {
		return
	}
	digest := sha256.Sum256(bytes.Join(c.files(export.kind, export.id), nil))
	if export.digest != nil && *export.digest != digest {
		t.Errorf("%s %s has other bytes than before", export.kind.name, export.id)
	}
	export.digest = &digest
}

// killStarting kills a program that is about to start, wherever it has come to.
func killStarting(t *testing.T, after time.Duration, flags ...string) {
	t.Helper()
	s := launch(t, flags...)
	<-time.After(after)
	s.kill()
}
