package main

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const columns = `"ids":["install_id","custom_id","advertising_id"]`

// requests holds, for every kind, the request that generate stands for when only the kind is given.
var requests = map[string]struct{ path, body string }{
	"campaign.ids":           {"/1.0/live_demo/export/campaign/demo/ids", `{"events":["push_sent","push_open","push_error"],` + columns},
	"campaign.events":        {"/1.0/live_demo/export/campaign/demo/events", `{"events":["push_sent","push_open","push_error"],` + columns},
	"transactional.ids":      {"/1.0/live_demo/export/transactional/demo/ids", `{"events":["push_sent","push_open","push_error"],` + columns},
	"transactional.events":   {"/1.0/live_demo/export/transactional/demo/events", `{"events":["push_sent","push_open","push_error"],` + columns},
	"in-app-campaign.ids":    {"/1.0/live_demo/export/in-app-campaign/demo/ids", `{"events":["inapp_shown","inapp_clicked","inapp_closed","inapp_supplied"],` + columns},
	"in-app-campaign.events": {"/1.0/live_demo/export/in-app-campaign/demo/events", `{"events":["inapp_shown","inapp_clicked","inapp_closed","inapp_supplied"],` + columns},
	"reachability.events":    {"/1.0/live_demo/export/reachability/events", `{` + columns},
	"userbase":               {"/1.0/live_demo/export/userbase", `{` + columns},
	"profiles.attributes": {"/2.7/profiles/export", `{"export_type":"ATTRIBUTES","identifiers":["custom_id","installation_ids"],"attributes":["$creation_date",
		"$email_address","$email_marketing","$language","$last_activity","$last_email_marketing_click","$last_email_marketing_open",
		"$last_email_transactional_click","$last_email_transactional_open","$last_visit_date","$phone_number","$push_subscriptions","$region",
		"$sms_marketing","$timezone"]`},
	"profiles.events": {"/2.7/profiles/export", `{"export_type":"EVENTS","identifiers":["custom_id"],"events":["email_sent","email_delivered",
		"email_open","email_click","email_bounced","email_spam_complaint","email_unsubscribed","sms_sent","sms_delivered","sms_bounced",
		"sms_unsubscribed","push_sent","push_bounced","push_open"]`},
	"profiles.reachability": {"/2.7/profiles/export", `{"export_type":"REACHABILITY","identifiers":["custom_id","installation_id"],"channels":["push","email","sms"]`},
}

// download takes an export of a server from the request to its file.
func download(t *testing.T, server *mockserver.Server, path, body string) string {
	t.Helper()
	send := func(method, target, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		for name, value := range map[string]string{
			"X-Authorization": "rest_demo", "Authorization": "Bearer token_demo", "X-Service-Project": "project_demo",
			"Content-Type": "application/json", "X-Mock-Scenario": "progress=now",
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code >= 400 {
			t.Fatalf("%s %s: %d %s", method, target, w.Code, w.Body)
		}
		return w
	}
	var created struct{ RequestID, ID string }
	json.Unmarshal(send("POST", path, body).Body.Bytes(), &created)
	var link string
	if created.RequestID != "" {
		var record struct {
			FileURL string `json:"file_url"`
		}
		json.Unmarshal(send("GET", "/1.0/live_demo/export/request/"+created.RequestID, "").Body.Bytes(), &record)
		link = record.FileURL
	} else {
		file := "file_" + strings.TrimPrefix(created.ID, "export_") + "_1"
		link = send("GET", "/2.7/exports/download?id="+file, "").Header().Get("Location")
	}
	data := must.Get(io.ReadAll(send("GET", strings.TrimPrefix(link, "http://example.com"), "").Body))(t)
	return string(data)
}

// TestGenerateEqualsServer: byte for byte, for every kind, in the usual world and in one with every flag that shapes it.
func TestGenerateEqualsServer(t *testing.T) {
	t.Run("usual", func(t *testing.T) { generateEqualsServer(t, mockserver.World{}) })
	set := mockserver.World{
		PushOnly: new(0.3), EmailOnly: new(0.2), SMS: new(0.4), PushOptIn: new(0.9), EmailOptIn: new(0.95), SMSOptIn: new(0.8),
		Rates: map[string]float64{"email_open": 0.7, "push_opened": 0.5}, Campaigns: new(7), WeeklyMessages: new(2.5), Growth: new(0.5),
		Texture: "hostile", Regions: map[string]float64{"FR": 1, "CA": 2}, Segments: map[string]float64{"gold": 1, "a;b": 2}, Churn: new(0.2),
	}
	t.Run("shaped", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "world.yaml")
		text := "push-only: 0.3\nemail-only: 0.2\nsms: 0.4\npush-opt-in: 0.9\nemail-opt-in: 0.5\nrates: {email_open: 0.7}\ntexture: tidy\n"
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		generateEqualsServer(t, set, "--world", file, "--world", "email-opt-in=0.95", "--world", "sms-opt-in=0.8", "--world", "rates.push_opened=0.5",
			"--world", "campaigns=7", "--world", "weekly-messages=2.5", "--world", "growth=0.5", "--world", "texture=hostile", "--world", "regions={FR: 1, CA: 2}",
			"--world", "segments={gold: 1, a;b: 2}", "--world", "churn=0.2")
	})
}

