package drift_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// written is a body that is there.
type written string

func (w written) Size() int64 { return int64(len(w)) }
func (w written) Whole() bool { return true }
func (w written) Discard()    {}
func (w written) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(w))), nil
}

// TestOrderOfLookups: an answer that is observed after that to a later request, or that ran at once with it, tells of no state that
// went back; one to a request that began when the other was answered does.
func TestOrderOfLookups(t *testing.T) {
	noon := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	for about, c := range map[string]struct {
		began time.Duration // the lookup that says CREATED, after one that began at 10 ms and said PENDING at 20 ms
		goes  bool
	}{
		"observed too late": {0, false}, "at once": {15 * time.Millisecond, false}, "after it": {20 * time.Millisecond, true},
		"long after it": {time.Second, true},
	} {
		t.Run(about, func(t *testing.T) {
			observer := must.Get(drift.New(fstest.MapFS{}))(t)
			for i, each := range []struct {
				began time.Duration
				state string
			}{{10 * time.Millisecond, "PENDING"}, {c.began, "CREATED"}} {
				x := &drift.Exchange{Number: uint64(i) + 1, Began: noon.Add(each.began), Answered: noon.Add(each.began + 10*time.Millisecond),
					Status: 200,
					To:     drift.Target{Method: "GET", Path: "/2.7/exports/view", Query: "id=export_1"}}
				x.Received.Body = written(fmt.Sprintf(`{"id": "export_1", "status": %q}`, each.state))
				observer.Observe(x)
			}
			goes := false
			for _, each := range observer.Findings() {
				goes = goes || each.Kind == "transition"
			}
			must.Equal(t, goes, c.goes, "it goes back: %s", describe(observer.Findings()))
		})
	}
}

// passed is an exchange with the profile interface that began and was answered some milliseconds after noon.
func passed(number uint64, began, answered time.Duration, method, path, query, sent string, status int, body string) *drift.Exchange {
	noon := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	x := &drift.Exchange{Number: number, Began: noon.Add(began * time.Millisecond), Answered: noon.Add(answered * time.Millisecond),
		Ended: noon.Add(answered * time.Millisecond), Status: status,
		To: drift.Target{Method: method, Path: path, Query: query}}
	x.Sent.Header = map[string][]string{"Authorization": {"Bearer t"}, "X-Service-Project": {"p"}}
	x.Received.Header = map[string][]string{"Content-Type": {"application/json"}}
	if sent != "" {
		x.Sent.Body = written(sent)
	}
	x.Received.Body = written(body)
	return x
}

func created(number uint64, began, answered time.Duration) *drift.Exchange {
	return passed(number, began, answered, "POST", "/2.7/profiles/export", "", filteredPayload, 202,
		fmt.Sprintf(`{"id": "export_%d"}`, number))
}

func limited(number uint64, began, answered time.Duration) *drift.Exchange {
	x := passed(number, began, answered, "POST", "/2.7/profiles/export", "", filteredPayload, 429,
		`{"error_code": "TOO_MANY_REQUESTS", "error_message": "wait"}`)
	x.Received.Header["Retry-After"] = []string{"720"}
	return x
}

func looked(number uint64, began, answered time.Duration, status int, body string) *drift.Exchange {
	return passed(number, began, answered, "GET", "/2.7/exports/view", "id=export_1", "", status, body)
}

