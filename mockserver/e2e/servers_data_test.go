//go:build unix

package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// userbaseOf asks for the user base of an application, and is what fetches it: from any server.
func (c *client) userbaseOf(key string) (file func(from *client) string) {
	c.t.Helper()
	var created struct{ RequestID string }
	c.send(http.MethodPost, "/1.0/"+key+"/export/userbase", `{"ids":["install_id","custom_id"]}`,
		append(legacyHeaders, "X-Mock-Scenario", "progress=now")...).decode(c.t, http.StatusAccepted, &created)
	return func(from *client) string {
		from.t.Helper()
		var record legacyRecord
		for over := patient(); record.FileURL == "" && !over(); {
			from.send(http.MethodGet, "/1.0/"+key+"/export/request/"+created.RequestID, "", legacyHeaders...).decode(from.t, http.StatusOK, &record)
			if record.Status != "SUCCESS" && record.Status != stillWritten {
				from.t.Fatalf("the export is %s: %s", record.Status, record.ErrorMsg)
			}
		}
		file := from.send(http.MethodGet, record.FileURL, "")
		if file.Status != http.StatusOK {
			from.t.Fatalf("the file answered %d: %s", file.Status, file.Body)
		}
		return string(file.Body)
	}
}

// manyInstallations are rows for which a load needs more than one batch.
func manyInstallations(prefix string, count int) string {
	var rows strings.Builder
	for i := range count {
		fmt.Fprintf(&rows, `{"install_id":"%s-%06d","custom_id":"%s-%d-%s"}`+"\n", prefix, i, prefix, i, strings.Repeat("x", 250))
	}
	return rows.String()
}

// TestServersShareDatasets: rows that were loaded through one of two programs over one database are served by the other, byte for
// byte, those of a key too, and by one that starts later. Both count the same generations.
func TestServersShareDatasets(t *testing.T) {
	const ndjson, rows = "application/x-ndjson", 20_000
	flags := []string{"--state", postgrestest.Start(t).Address(t), "--profiles", "300", "--data-mode", "only"}
	one, two := start(t, flags...), start(t, flags...)
	a, b := clientOf(t, one), clientOf(t, two)
	a.freeze(noon)
	agree := func(after, key string, installations int) {
		t.Helper()
		onA, onB := a.data(http.MethodGet, key, "", ""), b.data(http.MethodGet, key, "", "")
		if onA != onB || onA.Installations != installations || onA.Mode != "only" {
			t.Errorf("%s: one program has %+v of %q, the other %+v, want %d installations", after, onA, key, onB, installations)
		}
	}
	a.data(http.MethodPost, "/installations", manyInstallations("all", rows), ndjson)
	b.data(http.MethodPost, "/installations?key="+devKey, manyInstallations("dev", rows), ndjson)
	a.data(http.MethodPost, "/installations", `{"install_id":"all-last"}`, ndjson)
	b.data(http.MethodPost, "/installations?key="+devKey, `{"install_id":"dev-last"}`, ndjson)
	agree("loaded", "", rows+1)
	agree("loaded", "?key="+devKey, rows+1)
	agree("loaded", "?key="+liveKey, rows+1)

	type promise struct {
		key, first, last string
		file             func(*client) string
		text             string
	}
	var promises []promise
	promised := func(key, first, last string) {
		t.Helper()
		for _, c := range []*client{a, b} {
			p := promise{key: key, first: first, last: last, file: c.userbaseOf(key)}
			p.text = p.file(c)
			lines := strings.Split(strings.TrimSpace(p.text), "\n")
			if len(lines) != rows+2 || !strings.HasPrefix(lines[1], first) || !strings.HasPrefix(lines[rows+1], last) {
				t.Errorf("%s: the file has %d lines, from %q to %q", key, len(lines), lines[min(1, len(lines)-1)], lines[len(lines)-1])
			}
			promises = append(promises, p)
		}
	}
	kept := func(after string, servers ...*client) {
		t.Helper()
		for _, p := range promises {
			for i, c := range servers {
				must.Equal(t, p.file(c), p.text, "%s: server %d sends other bytes for an export of %s", after, i, p.key)
			}
		}
	}
	promised(liveKey, "all-000000", "all-last")
	promised(devKey, "dev-000000", "dev-last")
	kept("loaded", a, b)

	// Both load at once, for the server and for a key: nothing is lost, and both count alike.
	var loading sync.WaitGroup
	for i := range 12 {
		loading.Go(func() {
			c, key := []*client{a, b}[i%2], []string{"", "?key=" + devKey}[i/2%2]
			response, err := c.request(http.MethodPost, "/_mock/data/installations"+key, fmt.Sprintf(`{"install_id":"more-%d"}`, i), "Content-Type",
				ndjson)
			must.Hold(t, err == nil && response.Status == http.StatusOK, "load %d: %v %s", i, err, response.Body)
		})
	}
	loading.Wait()
	agree("loaded at once", "", rows+7)
	agree("loaded at once", "?key="+devKey, rows+7)
	kept("loaded at once", a, b)

	// One is killed and starts again.
	two.kill()
	two = start(t, flags...)
	b = clientOf(t, two)
	agree("started again", "", rows+7)
	agree("started again", "?key="+devKey, rows+7)
	kept("started again", a, b)

	// A key is emptied on one, and shows the dataset of the server on both.
	b.send(http.MethodDelete, "/_mock/state?key="+devKey, "").decode(t, http.StatusOK, nil)
	agree("emptied", "?key="+devKey, rows+7)
	promises = promises[:2] // those of the other key
	if onA, onB := a.userbaseOf(devKey), b.userbaseOf(liveKey); onA(b) != onB(a) {
		t.Error("emptied, the key does not show the dataset of the server")
	}
	kept("emptied", a, b)
	b.data(http.MethodDelete, "", "", "")
	agree("reset", "", 0)
	kept("reset", a, b)
}
