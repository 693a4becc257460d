//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// pair starts two programs over one database, on a clock that stands still.
func pair(t *testing.T, flags ...string) (a, b *client) {
	t.Helper()
	flags = append([]string{"--state", postgrestest.Start(t).Address(t), "--profiles", "300"}, flags...)
	one, two := start(t, flags...), start(t, flags...)
	t.Cleanup(func() { // before the programs are ended
		for _, s := range []*server{one, two} {
			if text := s.log.String(); strings.Contains(text, postgrestest.Password) {
				t.Errorf("the password is shown:\n%s", text)
			}
		}
	})
	a, b = clientOf(t, one), clientOf(t, two)
	a.freeze(noon)
	return a, b
}

// TestServersOverOneDatabaseAreOneService: whichever of two programs is asked, the answer is the same.
func TestServersOverOneDatabaseAreOneService(t *testing.T) {
	a, b := pair(t)
	show := func(c *client, key string) time.Time {
		t.Helper()
		var state clockState
		c.send(http.MethodGet, "/_mock/clock"+key, "").decode(t, http.StatusOK, &state)
		return state.Now
	}

	// An export of each kind is created on one, polled on the other, and has the same files on both; a link of one works on the other.
	for i, k := range kinds {
		first, second := a, b
		if i%2 > 0 {
			first, second = b, a
		}
		id := first.create(k, k.month(), "X-Mock-Scenario", "progress=polls:3")
		for n, c := range []*client{second, first, second} {
			if status := c.status(k, id); (status == "SUCCESS") != (n == 2) {
				t.Fatalf("%s: lookup %d says %s", k.name, n+1, status)
			}
		}
		want := second.files(k, id)
		if got := first.files(k, id); len(want) == 0 || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%s: the two programs send other bytes", k.name)
		}
		link := strings.Replace(second.links(k, id)[0], second.base, first.base, 1)
		if response := first.send(http.MethodGet, link, ""); response.Status != http.StatusOK || !bytes.Equal(response.Body, want[0]) {
			t.Errorf("%s: a link of the other program: status %d", k.name, response.Status)
		}
	}
	if onA, onB := listed(a), listed(b); onA == "" || onA != onB {
		t.Errorf("the lists differ:\n%s\n%s", onA, onB)
	}

	// Every request after the answer to a change sees it, on whichever program, again and again.
	for n := range 50 {
		changed, asked := a, b
		if n%2 > 0 {
			changed, asked = b, a
		}
		if now := changed.advance("1m"); !show(asked, "").Equal(now) {
			t.Fatalf("change %d of the clock is not seen at once", n)
		}
	}
	k := kindOf("userbase")
	a.send(http.MethodPost, "/_mock/clock?key="+devKey, `{"set":"2030-01-01T00:00:00Z"}`, "Content-Type", "application/json").decode(t,
		http.StatusOK, nil)
	if now := show(b, "?key="+devKey); now.Year() != 2030 || show(b, "").Year() == 2030 {
		t.Errorf("the clock of a key shows %v on the other program", now)
	}
	id := a.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	link := strings.Replace(a.links(k, id)[0], a.base, b.base, 1)
	a.advance("21m")
	must.Equal(t, b.send(http.MethodGet, link, "").Status, http.StatusForbidden, "a link that is 21 minutes old on the other program")

	// Scenarios that stand, and those for the next few requests, which are counted together.
	a.send(http.MethodPost, "/_mock/scenarios", `{"scenario":"error=MAINTENANCE_ERROR"}`, "Content-Type", "application/json").decode(t,
		http.StatusCreated, nil)
	if response := b.send(http.MethodPost, k.path, k.month(), k.headers()...); response.Status != http.StatusServiceUnavailable {
		t.Errorf("a scenario of the other program: %d %s", response.Status, response.Body)
	}
	b.send(http.MethodDelete, "/_mock/scenarios", "")
	const times, clients, each = 25, 6, 10
	a.send(http.MethodPost, "/_mock/scenarios", fmt.Sprintf(`{"scenario":"error=CONFLICT","times":%d}`, times), "Content-Type",
		"application/json").decode(t, http.StatusCreated, nil)
	if forced := countStatus(t, a, b, clients, each, http.StatusConflict, k, k.month()); forced != times {
		t.Errorf("%d requests were refused by a scenario for the next %d", forced, times)
	}

	// The rate limit of profile exports with a filter: ten at once, wherever they are asked for.
	k = kindOf("profiles.attributes")
	body := k.body(noon, noon, map[string]any{"filter": map[string]any{"segment": "loyal"}})
	must.Equal(t, countStatus(t, a, b, clients, each, http.StatusAccepted, k, body), 10, "requests with a filter were accepted")

	// The dataset, a snapshot, a reset, and the snapshot put back.
	k = kindOf("userbase")
	before := len(b.export(k, k.month()))
	b.send(http.MethodPost, "/_mock/data/installations", `[{"install_id":"11111111-1111-4111-8111-111111111111"}]`, "Content-Type",
		"application/json").decode(t, http.StatusOK, nil)
	if rows := a.export(k, k.month()); len(rows) != before+1 {
		t.Errorf("with an installation that was loaded on the other program there are %d rows, before there were %d", len(rows), before)
	}
	kept, list, now := a.send(http.MethodGet, "/_mock/state", ""), listed(b), show(b, "")
	if response := b.send(http.MethodDelete, "/_mock/state", ""); response.Status != http.StatusOK {
		t.Fatalf("reset: %d %s", response.Status, response.Body)
	}
	if response := a.send(http.MethodGet, "/1.0/"+liveKey+"/export/request/"+id, "", legacyHeaders...); response.Status != http.StatusNotFound || show(a, "").Equal(now) {
		t.Errorf("after a reset on the other program: %d", response.Status)
	}
	if rows := a.export(k, k.month()); len(rows) == before+1 {
		t.Error("the dataset is still there after a reset on the other program")
	}
	request := must.Get(http.NewRequest(http.MethodPut, a.base+"/_mock/state", bytes.NewReader(kept.Body)))(t)
	request.Header.Set("Content-Type", "application/json")
	response := must.Get(a.http.Do(request))(t)
	response.Body.Close()
	if restored := listed(b); response.StatusCode != http.StatusOK || restored != list || !show(b, "").Equal(now) {
		t.Errorf("restored on the other program: %d\n%s\nwant\n%s", response.StatusCode, restored, list)
	}
	must.Equal(t, len(b.export(k, k.month())), before+1, "rows with restored data")
}

