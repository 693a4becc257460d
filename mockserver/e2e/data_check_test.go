package e2e_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
)

// TestOwnDataAreCoherent makes every kind of file of data whose story is in order, among synthetic rows and alone, and lets the
// checker, which knows nothing of the dataset, look for contradictions.
func TestOwnDataAreCoherent(t *testing.T) {
	var events strings.Builder
	at := func(clock, row string) { fmt.Fprintf(&events, "{\"date\":\"2025-09-18T%sZ\",%s}\n", clock, row) }
	at("08:00:00", `"type":"inapp_supplied","install_id":"phone-1","campaign":"spring"`)
	at("08:01:00", `"type":"inapp_shown","install_id":"phone-1","campaign":"spring"`)
	at("08:01:05", `"type":"inapp_clicked","install_id":"phone-1","campaign":"spring","cta":"service.deeplink","cta_position":0`)
	at("09:00:00", `"type":"push_sent","install_id":"phone-1","campaign":"spring","orchestration_id":"orchestration_2"`)
	at("09:05:00", `"type":"push_open","install_id":"phone-1","campaign":"spring","orchestration_id":"orchestration_2"`)
	at("09:00:00",
		`"type":"push_sent","install_id":"phone-1","group":"orders","orchestration_id":"orchestration_2","transactional_token":"order-1"`)
	at("09:00:02", `"type":"push_error","install_id":"phone-1","group":"orders","transactional_token":"order-1"`)
	at("09:00:02", `"type":"push_bounced","install_id":"phone-1","orchestration_id":"orchestration_2"`)
	at("10:00:00", `"type":"reachability","install_id":"phone-1","is_optin":false`)
	at("11:00:00", `"type":"email_sent","custom_id":"ada","orchestration_id":"orchestration_1","sent_id":"sent_1"`)
	at("11:00:01", `"type":"email_delivered","custom_id":"ada","orchestration_id":"orchestration_1","sent_id":"sent_1"`)
	at("11:10:00", `"type":"email_open","custom_id":"ada","orchestration_id":"orchestration_1","sent_id":"sent_1"`)
	at("11:11:00",
		`"type":"email_click","custom_id":"ada","orchestration_id":"orchestration_1","sent_id":"sent_1","click_url":"https://www.example.com/"`)
	at("12:00:00", `"type":"email_unsubscribed","custom_id":"ada","orchestration_id":"orchestration_1","sent_id":"sent_1"`)
	at("13:00:00", `"type":"reachability","custom_id":"ada","phone_number":"+33639980001","sms_marketing":"subscribed"`)
	at("14:00:00", `"type":"sms_sent","custom_id":"ada","sent_id":"sent_2","sms_parts":1`)
	at("14:00:04", `"type":"sms_delivered","custom_id":"ada","sent_id":"sent_2"`)
	at("15:00:00", `"type":"reachability","install_id":"phone-1","is_optin":true`)
	at("16:00:00", `"type":"visit","install_id":"phone-1"`)
	directory := datasetDirectory(t, map[string]string{
		"profiles.csv":      "profile_id,custom_id,email_address,email_marketing,language,region,timezone,creation_date\nprofile_ada,ada,ada@example.com,subscribed,fr,FR,Europe/Paris,2025-01-01T00:00:00\n",
		"installations.csv": "install_id,custom_id,platform,is_optin,install_date,last_start_date\nphone-1,ada,ios,true,2025-01-02T00:00:00,2025-09-01T00:00:00\n",
		"events.ndjson":     events.String(),
	})
	for _, mode := range testlevel.Some(t, testlevel.Count(1, 2, 2), []string{"mixed", "only"}) {
		t.Run(mode, func(t *testing.T) {
			folder := t.TempDir()
			check, files := []string{"check", "--now", "2025-09-20T12:00:00Z"}, []string{}
			for _, k := range kinds {
				group, _, _ := strings.Cut(k.name, ".")
				token := "spring"
				if group == "transactional" {
					token = "orders"
				}
				out := filepath.Join(folder, k.name)
				generate := []string{"generate", "--quiet", "--profiles", "400", "--now", "2025-09-20T12:00:00Z",
					"--kind", k.name, "--token", token, "--data", directory, "--data-mode", mode, "--out", out}
				switch {
				case k.windowed && k.legacy:
					generate = append(generate, "--from", "2025-08-01T00:00:00")
				case k.windowed:
					generate = append(generate, "--from", "2025-08-01T00:00:00Z")
				}
				if text, err := exec.Command(program, generate...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v: %s", k.name, err, text)
				}
				files = append(files, out)
				check = append(check, "--kind", out+"="+k.name)
				if strings.Contains(group, "campaign") || group == "transactional" {
					check = append(check, "--campaign", out+"="+group+"/"+token)
				}
			}
			if text, err := exec.Command(program, append(check, files...)...).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}
