package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// datasetDirectory is a directory of a dataset as the guide shows one.
func datasetDirectory(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(directory, name), []byte(text), 0o600))
	}
	return directory
}

var datasetFiles = map[string]string{
	"profiles.csv":      "custom_id,email_address,language,attributes.colour\nada,ada@example.com,fr,\"a;b\"\n",
	"installations.csv": "install_id;custom_id;platform;is_optin;install_date;last_start_date;smart_segment\nphone-1;ada;ios;true;2025-01-01T00:00:00;2025-09-01T00:00:00;ENGAGED\n",
	"events.ndjson": `{"type":"inapp_clicked","date":"2025-09-19T10:00:00Z","install_id":"phone-1","campaign":"spring","cta":"service.deeplink","cta_position":1}
{"type":"push_open","date":"2025-09-19T11:00:00Z","install_id":"phone-1","campaign":"spring"}
{"type":"reachability","date":"2025-09-19T12:00:00Z","install_id":"phone-1","is_optin":false}
{"type":"email_click","date":"2025-09-19T13:00:00Z","custom_id":"ada","click_url":"https://www.example.com/a?b=\"c\""}
`,
}

// datasetPaths are the exports of a campaign that the dataset knows, and what each shows of them when they are alone.
var datasetPaths = []struct{ path, body, want string }{
	{"/1.0/live_demo/export/in-app-campaign/spring/events",
		`{"from":"2025-09-19T00:00:00","to":"now","events":["inapp_shown","inapp_clicked"],"ids":["install_id","custom_id"]}`,
		"install_id;custom_id;event_date;event_type;cta;cta_position\nphone-1;ada;2025-09-19T10:00:00;inapp_clicked;service.deeplink;1\n"},
	{"/1.0/live_demo/export/campaign/spring/ids", `{"from":"2025-09-19T00:00:00","to":"now","events":["push_open"],"ids":["install_id"]}`,
		"install_id;event_type\nphone-1;push_opened\n"},
	{"/1.0/live_demo/export/reachability/events", `{"from":"2025-09-19T00:00:00","to":"now","ids":["install_id"]}`,
		"install_id;event_date;event_type;is_reachable;is_optin;has_custom_id\nphone-1;2025-09-19T12:00:00;reachability;true;false;true\n"},
	{"/1.0/live_demo/export/userbase", `{"ids":["install_id","custom_id"]}`,
		"install_id;custom_id;is_optin_push;install_date;last_start_date;smart_segment\nphone-1;ada;false;2025-01-01T00:00:00;2025-09-19T11:00:00;ENGAGED\n"},
}

// legacyFile asks for an export and downloads it.
func (c *client) legacyFile(path, body string) string {
	c.t.Helper()
	id := c.ask(path, body)
	return c.fetched(id)
}

func (c *client) ask(path, body string) string {
	c.t.Helper()
	var created struct{ RequestID string }
	c.send(http.MethodPost, path, body, append(legacyHeaders, "X-Mock-Scenario", "progress=now")...).decode(c.t, http.StatusAccepted, &created)
	return created.RequestID
}

func (c *client) fetched(id string) string {
	c.t.Helper()
	var record struct {
		FileURL string `json:"file_url"`
	}
	c.send(http.MethodGet, "/1.0/live_demo/export/request/"+id, "", legacyHeaders...).decode(c.t, http.StatusOK, &record)
	file := c.send(http.MethodGet, record.FileURL, "")
	if file.Status != http.StatusOK {
		c.t.Fatalf("the file answered %d: %s", file.Status, file.Body)
	}
	return string(file.Body)
}

// dataState is what the server says of the dataset.
type dataState struct {
	Generation, Profiles, Installations, Events, Loaded int
	Mode                                                string
}

func (c *client) data(method, path, body, media string) dataState {
	c.t.Helper()
	var state dataState
	c.send(method, "/_mock/data"+path, body, "Content-Type", media).decode(c.t, http.StatusOK, &state)
	return state
}

