package recording_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// FuzzOpen: whatever stands in an exchange, it is refused or replayed.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"number": 1, "time": "2026-03-15T12:00:00Z", "method": "GET", "path": "/1.0/{{key}}/a", "status": 200, "answer": {"file": "000001.answer.json"}, "facts": {"stage": "status", "export": "a"}}`), "/1.0/k/a", "{}")
	f.Add([]byte(`{"method": "POST", "path": "/replay/a/1", "status": 202, "request": {"file": "000001.answer.json"}, "facts": {"stage": "create"}}`), "/replay/a/1", `{"a": 1e400}`)
	f.Fuzz(func(t *testing.T, exchange []byte, path, body string) {
		replay, err := recording.Open(fstest.MapFS{
			"recording.json":     {Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)},
			"000001.json":        {Data: exchange},
			"000001.answer.json": {Data: []byte(body)},
		}, recording.Moving{})
		if err != nil {
			return
		}
		for _, method := range []string{"GET", "HEAD", "POST"} {
			found := replay.Find(&recording.Request{Method: method, Path: path, Body: []byte(body), Key: "k", Clock: at(time.Unix(0, 0))})
			if found == nil || found.Exchange.Answer == nil {
				continue
			}
			if _, err := replay.Text(found, "http://localhost"); err != nil {
				t.Errorf("a body that was there cannot be read: %v", err)
			}
		}
	})
}