// TestOrderOfLimits: ten may be asked for at once, so a refusal tells of a smaller limit only if fewer had been asked for when it
// was answered, whichever was observed first.
func TestOrderOfLimits(t *testing.T) {
	t.Parallel()
	for about, c := range map[string]struct {
		exchanges []*drift.Exchange
		came      string // "" if nothing is found
	}{
		"refused before the others were observed": {append([]*drift.Exchange{limited(11, 5, 20)}, creations(10, 0, 30)...), ""},
		"refused after three":                     {append(creations(3, 0, 10), limited(4, 20, 30)), "refused after 3 requests"},
		"refused after three, observed late": {append([]*drift.Exchange{limited(4, 20, 30)}, creations(3, 0, 10)...),
			"refused after 3 requests"},
		"refused before others began": {append([]*drift.Exchange{limited(4, 5, 20)},
			append(creations(3, 0, 10), created(20, 20, 30), created(21, 25, 30))...), "refused after 3 requests"},
	} {
		t.Run(about, func(t *testing.T) {
			observer := observing(t, c.exchanges)
			must.Do(t, observer.Finish(t.Context(), t.TempDir()))
			came := ""
			for _, each := range observer.Findings() {
				if each.Kind == "rate-limit" {
					came = each.Came
					if len(each.Overlay) == 0 {
						t.Error("no overlay says it")
					}
				}
			}
			must.Equal(t, came, c.came, "the findings:%s", describe(observer.Findings()))
		})
	}
}

// creations are some that all began, and were answered, at once.
func creations(count uint64, began, answered time.Duration) (made []*drift.Exchange) {
	for number := range count {
		made = append(made, created(number+1, began, answered))
	}
	return made
}

// TestOrderOfExports: an export that a lookup does not know was forgotten only if it had been named before that began; and what
// is known of one stays, whether a list or its creation names it first.
func TestOrderOfExports(t *testing.T) {
	t.Parallel()
	const pending = `{"id": "export_1", "scope": "PROFILE_ATTRIBUTES", "status": "PENDING", "request_date": "2026-03-15T12:00:00Z", "request": ` + attributesPayload + `}`
	const unknown = `{"error_code": "ROUTE_NOT_FOUND", "error_message": "there is none"}`
	list := func(number uint64, began, answered time.Duration) *drift.Exchange {
		return passed(number, began, answered, "GET", "/2.7/exports/list", "", "", 200,
			`{"exports": [`+pending+`], "count": 1, "has_more": false}`)
	}
	for about, c := range map[string]struct {
		exchanges []*drift.Exchange
		kind      string
		found     bool
	}{
		"looked up before it was made": {[]*drift.Exchange{created(1, 0, 20), looked(2, 10, 15, 404, unknown)}, "forgotten", false},
		"looked up after it was made":  {[]*drift.Exchange{created(1, 0, 20), looked(2, 20, 25, 404, unknown)}, "forgotten", true},
		"listed first, and then looked up": {[]*drift.Exchange{list(2, 5, 10), created(1, 0, 20), looked(3, 10, 15, 404, unknown)}, "forgotten",
			true},
		"seen in a list before its making": {[]*drift.Exchange{list(2, 5, 10), created(1, 0, 20),
			looked(3, 30, 40, 200, strings.Replace(pending, "PENDING", "CREATED", 1))}, "transition", true},
		"two lookups that say the same": {[]*drift.Exchange{looked(1, 0, 10, 200, pending), looked(2, 5, 100, 200, pending),
			looked(3, 50, 60, 200, strings.Replace(pending, "PENDING", "CREATED", 1))}, "transition", true},
		"one that overlaps with the first": {[]*drift.Exchange{looked(2, 5, 100, 200, pending),
			looked(3, 50, 60, 200, strings.Replace(pending, "PENDING", "CREATED", 1))}, "transition", false},
	} {
		t.Run(about, func(t *testing.T) {
			observer := observing(t, c.exchanges)
			found := false
			for _, each := range observer.Findings() {
				found = found || each.Kind == c.kind
			}
			must.Equal(t, found, c.found, "%s was found:%s", c.kind, describe(observer.Findings()))
		})
	}
}

// done is a lookup of an export with a link to one file.
const done = `{"id": "export_1", "scope": "PROFILE_ATTRIBUTES", "status": "SUCCESS", "request_date": "2026-03-15T12:00:00Z", ` +
	`"start_date": "2026-03-15T12:00:00Z", "completion_date": "2026-03-15T12:00:00Z", "files": [{"id": "file_a_1", "part": 1, "size": 2, "url": "https://files.example.com/a"}], "request": ` + attributesPayload + `}`

