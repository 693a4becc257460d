package server_test

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// userbaseOf is the file of an export of the user base of an application.
func (s *harness) userbaseOf(key, id string) string {
	s.Helper()
	a := s.do(call{method: "GET", path: "/1.0/" + key + "/export/request/" + id})
	link, _ := a.body["file_url"].(string)
	if link == "" {
		s.Fatalf("looking %s up answered %d: %s", id, a.StatusCode, a.text)
	}
	return s.get(strings.TrimPrefix(link, "http://mock.test")).text
}

// ownPhones are the identifiers in a file of rows that were loaded.
func ownPhones(file string) string {
	var own []string
	for _, row := range strings.Split(file, "\n") {
		if name, _, _ := strings.Cut(row, ";"); strings.HasPrefix(name, "phone-") {
			own = append(own, strings.TrimPrefix(name, "phone-"))
		}
	}
	return strings.Join(own, " ")
}

// phones are those that an application shows now.
func (s *harness) phones(key string) string {
	s.Helper()
	return ownPhones(s.userbaseOf(key, s.create("/1.0/"+key+"/export/userbase", userbaseBody, "progress=now")))
}

func (s *harness) loadPhone(key, name string) {
	s.Helper()
	s.answers("loading "+name, s.load("installations"+key, "application/json", `{"install_id":"phone-`+name+`"}`), 200)
}

// data asks a path of the dataset, and gives the members that tell whose it is.
func (s *harness) data(method, path, body string) (own any, mode any, installations any) {
	s.Helper()
	a := s.do(call{method: method, path: "/_mock/data" + path, body: body, header: http.Header{"Content-Type": {"application/json"}}})
	if a.StatusCode != 200 {
		s.Fatalf("%s %s: %s", method, path, a.text)
	}
	return a.body["own"], a.body["mode"], a.body["installations"]
}

// drawing lets a server draw other identifiers than those with other seeds.
func drawing(seed byte) func(*mockserver.Options) {
	return func(c *mockserver.Options) { c.Random = rand.NewChaCha8([32]byte{seed}) }
}

// TestDataOfKeys: a key that has a dataset of its own shows that and nothing of
// the server's, all others show the server's, and an export keeps what it had.
func TestDataOfKeys(t *testing.T) {
	s := newServer(t)
	promised := map[[2]string]string{} // by key and export
	shows := func(after, live, dev string) {
		t.Helper()
		for key, want := range map[string]string{"live_demo": live, "dev_demo": dev} {
			id := s.create("/1.0/"+key+"/export/userbase", userbaseBody, "progress=now")
			file := s.userbaseOf(key, id)
			promised[[2]string{key, id}] = file
			must.Equal(t, ownPhones(file), want, "%s: %s shows", after, key)
		}
	}
	has := func(after, key string, own, mode any, installations float64) {
		t.Helper()
		if gotOwn, gotMode, count := s.data("GET", key, ""); gotOwn != own || gotMode != mode || count != installations {
			t.Errorf("%s: %q has %v, %v, %v", after, key, gotOwn, gotMode, count)
		}
	}
	shows("nothing", "", "")
	s.loadPhone("", "server")
	shows("a load for the server", "server", "server")
	has("a load for the server", "?key=live_demo", false, "mixed", 1)
	s.loadPhone("?key=live_demo", "live")
	shows("a load for a key", "live", "server")
	has("a load for a key", "?key=live_demo", true, "mixed", 1)
	has("a load for a key", "", nil, "mixed", 1)
	s.loadPhone("", "server-2")
	s.loadPhone("?key=live_demo", "live-2")
	shows("further loads", "live live-2", "server server-2")

	s.mode("only")
	has("a mode of the server", "?key=live_demo", true, "mixed", 2)
	s.loadPhone("?key=dev_demo", "dev")
	has("a dataset that begins beside that of the server", "?key=dev_demo", true, "only", 1)
	shows("another key's", "live live-2", "dev")
	if own, mode, count := s.data("POST", "?key=live_demo", `{"mode":"only"}`); own != true || mode != "only" || count != 2.0 {
		t.Errorf("a mode of a key: %v, %v, %v", own, mode, count)
	}
	if rows := s.rowsIn("userbase", s.create("/1.0/live_demo/export/userbase", userbaseBody, "progress=now")); len(rows) != 2 {
		t.Errorf("the dataset of a key alone: %q", rows)
	}

	for range 2 { // the second has nothing to do
		if own, mode, count := s.data("DELETE", "?key=dev_demo", ""); own != false || mode != "only" || count != 2.0 {
			t.Errorf("given back: %v, %v, %v", own, mode, count)
		}
	}
	shows("given back", "live live-2", "server server-2")
	s.loadPhone("?key=dev_demo", "dev-2")
	shows("begun again", "live live-2", "dev-2")
	s.data("DELETE", "", "")
	shows("a reset of the server", "live live-2", "dev-2")
	if a := s.load("installations?key=dev_demo", "application/json", `[]`); a.StatusCode != 200 || a.body["own"] != true ||
		a.body["key"] != "dev_demo" || a.body["loaded"] != 0.0 {
		t.Errorf("a load of nothing: %s", a.text)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		s.refused(s.do(call{method: method, path: "/_mock/data?key=nobody", body: `{"mode":"only"}`}), 400, "MALFORMED_PARAMETER", "nobody",
			"leave it out for the dataset of the server")
	}

	// A restart, and a server that gets a snapshot, have the same files and go on.
	restarted, other := newServer(t, reopened(s), drawing(1)), newServer(t, drawing(2))
	other.answers("", other.put(s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text), 200)
	for name, server := range map[string]*harness{"here": s, "restarted": restarted, "elsewhere": other} {
		for export, want := range promised {
			must.Equal(t, server.userbaseOf(export[0], export[1]), want, "%s: the file of %s", name, export)
		}
		if live, dev := server.phones("live_demo"), server.phones("dev_demo"); live != "live live-2" || dev != "dev-2" {
			t.Errorf("%s: shows %q and %q", name, live, dev)
		}
	}

	// Emptied, a key shows what the server has, and the other one what it had.
	for i, server := range []*harness{s, other} {
		for range 2 {
			server.answers("", server.do(call{method: "DELETE", path: "/_mock/state?key=live_demo"}), 200)
		}
		if live, dev := server.phones("live_demo"), server.phones("dev_demo"); live != "" || dev != "dev-2" {
			t.Errorf("emptied: shows %q and %q", live, dev)
		}
		if state := server.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text; strings.Contains(state, "phone-live") ||
			!strings.Contains(state, `"phone-dev"`) {
			t.Errorf("emptied, the state has %s", state)
		}
		server.loadPhone("?key=live_demo", "new")
		if again := newServer(t, reopened(server), drawing(3+byte(i))); again.phones("live_demo") != "new" ||
			again.phones("dev_demo") != "dev-2" {
			t.Errorf("emptied and restarted: shows %q and %q", again.phones("live_demo"), again.phones("dev_demo"))
		}
	}
}