// listed is the list of profile exports as a program shows it.
func listed(c *client) string {
	c.t.Helper()
	return string(c.send(http.MethodGet, "/2.7/exports/list?from=0&limit=100", "", profileHeaders...).Body)
}

// countStatus has clients create exports on two servers at once, and counts an answer.
func countStatus(t *testing.T, a, b *client, clients, each, status int, k kind, body string) int {
	t.Helper()
	var count atomic.Int64
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			for n := range each {
				c := []*client{a, b}[(i+n)%2]
				response, err := c.request(http.MethodPost, k.path, body, k.headers()...)
				if err != nil {
					t.Error(err)
				} else if response.Status == status {
					count.Add(1)
				}
			}
		})
	}
	group.Wait()
	return int(count.Load())
}

// TestServerIsReplaced: one of two programs is killed, and what it acknowledged is there on the other.
func TestServerIsReplaced(t *testing.T) {
	state := postgrestest.Start(t).Address(t)
	one, two := start(t, "--state", state), start(t, "--state", state)
	a, b := clientOf(t, one), clientOf(t, two)
	a.freeze(noon)
	k := kindOf("campaign.events")
	id := a.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	want := a.files(k, id)
	one.kill()
	if got := b.files(k, id); !slices.EqualFunc(got, want, bytes.Equal) {
		t.Error("the other program sends other bytes")
	}
	if response := b.send(http.MethodGet, "/_mock/ready", ""); response.Status != http.StatusOK {
		t.Errorf("readiness: %d %s", response.Status, response.Body)
	}
}