// TestTime: creations are answered in their order, everything else by the clock, apart for each key.
func TestTime(t *testing.T) {
	exchange := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	replay, err := recording.Open(fstest.MapFS{
		"recording.json": exchange(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`),
		"1.json":         exchange(`{"number": 1, "time": "2026-03-15T12:00:10Z", "method": "POST", "path": "/{{key}}/e", "status": 429, "facts": {"stage": "create"}}`),
		"2.json":         exchange(`{"number": 2, "time": "2026-03-15T12:00:20Z", "method": "POST", "path": "/{{key}}/e", "status": 202, "facts": {"stage": "create", "export": "x"}}`),
		"3.json":         exchange(`{"number": 3, "time": "2026-03-15T12:00:21Z", "method": "GET", "path": "/{{key}}/e/x", "status": 200, "facts": {"stage": "status", "export": "x"}}`),
		"4.json":         exchange(`{"number": 4, "time": "2026-03-15T12:01:00.9Z", "method": "GET", "path": "/{{key}}/e/x", "status": 200, "facts": {"stage": "status", "export": "x"}}`),
		"5.json":         exchange(`{"number": 5, "time": "2026-03-15T12:01:01Z", "method": "GET", "path": "/replay/x/1", "status": 200, "facts": {"stage": "file", "export": "x", "part": 1}}`),
		"6.json":         exchange(`{"number": 6, "time": "2026-03-15T12:30:00Z", "method": "GET", "path": "/replay/x/1", "status": 403, "facts": {"stage": "file", "export": "x", "part": 1}}`),
	}, recording.Moving{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, c := range []struct {
		after             time.Duration
		key, method, path string
		want              uint64 // 0: none
	}{
		{0, "a", "POST", "/a/e", 1},
		{0, "b", "POST", "/b/e", 1},
		{time.Hour, "a", "POST", "/a/e", 2},
		{time.Hour, "a", "GET", "/a/e/x", 3},
		{time.Hour + 39*time.Second, "a", "GET", "/a/e/x", 3},
		{time.Hour + 40*time.Second, "a", "GET", "/a/e/x", 4},
		{time.Hour + 41*time.Second, "", "GET", "/replay/x/1", 5},
		{2 * time.Hour, "", "GET", "/replay/x/1", 6},
		{2 * time.Hour, "b", "POST", "/b/e", 2},
		{2 * time.Hour, "", "GET", "/replay/x/1", 6}, // that of b has another identifier
		{2 * time.Hour, "a", "POST", "/a/e", 2},
		{2 * time.Hour, "a", "GET", "/a/e/y", 0},
	} {
		found := replay.Find(&recording.Request{Method: c.method, Path: c.path, Key: c.key, Clock: at(start.Add(c.after))})
		must.Equal(t, numberOf(found), c.want, "%d: %s %s after %v gets", i, c.method, c.path, c.after)
	}
	replay.Find(&recording.Request{Method: "POST", Path: "/c/e", Key: "c", Clock: at(start)}) // refused, as recorded
	found := replay.Find(&recording.Request{Method: "POST", Path: "/c/e", Key: "c", Clock: at(start)})
	id := found.Export("x")
	if id == "x" || len(id) != 1 || found.Filled("x {{key}} http://recording.invalid", "http://mock") != id+" c http://mock" {
		t.Errorf("the fourth export is %q, in %q", id, found.Filled("x {{key}} http://recording.invalid", "http://mock"))
	}
	for after, want := range map[time.Duration]uint64{0: 3, time.Minute: 4} {
		if found := replay.Find(&recording.Request{Method: "GET", Path: "/c/e/" + id, Key: "c",
			Clock: at(start.Add(after))}); numberOf(found) != want || found.Export("x") != id {
			t.Errorf("after %v it is answered by %d, want %d", after, numberOf(found), want)
		}
	}
	if link := replay.Find(&recording.Request{Method: "GET", Path: "/replay/" + id + "/1",
		Clock: at(start.Add(time.Minute))}); numberOf(link) != 5 || link.Key != "c" {
		t.Errorf("its file is answered by %d", numberOf(link))
	}
	replay.Forget("a")
	if found := replay.Find(&recording.Request{Method: "POST", Path: "/a/e", Key: "a", Clock: at(start)}); numberOf(found) != 1 {
		t.Errorf("a forgotten key begins with %d", numberOf(found))
	}
	if found := replay.Find(&recording.Request{Method: "POST", Path: "/b/e", Key: "b", Clock: at(start)}); numberOf(found) != 2 {
		t.Errorf("another one goes on with %d", numberOf(found))
	}
}

// TestAtOnce: of two lookups at once the later answer is the later state, whichever began first, so that no state goes back.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	exchange := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	replay, err := recording.Open(fstest.MapFS{
		"recording.json": exchange(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`),
		"1.json":         exchange(`{"number": 1, "time": "2026-03-15T12:00:00Z", "method": "POST", "path": "/{{key}}/e", "status": 202, "facts": {"stage": "create", "export": "x"}}`),
		"2.json":         exchange(`{"number": 2, "time": "2026-03-15T12:00:10Z", "took_seconds": 5, "method": "GET", "path": "/{{key}}/e/x", "status": 200, "facts": {"stage": "status", "export": "x", "export_status": "SUCCESS"}}`),
		"3.json":         exchange(`{"number": 3, "time": "2026-03-15T12:00:11Z", "took_seconds": 1, "method": "GET", "path": "/{{key}}/e/x", "status": 200, "facts": {"stage": "status", "export": "x", "export_status": "CREATED"}}`),
	}, recording.Moving{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	replay.Find(&recording.Request{Method: "POST", Path: "/a/e", Key: "a", Clock: at(start)})
	for seconds, want := range []string{10: "CREATED", 11: "SUCCESS", 12: "SUCCESS"} {
		found := replay.Find(&recording.Request{Method: "GET", Path: "/a/e/x", Key: "a",
			Clock: at(start.Add(time.Duration(seconds) * time.Second))})
		if got := found.Exchange.Facts.ExportStatus; want != "" && got != want {
			t.Errorf("after %d s it is %s, want %s", seconds, got, want)
		}
	}
}

func at(now time.Time) func(string) time.Time { return func(string) time.Time { return now } }

func numberOf(x *recording.Found) uint64 {
	if x == nil {
		return 0
	}
	return x.Exchange.Number
}