func generateEqualsServer(t *testing.T, world mockserver.World, flags ...string) {
	server := must.Get(mockserver.New(mockserver.Options{Seed: 5, Profiles: 2_000, World: world, Now: func() time.Time { return noon }}))(t)
	defer server.Close()
	library := must.Get(schemas.Embedded())(t)
	for _, export := range library.Exports() {
		t.Run(export.Kind, func(t *testing.T) {
			request, known := requests[export.Kind]
			if !known {
				t.Fatal("no request for this kind")
			}
			body := request.body
			if export.Lookback > 0 {
				zone := ""
				if export.Interface == "profiles" {
					zone = "Z"
				}
				body += `,"from":"2026-03-08T12:00:00` + zone + `","to":"now"`
			}
			want := download(t, server, request.path, body+"}")
			out := filepath.Join(t.TempDir(), "file")
			r := invoke(t, "", append([]string{"generate", "--kind", export.Kind, "--seed", "5", "--profiles", "2000", "--out", out}, flags...)...)
			got, err := os.ReadFile(out)
			if r.code != 0 || err != nil {
				t.Fatalf("exit code %d, %v: %s", r.code, err, r.err)
			}
			if string(got) != want || len(got) < 100 {
				t.Errorf("generated %d bytes, the server gives %d, or other ones", len(got), len(want))
			}
			if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestGenerateFlags: every flag reaches the request.
func TestGenerateFlags(t *testing.T) {
	server := must.Get(mockserver.New(mockserver.Options{Profiles: 3000, Now: func() time.Time { return noon.AddDate(0, 0, -3) }}))(t)
	defer server.Close()
	for _, c := range []struct{ line, path, body string }{
		{"--kind campaign.events --token spring --events push_open --ids custom_id,install_id --from 2026-03-01T00:00:00 --to 2026-03-11T00:00:00",
			"/1.0/live_demo/export/campaign/spring/events", `{"from":"2026-03-01T00:00:00","to":"2026-03-11T00:00:00","events":["push_open"],"ids":["install_id","custom_id"]}`},
		{"--kind profiles.attributes --attributes $language,shoe_size --identifiers custom_id --segment loyal",
			"/2.7/profiles/export", `{"export_type":"ATTRIBUTES","attributes":["$language","shoe_size"],"identifiers":["custom_id"],"filter":{"segment":"loyal"}}`},
		{"--kind profiles.reachability --channels sms --from 2026-01-01T00:00:00Z",
			"/2.7/profiles/export", `{"export_type":"REACHABILITY","channels":["sms"],"identifiers":["custom_id","installation_id"],"from":"2026-01-01T00:00:00Z","to":"now"}`},
	} {
		want := download(t, server, c.path, c.body)
		r := invoke(t, "", append([]string{"generate", "--profiles", "3000", "--now", "2026-03-12T12:00:00Z"}, strings.Fields(c.line)...)...)
		if r.code != 0 || r.out != want || len(want) < 50 {
			t.Errorf("%s: exit code %d, %d bytes, the server gives %d: %s", c.line, r.code, len(r.out), len(want), r.err)
		}
	}
	if r := invoke(t, "", "generate", "--kind", "profiles.events", "--events", "push_sent", "--rows", "1", "--api-key", "dev_demo"); !strings.Contains(r.out, `"api_key":"dev_demo"`) {
		t.Errorf("--api-key is not printed: %s %s", r.out, r.err)
	}
}

// TestGenerateRows: never more rows than asked for, and as many if there are.
func TestGenerateRows(t *testing.T) {
	for asked, want := range map[string]string{"0": "0", "1": "1", "100": "100", "25000": "all"} {
		r := invoke(t, "", "generate", "--kind", "userbase", "--profiles", "1000", "--world", "texture=tidy", "--rows", asked)
		rows := strings.Count(r.out, "\n") - 1
		if r.code != 0 || want != "all" && want != itoa(rows) || want == "all" && (rows < 500 || rows > 5000) {
			t.Errorf("--rows %s: %d rows, exit code %d: %s", asked, rows, r.code, r.err)
		}
	}
}

func itoa(number int) string {
	data, _ := json.Marshal(number)
	return string(data)
}

// TestGenerateOut: a file is replaced only by a whole one, and a device is never replaced.
func TestGenerateOut(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.csv")
	must.Do(t, os.WriteFile(out, []byte("before"), 0o600))
	if r := invoke(t, "", "generate", "--kind", "userbase", "--rows", "1", "--out", out); r.code != 0 || r.out != "" {
		t.Fatalf("exit code %d: %s%s", r.code, r.out, r.err)
	}
	if data, err := os.ReadFile(out); err != nil || strings.Count(string(data), "\n") != 2 {
		t.Errorf("%q %v", data, err)
	}
	invoke(t, "", "generate", "--kind", "userbase", "--rows", "1", "--out", os.DevNull).is(t, exitOK, "", "")
	if information, err := os.Stat(os.DevNull); err != nil || information.Mode().IsRegular() {
		t.Fatalf("%s was replaced by a file", os.DevNull)
	}
}

// TestGenerateArrival: all ways in which rows arrive may be asked for, as in a scenario, and check takes the same words.
func TestGenerateArrival(t *testing.T) {
	made := func(arrival string) string {
		t.Helper()
		got := invoke(t, "", "generate", "--kind", "in-app-campaign.events", "--profiles", "3000", "--world", "texture=tidy",
			"--now", "2026-03-15T12:00:00Z", "--from", "2026-03-10T00:00:00", "--to", "2026-03-15T00:00:00", "--world", "arrival="+arrival)
		if got.code != exitOK {
			t.Fatalf("%s: %s", arrival, got.err)
		}
		return got.out
	}
	rows := func(arrival string) int { return strings.Count(made(arrival), "\n") }
	none := rows("none")
	if twice := rows("duplicates:0.5"); twice < none*5/4 {
		t.Errorf("%d rows, and %d when half of them come twice", none, twice)
	}
	if late := rows("late:0.9,240h"); late >= none {
		t.Errorf("%d rows, and %d when most are late", none, late)
	}
	if made("unordered") == made("none") || rows("unordered") != none {
		t.Error("rows that are out of order are in order")
	}
	if made("skew:0.5,12h") == made("none") {
		t.Error("no clock is wrong")
	}
	const all = "late:0.2,72h;duplicates:0.1;skew:0.1,12h;unordered"
	must.Equal(t, made(all), made(strings.ReplaceAll(all, ":", "=")), "the form of a scenario is another")
	invoke(t, made(all), "check", "--now", "2026-03-15T12:00:00Z", "--kind", "-=in-app-campaign.events", "--world", "arrival="+all, "-").is(t, exitOK, "", "")
}
