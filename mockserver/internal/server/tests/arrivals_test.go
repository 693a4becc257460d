package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// inAppPath is an export of which devices tell.
const inAppPath = "/1.0/live_demo/export/in-app-campaign/welcome/events"

type arrivals struct {
	Arrival                string
	Rows                   int64
	Missing, Twice, Skewed struct {
		Rows     int64
		Examples []struct{ Row string }
	}
	Complete string `json:"complete_at"`
	Next     string `json:"next_from"`
}

func (s *harness) arrivals(id string) (found arrivals) {
	s.Helper()
	id, query, _ := strings.Cut(id, "?")
	a := s.do(call{method: "GET", path: "/_mock/exports/" + id + "/arrivals?" + query})
	if err := json.Unmarshal([]byte(a.text), &found); err != nil || a.StatusCode != http.StatusOK {
		s.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	return found
}

// TestLateRowsAreReported: a window that is asked for twice has more rows the second time, those that the report of the first names.
func TestLateRowsAreReported(t *testing.T) {
	s := newServer(t, func(config *mockserver.Options) { config.Profiles = 20_000 })
	body := `{"from":"2026-03-12T12:00:00","to":"2026-03-15T12:00:00","events":["inapp_shown","inapp_clicked","inapp_closed"],"ids":["install_id"]}`
	first := s.create(inAppPath, body, "progress=now;late=0.3,48h")
	record := s.do(call{method: "GET", path: "/_mock/exports/" + first}).text
	must.Hold(t, strings.Contains(record, `"arrival":"late=0.3,48h0m0s"`), "the record does not tell how rows arrive: %s", record)
	before, told := s.get(s.links(first)[0]).text, s.arrivals(first+"?limit=3")
	s.setClock(`{"advance":"72h"}`)
	after := s.get(s.links(s.create(inAppPath, body, "progress=now;late=0.3,48h"))[0]).text
	all := s.get(s.links(s.create(inAppPath, body, "progress=now"))[0]).text
	if after != all || len(before) >= len(after) || told.Missing.Rows == 0 || told.Complete == "" {
		t.Fatalf("%d bytes, three days later %d, and %d on time; %d missing until %s", len(before), len(after), len(all), told.Missing.Rows,
			told.Complete)
	}
	must.Equal(t, int64(strings.Count(after, "\n")-strings.Count(before, "\n")), told.Missing.Rows, "rows that came later")
	examples := told.Missing.Examples
	for page := told; page.Next != ""; {
		page = s.arrivals(first + "?limit=3&from=" + page.Next)
		examples = append(examples, page.Missing.Examples...)
		must.Equal(t, page.Missing.Rows, told.Missing.Rows, "missing rows on another page")
	}
	if int64(len(examples)) != told.Missing.Rows || told.Next == "" {
		t.Errorf("%d rows are on all pages, of %d", len(examples), told.Missing.Rows)
	}
	if a := s.do(call{method: "GET", path: "/_mock/exports/" + first + "/arrivals?from=then"}); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a page that no answer told of: %d: %s", a.StatusCode, a.text)
	}
	for _, example := range examples {
		if strings.Contains(before, example.Row) || !strings.Contains(after, example.Row) {
			t.Errorf("%q is said to be missing", example.Row)
		}
	}
}

// TestScenariosOfArrival: each part of a scenario is in the record and in the report, and a stronger one keeps what it does not say.
func TestScenariosOfArrival(t *testing.T) {
	s := newServer(t, func(config *mockserver.Options) {
		config.Profiles = 2000
		config.Arrival = "late:0.1,1h"
	})
	body := `{"from":"2026-03-12T12:00:00","to":"2026-03-15T12:00:00","events":["inapp_shown","inapp_clicked","inapp_closed"],"ids":["custom_id"]}`
	found := s.arrivals(s.create(inAppPath, body, "progress=now;duplicates=0.2;skew=0.5,2h;unordered"))
	if found.Arrival != "late=0.1,1h0m0s;duplicates=0.2;skew=0.5,2h0m0s;unordered" || found.Twice.Rows == 0 || found.Skewed.Rows == 0 ||
		len(found.Twice.Examples) == 0 {
		t.Errorf("%+v", found)
	}
	hostile := s.create(inAppPath, body, "progress=now;hostile;late=0,1h")
	record := s.do(call{method: "GET", path: "/_mock/exports/" + hostile}).text
	if !strings.Contains(record, `"texture":"`+string(texture.Hostile)+`"`) || !strings.Contains(record, `"arrival":"late=0,1h0m0s"`) {
		t.Errorf("the record is %s", record)
	}
	if text := s.get(s.links(hostile)[0]).text; !strings.Contains(text, `"`) {
		t.Errorf("nothing is quoted: %.300s", text)
	}
	snapshot := s.arrivals(s.create(userbasePath, userbaseBody, "progress=now"))
	if snapshot.Missing.Rows+snapshot.Twice.Rows+snapshot.Skewed.Rows != 0 || snapshot.Rows == 0 {
		t.Errorf("a snapshot arrives: %+v", snapshot)
	}
	if a := s.do(call{method: "GET", path: "/_mock/exports/" + s.create(userbasePath, userbaseBody, "progress=stuck") + "/arrivals"}); a.StatusCode != http.StatusConflict {
		t.Errorf("an export without a file answers %d: %s", a.StatusCode, a.text)
	}
	for _, wrong := range []string{"late=0.1", "late=2,1h", "duplicates=often", "skew=0.1,0s", "hostile=very"} {
		a := s.do(call{method: "POST", path: userbasePath, body: userbaseBody, scenario: wrong})
		s.answers(wrong, a, http.StatusBadRequest)
	}
}
