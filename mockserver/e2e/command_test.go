package e2e_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// command runs the program and returns what it wrote and its exit code.
func command(t testing.TB, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, complaint bytes.Buffer
	process := exec.CommandContext(t.Context(), program, arguments...)
	process.Stdout, process.Stderr = &out, &complaint
	if err := process.Run(); err != nil && process.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), complaint.String(), process.ProcessState.ExitCode()
}

// TestGenerateMakesTheServersFile checks that the command writes the bytes that the server gives for the same request.
func TestGenerateMakesTheServersFile(t *testing.T) {
	c := connect(t, "--state", "memory", "--seed", "5", "--profiles", "1500")
	from, to := noon.AddDate(0, 0, -12), noon.AddDate(0, 0, -2)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			changes := map[string]any{}
			date := zoned
			if k.legacy {
				date = legacy
			}
			arguments := []string{"generate", "--kind", k.name, "--seed", "5", "--profiles", "1500", "--now", zoned(noon), "--token", "welcome"}
			if k.windowed {
				arguments = append(arguments, "--from", date(from), "--to", date(to))
			}
			switch k.name {
			case "profiles.attributes":
				changes["attributes"] = []string{"$region", "$email_address"}
				arguments = append(arguments, "--attributes", "$region,$email_address", "--identifiers", strings.Join(k.ids, ","))
			case "profiles.events", "profiles.reachability":
				arguments = append(arguments, "--identifiers", strings.Join(k.ids, ","))
			}
			if k.events != nil && k.name != "profiles.reachability" {
				arguments = append(arguments, "--events", strings.Join(k.events, ","))
			}
			path := k.path
			k.path = strings.NewReplacer("/receipts/", "/welcome/", "/spring/", "/welcome/").Replace(path)
			want := c.files(k, c.create(k, k.body(from, to, changes), "X-Mock-Scenario", "progress=now"))
			got, complaint, code := command(t, arguments...)
			if code != 0 || got != string(bytes.Join(want, nil)) {
				t.Errorf("generate wrote %d bytes, exit code %d; the server gave %d: %s", len(got), code, len(want[0]), complaint)
			}
			file := filepath.Join(t.TempDir(), "file")
			if _, complaint, code := command(t, append(arguments, "--out", file)...); code != 0 {
				t.Fatalf("--out: exit code %d: %s", code, complaint)
			}
			if data, err := os.ReadFile(file); err != nil || string(data) != got {
				t.Errorf("--out wrote %d bytes, %v; standard output got %d", len(data), err, len(got))
			}
		})
	}
}

// TestGenerateRows checks that --rows is met exactly.
func TestGenerateRows(t *testing.T) {
	for _, name := range []string{"userbase", "campaign.events"} {
		out, complaint, code := command(t, "generate", "--kind", name, "--rows", "12345", "--world", "texture=tidy", "--now", zoned(noon))
		if rows := strings.Count(out, "\n") - 1; code != 0 || rows != 12345 {
			t.Errorf("%s: %d rows, exit code %d: %s", name, rows, code, complaint)
		}
	}
}

// TestValidate checks what a person is told about a payload or a file that breaks a rule.
func TestValidate(t *testing.T) {
	good := "is_optin_push;install_date;last_start_date;smart_segment\ntrue;2025-01-01T00:00:00;2025-01-02T00:00:00;engaged\n"
	cases := []struct {
		name, schema, file, text string
		code                     int
		says                     []string
	}{
		{"a good file", "userbase", "a.csv", good, 0, nil},
		{"a good payload", "legacy/userbase.request", "a.json", `{"ids":["custom_id"]}`, 0, nil},
		{"a wrong cell", "userbase", "a.csv", good + "yes;2025-01-01T00:00:00;2025-01-02T00:00:00;engaged\n", 1, []string{"a.csv", "3", "is_optin_push", "enum"}},
		{"a short row", "userbase", "a.csv", good + "true\n", 1, []string{"a.csv", "3"}},
		{"a missing column", "userbase", "a.csv", "is_optin_push;install_date;smart_segment\n", 1, []string{"last_start_date"}},
		{"commas", "userbase", "a.csv", strings.ReplaceAll(good, ";", ","), 1, []string{";"}},
		{"a wrong member", "profiles.reachability", "a.json", `[{"event":{"channel":"FAX"},"identifiers":{"profile_id":"profile_1"}}]`, 1, []string{"/0/event/channel", "enum"}},
		{"a misspelt member", "legacy/userbase.request", "a.json", `{"ids":["custom_id"],"idz":1}`, 1, []string{"idz", "ids"}},
		{"cut off", "profiles.events", "a.json", `[{"event_type":`, 1, []string{"a.json"}},
		{"an unknown schema", "usrbase", "a.csv", good, 2, []string{"usrbase", "userbase"}},
	}
	for _, test := range cases {
		file := filepath.Join(t.TempDir(), test.file)
		if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, complaint, code := command(t, "validate", "--schema", test.schema, file)
		if code != test.code {
			t.Errorf("%s: exit code %d, want %d:\n%s%s", test.name, code, test.code, out, complaint)
		}
		for _, word := range test.says {
			if !strings.Contains(out+complaint, word) {
				t.Errorf("%s: no word of %q:\n%s%s", test.name, word, out, complaint)
			}
		}
	}
}

