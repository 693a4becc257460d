package har_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/har"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
)

const file = "install_id,custom_id\nb1f0b2c6-0000-4000-8000-000000000001,anna\n"

// secrets are all that opens something in the files below.
var secrets = []string{"rest_secret_1", "live_secret_3", "cookie_secret_4", "signature_secret_5"}

// one is an entry as tools write it, with members that nobody reads.
func one(began, method, url, sent string, status int, received string, also string) string {
	body := ""
	if sent != "" {
		body = fmt.Sprintf(`, "postData": {"mimeType": "application/json", "text": %q}`, sent)
	}
	return fmt.Sprintf(`{"startedDateTime": %q, "time": 41.5, "_initiator": {"type": "script"}, "request": {"method": %q, "url": %q, "httpVersion": "HTTP/2.0", "cookies": [{"name": "session", "value": "cookie_secret_4"}],
"headers": [{"name": ":authority", "value": "api.example.com"}, {"name": "x-authorization", "value": "rest_secret_1"}, {"name": "cookie", "value": "session=cookie_secret_4"}, {"name": "content-type", "value": "application/json"}],
"queryString": [], "headersSize": -1, "bodySize": -1%s}, "response": {"status": %d, "statusText": "", "httpVersion": "h2", "cookies": [], "headers": [{"name": "content-type", "value": "application/json"}, {"name": "content-encoding", "value": "gzip"}, {"name": "set-cookie", "value": "session=cookie_secret_4"}],
"content": {"size": %d, "mimeType": "application/json", %s}, "redirectURL": "", "headersSize": -1, "bodySize": 10, "_transferSize": 99}, "cache": {}, "timings": {"send": 0.1, "wait": 40, "receive": 1}%s}`,
		began, method, url, body, status, len(received), received, also)
}

func plain(body string) string { return fmt.Sprintf(`"text": %q`, body) }

func packed(body string) string {
	return fmt.Sprintf(`"encoding": "base64", "text": %q`, base64.StdEncoding.EncodeToString([]byte(body)))
}

// logOf is a whole file. Members before and after the entries are those of browsers.
func logOf(entries ...string) string {
	return `{"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "browser": {"name": "firefox", "version": "145.0"}, "pages": [{"id": "page_1", "startedDateTime": "2026-03-15T12:00:00.000Z", "title": "", "pageTimings": {"onLoad": 3}}],
"entries": [` + strings.Join(entries, ",\n") + `], "comment": ""}}`
}

const service = "https://api.example.com/1.0/live_secret_3/export/"

// userbase is a client that makes an export and downloads it, the last first, between other requests of a page.
func userbase() string {
	link := "https://files.example.com/u/1.csv?signature=signature_secret_5"
	return logOf(
		one("2026-03-15T13:00:40.200+01:00", "GET", link, "", 200, packed(file), ""),
		one("2026-03-15T12:00:00.100Z", "POST", service+"userbase", `{"ids": ["install_id", "custom_id"]}`, 202, plain(`{"requestId": "5f0c1a6e9b"}`), `, "pageref": "page_1"`),
		one("2026-03-15T12:00:40.100Z", "GET", service+"request/5f0c1a6e9b", "", 200, plain(`{"status":"SUCCESS","file_url":"`+link+`"}`), ""),
		one("2026-03-15T12:00:39.100Z", "GET", "https://www.example.com/logo.png", "", 200, packed("\x89PNG"), ""),
		one("2026-03-15T12:00:50.100Z", "GET", service+"request/5f0c1a6e9b", "", 0, `"_error": "net::ERR_ABORTED"`, ""),
	)
}

