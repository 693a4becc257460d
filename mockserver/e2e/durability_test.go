package e2e_test

import (
	"bytes"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestLinksAndDownloadsOutliveTheProgram resumes a download after a restart, through the link from before it. What the program is told
// of the world is for exports to come.
func TestLinksAndDownloadsOutliveTheProgram(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	s := start(t, "--state", state, "--profiles", "2000")
	c := clientOf(t, s)
	c.freeze(noon)
	k := kindOf("campaign.events")
	id := c.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	link := c.links(k, id)[0]
	whole := c.send(http.MethodGet, link, "")
	s.kill()

	// The restarted program stands on another port, and its flags say another world: the export keeps its own.
	restarted := start(t, "--state", state, "--profiles", "50", "--seed", "99", "--world", "push-opt-in=0.5")
	after := clientOf(t, restarted)
	half := len(whole.Body) / 2
	response := after.send(http.MethodGet, restarted.base+link[len(s.base):], "", "Range", "bytes="+strconv.Itoa(half)+"-", "If-Range",
		whole.Header.Get("ETag"))
	if response.Status != http.StatusPartialContent || !bytes.Equal(response.Body, whole.Body[half:]) {
		t.Errorf("the second half after a restart: status %d, %d bytes, want %d the same: %.200s", response.Status, len(response.Body),
			len(whole.Body)-half, response.Body)
	}
	if next := after.links(k, id)[0]; next[len(restarted.base):] == link[len(s.base):] {
		t.Error("another run signs the same link again")
	}
	if shown := string(after.send(http.MethodGet, "/_mock/exports/"+after.create(k, k.month()), "").Body); !strings.Contains(shown, `"seed":99`) ||
		!strings.Contains(shown, `"push-opt-in":0.5`) {
		t.Errorf("a new export has another seed, or other settings: %s", shown)
	}
}

// TestStopsWhenAsked checks that the program ends cleanly on SIGTERM.
func TestStopsWhenAsked(t *testing.T) {
	s := start(t, "--state", filepath.Join(t.TempDir(), "state.db"))
	must.Equal(t, s.interrupt(t), 0, "exit code:\n%s", s.log)
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
