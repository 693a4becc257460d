package e2e_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// The demo credentials of the documents.
const (
	companyKey = "rest_demo"
	liveKey    = "live_demo"
	devKey     = "dev_demo"
	token      = "token_demo"
	project    = "project_demo"
)

// noon is the instant to which the tests set the clock of a server.
var noon = time.Date(2025, 9, 20, 12, 0, 0, 0, time.UTC)

// legacy writes an instant as the legacy interface does: UTC without a zone.
func legacy(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05") }

// zoned writes an instant as the profile interface does.
func zoned(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// client talks to one server as an integrator's program would.
type client struct {
	t    testing.TB
	base string
	http *http.Client
}

// connect starts a server on a fixed clock and returns a client for it.
func connect(t testing.TB, flags ...string) *client {
	t.Helper()
	c := clientOf(t, start(t, flags...))
	c.freeze(noon)
	return c
}

func clientOf(t testing.TB, s *server) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true
	transport.MaxIdleConnsPerHost = 64
	t.Cleanup(transport.CloseIdleConnections)
	var tripper http.RoundTripper = transport
	if prism != nil {
		tripper = through{t: t, proxy: prism, server: s.base, direct: transport}
	}
	return &client{t: t, base: s.base, http: &http.Client{
		Transport: tripper,
		// A redirect is answered by hand: what the specification says of credentials holds for the service, not for a file's host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is a whole HTTP response.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// send makes one request. A target that begins with a slash is a path on the server. Headers are name, value, name, value.
func (c *client) send(method, target, body string, headers ...string) answer {
	c.t.Helper()
	return must.Get(c.request(method, target, body, headers...))(c.t)
}

// request is send for callers that expect the connection to break.
func (c *client) request(method, target, body string, headers ...string) (answer, error) {
	if strings.HasPrefix(target, "/") {
		target = c.base + target
	}
	var payload io.Reader
	if method == http.MethodPost {
		payload = strings.NewReader(body)
	}
	request, err := http.NewRequest(method, target, payload)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, data}, err
}

// decode reads a JSON body and fails the test when the status is another one than expected.
func (a answer) decode(t testing.TB, status int, into any) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status %d, want %d: %s", a.Status, status, a.Body)
	}
	if media := a.Header.Get("Content-Type"); !strings.HasPrefix(media, "application/json") {
		t.Errorf("Content-Type %q, want application/json", media)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
}

var (
	legacyHeaders  = []string{"X-Authorization", companyKey, "Content-Type", "application/json"}
	profileHeaders = []string{"Authorization", "Bearer " + token, "X-Service-Project", project, "Content-Type", "application/json"}
)

// legacyRecord is section 2.3 of the specification.
type legacyRecord struct {
	ID             string          `json:"id"`
	URI            string          `json:"uri"`
	RequestDate    string          `json:"request_date"`
	FileURL        string          `json:"file_url"`
	Status         string          `json:"status"`
	CompletionDate string          `json:"completion_date"`
	Request        json.RawMessage `json:"request"`
	ErrorMsg       string          `json:"error_msg"`
}

// profileRecord is what the status endpoints of profile exports answer; they are an extension of the specification.
type profileRecord struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Files  []struct {
		ID   string `json:"id"`
		Part int    `json:"part"`
		Size int64  `json:"size"`
	} `json:"files"`
}

// create asks for an export, with further headers, and returns its identifier.
func (c *client) create(k kind, body string, headers ...string) string {
	c.t.Helper()
	response := c.send(http.MethodPost, k.path, body, append(k.headers(), headers...)...)
	var created struct{ RequestID, ID string }
	response.decode(c.t, http.StatusAccepted, &created)
	if k.legacy {
		return created.RequestID
	}
	return created.ID
}

func (c *client) lookup(id string) legacyRecord {
	c.t.Helper()
	var record legacyRecord
	c.send(http.MethodGet, "/1.0/"+liveKey+"/export/request/"+id, "", "X-Authorization", companyKey).decode(c.t, http.StatusOK, &record)
	return record
}

func (c *client) view(id string) profileRecord {
	c.t.Helper()
	var record profileRecord
	c.send(http.MethodGet, "/2.7/exports/view?id="+url.QueryEscape(id), "", profileHeaders...).decode(c.t, http.StatusOK, &record)
	return record
}

// status is the status of an export of either interface.
func (c *client) status(k kind, id string) string {
	c.t.Helper()
	if k.legacy {
		return c.lookup(id).Status
	}
	return c.view(id).Status
}

// links asks for a fresh link to every file of a finished export.
func (c *client) links(k kind, id string) []string {
	c.t.Helper()
	if k.legacy {
		record := c.lookup(id)
		if record.Status != "SUCCESS" || record.FileURL == "" {
			c.t.Fatalf("export %s has no file: %+v", id, record)
		}
		return []string{record.FileURL}
	}
	record := c.view(id)
	if record.Status != "SUCCESS" || len(record.Files) == 0 {
		c.t.Fatalf("export %s has no file: %+v", id, record)
	}
	var links []string
	for i, file := range record.Files {
		if file.Part != i+1 {
			c.t.Errorf("export %s: part %d stands at place %d", id, file.Part, i+1)
		}
		response := c.send(http.MethodGet, "/2.7/exports/download?id="+url.QueryEscape(file.ID), "", profileHeaders...)
		location := response.Header.Get("Location")
		if response.Status != http.StatusTemporaryRedirect || location == "" {
			c.t.Fatalf("download of %s: status %d, location %q: %s", file.ID, response.Status, location, response.Body)
		}
		target := must.Get(url.Parse(c.base))(c.t)
		target = must.Get(target.Parse(location))(c.t)
		links = append(links, target.String())
	}
	return links
}

// files downloads every file of a finished export, through fresh links and without credentials.
func (c *client) files(k kind, id string) [][]byte {
	c.t.Helper()
	var files [][]byte
	for _, link := range c.links(k, id) {
		response := c.send(http.MethodGet, link, "")
		if response.Status != http.StatusOK {
			c.t.Fatalf("file of %s %s: status %d: %s", k.name, id, response.Status, response.Body)
		}
		files = append(files, response.Body)
	}
	return files
}

// export creates an export that is finished at once and reads its rows.
func (c *client) export(k kind, body string) []row {
	c.t.Helper()
	id := c.create(k, body, "X-Mock-Scenario", "progress=now")
	return c.rows(k, c.files(k, id))
}

// row is one row of a file: a CSV cell by column name, or the members of a JSON object.
type row map[string]any

// rows reads files as their format says.
func (c *client) rows(k kind, files [][]byte) []row {
	c.t.Helper()
	var rows []row
	for _, data := range files {
		if !k.legacy {
			var part []row
			if err := json.Unmarshal(data, &part); err != nil {
				c.t.Fatalf("%s: %v", k.name, err)
			}
			rows = append(rows, part...)
			continue
		}
		reader := csv.NewReader(bytes.NewReader(data))
		reader.Comma = ';'
		header, err := reader.Read()
		if err != nil {
			c.t.Fatalf("%s: header: %v", k.name, err)
		}
		for {
			cells, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				c.t.Fatalf("%s: %v", k.name, err)
			}
			r := row{}
			for i, name := range header {
				r[name] = cells[i]
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// at is the value under a chain of member names; nil when it is not there.
func (r row) at(path ...string) any {
	var value any = map[string]any(r)
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

// text is the string under a chain of member names; empty when it is not there or no string.
func (r row) text(path ...string) string {
	text, _ := r.at(path...).(string)
	return text
}

// texts are the strings of an array under a chain of member names.
func (r row) texts(path ...string) []string {
	array, _ := r.at(path...).([]any)
	var texts []string
	for _, item := range array {
		text, _ := item.(string)
		texts = append(texts, text)
	}
	return texts
}

// instant reads a date of either interface.
func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		at, err = time.Parse("2006-01-02T15:04:05", text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// clockState is what every call to the clock answers.
type clockState struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Rate   float64   `json:"rate"`
}

// clock changes the server's clock and returns what it is then.
func (c *client) clock(change string) clockState {
	c.t.Helper()
	var state clockState
	c.send(http.MethodPost, "/_mock/clock", change, "Content-Type", "application/json").decode(c.t, http.StatusOK, &state)
	return state
}

func (c *client) freeze(at time.Time) {
	c.t.Helper()
	c.clock(`{"freeze":true}`)
	if state := c.clock(`{"set":"` + zoned(at) + `"}`); !state.Now.Equal(at) || !state.Frozen {
		c.t.Fatalf("the clock was set to %s and frozen, it says %+v", zoned(at), state)
	}
}

func (c *client) advance(by string) time.Time {
	c.t.Helper()
	return c.clock(`{"advance":"` + by + `"}`).Now
}