// imported is a recording of a HAR file.
func imported(t *testing.T, text string, change recorder.Change) (directory, summary string, lost int) {
	t.Helper()
	exchanges, err := har.Read(strings.NewReader(text), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	observer, err := drift.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	directory = filepath.Join(t.TempDir(), "recording")
	into, err := recorder.New(directory, exchanges[0].Began, change)
	if err != nil {
		t.Fatal(err)
	}
	lost = har.Import(exchanges, observer, into)
	if summary, err = into.Close(); err != nil {
		t.Fatal(err)
	}
	return directory, summary, lost
}

// replayed is the file that a server answers with.
func replayed(t *testing.T, directory string) string {
	t.Helper()
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	server, err := mockserver.New(mockserver.Options{Replay: os.DirFS(directory), Profiles: 1, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	front := httptest.NewServer(server)
	defer front.Close()
	created := ask(t, "POST", front.URL+"/1.0/live_demo/export/userbase", `{"custom": 1}`)
	if created.replay != "none" {
		t.Errorf("another payload is answered by exchange %s", created.replay)
	}
	created = ask(t, "POST", front.URL+"/1.0/live_demo/export/userbase", `{"ids": ["install_id", "custom_id"]}`)
	var answer struct {
		ID   string `json:"requestId"`
		Link string `json:"file_url"`
	}
	decode(t, created, &answer)
	now = now.Add(time.Minute)
	decode(t, ask(t, "GET", front.URL+"/1.0/live_demo/export/request/"+answer.ID, ""), &answer)
	if answer.Link == "" {
		t.Fatalf("no link: %+v", answer)
	}
	return ask(t, "GET", answer.Link, "").body
}

type answered struct{ body, replay string }

func ask(t *testing.T, method, address, body string) answered {
	t.Helper()
	request, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Authorization", "rest_demo")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answered{string(text), response.Header.Get("X-Mock-Replay")}
}

func decode(t *testing.T, from answered, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(from.body), into); err != nil || from.replay == "none" {
		t.Fatalf("%s of exchange %s: %v", from.body, from.replay, err)
	}
}

// schema is that of HAR 1.2.
func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/har-1.2.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	if err := compiler.AddResource("har.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("har.json")
}

// valid holds a text against the schema.
func valid(t *testing.T, text string) error {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return schema(t).Validate(value)
}

// exported is the HAR file of a recording.
func exported(t *testing.T, directory fs.FS) (text string, entries int) {
	t.Helper()
	var into bytes.Buffer
	entries, err := har.Write(&into, directory, "0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, into.String()); err != nil {
		t.Errorf("it is no HAR 1.2: %#v\n%.2000s", err, into.String())
	}
	return into.String(), entries
}

// TestThereAndBack: what a browser has saved is replayed; exported and imported again it is replayed the same.
func TestThereAndBack(t *testing.T) {
	directory, summary, _ := imported(t, userbase(), nil)
	for _, want := range []string{": 3 exchanges", "1 broken off", "1 for paths that the schema files do not list"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary has no %q: %s", want, summary)
		}
	}
	if got := replayed(t, directory); got != file {
		t.Errorf("the replay sends %q", got)
	}
	text, entries := exported(t, os.DirFS(directory))
	if entries != 3 || !strings.Contains(text, `"http://recording.invalid/`) {
		t.Errorf("%d entries: %s", entries, text)
	}
	holdsNoSecret(t, os.DirFS(directory), text)
	again, summary, _ := imported(t, text, nil)
	if got := replayed(t, again); got != file || !strings.Contains(summary, ": 3 exchanges") {
		t.Errorf("the second replay sends %q: %s", got, summary)
	}
	if third, _ := exported(t, os.DirFS(again)); third != text {
		t.Errorf("exported again it is\n%s\nand was\n%s", third, text)
	}
}

// holdsNoSecret looks for all that opens something.
func holdsNoSecret(t *testing.T, directory fs.FS, exported string) {
	t.Helper()
	all := exported
	if err := fs.WalkDir(directory, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(directory, path)
		all += path + string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range secrets {
		if !strings.Contains(userbase(), secret) {
			t.Errorf("%s is nowhere", secret)
		}
		if strings.Contains(all, secret) {
			t.Errorf("%s survives", secret)
		}
	}
}

// TestPseudonyms: files are changed before they are written.
func TestPseudonyms(t *testing.T) {
	key, err := pseudonym.New("0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	directory, _, _ := imported(t, userbase(), func(_ string, from io.Reader, into io.Writer) error {
		text, err := io.ReadAll(from)
		if err == nil {
			_, err = io.WriteString(into, strings.ReplaceAll(string(text), "anna", key.Identifier("anna")))
		}
		return err
	})
	if got := replayed(t, directory); strings.Contains(got, "anna") || len(got) < len("install_id,custom_id\n") {
		t.Errorf("the file is %q", got)
	}
}

// TestLostCredentials: browsers leave Authorization out; who named a project and was let in had one.
func TestLostCredentials(t *testing.T) {
	view := func(status int) string {
		return strings.NewReplacer(`{"name": "x-authorization", "value": "rest_secret_1"}`, `{"name": "X-Service-Project", "value": "project_9"}`).Replace(
			one("2026-03-15T12:00:00Z", "GET", "https://api.example.com/2.7/exports/list", "", status, plain(`[]`), ""))
	}
	directory, _, lost := imported(t, logOf(view(200), view(401)), nil)
	text, _ := exported(t, os.DirFS(directory))
	if lost != 1 || strings.Count(text, `"Authorization"`) != 1 {
		t.Errorf("%d lost: %s", lost, text)
	}
}

// TestBodies: bodies are read as tools write them, and are told apart from bodies that nobody kept.
func TestBodies(t *testing.T) {
	long := strings.Repeat("a,b\n", 40_000)
	cases := []struct{ name, content, want string }{
		{"text", plain("a"), "a"},
		{"base64", packed("\x00\xff"), "\x00\xff"},
		{"a long one", plain(long), long},
		{"an empty one", plain(""), ""},
		{"not kept", `"comment": "too large"`, "absent"},
		{"in another file", `"_file": "1.csv"`, "absent"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(logOf(one("2026-03-15T12:00:00Z", "GET", service+"x", "", 200, c.content, "")), `"size": 0`, `"size": 1`, 1)
			exchanges, err := har.Read(strings.NewReader(text), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			body := exchanges[0].Received.Body
			got := ""
			switch {
			case body != nil && !body.Whole():
				got = "absent"
			case body != nil:
				reader, err := body.Open()
				if err != nil {
					t.Fatal(err)
				}
				content, err := io.ReadAll(reader)
				if err != nil || int64(len(content)) != body.Size() {
					t.Errorf("%d of %d bytes: %v", len(content), body.Size(), err)
				}
				reader.Close()
				got = string(content)
			}
			if got != c.want {
				t.Errorf("it is %.80q", got)
			}
		})
	}
}

// TestFaults: what is wrong is named, where, and what would be right.
func TestFaults(t *testing.T) {
	whole := one("2026-03-15T12:00:00Z", "GET", service+"x", "", 200, plain("a"), "")
	cases := []struct{ name, text, want string }{
		{"no JSON", "a,b", "no JSON object"},
		{"an array", "[]", "no JSON object"},
		{"another object", `{"entries": []}`, "no member log"},
		{"no entries", `{"log": {"version": "1.2"}}`, "no member entries"},
		{"entries of another type", `{"log": {"entries": {}}}`, "entries does not begin with ["},
		{"cut off", logOf(whole)[:900], "/log/entries/0: unexpected EOF"},
		{"no time", logOf(whole, strings.Replace(whole, "2026-03-15T12:00:00Z", "yesterday", 1)), `/log/entries/1: startedDateTime is "yesterday"; it must be a date and a time`},
		{"no address", logOf(strings.Replace(whole, "https://", "data:", 1)), "/log/entries/0: request.url must begin with http"},
		{"no base64", logOf(strings.Replace(whole, `"text": "a"`, `"encoding": "base64", "text": "*"`, 1)), "/log/entries/0: response.content: text: illegal base64"},
		{"another encoding", logOf(strings.Replace(whole, `"text": "a"`, `"encoding": "hex", "text": "aa"`, 1)), `encoding is "hex"; it must be base64`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := har.Read(strings.NewReader(c.text), t.TempDir()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %v", err)
			}
		})
	}
	if err := valid(t, userbase()); err != nil {
		t.Errorf("the file of the tests is no HAR 1.2: %#v", err)
	}
	if valid(t, strings.Replace(userbase(), `"method"`, `"verb"`, 1)) == nil {
		t.Error("the schema allows all")
	}
}