// TestOrderOfLints: a client is judged by the order in which it asked: a download that ends after the last lookup was begun before it.
func TestOrderOfLints(t *testing.T) {
	t.Parallel()
	get := func(number uint64, began, answered time.Duration) *drift.Exchange {
		x := passed(number, began, answered, "GET", "/a", "", "", 200, "[]")
		x.To.Origin = "https://files.example.com"
		return x
	}
	for about, c := range map[string]struct {
		began time.Duration // of the download
		found bool
	}{"begun between them": {4000, false}, "begun after them": {7500, true}} {
		t.Run(about, func(t *testing.T) {
			observer := must.Get(drift.New(fstest.MapFS{}))(t)
			for _, each := range []*drift.Exchange{looked(1, 0, 1000, 200, done), looked(2, 3000, 3100, 200, done), looked(3, 6000, 6100, 200, done),
				get(4, c.began, 9000)} {
				observer.Observe(each)
			}
			found := false
			for _, each := range observer.Lints() {
				found = found || each.Code == "polled_after_final"
			}
			must.Equal(t, found, c.found, "looked up in vain: %v", observer.Lints())
		})
	}
}

// TestLinkForGetAlone: a link that works for GET and is refused to HEAD has not died; one that is refused to GET has.
func TestLinkForGetAlone(t *testing.T) {
	t.Parallel()
	for method, dies := range map[string]bool{"HEAD": false, "GET": true} {
		t.Run(method, func(t *testing.T) {
			load := func(number uint64, method string, status int, body string) *drift.Exchange {
				x := passed(number, 1000, 2000, method, "/a", "", "", status, body)
				x.To.Origin, x.Sent.Header = "https://files.example.com", nil
				return x
			}
			observer := observing(t, []*drift.Exchange{looked(1, 0, 1000, 200, done), load(2, "GET", 302, ""), load(3, method, 403, "")})
			found := strings.Contains(describe(observer.Findings()), "link-lifetime")
			if found != dies {
				t.Errorf("the link died: %v:%s", found, describe(observer.Findings()))
			}
		})
	}
}

// TestManyClients: of clients that do everything at once, and are held up by the limit that they share, nothing is invented, and
// no file is missed.
func TestManyClients(t *testing.T) {
	t.Parallel()
	b := proxied(t, service(t, nil, nil), nil)
	const clients = 8
	t.Run("clients", func(t *testing.T) {
		for number := range clients {
			t.Run(fmt.Sprint(number), func(t *testing.T) {
				t.Parallel()
				one := *b
				one.t = t
				one.legacy("userbase", userbasePayload)
				one.profiles(attributesPayload)
				one.legacy("campaign/spring/events", campaignPayload)
				for range 4 {
					one.ask("POST", "/2.7/profiles/export", filteredPayload, token...)
				}
				one.ask("GET", "/2.7/exports/list", "", token...)
			})
		}
	})
	b.end()
	if found := b.observer.Findings(); len(found) > 0 {
		t.Errorf("%d findings:%s", len(found), describe(found))
	}
	if seen := b.observer.Seen; seen.Files != 3*clients || seen.Faults > 0 {
		t.Errorf("seen %+v", seen)
	}
	for _, each := range b.observer.Lints() {
		if each.Code == "file_never_downloaded" && each.Count > 0 || each.Code == "refusal_repeated" {
			t.Errorf("invented: %+v", each)
		}
	}
}

// observing is an observer that was told of exchanges in an order.
func observing(t *testing.T, exchanges []*drift.Exchange) *drift.Observer {
	t.Helper()
	observer := must.Get(drift.New(fstest.MapFS{}))(t)
	for _, each := range exchanges {
		observer.Observe(each)
	}
	return observer
}