// TestDataOfKeysCounts: the rows of all datasets are within one budget.
func TestDataOfKeysCounts(t *testing.T) {
	s := newServer(t, within(t, budget.Limits{DataRows: 3}))
	s.loadPhone("", "server")
	s.loadPhone("?key=live_demo", "live")
	s.loadPhone("?key=dev_demo", "dev")
	s.refused(s.load("installations?key=dev_demo", "application/json", `{"install_id":"phone-4"}`), 409, "CONFLICT", "--limit rows")
	if text := s.do(call{method: "GET", path: "/_mock/metrics"}).text; !strings.Contains(text,
		"rehearsal_budget_used{budget=\"data-rows\",unit=\"count\"} 3") {
		t.Errorf("the metrics say %s", text)
	}
	s.do(call{method: "DELETE", path: "/_mock/state?key=live_demo"})
	s.loadPhone("?key=dev_demo", "dev-2")
}

// TestEmptyWhatWasLeft: rows of a key that a server could not delete before it was killed are deleted when the key is emptied again.
func TestEmptyWhatWasLeft(t *testing.T) {
	s := newServer(t)
	for generation, batch := range []string{
		`{"key":"live_demo","mode":"mixed","at":1773575999,"installations":[{"install_id":"phone-1"}]}`,
		`{"part":true,"installations":[{"install_id":"phone-2"}]}`,
		`{"key":"live_demo","at":1773575999,"parts":[2]}`,
		`{"key":"live_demo","at":0,"emptied":true}`,
	} {
		must.Do(t, s.store.AppendData(t.Context(), 0, int64(generation)+1, []byte(batch)))
	}
	must.Equal(t, s.phones("live_demo"), "", "the key shows")
	s.do(call{method: "DELETE", path: "/_mock/state?key=live_demo"})
	if state := s.do(call{method: "GET", path: "/_mock/state", header: http.Header{}}).text; strings.Contains(state, "phone") {
		t.Errorf("the state has %s", state)
	}
	must.Equal(t, must.Get(s.service.Live().DataAt(t.Context(), 3))(t).People(), 0, "the generation that was emptied has")
}
