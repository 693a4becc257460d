//go:build unix

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
)

// mutants sends requests of the API document, changed at random, on raw connections: the export API to one server, the control API to
// another, so that what it forces there does not count as a failure here.
func mutants(c *chaos) {
	const workers = 8
	few := testlevel.Count(1000, 3000, 3000)
	if c.duration > 0 {
		few = 100_000
	}
	exports := start(c, "--state", filepath.Join(c.TempDir(), "state.db"), "--profiles", "100")
	controls := start(c, "--state", "memory", "--profiles", "100")
	first := clientOf(c, exports)
	first.freeze(noon)
	clientOf(c, controls).freeze(noon)
	l := newLoad(c, exports) // what it has made must not suffer
	l.awaitMore(100)
	l.end()
	toExports, toControls := seedsOf(c, exports, false), seedsOf(c, controls, true)
	c.Logf("%d seeds for the export API, %d for the control API", len(toExports), len(toControls))
	var sent atomic.Int64
	var answered [6]atomic.Int64
	var group sync.WaitGroup
	for i := range workers {
		m := &mutator{chaos: c, answered: &answered, server: exports, seeds: toExports,
			random: rand.New(rand.NewPCG(c.random.Uint64(), uint64(i)))}
		if i%2 > 0 {
			m.server, m.seeds = controls, toControls
		}
		group.Go(func() {
			defer m.hangUp()
			for c.again(int(sent.Add(1)), few) {
				m.one()
			}
		})
	}
	group.Wait()
	l.verify(exports)
	counts := map[int]int64{}
	for i := range answered {
		if count := answered[i].Load(); count > 0 {
			counts[i*100] = count
		}
	}
	c.Logf("answers by class: %v", counts)
	for _, class := range []int{200, 400} { // else it would be something else that is tried
		if counts[class] < int64(few/10) {
			c.Errorf("%d answers of class %d to %d requests", counts[class], class, sent.Load())
		}
	}
	stillServing(c, first)
	control := clientOf(c, controls)
	control.send(http.MethodDelete, "/_mock/state", "").decode(c, http.StatusOK, nil)
	stillServing(c, control)
}

// mutant is a request, before and after it was changed.
type mutant struct {
	method, target string
	headers        []string // name, value
	body           string
}

// text is the request on the wire.
func (m mutant) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s HTTP/1.1\r\nHost: x\r\n", m.method, m.target)
	for i := 0; i < len(m.headers); i += 2 {
		fmt.Fprintf(&out, "%s: %s\r\n", m.headers[i], m.headers[i+1])
	}
	if m.body != "" || m.method == http.MethodPost || m.method == http.MethodPut {
		fmt.Fprintf(&out, "Content-Length: %d\r\n", len(m.body))
	}
	return out.String() + "\r\n" + m.body
}

// seedsOf are the requests of the API document with its examples, and with what there is on a server.
func seedsOf(c *chaos, s *server, control bool) (seeds []mutant) {
	c.Helper()
	type example struct{ Value json.RawMessage }
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Content map[string]struct{ Examples map[string]example }
			}
		}
	}
	asker := clientOf(c, s)
	asker.send(http.MethodGet, "/openapi.json", "").decode(c, http.StatusOK, &document)
	k, profile := kindOf("userbase"), kindOf("profiles.events")
	id := asker.create(k, k.month(), "X-Mock-Scenario", "progress=now")
	export := asker.create(profile, profile.month(), "X-Mock-Scenario", "progress=now")
	link, err := url.Parse(asker.links(k, id)[0])
	if err != nil {
		c.Fatal(err)
	}
	fill := strings.NewReplacer("{api_key}", liveKey, "{campaign_token}", "welcome", "{group_id}", "receipts", "{request_id}", id, "{id}", id,
		"{kind}", "profiles",
		"/files/{name}", link.RequestURI(), "/2.7/exports/view", "/2.7/exports/view?id="+export,
		"/2.7/exports/download", "/2.7/exports/download?id="+strings.Replace(export, "export_", "file_", 1)+"_1")
	for path, operations := range document.Paths {
		if strings.HasPrefix(path, "/_mock/") != control || strings.HasSuffix(path, "/wait") ||
			path == "/_mock/journal/events" { // these answer late
			continue
		}
		for method, operation := range operations {
			seed := mutant{method: strings.ToUpper(method), target: fill.Replace(path), headers: []string{"X-Authorization", companyKey}}
			if strings.HasPrefix(path, "/2.7/") {
				seed.headers = profileHeaders[:4]
			}
			if len(operation.RequestBody.Content) == 0 {
				seeds = append(seeds, seed)
			}
			for media, content := range operation.RequestBody.Content {
				for _, each := range content.Examples {
					with := seed
					with.headers = append(append([]string{}, seed.headers...), "Content-Type", media)
					var text string // a CSV is a string
					if json.Unmarshal(each.Value, &text) == nil {
						with.body = text
					} else {
						with.body = string(each.Value)
					}
					seeds = append(seeds, with)
				}
			}
		}
	}
	if control {
		state := asker.send(http.MethodGet, "/_mock/state", "")
		seeds = append(seeds, mutant{http.MethodPut, "/_mock/state", []string{"Content-Type", "application/json"}, string(state.Body)})
	}
	for _, k := range kinds {
		if !control {
			seeds = append(seeds, mutant{http.MethodPost, k.path, k.headers(), k.month()})
		}
	}
	// The order of maps is another each time; that of a run with the same seed must not be.
	slices.SortFunc(seeds, func(a, b mutant) int { return strings.Compare(a.text(), b.text()) })
	return seeds
}

