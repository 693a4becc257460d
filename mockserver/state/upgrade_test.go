//go:build unix

package state_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// past is what the program of a time when records had names in camel case said of
// the state beside it in testdata, in PostgreSQL.
type past struct {
	// Digests are those of the schemas of that time, by interface.
	Digests map[string]string `json:"digests"`
	// Downloads are the SHA-256 of the parts of files, by export.
	Downloads map[string]struct {
		Key    string   `json:"key"` // of a legacy export
		SHA256 []string `json:"sha256"`
	} `json:"downloads"`
	// Exports is what GET /_mock/exports answered, which was in snake case then.
	Exports json.RawMessage `json:"exports"`
	// State is what GET /_mock/state answered.
	State json.RawMessage `json:"state"`
}

// TestStatesInCamelCase: the exports of an older version are what they were, and
// their files have the bytes that they had.
func TestStatesInCamelCase(t *testing.T) {
	was, renew := readPast(t)
	t.Run("PostgreSQL", func(t *testing.T) {
		database := postgrestest.Start(t)
		address := database.Address(t)
		database.Execute(t, address, string(unpacked(t, "camel-case.sql.gz")))
		for old, current := range renew {
			database.Execute(t, address, fmt.Sprintf(`UPDATE rehearsal_exports SET record = replace(record, '%s', '%s')`, old, current))
		}
		checkPast(t, open(t, address), was)
	})
}

// readPast reads what was, and how to renew the digests of schemas and the
// version of the world in it: that a file goes stale when they change is tested
// elsewhere.
func readPast(t *testing.T) (was past, renew map[string]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/camel-case.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &was); err != nil {
		t.Fatal(err)
	}
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	renew = map[string]string{}
	for _, export := range library.Exports() {
		renew[was.Digests[export.Interface]] = export.Digest
	}
	for _, name := range []string{"worldVersion", "world_version"} {
		renew[fmt.Sprintf(`"%s":2`, name)] = fmt.Sprintf(`"%s":%d`, name, world.Version)
	}
	// The settings of worlds have hyphens now, and two are gone.
	for _, name := range []string{"push-only", "email-only", "push-opt-in", "email-opt-in", "sms-opt-in", "weekly-messages"} {
		renew[strconv.Quote(strings.ReplaceAll(name, "-", "_"))] = strconv.Quote(name)
	}
	for _, gone := range []string{`,"audienceShare":0.5,"segmentShare":0.3`, `,"audience_share":0.5,"segment_share":0.3`} {
		renew[gone] = ""
	}
	for old, current := range renew {
		was.Exports = bytes.ReplaceAll(was.Exports, []byte(old), []byte(current))
	}
	return was, renew
}

func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacker, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacker)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t *testing.T, address string) *mockserver.Server {
	t.Helper()
	server, err := mockserver.New(mockserver.Options{State: state.At(address)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// base is an address at which the paths under /_mock/ answer.
const base = "http://127.0.0.1"

// ask sends a request as a client on the same machine does, with all demo
// credentials.
func ask(server *mockserver.Server, method, address, body string) (code int, text string) {
	request := httptest.NewRequestWithContext(context.Background(), method, address, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:5"
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Authorization": "rest_demo", "Authorization": "Bearer token_demo", "X-Service-Project": "project_demo",
	} {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	server.ServeHTTP(recorder, request)
	if location := recorder.Header().Get("Location"); location != "" {
		return ask(server, method, location, body)
	}
	return recorder.Code, recorder.Body.String()
}

// decoded is a JSON object with its numbers as they are written: a seed has more
// digits than a float64.
func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return object
}

func checkPast(t *testing.T, server *mockserver.Server, was past) {
	t.Helper()
	defer server.Close()
	_, text := ask(server, http.MethodGet, base+"/_mock/exports", "")
	wanted := decoded(t, string(was.Exports))["exports"].([]any)
	found := decoded(t, text)["exports"].([]any)
	if len(found) != len(wanted) {
		t.Fatalf("%d exports, there were %d", len(found), len(wanted))
	}
	for i := range found {
		export := found[i].(map[string]any)
		// These were not shown then.
		delete(export, "outcome")
		delete(export, "steps")
		delete(export["file"].(map[string]any), "kind")
		if !reflect.DeepEqual(export, wanted[i]) {
			t.Errorf("export %d is\n%v\nit was\n%v", i, export, wanted[i])
		}
	}
	before := decoded(t, string(was.State))
	_, text = ask(server, http.MethodGet, base+"/_mock/state", "")
	after := decoded(t, text)
	for key, bucket := range before["rate_limits"].(map[string]any) {
		limit, _ := after["rate_limits"].(map[string]any)[key].(map[string]any)
		if limit["full_at"] != bucket.(map[string]any)["fullAt"] {
			t.Errorf("the rate limit of %s is %v, it was %v", key, limit, bucket)
		}
	}
	if file := wanted[0].(map[string]any)["file"].(map[string]any); file["world_version"] != json.Number(strconv.Itoa(world.Version)) {
		return // the world of these files is gone, and they with it
	}
	for id, download := range was.Downloads {
		sums := filesOf(t, server, id, download.Key)
		if !reflect.DeepEqual(sums, download.SHA256) {
			t.Errorf("the files of export %s have the digests %q, they had %q", id, sums, download.SHA256)
		}
	}
}

// filesOf downloads an export and returns the digests of its parts.
func filesOf(t *testing.T, server *mockserver.Server, id, key string) (sums []string) {
	t.Helper()
	address := base + "/2.7/exports/view?id=" + id
	if key != "" {
		address = base + "/1.0/" + key + "/export/request/" + id
	}
	_, text := ask(server, http.MethodGet, address, "")
	record := decoded(t, text)
	var links []string
	if link, is := record["file_url"].(string); is {
		links = append(links, link)
	}
	files, _ := record["files"].([]any)
	for _, file := range files {
		links = append(links, file.(map[string]any)["url"].(string))
	}
	for _, link := range links {
		code, content := ask(server, http.MethodGet, link, "")
		if code != http.StatusOK {
			t.Errorf("%s answered %d: %s", link, code, content)
		}
		sum := sha256.Sum256([]byte(content))
		sums = append(sums, hex.EncodeToString(sum[:]))
	}
	return sums
}