// FuzzRead: whatever stands in a file, it is refused, or its exchanges are such as pass a proxy.
func FuzzRead(f *testing.F) {
	f.Add(userbase())
	f.Add(logOf())
	f.Add(`{"log": {"entries": [{"startedDateTime": "2026-03-15T12:00:00Z", "request": {"method": "get", "url": "http://a?a=%zz"}, "response": {"status": 200}}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		exchanges, err := har.Read(strings.NewReader(text), t.TempDir())
		if err != nil && exchanges != nil {
			t.Error("refused and read")
		}
		for i, x := range exchanges {
			if x.Number != uint64(i)+1 || i > 0 && x.Began.Before(exchanges[i-1].Began) || x.Ended.Before(x.Began) {
				t.Errorf("%d is exchange %d, from %s to %s", i, x.Number, x.Began, x.Ended)
			}
			if !strings.HasPrefix(x.To.Path, "/") || (x.Status == 0) != (x.Fault != "") || x.Status != 0 && (x.Status < 100 || x.Status > 999) {
				t.Errorf("%+v", x)
			}
			for _, body := range []drift.Body{x.Sent.Body, x.Received.Body} {
				if body == nil || !body.Whole() {
					continue
				}
				reader, err := body.Open()
				if err != nil {
					t.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, reader); n != body.Size() || n == 0 || err != nil {
					t.Errorf("%d of %d bytes: %v", n, body.Size(), err)
				}
				reader.Close()
			}
		}
	})
}

// FuzzWrite: whatever stands in a recording, it is refused, or what is written is HAR 1.2.
func FuzzWrite(f *testing.F) {
	f.Add(`{"number": 1, "time": "2026-03-15T12:00:00Z", "method": "POST", "path": "/1.0/{{key}}/a", "query": "a=%zz;b", "credentials": ["X"], "status": 200, "request": {"file": "a.json"}, "answer": {"file": "a.json"}, "headers": {"Location": "<"}, "facts": {"stage": "status"}}`, []byte("\xff"))
	f.Add(`{"method": "GET", "path": "/", "status": 204, "headers": {"Content-Encoding": "gzip"}, "answer": {"file": "a.json"}, "facts": {}}`, []byte{})
	har12 := schema(f)
	f.Fuzz(func(t *testing.T, exchange string, body []byte) {
		files := fstest.MapFS{"recording.json": {Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)}, "000001.json": {Data: []byte(exchange)}, "a.json": {Data: body}}
		var out bytes.Buffer
		if _, err := har.Write(&out, files, "0.0.0"); err != nil {
			return
		}
		var value any
		if err := json.Unmarshal(out.Bytes(), &value); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		if err := har12.Validate(value); err != nil {
			t.Errorf("%#v: %s", err, out.String())
		}
	})
}

// TestWriteRefuses: a directory that is no recording, and a file that is not what its headers say.
func TestWriteRefuses(t *testing.T) {
	for want, files := range map[string]fstest.MapFS{
		"there is no recording.json": {},
		"exchange 1: files/a.csv: Content-Encoding is gzip": {
			"recording.json": {Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)}, "files/a.csv": {Data: []byte("a")},
			"000001.json": {Data: []byte(`{"number": 1, "time": "2026-03-15T12:00:00Z", "method": "GET", "path": "/replay/a/1", "status": 200, "headers": {"Content-Encoding": "gzip"}, "answer": {"file": "files/a.csv"}, "facts": {"stage": "file"}}`)},
		},
	} {
		if _, err := har.Write(io.Discard, files, "0.0.0"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