// mutator sends changed requests on one connection after the other.
type mutator struct {
	*chaos
	server     *server
	seeds      []mutant
	random     *rand.Rand
	connection *wire
	answered   *[6]atomic.Int64 // by class
}

func (m *mutator) hangUp() {
	if m.connection != nil {
		m.connection.Close()
		m.connection = nil
	}
}

// one sends a changed request and judges the answer. One in twenty is changed where it frames itself, too: nobody knows where such a
// one ends, so the client closes its half, and no answer is an answer.
func (m *mutator) one() {
	request := m.change(m.seeds[m.random.IntN(len(m.seeds))])
	text := request.text()
	_, err := url.ParseRequestURI(request.target)
	broken := err != nil // which net/http refuses without reading on
	if m.random.IntN(20) == 0 {
		text, broken = m.garble(text), true
	}
	if broken {
		m.hangUp()
	}
	m.figures.requests.Add(1)
	m.figures.faults.Add(1)
	for fresh := m.connection == nil; ; fresh = true {
		if m.connection == nil {
			connection, err := net.Dial("tcp", strings.TrimPrefix(m.server.base, "http://"))
			if err != nil {
				m.unasked("no connection: %v", err)
				return
			}
			m.connection = &wire{connection.(*net.TCPConn), bufio.NewReader(connection)}
		}
		_ = m.connection.SetDeadline(time.Now().Add(patience))
		_, err := io.WriteString(m.connection, text)
		if broken {
			_ = m.connection.CloseWrite()
		}
		response, closed, readError := m.read(request.method)
		status := response.Status
		if broken || closed || readError != nil {
			m.hangUp()
		}
		if readError == nil && status < 600 {
			m.answered[status/100].Add(1)
		}
		switch timeout, ok := readError.(net.Error); {
		case ok && timeout.Timeout():
			m.figures.wedged.Add(1)
			m.Errorf("wedged: no answer after %v to %.1000q", patience, text)
		case readError != nil && !fresh: // the server had closed the connection before
			continue
		case readError != nil && !broken:
			m.unasked("no answer (%v, %v) to %.1000q", err, readError, text)
		case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported: // net/http speaks of the framing
		case namesBudget(response), status == http.StatusServiceUnavailable && request.method == http.MethodHead:
			m.figures.announced.Add(1)
		case status >= http.StatusInternalServerError:
			m.unasked("%d %s to %.2000q", status, response.Body, text)
		}
		return
	}
}

// read reads one answer to its end, and tells whether the server closes the connection. Of the body it keeps the beginning.
func (m *mutator) read(method string) (read answer, closed bool, err error) {
	for {
		response, err := http.ReadResponse(m.connection.reader, &http.Request{Method: method})
		if err != nil {
			return answer{}, true, err
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, 4<<10))
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
		}
		response.Body.Close()
		if response.StatusCode >= http.StatusOK {
			return answer{response.StatusCode, response.Header, body}, response.Close, err
		}
	}
}