// TestDataDirectory starts the program with a directory of data, alone; adds to it; kills the program, starts it again with the same
// directory and with another one.
func TestDataDirectory(t *testing.T) {
	directory := datasetDirectory(t, datasetFiles)
	state := filepath.Join(t.TempDir(), "state.db")
	flags := []string{"--state", state, "--data", directory, "--data-mode", "only"}
	s := start(t, flags...)
	c := clientOf(t, s)
	c.freeze(noon)
	for _, p := range datasetPaths {
		must.Equal(t, c.legacyFile(p.path, p.body), p.want, "%s", p.path)
	}
	if state := c.data(http.MethodGet, "", "", ""); state != (dataState{Generation: 1, Profiles: 1, Installations: 1, Events: 4,
		Mode: "only"}) {
		t.Errorf("the server holds %+v", state)
	}
	promised := c.ask(datasetPaths[0].path, datasetPaths[0].body)
	if state := c.data(http.MethodPost, "/events", `{"type":"inapp_shown","install_id":"phone-1","campaign":"spring"}`, "application/json"); state.Loaded != 1 || state.Events != 5 {
		t.Errorf("after an event: %+v", state)
	}
	// A kill -9 loses nothing that was acknowledged, and the same directory is not loaded twice.
	s.kill()
	s = start(t, flags...)
	c = clientOf(t, s)
	must.Equal(t, c.fetched(promised), datasetPaths[0].want, "the export of before has become")
	if got, want := c.legacyFile(datasetPaths[0].path, datasetPaths[0].body),
		datasetPaths[0].want+"phone-1;ada;"+legacy(noon.Add(-1e9))+";inapp_shown;;\n"; got != want {
		t.Errorf("after a restart, the export is\n%swant\n%s", got, want)
	}
	if state := c.data(http.MethodDelete, "", "", ""); state.Events != 4 || state.Profiles != 1 || state.Mode != "only" {
		t.Errorf("a reset leaves %+v", state)
	}
	must.Equal(t, c.legacyFile(datasetPaths[0].path, datasetPaths[0].body), datasetPaths[0].want, "after a reset, the export")
	s.kill()
	other := datasetDirectory(t,
		map[string]string{"events.csv": "type,install_id,campaign,date\ninapp_shown,phone-2,spring,2025-09-19T08:00:00\n"})
	s = start(t, "--state", state, "--data", other)
	c = clientOf(t, s)
	if state := c.data(http.MethodGet, "", "", ""); state.Events != 1 || state.Mode != "mixed" {
		t.Errorf("with another directory, the server holds %+v", state)
	}
	must.Equal(t, c.fetched(promised), datasetPaths[0].want, "with another directory, the export of before has become")
	if got := c.legacyFile(datasetPaths[3].path, datasetPaths[3].body); strings.Count(got, "\n") < 100 ||
		!strings.HasSuffix(got, "\nphone-2;;true;2025-09-19T08:00:00;2025-09-19T08:00:00;\n") {
		t.Errorf("mixed, the user base ends with %q", got[max(len(got)-200, 0):])
	}
}

// TestGenerateWithData makes the same files without a server.
func TestGenerateWithData(t *testing.T) {
	directory := datasetDirectory(t, datasetFiles)
	run := func(arguments ...string) string {
		t.Helper()
		var complaint strings.Builder
		command := exec.Command(program, append([]string{"generate", "--quiet", "--now", "2025-09-20T12:00:00Z", "--data", directory},
			arguments...)...)
		command.Stderr = &complaint
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, complaint.String())
		}
		return string(out)
	}
	got := run("--kind", "in-app-campaign.events", "--token", "spring", "--data-mode", "only", "--ids", "install_id,custom_id", "--from",
		"2025-09-19T00:00:00")
	must.Equal(t, got, datasetPaths[0].want, "the file")
	mixed := run("--kind", "in-app-campaign.events", "--token", "spring", "--ids", "install_id,custom_id", "--from", "2025-09-01T00:00:00")
	if own := "phone-1;ada;2025-09-19T10:00:00;inapp_clicked;service.deeplink;1\n"; strings.Count(mixed, own) != 1 ||
		strings.Count(mixed, "\n") < 100 {
		t.Errorf("the mixed file has %d lines", strings.Count(mixed, "\n"))
	}
	pieces := t.TempDir()
	merge := []string{"merge"}
	for _, shard := range []string{"1", "2", "3"} {
		merge = append(merge, filepath.Join(pieces, shard))
		run("--kind", "in-app-campaign.events", "--token", "spring", "--ids", "install_id,custom_id", "--from", "2025-09-01T00:00:00",
			"--shard", shard+"/3", "--out", filepath.Join(pieces, shard))
	}
	if joined, err := exec.Command(program, merge...).Output(); err != nil || string(joined) != mixed {
		t.Errorf("three pieces are not the whole file: %v", err)
	}
	var profiles []struct {
		Attributes map[string]any
	}
	if err := json.Unmarshal([]byte(run("--kind", "profiles.attributes", "--data-mode", "only", "--attributes", "$email_address,colour")),
		&profiles); err != nil || len(profiles) != 1 ||
		profiles[0].Attributes["$email_address"] != "ada@example.com" || profiles[0].Attributes["colour"] != "a;b" {
		t.Errorf("the profiles are %v, %v", profiles, err)
	}
}

// TestBadDirectories checks that a program that cannot show its data says where they are wrong, and does not start.
func TestBadDirectories(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"bad rows", map[string]string{"profiles.csv": "custom_id,email_marketing\nada,maybe\n",
			"events.ndjson": "{\"type\":\"visit\",\"install_id\":\"a\"}\n{\"type\":\"visit\"}\n"},
			[]string{"profiles.csv:2:5: email_marketing", "events.ndjson:2:1: "}},
		{"a slip in a name", map[string]string{"event.csv": ""}, []string{"did you mean events.csv?"}},
		{"no rows", map[string]string{"README.md": ""}, []string{"profiles.csv"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			directory := datasetDirectory(t, c.files)
			for _, command := range [][]string{
				{"serve", "--addr", "127.0.0.1:0", "--state", "memory", "--data", directory},
				{"generate", "--kind", "userbase", "--data", directory},
			} {
				out, err := exec.Command(program, command...).CombinedOutput()
				if err == nil {
					t.Errorf("%s ended well", command[0])
				}
				for _, want := range append(c.want, "--data") {
					if command[0] == "serve" && want == "--data" && c.name != "bad rows" {
						want = "data: "
					}
					if !strings.Contains(string(out), want) {
						t.Errorf("%s does not say %q: %s", command[0], want, out)
					}
				}
			}
		})
	}
}