// TestMisuseIsExplained checks that a mistake on the command line ends the program with the word that was wrong.
func TestMisuseIsExplained(t *testing.T) {
	directory := t.TempDir()
	foreign := filepath.Join(directory, "notes.txt")
	if err := os.WriteFile(foreign, bytes.Repeat([]byte("not a database\n"), 1000), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		arguments []string
		says      string
	}{
		{[]string{}, "usage"},
		{[]string{"srve"}, "serve"},
		{[]string{"serve", "--prt", "1"}, "--prt"},
		{[]string{"serve", "--profiles", "0", "--state", "memory"}, "--profiles"},
		{[]string{"serve", "--profiles", "many"}, "many"},
		{[]string{"serve", "--progress", "soon", "--state", "memory", "--addr", "127.0.0.1:0"}, "soon"},
		{[]string{"serve", "--schemas", filepath.Join(directory, "none"), "--state", "memory"}, "none"},
		{[]string{"serve", "--state", foreign, "--addr", "127.0.0.1:0"}, "notes.txt"},
		{[]string{"serve", "--state", filepath.Join(directory, "none", "state.db"), "--addr", "127.0.0.1:0"}, "state.db"},
		{[]string{"serve", "--state", "memory", "--addr", "127.0.0.1:nine"}, "nine"},
		{[]string{"generate"}, "--kind"},
		{[]string{"generate", "--kind", "usrbase"}, "userbase"},
		{[]string{"generate", "--kind", "campaign.events", "--events", "push_opend"}, "push_open"},
		{[]string{"validate", "--schema", "userbase"}, "file"},
		{[]string{"validate", "--schema", "userbase", filepath.Join(directory, "missing.csv")}, "missing.csv"},
	} {
		out, complaint, code := command(t, test.arguments...)
		if code == 0 || !strings.Contains(complaint, test.says) || strings.Contains(complaint, "goroutine ") {
			t.Errorf("%q: exit code %d, no word of %q:\n%s%s", test.arguments, code, test.says, out, complaint)
		}
	}
}

// TestCredentialsOfYourOwn checks keys from a file, plans, and a server that takes any key.
func TestCredentialsOfYourOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte(`{"companies":[
		{"key":"rest_small","plan":"starter","applications":[{"key":"app_small"}],"projects":[{"key":"project_small","tokens":["token_small"]}]},
		{"key":"rest_big","applications":[{"key":"app_big"}]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	own := connect(t, "--state", "memory", "--profiles", "100", "--credentials", file)
	any := connect(t, "--state", "memory", "--profiles", "100", "--credentials", "any")
	userbase, attributes := kindOf("userbase"), kindOf("profiles.attributes")
	for _, test := range []struct {
		c       *client
		path    string
		headers []string
		status  int
	}{
		{own, "/1.0/app_big/export/userbase", []string{"X-Authorization", "rest_big"}, 202},
		{own, "/1.0/app_small/export/userbase", []string{"X-Authorization", "rest_small"}, 403},
		{own, "/1.0/app_small/export/userbase", []string{"X-Authorization", "rest_big"}, 401},
		{own, userbase.path, []string{"X-Authorization", companyKey}, 401},
		{own, attributes.path, []string{"Authorization", "Bearer token_small", "X-Service-Project", "project_small"}, 403},
		{any, "/1.0/whatever/export/userbase", []string{"X-Authorization", "anything"}, 202},
		{any, "/1.0/whatever/export/userbase", nil, 401},
		{any, attributes.path, []string{"Authorization", "Bearer anything", "X-Service-Project", "project_any"}, 202},
	} {
		body, legacy := userbase.month(), true
		if test.path == attributes.path {
			body, legacy = attributes.month(), false
		}
		response := test.c.send(http.MethodPost, test.path, body, append([]string{"Content-Type", "application/json"}, test.headers...)...)
		if response.Status != test.status {
			t.Errorf("%s %q: status %d, want %d: %s", test.path, test.headers, response.Status, test.status, response.Body)
		}
		if response.Status == http.StatusForbidden {
			if e := checkNativeError(t, response, legacy); e.name() != "API_MISUSE" {
				t.Errorf("%s: %s, want API_MISUSE", test.path, e.name())
			}
		}
	}
}

// TestParts checks that a large profile export comes in several files, each whole in itself.
func TestParts(t *testing.T) {
	t.Parallel()
	straight(t, "it writes JSON anew, and a part has other bytes then")
	const size = 100_000
	whole := connect(t, "--state", "memory", "--profiles", "2000")
	split := connect(t, "--state", "memory", "--profiles", "2000", "--part-size", strconv.Itoa(size))
	for _, name := range []string{"profiles.attributes", "profiles.events", "profiles.reachability"} {
		k := kindOf(name)
		id := split.create(k, k.month(), "X-Mock-Scenario", "progress=now")
		files := split.files(k, id)
		if len(files) < 2 {
			t.Errorf("%s: %d files", name, len(files))
		}
		for i, file := range split.view(id).Files {
			if file.Size != int64(len(files[i])) || file.Size > size {
				t.Errorf("%s: part %d says %d bytes and has %d, at most %d are allowed", name, i+1, file.Size, len(files[i]), size)
			}
		}
		var parts []string
		for _, r := range split.rows(k, files) {
			parts = append(parts, describe(r))
		}
		var all []string
		for _, r := range whole.export(k, k.month()) {
			all = append(all, describe(r))
		}
		if strings.Join(parts, "\n") != strings.Join(all, "\n") {
			t.Errorf("%s: %d rows in parts, %d in one file, or other ones", name, len(parts), len(all))
		}
	}
}