// change makes up to four changes to a request, none of which makes its length wrong.
func (m *mutator) change(r mutant) mutant {
	r.headers = append([]string{}, r.headers...)
	for range 1 + m.random.IntN(4) {
		switch m.random.IntN(10) {
		case 0:
			r.method = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}[m.random.IntN(8)]
		case 1:
			r.target = "/" + strings.Map(inTarget, m.garble(r.target[1:]))
		case 2:
			separator := "?"
			if strings.Contains(r.target, "?") {
				separator = "&"
			}
			name := []string{"key", "id", "from", "limit", "since", "schema", "expires", "signature", "x"}[m.random.IntN(9)]
			r.target += separator + name + "=" + url.QueryEscape(fmt.Sprint(m.hostile()))
		case 3:
			name := []string{"Content-Type", "X-Authorization", "Authorization", "X-Service-Project", "Accept-Encoding", "Range", "If-Range",
				"If-Match",
				"If-None-Match", "If-Modified-Since", "X-Request-Id", "Origin", "Content-Encoding", "Accept"}[m.random.IntN(14)]
			value := []string{"", "*", "bytes=0-", "bytes=-1", "bytes=5-1,9-", "gzip", "text/csv", "application/x-ndjson",
				"multipart/form-data; boundary=b", "Bearer ", "\"x\"",
				strings.Map(inHeader, m.garble(name))}[m.random.IntN(12)]
			r.headers = append(r.headers, name, value)
		case 4:
			if len(r.headers) > 0 {
				at := m.random.IntN(len(r.headers)/2) * 2
				r.headers = append(r.headers[:at], r.headers[at+2:]...)
			}
		case 5:
			r.body = m.garble(r.body)
		case 6:
			r.body = m.seeds[m.random.IntN(len(m.seeds))].body
		default:
			r.body = m.replaceValue(r.body)
		}
	}
	if r.method == http.MethodConnect {
		r.method = http.MethodGet
	}
	return r
}

// garble changes some bytes of a text: it flips, removes, doubles and inserts.
func (m *mutator) garble(text string) string {
	all := []byte(text)
	for range 1 + m.random.IntN(4) {
		if len(all) == 0 {
			return string(rune(m.random.IntN(256)))
		}
		from := m.random.IntN(len(all))
		to := from + m.random.IntN(min(len(all)-from, 40)+1)
		switch m.random.IntN(5) {
		case 0:
			all[from] ^= 1 << m.random.IntN(8)
		case 1:
			all = append(all[:from:from], all[to:]...)
		case 2:
			all = append(all[:to:to], all[from:]...)
		case 3:
			all = append(append(all[:from:from], byte(m.random.IntN(256))), all[from:]...)
		case 4:
			all = all[:to]
		}
	}
	return string(all)
}

// replaceValue puts something hostile into the place of a value of a JSON text, or of the whole text when it is none.
func (m *mutator) replaceValue(text string) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return fmt.Sprint(m.hostile())
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.replaced(value)); err != nil {
		return text
	}
	return out.String()
}

func (m *mutator) replaced(value any) any {
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || m.random.IntN(8) == 0 {
			v[[]string{"x", "from", "ids", "", "\u0000"}[m.random.IntN(5)]] = m.hostile()
			return v
		}
		name := names[m.random.IntN(len(names))]
		if m.random.IntN(6) == 0 {
			delete(v, name)
			return v
		}
		v[name] = m.replaced(v[name])
		return v
	case []any:
		if len(v) == 0 || m.random.IntN(5) == 0 {
			return append(v, m.hostile())
		}
		at := m.random.IntN(len(v))
		v[at] = m.replaced(v[at])
		return v
	}
	return m.hostile()
}

// hostile is a value at the edge of what something can hold.
func (m *mutator) hostile() any {
	return []any{nil, true, "", "x", -1, 0, 1, json.Number("1e308"), json.Number("-0.0"), json.Number("9223372036854775808"),
		json.Number("1000000000000000"),
		json.Number("0." + strings.Repeat("3", 400)), "now", "9999-12-31T23:59:59", "0000-00-00T00:00:00Z", "2025-09-20T12:00:00Z",
		strings.Repeat("x", 5000), "\u0000\u001b[31m", "../../etc/passwd",
		"%00", []any{}, map[string]any{}, []any{map[string]any{"a": []any{[]any{[]any{}}}}}, strings.Repeat("ä", 300), "\ufffd", "progress=now",
		"error=INTERNAL", "profile_ada", devKey, liveKey}[m.random.IntN(30)]
}

// inTarget leaves out what ends the target of a request or its line.
func inTarget(char rune) rune {
	if char <= ' ' || char == 0x7f {
		return -1
	}
	return char
}

// inHeader leaves out what ends a header, or makes one that net/http refuses.
func inHeader(char rune) rune {
	if char < ' ' || char >= 0x7f {
		return -1
	}
	return char
}
